function curve = removal_curve (values, list, H, left)
%REMOVAL_CURVE  What is left of a network while heads are removed in order of a score, the least first.
%
%   curve = removal_curve (values, list, H, left)
%   Inputs :  values, score of each head;  list, the heads, as from heads_of;  H, 1 x L head counts;  left, function of
%             a list of removed heads, such as the accuracy
%   Outputs:  1 x (sum (H) - L + 1), left of no head, of the first one, two, ... of removable_heads

% SPDX-License-Identifier: BSD-3-Clause

[~, order] = sort (values);
gone = removable_heads (list(order,:), H);
for k = 0:size (gone, 1), curve(k+1) = left (gone(1:k,:)); end
end
