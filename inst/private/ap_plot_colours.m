function map = ap_plot_colours (kind)
%AP_PLOT_COLOURS  Colour maps that survive a print in grey.
%
%   map = AP_PLOT_COLOURS ('diverging')    blue, white, red: both ends equally dark, so that grey shows the size, and
%                                          the numbers in the cells the sign
%   map = AP_PLOT_COLOURS ('sequential')   pale yellow to dark blue, its lightness falling steadily

% SPDX-License-Identifier: BSD-3-Clause

if strcmp (kind, 'diverging')
  shades = [0.08 0.28 0.55; 0.45 0.66 0.85; 1 1 1; 0.96 0.62 0.50; 0.66 0.08 0.12];
else
  shades = [1 1 0.90; 0.78 0.91 0.71; 0.33 0.71 0.72; 0.14 0.42 0.64; 0.05 0.14 0.38];
end
map = interp1 (linspace (-1, 1, 5), shades, linspace (-1, 1, 255)');
end
