function c = curve (ax, x, y, ink, dash, width, mark, extent)
%CURVE  Draw a line in axes. Unlike plot, it leaves the properties of the axes unchanged.
%
%   c = curve (ax, x, y, ink, dash, width)
%   c = curve (ax, x, y, ink, dash, width, mark, extent)
%   Inputs :  ink, colour;  dash, such as '--';  mark and extent, symbol and size of the markers, which are filled
%             with white: overlapping markers remain distinct

% SPDX-License-Identifier: BSD-3-Clause

c = line (x, y, 'parent', ax, 'color', ink, 'linestyle', dash, 'linewidth', width);
if nargin < 7, return; end
set (c, 'marker', mark, 'markersize', extent);
if ~strcmp (graphics_toolkit (ancestor (ax, 'figure')), 'gnuplot')  % gnuplot's legends lose filled marks
  set (c, 'markerfacecolor', [1 1 1]);
end
end
