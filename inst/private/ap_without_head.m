function [net, given, start] = ap_without_head (model, head)
%AP_WITHOUT_HEAD  What a solution leaves when a head is removed: network, path inputs or moments, and a start.
%
%   [net, given, start] = AP_WITHOUT_HEAD (model, head)
%   Inputs :  model, struct of net, order, and paths or moments, checked;  head, [layer head]
%   Outputs:  net and given, as for attnpath_solve;  start, its option 'Start': the entries of U_1 .. U_l whose partial
%             paths are left, l the layer of the head. U_l of higher layers do not know the head
%   See also attnpath_prune, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

if isfield (model, 'moments'), given = model.moments; else, given = model.paths; end
[net, given] = attnpath_prune (model.net, head, given);
start = model.order;
for l = 1:head(1)
  every = ap_path_list (model.net.H(l:end));
  left = every(:,head(1)-l+1) ~= head(2);
  left = kron (left, ones (size (start{l}, 1) / numel (left), 1)) > 0;         % of each path all its outputs
  start{l} = start{l}(left,left);
end
end
