function off = ap_span_error (net, data, given, probe)
%AP_SPAN_ERROR  Bound on the error of an output's mean from the basis of the path inputs' span.
%
%   off = AP_SPAN_ERROR (net, data, given, probe)
%   Inputs :  net, a checked network;  data, from ap_prepare;  given, from ap_examples;  probe, N0 x inputs x Pi path
%             inputs, or []
%   Outputs:  off, the largest over the inputs, in prior standard deviations of the output; 0 without a basis
%
%   The path inputs X = B X' + Z of the examples are taken for B X', Z being tokens' rounding. Kernels with an input xi
%   of which xi_o lies outside the span lose s sum_ab U_ab xi_o_a' Z_b, s = sigma_0^2/(N0 Pi), and the mean loses its
%   product with A^{-1} y, |A^{-1} y| <= |y|/T. With U at its GP limit, at most u, and sqrt (s u) |xi| the prior
%   standard deviation, that is at most sqrt (s u) |xi_o|/|xi| |Z| |y|/T of them. It grows as the root of U.
%
%   See also ap_prepare, ap_gp_order.

% SPDX-License-Identifier: BSD-3-Clause

off = 0;
if isempty (data.basis) || isempty (probe), return; end
s = net.variance(1) / (size (probe, 1) * size (probe, 3));
u = max (ap_gp_diagonal (net, 1));
labels = sqrt (sum (data.y(:) .^ 2) + data.rest);
share = sqrt (squares (outside (data.basis, probe)) ./ max (squares (probe), realmin));
off = max (share) * sqrt (s * u) * rounded (data, given) * labels / net.temperature;
end

function n = squares (x)
% of an input, over all paths
n = sum (sum (x .^ 2, 1), 3);
end

function z = rounded (data, given)
% The norm of Z: of sums of squares, what ap_span.c allows it to be
if isfield (given, 'moments')
  allowed = 4;
  if strcmp (given.moments.form, 'square'), allowed = data.N0; end
  z = sqrt (allowed * eps * sum (data.Xi(:) .^ 2));
else
  Xi = ap_by_noise (given.paths.Xi, given.y, ap_noise_of (given));
  z = norm (reshape (outside (data.basis, Xi), [], 1));
end
end

function x = outside (basis, x)
x(:,:) = x(:,:) - basis * (basis' * x(:,:));
end
