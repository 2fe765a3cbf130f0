function ax = log_axes (fig, place, ends, ticks)
%LOG_AXES  Axes with a logarithmic x axis that has labels at some numbers only.
%
%   ax = log_axes (fig, place, ends, ticks)
%   Inputs :  place, [left bottom width height] of the page;  ends, limits of x;  ticks, whole numbers

% SPDX-License-Identifier: BSD-3-Clause

ax = axes ('parent', fig, 'position', place, 'xscale', 'log', 'box', 'on', 'layer', 'top', 'xlim', ends, ...
           'xtick', ticks, 'xminortick', 'off', ...
           'xticklabel', arrayfun (@(x) sprintf ('%d', x), ticks, 'UniformOutput', false));
end
