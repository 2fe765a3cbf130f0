function [mu, s2, l] = ap_left_out (net, data, U, s, display)
%AP_LEFT_OUT  Mean and variance of each example's output, left out of the training set, and the density of its label.
%
%   [mu, s2, l] = AP_LEFT_OUT (net, data, U)
%   [mu, s2, l] = AP_LEFT_OUT (net, data, order)
%   [mu, s2, l] = AP_LEFT_OUT (net, data, order, s, display)
%   Inputs :  as for attnpath_loo_mex: U for (T23), a cell of order parameters for (T24);  s, 1 unless given: l is the
%             density of sqrt (s) times the labels, at s times all variances;  display, whether long work is told of
%   Where the examples of data have noise of their own, all is said of them in their own units.
%   Outputs:  mu, P x C;  s2, P x 1 for C = 1, otherwise C x C x P, also where outputs share U and with it one variance;
%             l, P x 1, log densities of the labels of each example, Gaussian about mu with variance s2 and the noise of
%             the temperature
%   See also attnpath_loo, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 5, display = false; end
try
  [mu, s2] = attnpath_loo_mex (ap_headless (net), data, U, double (display));
catch err
  ap_rethrow ('loo', err);
end
C = size (mu, 2);
if data.shared && C > 1, s2 = reshape (reshape (eye (C), [], 1) * s2', C, C, []); end
if nargin < 4, s = 1; end
if nargout > 2, l = log_density (data.y, mu, s2, net.temperature, s); end
if isempty (data.noise), return; end
mu = bsxfun (@times, mu, sqrt (data.noise));
along = data.noise;
if C > 1, along = reshape (along, 1, 1, []); end
s2 = bsxfun (@times, s2, along);
if nargout > 2, l = l - C / 2 * log (data.noise); end
end

function l = log_density (y, mu, s2, T, s)
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
