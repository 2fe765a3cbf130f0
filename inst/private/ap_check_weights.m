function [w, C] = ap_check_weights (fname, name, w, net)
%AP_CHECK_WEIGHTS  Effective weights of a trained network's paths, checked; an error reports what is wrong.
%
%   [w, C] = AP_CHECK_WEIGHTS (fname, name, w, net)
%   Inputs :  name, of the argument, for the message;  w, N0 x Pi, or N0 x Pi C with the output fastest
%   Outputs:  C, number of outputs
%   Errors:   attnpath:<fname>: those of ap_check_array
%   Equation: (T4)
%   See also attnpath_train, ap_check_blocks, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

paths = ap_path_count (net);
C = max (1, size (w, 2) / paths);
if C ~= round (C), C = 1; end
w = ap_check_array (fname, name, w, {'N0', paths * C});
end
