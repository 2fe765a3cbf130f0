function list = ap_pathlist (H)
%AP_PATHLIST  All paths (h_1, ..., h_L), one per row, h_1 slowest.
%
%   list = AP_PATHLIST (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, prod (H) x L
%   Example:  ap_pathlist ([2 2])        % [1 1; 1 2; 2 1; 2 2]

% SPDX-License-Identifier: BSD-3-Clause

number = (0:prod (H)-1)';                % its digits, the last of base H(L), are the heads
list = zeros (numel (number), numel (H));
for l = numel (H):-1:1
  list(:,l) = mod (number, H(l)) + 1;
  number = floor (number / H(l));
end
end
