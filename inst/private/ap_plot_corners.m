function ap_plot_corners (h)
%AP_PLOT_CORNERS  The one colour of a patch becomes the colour of each of its corners.
%
%   AP_PLOT_CORNERS (h)
%   h: handle of a patch.
%   It looks the same. But where the limits of axes cut a face that has one colour, OpenGL leaves the colours of the
%   new corners undefined, and Octave's writer of PDF files halves a triangle until its corners agree in colour: into
%   up to a million pieces, or without an end, until the stack is full and Octave dies. Colours of corners, all the
%   same one, stay right when the face is cut. Gnuplot knows no such colours, and does not need them.
%   See also ap_plot_cells, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ap_plot_by_gnuplot (h), return; end
set (h, 'FaceVertexCData', repmat (get (h, 'FaceColor'), size (get (h, 'Vertices'), 1), 1), 'FaceColor', 'interp');
end
