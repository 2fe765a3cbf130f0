function [p, l] = ap_probit (fit, mu, s2, y)
%AP_PROBIT  Probabilities of two classes from means and variances of one output.
%
%   p = AP_PROBIT (fit, mu, s2)
%   [p, l] = AP_PROBIT (fit, mu, s2, y)
%   Inputs :  fit, from ap_probit_fit;  mu, s2, n x 1;  y, n x 1 labels -1 and +1, or []
%   Outputs:  p, n x 1 probability of +1;  l, n x 1 log of the probability of y
%   Equation: p = sum_k weight_k Phi (m_k / sqrt (v_k + q_k)), m = a mu + b, v = 1 - share + share s2 / noise, and q the
%             variance of m by the covariance of (a, b): the mean of Phi over that Gaussian
%   See also ap_probit_fit, attnpath_probability.

% SPDX-License-Identifier: BSD-3-Clause

z = zeros (numel (mu), numel (fit.a));
for k = 1:numel (fit.a)
  V = fit.covariance(:,:,k);
  v = 1 - fit.share(k) + fit.share(k) * s2 / fit.noise;
  q = mu .^ 2 * V(1,1) + 2 * mu * V(1,2) + V(2,2);
  z(:,k) = (fit.a(k) * mu + fit.b(k)) ./ sqrt (v + q);
end
p = erfc (-z / sqrt (2)) / 2 * fit.weight';
l = [];
if nargin > 3 && ~isempty (y)
  l = bsxfun (@plus, ap_log_phi (bsxfun (@times, y, z)), log (fit.weight));
  top = max (l, [], 2);
  l = top + log (sum (exp (bsxfun (@minus, l, top)), 2));
end
end
