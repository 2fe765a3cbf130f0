function scale = ap_path_scale (heads, list)
%AP_PATH_SCALE  The prior scales of the heads along each path, multiplied.
%
%   scale = AP_PATH_SCALE (heads, list)
%   Inputs :  heads, 1 x L cell of 1 x H_l, from ap_head_scales;  list, Pi x L from ap_path_list, 0 for a skip
%   Outputs:  scale, Pi x 1
%   Example:  ap_path_scale ({[1 2], 3}, [1 1; 2 1])      % [3; 6]
%   See also ap_head_scales, ap_rescale.

% SPDX-License-Identifier: BSD-3-Clause

scale = ones (size (list, 1), 1);
for l = 1:size (list, 2)
  branches = [1, heads{l}];
  scale = scale .* branches(1 + list(:,l))';
end
end
