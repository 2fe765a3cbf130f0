function Xi = ap_inputs (fname, net, X, lengths, A)
%AP_INPUTS  Path inputs from tokens, and from attention maps if given (T3); X and all else are checked.
%   Xi = AP_INPUTS (fname, net, X, lengths, A)
%   Inputs :  X, N0 x T x P tokens;  lengths, 1 x P or [];  A, 1 x L cell of attention maps or []
%   Outputs:  Xi, N0 x P x Pi
%   Errors:   attnpath:<fname>: noHeads, and those of the functions called
%   See also attnpath_paths, ap_check_inputs.

% SPDX-License-Identifier: BSD-3-Clause

N0 = net.N0;
if N0 == 0, N0 = 'N0'; end
X = ap_check_array (fname, 'X', X, {N0, 'T', 'P'});
lengths = ap_check_lengths (fname, lengths, size (X, 2), size (X, 3));
if ~(isnumeric (A) && isempty (A))
  A = ap_check_maps (fname, A, net, size (X, 2), size (X, 3), lengths);
elseif isempty (net.heads)
  ap_fail (fname, 'noHeads', ['this net has no heads, only their numbers: bring attention maps A, ' ...
           'paths = attnpath_paths (net, X, A)']);
else
  A = [];
end
Xi = attnpath_paths_mex (net, X, lengths, A);
end
