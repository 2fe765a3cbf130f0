function yes = ap_is_moments (X)
%AP_IS_MOMENTS  Are these moments, from attnpath_moments, and neither tokens nor path inputs?
%
%   yes = AP_IS_MOMENTS (X)
%   See also ap_check_moments, attnpath_moments.

% SPDX-License-Identifier: BSD-3-Clause

yes = isstruct (X) && isfield (X, 'sums');
end
