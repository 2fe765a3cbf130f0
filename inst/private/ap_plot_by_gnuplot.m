function yes = ap_plot_by_gnuplot (h)
%AP_PLOT_BY_GNUPLOT  True if gnuplot draws the figure of a graphics object, as Octave does without a display.
%
%   yes = AP_PLOT_BY_GNUPLOT (h)      h: handle of the object

% SPDX-License-Identifier: BSD-3-Clause

yes = exist ('OCTAVE_VERSION', 'builtin') && strcmp (graphics_toolkit (ancestor (h, 'figure')), 'gnuplot');
end
