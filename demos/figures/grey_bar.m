function ax = grey_bar (fig, place, limits)
%GREY_BAR  The scale of an image, in axes of its own at a fixed place.
%
%   ax = grey_bar (fig, place, limits)
%   Inputs :  place, [left bottom width height] of the page;  limits, values of the first and last colour of the figure

% SPDX-License-Identifier: BSD-3-Clause

ax = axes ('parent', fig, 'position', place, 'box', 'on', 'layer', 'top', 'xtick', [], 'yaxislocation', 'right', ...
           'xlim', [0.5 1.5], 'ylim', limits, 'clim', limits, 'fontsize', 8);
image ('XData', 1, 'YData', limits, 'CData', linspace (limits(1), limits(2), 64)', 'CDataMapping', 'scaled', ...
       'parent', ax);
set (ax, 'xlim', [0.5 1.5], 'ylim', limits);
end
