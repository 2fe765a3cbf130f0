function left = ap_used_examples (noise, P)
%AP_USED_EXAMPLES  The examples that enter training: all but those of noise Inf.
%
%   left = AP_USED_EXAMPLES (noise, P)
%   Inputs :  noise, from ap_check_noise;  P, number of examples
%   Outputs:  P x 1, true or false
%   See also ap_by_noise.

% SPDX-License-Identifier: BSD-3-Clause

left = ap_either (isempty (noise), true (P, 1), isfinite (noise(:)));
end
