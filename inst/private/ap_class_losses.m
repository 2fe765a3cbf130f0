function [logloss, ece, largest, right] = ap_class_losses (p, number, count)
%AP_CLASS_LOSSES  Losses of probabilities of C classes: log loss, and calibration error of the largest.
%
%   [logloss, ece, largest, right] = AP_CLASS_LOSSES (p, number, count)
%   Inputs :  p, n x C, rows that add up to 1;  number, n x 1, the true class;  count, of bins of equal width
%   Outputs:  logloss, mean of -log of the probability of the true class;  ece, mean over examples of |mean of the
%             largest probability - share of those that are right| in their bin;  largest, n x 1;  right, n x 1, +1
%             where the class of the largest probability is the true one, otherwise -1: as ap_reliability takes them
%   See also ap_reliability, attnpath_probability, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

n = numel (number);
logloss = -mean (log (max (realmin, p((1:n)' + n * (number - 1)))));
[largest, best] = max (p, [], 2);
right = 2 * (best == number) - 1;
[~, ece] = ap_reliability (largest, right, count);
end
