function [box, width] = ap_plot_pixels (h)
%AP_PLOT_PIXELS  Place of axes or a figure in pixels.
%
%   [box, width] = AP_PLOT_PIXELS (h)
%   Outputs:  box, [left, bottom, width, height] in what holds it;  width, of the drawing area of axes, in points:
%             square axes may be narrower than their position
%   Units of axes stay untouched where they are normalized, because Octave's subplot would rearrange its neighbours.
%   (getpixelposition came with Octave 7.)

% SPDX-License-Identifier: BSD-3-Clause

units = get (h, 'units');
if strcmp (units, 'normalized') && ~strcmp (get (h, 'type'), 'figure')
  whole = ap_plot_pixels (get (h, 'parent'));
  box = get (h, 'position') .* whole([3 4 3 4]);
else
  set (h, 'units', 'pixels');
  box = get (h, 'position');
  set (h, 'units', units);
end
if nargout < 2, return; end
width = box(3);
if strcmp (get (h, 'dataaspectratiomode'), 'manual'), width = min (box(3:4)); end
width = width * 72 / get (0, 'screenpixelsperinch');
end
