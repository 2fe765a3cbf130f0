function longest = ap_plot_longest (ax, names, points)
%AP_PLOT_LONGEST  Width of the longest of some texts in the type of axes, in points.
%
%   longest = AP_PLOT_LONGEST (ax, names, points)
%   Inputs :  names, cell of texts;  points, of a pixel
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

probe = text (0, 0, names(:), 'Parent', ax, 'fontsize', get (ax, 'fontsize'), 'units', 'pixels', 'visible', 'off');
longest = getfield (get (probe, 'extent'), {3});   % in points, whatever the screen: Octave calls them pixels
delete (probe);
if ~exist ('OCTAVE_VERSION', 'builtin'), longest = longest * points; end
end
