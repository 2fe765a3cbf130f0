function yes = ap_is_learned (model)
%AP_IS_LEARNED  True for a sample of heads, from attnpath_sample with Method 'attention'.
%
%   yes = AP_IS_LEARNED (model)
%   See also ap_check_is_model, ap_draw_of_heads.

% SPDX-License-Identifier: BSD-3-Clause

yes = isstruct (model) && numel (model) == 1 && all (isfield (model, {'attentionscale', 'heads', 'X'}));
end
