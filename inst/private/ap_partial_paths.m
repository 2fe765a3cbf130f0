function paths = ap_partial_paths (H)
%AP_PARTIAL_PATHS  How many partial paths begin at each layer: Pi_l = H_l H_(l+1) ... H_L, the size of U_l.
%
%   paths = AP_PARTIAL_PATHS (H)
%   Inputs :  H, 1 x L head counts       Outputs:  paths, 1 x L
%   Example:  ap_partial_paths ([3 2])   % [6 2]
%   See also ap_pathlist, ap_headlist.

% SPDX-License-Identifier: BSD-3-Clause

paths = cumprod (H(end:-1:1));
paths = paths(end:-1:1);
end
