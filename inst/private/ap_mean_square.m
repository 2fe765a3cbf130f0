function s = ap_mean_square (e, noise)
%AP_MEAN_SQUARE  Mean of squared errors, an example's weight one over its noise.
%
%   s = AP_MEAN_SQUARE (e, noise)
%   Inputs :  e, P x C;  noise, P x 1, or [] for ones
%   See also ap_by_noise, attnpath_loo.

% SPDX-License-Identifier: BSD-3-Clause

s = mean (e(:) .^ 2);
if isempty (noise), return; end
weight = min (noise) ./ noise;
s = weight' * mean (e .^ 2, 2) / sum (weight);
end
