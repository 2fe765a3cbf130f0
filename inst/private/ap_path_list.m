function list = ap_path_list (H)
%AP_PATH_LIST  All paths (h_1, ..., h_L), one per row, h_1 slowest.
%
%   list = AP_PATH_LIST (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, prod (H) x L
%   Example:  ap_path_list ([2 2])        % [1 1; 1 2; 2 1; 2 2]

% SPDX-License-Identifier: BSD-3-Clause

below = cumprod ([1, H(end:-1:2)]);      % from the last layer to the first: rows in a row with one head
list = 1 + mod (floor ((0:prod (H)-1)' ./ below(end:-1:1)), H);
end
