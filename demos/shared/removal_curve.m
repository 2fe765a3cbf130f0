function curve = removal_curve (values, list, H, left)
%REMOVAL_CURVE  Performance of a network while heads are removed in order of a score, the least first.
%
%   curve = removal_curve (values, list, H, left)
%   Inputs :  values, score of each head;  list, the heads, as from heads_of;  H, 1 x L head counts;  left, function
%             that maps a list of removed heads to the performance, such as the accuracy
%   Outputs:  1 x (sum (H) - L + 1), left after removal of none, of the first, of the first two, ... of removable_heads

% SPDX-License-Identifier: BSD-3-Clause

[~, order] = sort (values);
gone = removable_heads (list(order,:), H);
for k = 0:size (gone, 1), curve(k+1) = left (gone(1:k,:)); end
end
