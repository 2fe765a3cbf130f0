function [z, ess] = samples_apart (a, b)
% [z, ess] = samples_apart (a, b): of two samples of the same quantities, means and variances: the largest |z| of each,
% in Monte Carlo standard errors, and the smallest effective sample size.

% SPDX-License-Identifier: BSD-3-Clause

ess = Inf;
for power = 1:2
  [da, db] = deal (attnpath_diagnose (a), attnpath_diagnose (b));
  z(power) = max (abs ((da.mean - db.mean) ./ hypot (da.mcse, db.mcse)));
  ess = min ([ess; da.ess_mean; db.ess_mean]);
  a = (a - mean (a(:,:), 2)) .^ 2;
  b = (b - mean (b(:,:), 2)) .^ 2;
end
end
