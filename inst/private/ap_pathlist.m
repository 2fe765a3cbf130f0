function list = ap_pathlist (H)
%AP_PATHLIST  All paths (h_1, ..., h_L), one per row, h_1 slowest.
%   list = AP_PATHLIST (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, prod (H) x L
%   Example:  ap_pathlist ([2 2])        % [1 1; 1 2; 2 1; 2 2]

% SPDX-License-Identifier: BSD-3-Clause

list = zeros (prod (H), numel (H));
for l = 1:numel (H)
  block = kron ((1:H(l))', ones (prod (H(l+1:end)), 1));
  list(:,l) = repmat (block, prod (H(1:l-1)), 1);
end
end
