function [bins, ece] = ap_reliability (p, y, count)
%AP_RELIABILITY  Calibration of probabilities: shares of a class among examples of similar probability.
%
%   [bins, ece] = AP_RELIABILITY (p, y, count)
%   Inputs :  p, n x 1 probabilities of +1;  y, n x 1 labels -1 and +1;  count, of bins of equal width
%   Outputs:  bins, k x 3, a row for each bin with examples: mean of p, share of +1, number of examples;
%             ece, expected calibration error: the mean over examples of |mean of p - share| of their bin
%   See also attnpath_probability, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

at = min (count, floor (count * p) + 1);
n = accumarray (at, 1, [count 1]);
some = n > 0;
means = [accumarray(at, p, [count 1]), accumarray(at, double (y > 0), [count 1])];
bins = [bsxfun(@rdivide, means(some,:), n(some)), n(some)];
ece = sum (bins(:,3) .* abs (bins(:,1) - bins(:,2))) / numel (p);
end
