function save_figure (fig, folder, name)
%SAVE_FIGURE  Write a figure as NAME.png, 150 dots per inch, and NAME.pdf; then close it.
%
%   save_figure (fig, folder, name)
%   A PDF needs ghostscript. Octave 9 of Debian 13 drops images from it: from 9 on they are patches, cell by cell.
%   Before they must not be: ghostscript may fail with the PostScript that patches become.

% SPDX-License-Identifier: BSD-3-Clause

file = fullfile (folder, name);
print (fig, [file '.png'], '-dpng', '-r150');
fprintf ('\nwrote %s\n', [file '.png']);
if compare_versions (OCTAVE_VERSION (), '9', '>='), arrayfun (@to_patches, findobj (fig, 'type', 'image')); end
print (fig, [file '.pdf'], '-dpdf');
fprintf ('wrote %s\n', [file '.pdf']);
close (fig);
end

function to_patches (h)
% As attnpath_plot does with its own images (private/ap_plot_cells.m, which demos cannot call), and of any size
set (h, 'visible', 'off');
if ~isempty (findall (get (h, 'parent'), 'tag', 'cells')), return; end     % those of attnpath_plot
C = get (h, 'CData');
[X, Y] = meshgrid (edges (get (h, 'XData'), size (C, 2)), edges (get (h, 'YData'), size (C, 1)));
at = reshape (1:numel (X), size (X));
corners = {at(1:end-1,1:end-1), at(2:end,1:end-1), at(2:end,2:end), at(1:end-1,2:end)};
corners = cellfun (@(c) c(:), corners, 'UniformOutput', false);
patch ('parent', get (h, 'parent'), 'vertices', [X(:), Y(:), -ones(numel (X), 1)], 'faces', [corners{:}], ...
       'facevertexcdata', C(:), 'facecolor', 'flat', 'edgecolor', 'flat', 'linewidth', 0.1);
end

function x = edges (centres, n)
wide = (centres(end) - centres(1)) / max (n - 1, 1) + (n == 1);
x = centres(1) - wide / 2 + wide * (0:n);
end
