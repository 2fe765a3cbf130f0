function h = ap_plot_curve (ax, x, y, varargin)
%AP_PLOT_CURVE  A line through round marks, blue.
%
%   h = AP_PLOT_CURVE (ax, x, y, Name, Value, ...)      with other properties of the line

% SPDX-License-Identifier: BSD-3-Clause

blue = [0.00 0.32 0.62];
h = line (x, y, 'Parent', ax, 'color', blue, 'linestyle', '-', 'linewidth', 1.2, 'marker', 'o', 'markersize', 5, ...
          'markerfacecolor', blue, varargin{:});
end
