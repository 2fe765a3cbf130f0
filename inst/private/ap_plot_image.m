function h = ap_plot_image (ax, values, map, limits, varargin)
%AP_PLOT_IMAGE  A matrix as an image, row by row from above, in colours that survive a print in grey.
%
%   h = AP_PLOT_IMAGE (ax, values, map, limits, Name, Value, ...)
%   Inputs :  map, 'diverging', blue, white, red: both ends equally dark, so that grey shows the size, and numbers in
%             the cells the sign; or 'sequential', pale yellow to dark blue, its lightness falling steadily;
%             limits, the values of the first and the last colour;  further properties of the axes
%   Outputs:  struct of axes and image
%   See also attnpath_plot, ap_plot_cells.

% SPDX-License-Identifier: BSD-3-Clause

if strcmp (map, 'diverging')
  shades = [0.08 0.28 0.55; 0.45 0.66 0.85; 1 1 1; 0.96 0.62 0.50; 0.66 0.08 0.12];
else
  shades = [1 1 0.90; 0.78 0.91 0.71; 0.33 0.71 0.72; 0.14 0.42 0.64; 0.05 0.14 0.38];
end
h.axes = ax;
h.image = imagesc (values, 'Parent', ax);
ap_plot_cells (h.image);
[m, n] = size (values);
colours = interp1 (linspace (-1, 1, 5), shades, linspace (-1, 1, 255)');
set (ax, 'clim', limits, 'colormap', colours, 'ydir', 'reverse', 'xlim', [0.5 n+0.5], 'ylim', [0.5 m+0.5], ...
     'layer', 'top', 'box', 'on', varargin{:});
end
