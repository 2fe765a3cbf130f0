function [values, classes] = ap_u_scores (net, U, C, both, groups)
%AP_U_SCORES  Sum of |U| over the entries whose row or column is a path through a head, head by head.
%
%   values = AP_U_SCORES (net, U, C, both)
%   [values, classes] = AP_U_SCORES (net, U, C, both, groups)
%   Inputs :  U, Pi C x Pi C x draws;  C, outputs;  both, for row and column, times the heads of the layer;  groups,
%             as for ap_path_list: groups of heads stand for heads
%   Outputs:  values, heads x draws, heads in the order of ap_head_list;  classes, of one draw of C > 1 outputs, heads x
%             C, the same of each output's own block;  [] of one output
%   Entries of |U| are multiplied by the scales of both paths.
%   See also attnpath_scores, ap_u_sizes, ap_head_list, ap_path_list.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 5, groups = net.H; end
paths = ap_path_list (net.H, net.skip, groups);
n = size (U, 1);
U = reshape (ap_u_sizes (net, U, C), n ^ 2, []);
list = ap_head_list (groups);
values = zeros (size (list, 1), size (U, 2));
classes = zeros (size (list, 1), C * (C > 1 && nargout > 1));
output = kron (ones (n / C, 1), (1:C)');
for k = 1:size (list, 1)
  uses = kron (paths(:,list(k,1)) == list(k,2), ones (C, 1)) > 0;
  [within, times] = deal (bsxfun (@or, uses, uses'), 1);
  if both, [within, times] = deal (bsxfun (@and, uses, uses'), groups(list(k,1))); end
  values(k,:) = times * sum (U(within,:), 1);
  for c = 1:size (classes, 2)
    classes(k,c) = times * sum (U(within & bsxfun (@and, output == c, (output == c)'),1));
  end
end
end
