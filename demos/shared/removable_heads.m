function list = removable_heads (order, H)
%REMOVABLE_HEADS  Heads that can be removed one after the other: a layer keeps its last one.
%
%   list = removable_heads (order, H)
%   Inputs :  order, heads as rows [layer head] in the order of their removal;  H, 1 x L head counts
%   Outputs:  list, sum (H) - L rows of order

% SPDX-License-Identifier: BSD-3-Clause

list = zeros (0, 2);
for head = order'
  if sum (list(:,1) == head(1)) < H(head(1)) - 1, list(end+1,:) = head'; end
end
end
