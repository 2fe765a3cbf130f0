function ap_plot_cells (h)
%AP_PLOT_CELLS  The cells of an image once more, as patches that lie under it.
%
%   AP_PLOT_CELLS (h)
%   h: handle of an image with scaled colours.
%   Octave 9 of Debian 13 drops images from PDF and SVG files and keeps patches. On the screen, and where images are
%   kept, nothing of these is seen. Older Octaves have none: they keep images, and their PDF files, by way of
%   PostScript, may fail with patches. Images of more than 64 x 64 have none, which would make files large.
%   The patches are known by their tag, 'cells'.
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ~exist ('OCTAVE_VERSION', 'builtin') || compare_versions (OCTAVE_VERSION (), '9', '<'), return; end
C = get (h, 'CData');
if numel (C) > 64 ^ 2, return; end
[x, y] = deal (edges (get (h, 'XData'), size (C, 2)), edges (get (h, 'YData'), size (C, 1)));
[X, Y] = meshgrid (x, y);
at = reshape (1:numel (X), size (X));
corners = {at(1:end-1,1:end-1), at(2:end,1:end-1), at(2:end,2:end), at(1:end-1,2:end)};
corners = cellfun (@(c) c(:), corners, 'UniformOutput', false);
patch ('Parent', get (h, 'Parent'), 'Vertices', [X(:), Y(:), -ones(numel(X), 1)], 'Faces', [corners{:}], ...
       'FaceVertexCData', C(:), 'FaceColor', 'flat', 'EdgeColor', 'flat', 'LineWidth', 0.1, ...
       'HandleVisibility', 'off', 'Tag', 'cells');
end

function x = edges (centres, n)
% Of n cells, the first and the last of which have these centres
wide = (centres(end) - centres(1)) / max (n - 1, 1) + (n == 1);
x = centres(1) - wide / 2 + wide * (0:n);
end
