function c = curve (ax, x, y, ink, dash, width, mark, extent)
%CURVE  A line in axes, without what plot resets.
%
%   c = curve (ax, x, y, ink, dash, width)
%   c = curve (ax, x, y, ink, dash, width, mark, extent)
%   Inputs :  ink, colour;  dash, such as '--';  mark and extent, of a marker at each point: filled with white, so
%             that those below it stay apart

% SPDX-License-Identifier: BSD-3-Clause

c = line (x, y, 'parent', ax, 'color', ink, 'linestyle', dash, 'linewidth', width);
if nargin < 7, return; end
set (c, 'marker', mark, 'markersize', extent);
if ~strcmp (graphics_toolkit (ancestor (ax, 'figure')), 'gnuplot')  % whose legends lose filled marks
  set (c, 'markerfacecolor', [1 1 1]);
end
end
