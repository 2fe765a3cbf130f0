function list = ap_pathlist (H)
%AP_PATHLIST  All paths (h_1, ..., h_L), one per row, h_1 slowest.
%
%   list = AP_PATHLIST (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, prod (H) x L
%   Example:  ap_pathlist ([2 2])        % [1 1; 1 2; 2 1; 2 2]

% SPDX-License-Identifier: BSD-3-Clause

list = zeros (prod (H), numel (H));
rest = (0:prod (H)-1)';                  % the number of a path: its digits, of bases H(1), ..., H(L), are the heads
for l = numel (H):-1:1
  list(:,l) = mod (rest, H(l)) + 1;
  rest = (rest - list(:,l) + 1) / H(l);
end
end
