function key_beside (fig, place, lines, names)
%KEY_BESIDE  A legend in axes of its own: gnuplot omits a legend outside of the axes of its lines.
%
%   key_beside (fig, place, lines, names)
%   Inputs :  place, [left bottom width height] of the page;  lines, handles;  names, cell of texts

% SPDX-License-Identifier: BSD-3-Clause

ax = axes ('parent', fig, 'position', place, 'visible', 'off', 'xlim', [0 1], 'ylim', [0 1]);
for k = 1:numel (lines)
  look = get (lines(k));
  copies(k) = line ([-2 -1], [-2 -1], 'parent', ax, 'color', look.color, 'linestyle', look.linestyle, 'linewidth', ...
                    look.linewidth, 'marker', look.marker, 'markersize', look.markersize, 'markerfacecolor', ...
                    look.markerfacecolor);
end
small = 9;
if strcmp (graphics_toolkit (fig), 'gnuplot'), small = 7; end        % its lines are further apart
set (legend (copies, names, 'location', 'west'), 'box', 'off', 'fontsize', small);
end
