function width = ap_plot_points (ax)
%AP_PLOT_POINTS  Width of the drawing area in points.
%
%   width = AP_PLOT_POINTS (ax)
%   Square axes may be narrower than their position.

% SPDX-License-Identifier: BSD-3-Clause

position = ap_plot_pixels (ax) * 72 / get (0, 'screenpixelsperinch');
width = position(3);
if strcmp (get (ax, 'dataaspectratiomode'), 'manual'), width = min (position(3:4)); end
end
