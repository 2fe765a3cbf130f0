function ap_plot_axes (ax, labels, varargin)
%AP_PLOT_AXES  Properties of axes with a frame, their labels and title in their type size.
%
%   AP_PLOT_AXES (ax, labels, Name, Value, ...)
%   Inputs :  labels, {x}, {x, y} or {x, y, title}; '' leaves one as it is, a cell of texts has several lines
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

set (ax, 'box', 'on', varargin{:});
places = {'xlabel', 'ylabel', 'title'};
for k = find (~cellfun (@isempty, labels))
  set (get (ax, places{k}), 'string', labels{k}, 'fontsize', get (ax, 'fontsize'), 'fontweight', 'normal');
end
end
