function h = ap_plot_numbers (ax, words, dark)
%AP_PLOT_NUMBERS  Words in the cells of a square image, white on dark ones.
%
%   h = AP_PLOT_NUMBERS (ax, words, dark)      words, n x n cell;  dark, n x n;  h, 1 x n^2 handles

% SPDX-License-Identifier: BSD-3-Clause

n = size (words, 1);
small = min (get (ax, 'fontsize'), ap_plot_points (ax) / n / 3.2);              % five digits and a margin
h = zeros (1, n ^ 2);
for k = 1:n ^ 2
  [p, q] = ind2sub ([n n], k);
  h(k) = text (q, p, words{k}, 'Parent', ax, 'color', [1 1 1] * dark(k), 'fontsize', small, ...
               'horizontalalignment', 'center', 'verticalalignment', 'middle');
end
end
