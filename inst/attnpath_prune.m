function [net, paths] = attnpath_prune (net, heads, paths)
%ATTNPATH_PRUNE  The network without some of its heads.
%
%   net = ATTNPATH_PRUNE (net, heads)
%   gd = ATTNPATH_PRUNE (gd, heads)
%   [net, paths] = ATTNPATH_PRUNE (net, heads, paths)
%   [gd, paths] = ATTNPATH_PRUNE (gd, heads, paths)
%   [.., m] = ATTNPATH_PRUNE (.., heads, m)
%
%   Inputs :
%     net       network, from attnpath_net
%     gd        or a trained network, from attnpath_train: the weights that are left stay as they are. Of w,
%               U and weights only w is needed
%     heads     k x 2, rows [layer head] to remove, both from 1, such as score(1:k,1:2) of attnpath_scores.
%               Each layer must keep one head
%     paths     path inputs of the network, from attnpath_paths, or a struct with the field Xi
%     m         instead of paths: moments of the network, from attnpath_moments
%
%   Outputs:
%     net       the same network with fewer heads, renumbered from 1. A layer's sum is normalised by the heads
%               that it has left. Of a network with head counts only the counts change
%     gd        struct of net, w, U and weights without those heads, for attnpath_predict
%     paths     the path inputs of the smaller network: without the paths that go through those heads
%     m         the moments of the smaller network, as if its examples had been gathered anew
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
  ap_fail ('prune', 'usage', 'the call is [net, paths] = attnpath_prune (net, heads, paths)');
elseif nargout > 1 && nargin < 3
  ap_fail ('prune', 'usage', 'the second output needs the path inputs: attnpath_prune (net, heads, paths)');
end
whole = net;
if isstruct (net) && numel (net) == 1 && isfield (net, 'net')
  whole = net.net;
  [net, kept] = prune_trained (net, heads);
else
  [net, kept] = remove (net, heads);
end
if nargin > 2 && ap_is_moments (paths)
  of = net;
  if isfield (of, 'net'), of = of.net; end
  paths = prune_moments (paths, whole, of, kept);
elseif nargin > 2
  paths = prune_paths (paths, kept);
end
end

function left = surviving (kept)
% Pi x 1: does this path of the whole network use only heads that its layers keep? kept: see remove
list = ap_pathlist (cellfun (@numel, kept));
left = true (size (list));
for l = 1:numel (kept)
  left(:,l) = kept{l}(list(:,l));
end
left = all (left, 2);
end

function paths = prune_paths (paths, kept)
if ~isstruct (paths) || numel (paths) ~= 1 || ~isfield (paths, 'Xi')
  ap_fail ('prune', 'missingField', 'paths must be one struct with a field Xi, from attnpath_paths');
end
left = surviving (kept);
Xi = ap_check_array ('prune', 'paths.Xi', paths.Xi, {'N0', 'P', numel(left)});
paths.Xi = Xi(:,:,left);
paths.heads = ap_pathlist (cellfun (@sum, kept));
end

function m = prune_moments (m, whole, net, kept)
m = ap_check_moments ('prune', 'm', m, whole);
left = surviving (kept);
rows = [reshape(repmat (left', m.N0, 1), 1, []), true(1, ap_outputs (m))];
if strcmp (m.form, 'square')
  m.sums = m.sums(rows,rows);
else
  [~, m.sums] = qr (m.sums(:,rows), 0);
end
m.H = net.H;
m.of = ap_net_text (net, m.N0, ap_brought (m));
end

function [net, kept] = remove (net, heads)
% kept is a 1 x L cell: for each head of a layer whether it stays
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
  kept{l} = ~ismember (1:net.H(l), heads(heads(:,1) == l,2));
  if ~any (kept{l})
    ap_fail ('prune', 'badValue', 'layer %d has %d heads and must keep one of them', l, net.H(l));
  end
  net.H(l) = sum (kept{l});
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

function [small, kept] = prune_trained (gd, heads)
% Keeps the paths that use none of the heads removed. The weights stay as they are: layers are normalised by the heads
% that are left, and w and U by the paths that are left
if ~isfield (gd, 'w')
  ap_fail ('prune', 'missingField', 'gd has no field w: give a network, or what attnpath_train returns');
end
[small.net, kept] = remove (gd.net, heads);
left = surviving (kept);
gd.w = ap_check_array ('prune', 'gd.w', gd.w, {'N0', numel(left)});
small.w = gd.w(:,left);
if isfield (gd, 'U')
  gd.U = ap_check_array ('prune', 'gd.U', gd.U, {numel(left), numel(left)});
  small.U = gd.U(left,left);
end
if isfield (gd, 'weights')
  small.weights = prune_weights (gd.weights, kept);
end
end

function weights = prune_weights (weights, kept)
L = numel (kept);
if ~isstruct (weights) || ~isfield (weights, 'V') || ~iscell (weights.V) || numel (weights.V) ~= L
  ap_fail ('prune', 'badClass', 'gd.weights must be a struct with V, a cell of %d layers', L);
end
for l = 1:L
  ap_check_array ('prune', sprintf ('gd.weights.V{%d}', l), weights.V{l}, {'N', 'N', numel(kept{l})});
  weights.V{l} = weights.V{l}(:,:,kept{l});
end
end

%!test
%! net = attnpath_prune (attnpath_net ({zeros(2, 2, 3), zeros(2, 2, 2)}), [1 2; 1 3; 2 1]);
%! assert ({net.H, size(net.heads{1}), size(net.heads{2})}, {[1 1], [2 2], [2 2]});
%!test % a path that goes through a head removed is not among the path inputs left
%! paths = struct ('Xi', reshape (1:6, 1, 1, 6));
%! [net, left] = attnpath_prune (attnpath_net ([3 2]), [2 1; 1 2], paths);
%! assert ({net.H, squeeze(left.Xi), left.heads}, {[2 1], [2; 6], [1 1; 2 1]});
%! [~, left] = attnpath_prune (attnpath_net ([2 1]), [1 1], struct ('Xi', reshape (1:2, 1, 1, 2)));
%! assert ({left.Xi, left.heads}, {2, [1 1]});
%! gd = struct ('net', attnpath_net ([2 1]), 'w', [3 4]);
%! [gd, left] = attnpath_prune (gd, [1 1], struct ('Xi', reshape (1:2, 1, 1, 2)));
%! assert ({gd.w, gd.net.H, attnpath_predict(gd, left), left.heads}, {4, [1 1], 8, [1 1]});
%!error id=attnpath:prune:usage [net, paths] = attnpath_prune (attnpath_net ([2 1]), [1 1])
%!error id=attnpath:prune:missingField attnpath_prune (attnpath_net ([2 1]), [1 1], ones (1, 1, 2))
%!error id=attnpath:prune:missingField attnpath_prune (struct ('net', attnpath_net ([2 1])), [1 1])
%!error id=attnpath:prune:badShape attnpath_prune (attnpath_net ([2 1]), [1 1], struct ('Xi', ones (1, 1, 3)))
