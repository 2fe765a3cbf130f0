function [Xi, y, t] = ap_by_noise (Xi, y, noise)
%AP_BY_NOISE  Examples in units of their own noise (T35), without those whose noise is infinite.
%
%   [Xi, y, t] = AP_BY_NOISE (Xi, y, noise)
%   Inputs :  Xi, N0 x P x Pi, and y, P x C, path inputs and labels;  noise, from ap_check_noise, 1 x P variances over
%             the temperature, or []: then nothing is done
%   Outputs:  Xi and y of the examples left, over sqrt (t);  t, column of their variances, or []
%   With sum (log (t)) for each output added to the energy they are the examples at T = 1 for the variances T t.
%   Example:  [Xi, y, t] = ap_by_noise (Xi, y, noise);
%   See also ap_check_noise, ap_prepare, ap_left_out.

% SPDX-License-Identifier: BSD-3-Clause

t = [];
if isempty (noise), return; end
left = isfinite (noise);
t = reshape (noise(left), [], 1);
Xi = bsxfun (@rdivide, Xi(:,left,:), sqrt (t'));
y = bsxfun (@rdivide, y(left,:), sqrt (t));
end
