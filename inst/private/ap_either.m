function value = ap_either (yes, a, b)
%AP_EITHER  One of two values: a if yes, otherwise b. Both are computed.
%
%   value = AP_EITHER (yes, a, b)
%   Example:  ap_either (n == 1, 'has', 'have')

% SPDX-License-Identifier: BSD-3-Clause

value = b;
if yes, value = a; end
end
