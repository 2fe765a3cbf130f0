function ap_check_call (fname, right, call)
%AP_CHECK_CALL  An error where a function is called with too few or too many arguments.
%
%   AP_CHECK_CALL (fname, right, call)
%   Inputs :  right, whether the number of arguments is;  call, how the function is called
%   Errors:   attnpath:<fname>:usage
%   Example:  ap_check_call ('kernel', nargin >= 3, 'K = attnpath_kernel (net, paths, U, paths2)');
%   See also ap_fail.

% SPDX-License-Identifier: BSD-3-Clause

if ~right, ap_fail (fname, 'usage', 'the call is %s', call); end
end
