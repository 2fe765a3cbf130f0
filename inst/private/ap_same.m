function yes = ap_same (a, b)
%AP_SAME  Whether two real arrays are equal but for rounding: within 1e-8 of the largest number of the second.
%
%   yes = AP_SAME (a, b)      false where sizes differ, or a number is NaN
%   See also ap_check_edited.

% SPDX-License-Identifier: BSD-3-Clause

yes = isequal (size (a), size (b)) && max (abs (a(:) - b(:))) <= 1e-8 * max (abs (b(:)));
end
