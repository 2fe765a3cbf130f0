function [mu, s2] = ap_left_out (net, data, U)
%AP_LEFT_OUT  Mean and variance of each example's output, left out of the training set.
%
%   [mu, s2] = AP_LEFT_OUT (net, data, U)
%   [mu, s2] = AP_LEFT_OUT (net, data, order)
%   Inputs :  as for attnpath_loo_mex: U for (T23), a cell of order parameters for (T24)
%   Outputs:  mu, P x C;  s2, P x 1 for C = 1, otherwise C x C x P, also where outputs share U and with it one variance
%   See also attnpath_loo, ap_tune_judge.

% SPDX-License-Identifier: BSD-3-Clause

[mu, s2] = attnpath_loo_mex (ap_headless (net), data, U);
C = size (mu, 2);
if data.shared && C > 1, s2 = reshape (reshape (eye (C), [], 1) * s2', C, C, []); end
end
