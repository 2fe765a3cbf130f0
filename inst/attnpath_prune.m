function net = attnpath_prune (net, heads)
%ATTNPATH_PRUNE  The network without some of its heads.
%
%   net = ATTNPATH_PRUNE (net, heads)
%   gd = ATTNPATH_PRUNE (gd, heads)
%
%   Inputs :
%     net       network, from attnpath_net
%     gd        or a trained network, from attnpath_train: the weights that are left stay as they are
%     heads     k x 2, rows [layer head] to remove, both from 1, such as score(1:k,1:2) of attnpath_scores.
%               Each layer must keep one head
%
%   Outputs:
%     net       the same network with fewer heads, renumbered from 1. A layer's sum is normalised by the heads
%               that it has left. Of a network with head counts only the counts change
%     gd        struct of net, w, U and weights without those heads, for attnpath_predict
%
%   Equation: theory.md section 8.
%
%   Example:
%     net = attnpath_prune (attnpath_net ({zeros(2, 2, 3), zeros(2, 2, 2)}), [1 2; 1 3; 2 1]);
%     net.H                                    % 1 1
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_scores, attnpath_net.
%
%   TESTING: scores.tst, train.tst   SOURCE: theory.md section 8

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2
  ap_fail ('prune', 'usage', 'the call is net = attnpath_prune (net, heads)');
elseif isstruct (net) && numel (net) == 1 && isfield (net, 'net')
  net = prune_trained (net, heads);
  return
end
net = remove (net, heads);
end

function [net, kept] = remove (net, heads)
% kept is a 1 x L cell: the heads that each layer keeps
ap_check_net ('prune', net);
if isnumeric (heads) && isempty (heads)
  heads = zeros (0, 2);
else
  heads = ap_check_array ('prune', 'heads', heads, {'k', 2});
end
for k = 1:size (heads, 1)
  l = ap_check_count ('prune', sprintf ('heads(%d,1), a layer,', k), heads(k,1), 1, net.L);
  ap_check_count ('prune', sprintf ('heads(%d,2), a head of layer %d,', k, l), heads(k,2), 1, net.H(l));
end
if size (unique (heads, 'rows'), 1) < size (heads, 1)
  ap_fail ('prune', 'badValue', 'heads names a head twice');
end
kept = cell (1, net.L);
for l = 1:net.L
  kept{l} = setdiff (1:net.H(l), heads(heads(:,1) == l,2));
  if isempty (kept{l})
    ap_fail ('prune', 'badValue', 'layer %d has %d heads and must keep one of them', l, net.H(l));
  end
  net.H(l) = numel (kept{l});
  if isempty (net.heads)
    continue
  elseif isstruct (net.heads{l})
    net.heads{l}.Q = net.heads{l}.Q(:,:,kept{l});
    net.heads{l}.K = net.heads{l}.K(:,:,kept{l});
  else
    net.heads{l} = net.heads{l}(:,:,kept{l});
  end
end
end

function small = prune_trained (gd, heads)
% Keeps the paths that use none of the heads removed. The weights stay as they are: layers are normalised by the heads
% that are left, and w and U by the paths that are left
missing = setdiff ({'w', 'U', 'weights'}, fieldnames (gd));
if ~isempty (missing)
  ap_fail ('prune', 'missingField', 'gd has no field %s: give a network, or what attnpath_train returns', missing{1});
end
[small.net, kept] = remove (gd.net, heads);
list = ap_pathlist (gd.net.H);
gd.w = ap_check_array ('prune', 'gd.w', gd.w, {'N0', size(list, 1)});
gd.U = ap_check_array ('prune', 'gd.U', gd.U, {size(list, 1), size(list, 1)});
if ~isstruct (gd.weights) || ~isfield (gd.weights, 'V') || ~iscell (gd.weights.V) || numel (gd.weights.V) ~= gd.net.L
  ap_fail ('prune', 'badClass', 'gd.weights must be a struct with V, a cell of %d layers', gd.net.L);
end
for l = 1:gd.net.L
  ap_check_array ('prune', sprintf ('gd.weights.V{%d}', l), gd.weights.V{l}, {'N', 'N', gd.net.H(l)});
end
paths = true (size (list, 1), 1);
for l = 1:gd.net.L
  paths = paths & ismember (list(:,l), kept{l});
  gd.weights.V{l} = gd.weights.V{l}(:,:,kept{l});
end
small.w = gd.w(:,paths);
small.U = gd.U(paths,paths);
small.weights = gd.weights;
end

%!test
%! net = attnpath_prune (attnpath_net ({zeros(2, 2, 3), zeros(2, 2, 2)}), [1 2; 1 3; 2 1]);
%! assert ({net.H, size(net.heads{1}), size(net.heads{2})}, {[1 1], [2 2], [2 2]});
