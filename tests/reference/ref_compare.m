function [d, se] = ref_compare (a, b, w)
% REF_COMPARE  Difference of two weighted means or sums over the same examples, pair by pair, and its standard error.
%   [d, se] = ref_compare (a, b): sum_i d_i, d_i = a_i - b_i, and sqrt (n) times the standard deviation of the d_i: the
%   error of a sum of n independent terms [Vehtari, Gelman, Gabry 2017, (24)]
%   [d, se] = ref_compare (a, b, w): sum_i w_i d_i / sum_i w_i, whose variance is sum_i w_i^2 var (d) / (sum_i w_i)^2,
%   with n / (n - 1) times the squared distances of the d_i from it for var (d)
n = numel (a);
[d, v] = deal (0);
if nargin < 3
  for i = 1:n, d = d + a(i) - b(i); end
  for i = 1:n, v = v + n / (n - 1) * (a(i) - b(i) - d / n) ^ 2; end
  se = sqrt (v);
  return
end
for i = 1:n, d = d + w(i) * (a(i) - b(i)) / sum (w); end
for i = 1:n, v = v + n / (n - 1) * (w(i) / sum (w)) ^ 2 * (a(i) - b(i) - d) ^ 2; end
se = sqrt (v);
end
