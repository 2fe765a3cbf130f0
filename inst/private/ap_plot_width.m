function text = ap_plot_width (net)
%AP_PLOT_WIDTH  The widths of a network for a title: one number where they are equal.
%
%   text = AP_PLOT_WIDTH (net)

% SPDX-License-Identifier: BSD-3-Clause

if all (net.width == net.width(1))
  text = sprintf ('N = %g', net.width(1));
else
  text = ['N = ' strjoin(arrayfun (@(N) sprintf ('%g', N), net.width, 'UniformOutput', false), ', ')];
end
end
