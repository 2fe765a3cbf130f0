function [r, se] = ap_rank_correlation (a, b)
%AP_RANK_CORRELATION  Spearman's rank correlation of two vectors, and its standard error.
%
%   [r, se] = AP_RANK_CORRELATION (a, b)
%   Outputs:  r, equal values share their ranks; NaN where all of one vector are equal;  se, of the pairs as a sample: that
%             of atanh (r) is sqrt ((1 + r^2/2) / (n - 3)) (Bonett, Wright, Psychometrika 65 (2000) 23), and 1 - r^2 times
%             that is the one of r; NaN for fewer than four pairs
%   See also ap_plot_scores.

% SPDX-License-Identifier: BSD-3-Clause

ranks = @(x) arrayfun (@(v) sum (x(:) < v) + (sum (x(:) == v) + 1) / 2, x(:));
a = ranks (a) - (numel (a) + 1) / 2;
b = ranks (b) - (numel (b) + 1) / 2;
r = NaN;
if any (a) && any (b), r = (a' * b) / (norm (a) * norm (b)); end
se = NaN;
if numel (a) > 3, se = (1 - r ^ 2) * sqrt ((1 + r ^ 2 / 2) / (numel (a) - 3)); end
end
