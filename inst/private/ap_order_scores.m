function values = ap_order_scores (net, U, C, both)
%AP_ORDER_SCORES  Sum of |U| over the entries whose row or column is a path through a head, head by head.
%
%   values = AP_ORDER_SCORES (net, U, C, both)
%   Inputs :  U, Pi C x Pi C x draws;  C, outputs;  both, true for row and column, times the heads of the layer
%   Outputs:  values, heads x draws, heads in the order of ap_head_list
%   Scales of heads, which are in the path inputs, are taken into U: what counts is U where they are in the weights.
%   See also attnpath_scores, ap_head_list, ap_path_list.

% SPDX-License-Identifier: BSD-3-Clause

paths = ap_path_list (net.H, net.skip);
list = ap_head_list (net.H);
n = size (U, 1);
scale = kron (ap_path_scale (net.headscale, paths), ones (C, 1));
U = bsxfun (@times, abs (reshape (U, n ^ 2, [])), reshape (scale * scale', [], 1));
values = zeros (size (list, 1), size (U, 2));
for k = 1:size (list, 1)
  uses = kron (paths(:,list(k,1)) == list(k,2), ones (C, 1)) > 0;
  if both
    values(k,:) = net.H(list(k,1)) * sum (U(bsxfun (@and, uses, uses'),:), 1);
  else
    values(k,:) = sum (U(bsxfun (@or, uses, uses'),:), 1);
  end
end
end
