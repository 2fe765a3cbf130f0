function l = ap_log_density (y, mu, s2, T, s)
%AP_LOG_DENSITY  Log densities of labels, of which each is Gaussian about its mean, with the noise of its temperature.
%
%   l = AP_LOG_DENSITY (y, mu, s2, T)
%   l = AP_LOG_DENSITY (y, mu, s2, T, s)
%   Inputs :  y and mu, P x C labels and means;  s2, variances without the noise, P x 1 for C = 1, otherwise C x C x P;
%             T, temperature;  s, all variances, of what is sqrt (s) times y and mu, are s times these: 1 without
%   Outputs:  P x 1, of the label or the row of labels of each example
%   See also attnpath_loo, ap_tune_judge.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 5, s = 1; end
[P, C] = size (y);
if C == 1
  v = s2 + T;
  l = -log (2 * pi * s * v) / 2 - (y - mu) .^ 2 ./ (2 * v);
  return
end
l = zeros (P, 1);
for i = 1:P
  F = chol (s2(:,:,i) + T * eye (C))';
  e = F \ (y(i,:) - mu(i,:))';
  l(i) = -C * log (2 * pi * s) / 2 - sum (log (diag (F))) - e' * e / 2;
end
end
