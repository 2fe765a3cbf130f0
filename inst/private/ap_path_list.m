function list = ap_path_list (H, skip, groups)
%AP_PATH_LIST  All paths (h_1, ..., h_L), one per row, h_1 slowest. 0 is the branch of a skip connection, the first one.
%
%   list = AP_PATH_LIST (H)
%   list = AP_PATH_LIST (H, skip)
%   list = AP_PATH_LIST (H, skip, groups)
%   Inputs :  H, 1 x L head counts;  skip, 1 x L gains of skip connections, 0 for none;  groups, 1 x L: heads are
%             numbered by the groups of equal size that they are in, so many in a layer
%   Outputs:  list, Pi x L
%   Example:  ap_path_list ([2 2])        % [1 1; 1 2; 2 1; 2 2]

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, skip = zeros (size (H)); end
skips = skip > 0;
B = H + skips;
below = cumprod ([1, B(end:-1:2)]);      % from the last layer to the first: rows in a row with one branch
list = ~skips + mod (floor ((0:prod (B)-1)' ./ below(end:-1:1)), B);
if nargin > 2, list = ceil (list .* groups ./ H); end
end
