function [mu, s2, l] = ap_left_out (fname, net, data, U, s, display)
%AP_LEFT_OUT  Mean and variance of each example's output, left out of the training set, and the density of its label.
%
%   [mu, s2, l] = AP_LEFT_OUT (fname, net, data, U, s)
%   [mu, s2, l] = AP_LEFT_OUT (fname, net, data, order, s, display)
%   Inputs :  fname, stem of the calling function;  others as for attnpath_loo_mex: U, Pi x Pi x draws, for (T23), a cell
%             of order parameters for (T24);  s, by which all kernels of data and the temperature of net are to be
%             multiplied;  display, for progress
%   Where data has a field group, as from ap_left_groups, the examples of a group are left out together, and l is
%   n x draws, of the n groups.
%   Examples with noise of their own come in units of it, from ap_prepare; all outputs are in units of the labels.
%   Outputs:  mu, P x C x draws;  s2, P x draws for C = 1, otherwise C x C x P x draws, also where outputs share U and
%             with it one variance;  l, P x draws, log densities of the labels of each example, Gaussian about mu with
%             variance s2 and the noise of the temperature
%   See also attnpath_loo, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 6, display = false; end
[data.y, data.rest] = deal (data.y / sqrt (s), data.rest / s);
group = ap_field (data, 'group', []);
[mu, s2, l] = ap_gateway (fname, @attnpath_loo_mex, ap_without_heads (net), data, U, group, [], double (display));
[P, C, S] = size (mu);
if isempty (group), group = (1:P)'; end
count = accumarray (group, 1);
if data.shared && C > 1, s2 = reshape (reshape (eye (C), [], 1) * reshape (s2, 1, []), C, C, P, S); end
[mu, s2, l] = deal (mu * sqrt (s), s2 * s, bsxfun (@minus, l, C / 2 * log (s) * count));
if isempty (data.noise), return; end
along = data.noise;
if C > 1, along = reshape (along, 1, 1, []); end
mu = bsxfun (@times, mu, sqrt (data.noise));
s2 = bsxfun (@times, s2, along);
l = bsxfun (@minus, l, C / 2 * accumarray (group, log (data.noise)));
end
