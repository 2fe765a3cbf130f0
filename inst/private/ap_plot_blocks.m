function h = ap_plot_blocks (ax, at, n)
%AP_PLOT_BLOCKS  Lines between blocks of a square image of n rows.
%
%   h = AP_PLOT_BLOCKS (ax, at, n)      at: 1 x k, places between rows

% SPDX-License-Identifier: BSD-3-Clause

x = [at; at; NaN(size (at))];
y = repmat ([0.5; n + 0.5; NaN], 1, numel (at));
h = line ([x(:); y(:)], [y(:); x(:)], 'Parent', ax, 'color', [0 0 0], 'linewidth', 1);
end
