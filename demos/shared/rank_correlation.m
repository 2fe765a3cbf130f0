function r = rank_correlation (a, b)
%RANK_CORRELATION  Spearman's rank correlation of two vectors; equal values share their ranks.
%
%   r = rank_correlation (a, b)

% SPDX-License-Identifier: BSD-3-Clause

ranks = @(x) arrayfun (@(v) sum (x(:) < v) + (sum (x(:) == v) + 1) / 2, x(:));
both = corrcoef (ranks (a), ranks (b));
r = both(1,2);
end
