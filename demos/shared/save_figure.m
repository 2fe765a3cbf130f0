function save_figure (fig, file)
%SAVE_FIGURE  Write a figure as FILE.png, 150 dots per inch, and FILE.pdf; then close it.
%
%   save_figure (fig, file)
%   A PDF needs ghostscript. Octave 9 of Debian 13 drops images from PDFs: from version 9 on, images are replaced by
%   patches, cell by cell. Before 9 they are not: ghostscript may fail on the PostScript of patches.
%
%   Patches are coloured at their corners: private/ap_plot_bars.m of attnpath gives the reason. They have no third
%   coordinate: if one axes has depth, Octave sorts the whole figure in space. Gnuplot keeps images and needs no
%   patches; it requires \n between lines of text, and two \ before _.

% SPDX-License-Identifier: BSD-3-Clause

by_gnuplot = strcmp (graphics_toolkit (fig), 'gnuplot');
if by_gnuplot, arrayfun (@join_lines, findall (fig, 'type', 'text')); end
print (fig, [file '.png'], '-dpng', '-r150');
fprintf ('\nwrote %s\n', [file '.png']);
if compare_versions (OCTAVE_VERSION (), '9', '>=') && ~by_gnuplot
  arrayfun (@to_patches, findobj (fig, 'type', 'image'));
  arrayfun (@colour_corners, findobj (fig, 'type', 'patch'));
end
print (fig, [file '.pdf'], '-dpdf');
fprintf ('wrote %s\n', [file '.pdf']);
close (fig);
end

function to_patches (h)
% As cells_under of attnpath_plot.m, which demos cannot call, but for images of any size
set (h, 'visible', 'off');
ax = get (h, 'parent');
if ~isempty (findall (ax, 'tag', 'cells')), return; end     % attnpath_plot has replaced it
C = get (h, 'CData');
[x, y] = deal (edges (get (h, 'XData'), size (C, 2)), edges (get (h, 'YData'), size (C, 1)));
[left, low] = meshgrid (x(1:end-1), y(1:end-1));
[right, high] = meshgrid (x(2:end), y(2:end));
cells = patch ('parent', ax, 'vertices', [left(:), low(:); left(:), high(:); right(:), high(:); right(:), low(:)], ...
               'faces', reshape (1:4*numel (C), [], 4), 'facevertexcdata', repmat (C(:), 4, 1), ...
               'facecolor', 'interp', 'edgecolor', 'interp', 'linewidth', 0.1);
others = get (ax, 'children');
others = others(others ~= cells);
at = find (others == h);
set (ax, 'children', [others(1:at); cells; others(at+1:end)]);      % below other objects in front of the image
end

function x = edges (centres, n)
wide = (centres(end) - centres(1)) / max (n - 1, 1) + (n == 1);
x = centres(1) - wide / 2 + wide * (0:n);
end

function colour_corners (h)
ink = get (h, 'facecolor');
if ischar (ink), return; end
set (h, 'facevertexcdata', repmat (ink, size (get (h, 'vertices'), 1), 1), 'facecolor', 'interp');
end

function join_lines (h)
words = get (h, 'string');
if iscell (words), words = strjoin (words(:)', '\\n '); end
set (h, 'string', regexprep (words, '(?<!\\)\\_', '\\\\_'));
end
