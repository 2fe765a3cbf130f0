function list = ap_head_list (H)
%AP_HEAD_LIST  All heads of a network as rows [layer head], layer by layer.
%
%   list = AP_HEAD_LIST (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, sum (H) x 2
%   Example:  ap_head_list ([2 1])        % [1 1; 1 2; 2 1]
%   See also ap_path_list.

% SPDX-License-Identifier: BSD-3-Clause

list = zeros (0, 2);
for l = 1:numel (H)
  list = [list; repmat(l, H(l), 1), (1:H(l))'];
end
end
