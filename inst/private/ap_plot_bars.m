function h = ap_plot_bars (ax, left, width, heights, layers, shades)
%AP_PLOT_BARS  Bars from 0, a patch for each layer, with shades that alternate.
%
%   h = AP_PLOT_BARS (ax, left, width, heights, layers, shades)
%   Inputs :  left, heights, layers, n x 1;  shades, a row for odd layers, and one for even ones
%   Each corner of a patch gets the colour of the patch. The picture is the same. But where the limits of axes cut a
%   face that has one colour, OpenGL leaves the colours of the new corners undefined, and Octave's writer of PDF files
%   halves a triangle until its corners agree in colour: into up to a million pieces, or without an end, until the
%   stack is full and Octave dies. Colours of corners stay right when the face is cut. Gnuplot does not need them.
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

for l = 1:layers(end)
  of = layers == l;
  corners = [left(of), left(of), left(of) + width, left(of) + width]';
  h(l,1) = patch ('XData', corners, 'YData', [0*left(of), heights(of), heights(of), 0*left(of)]', ...
                  'facecolor', shades(2 - mod (l, 2),:), 'edgecolor', [0 0 0], 'Parent', ax);
  if ap_plot_by_gnuplot (ax), continue; end
  set (h(l,1), 'FaceVertexCData', repmat (get (h(l,1), 'FaceColor'), 4 * sum (of), 1), 'FaceColor', 'interp');
end
end
