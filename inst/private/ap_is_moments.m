function yes = ap_is_moments (X)
%AP_IS_MOMENTS  True for moments from attnpath_moments, false for tokens and path inputs.
%
%   yes = AP_IS_MOMENTS (X)
%   See also ap_check_moments, attnpath_moments.

% SPDX-License-Identifier: BSD-3-Clause

yes = isstruct (X) && isfield (X, 'sums');
end
