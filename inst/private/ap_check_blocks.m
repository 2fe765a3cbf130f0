function [U, C] = ap_check_blocks (fname, name, U, net, kind)
%AP_CHECK_BLOCKS  An order parameter of the paths, or of paths and outputs, checked; an error reports what is wrong.
%
%   [U, C] = AP_CHECK_BLOCKS (fname, name, U, net, kind)
%   [w, C] = AP_CHECK_BLOCKS (fname, name, w, net)          effective weights of a trained network's paths, (T4)
%   Inputs :  name, of the argument, for the message;  U, Pi x Pi, or Pi C x Pi C with the output fastest;  w, N0 x Pi,
%             or N0 x Pi C likewise;  kind, as for ap_check_symmetric
%   Outputs:  C, number of outputs that have an index in U or w
%   Errors:   attnpath:<fname>: those of ap_check_symmetric
%   See also ap_check_symmetric, ap_outputs, ap_output_blocks.

% SPDX-License-Identifier: BSD-3-Clause

paths = ap_path_count (net);
C = max (1, size (U, 2) / paths);
if C ~= round (C), C = 1; end
if nargin < 5
  U = ap_check_array (fname, name, U, {'N0', paths * C});
else
  U = ap_check_symmetric (fname, name, U, paths * C, kind);
end
end
