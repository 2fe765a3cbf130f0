function ap_plot_cells (h)
%AP_PLOT_CELLS  The cells of an image once more, as patches that lie under it.
%
%   AP_PLOT_CELLS (h)
%   h: handle of an image with scaled colours.
%   Octave 9 of Debian 13 drops images from PDF and SVG files and keeps patches. On the screen, and where images are
%   kept, nothing of these is seen. Older Octaves have none: they keep images, and their PDF files, by way of
%   PostScript, may fail with patches. Images of more than 64 x 64 have none, which would make files large.
%   The patches are known by their tag, 'cells'.
%
%   The corners of a cell have its colour, and no third coordinate: see ap_plot_bars, and for one axes that has depth
%   Octave sorts a whole figure in space.
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ~exist ('OCTAVE_VERSION', 'builtin') || compare_versions (OCTAVE_VERSION (), '9', '<'), return; end
if ap_plot_by_gnuplot (h), return; end                                     % which keeps images
C = get (h, 'CData');
if numel (C) > 64 ^ 2, return; end
ax = get (h, 'Parent');
[x, y] = deal (edges (get (h, 'XData'), size (C, 2)), edges (get (h, 'YData'), size (C, 1)));
[left, low] = meshgrid (x(1:end-1), y(1:end-1));
[right, high] = meshgrid (x(2:end), y(2:end));
cells = patch ('Parent', ax, 'Vertices', [left(:), low(:); left(:), high(:); right(:), high(:); right(:), low(:)], ...
               'Faces', reshape (1:4*numel (C), [], 4), 'FaceVertexCData', repmat (C(:), 4, 1), ...
               'FaceColor', 'interp', 'EdgeColor', 'interp', 'LineWidth', 0.1, 'Tag', 'cells');
others = get (ax, 'Children');
others = others(others ~= cells);
set (ax, 'Children', [others; cells]);                                     % under all
set (cells, 'HandleVisibility', 'off');
end

function x = edges (centres, n)
% The edges of n cells, the first and the last of which have these centres
wide = (centres(end) - centres(1)) / max (n - 1, 1) + (n == 1);
x = centres(1) - wide / 2 + wide * (0:n);
end
