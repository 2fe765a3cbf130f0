function [net, paths] = attnpath_prune (net, heads, paths, varargin)
%ATTNPATH_PRUNE  The network without some of its heads, or which of them to remove, one after the other.
%
%   net = ATTNPATH_PRUNE (net, heads)
%   gd = ATTNPATH_PRUNE (gd, heads)
%   [net, paths] = ATTNPATH_PRUNE (net, heads, paths)
%   [gd, paths] = ATTNPATH_PRUNE (gd, heads, paths)
%   [.., m] = ATTNPATH_PRUNE (.., heads, m)
%   [heads, curve] = ATTNPATH_PRUNE (sol, 'By', word, Name, Value, ...)
%
%   The last form finds heads to remove: from the whole network, each head that is left is tried, the order
%   parameters without it are solved anew, started from those with it, and the head that is missed least is
%   removed; and so on. Scores judge each head beside all the others. Where two heads do the same, either can
%   go, but not both, and only such a search sees it.
%
%   Inputs :
%     net       network, from attnpath_net
%     gd        or a trained network, from attnpath_train: the weights that are left stay as they are.
%               Its fields U and weights may be missing
%     heads     k x 2, rows [layer head] to remove, both from 1, such as score(1:k,1:2) of attnpath_scores.
%               Each layer must keep one head, and none may be named twice
%     paths     path inputs of the network, from attnpath_paths, or a struct with the field Xi
%     m         instead of paths: moments of the network, from attnpath_moments
%     sol       solution from attnpath_solve, of paths, tokens or, for 'evidence', moments
%   Options of the search, by name or as one struct:
%     'By'          'loo'  'loo': the squared leave-one-out error is to stay small. 'evidence': the log
%                          evidence is to stay large, see attnpath_evidence; it needs widths N_l >= Pi_l
%     'Left'        []     the search ends with so many heads; [] for one in each layer
%     'Checkpoint'  ''     a file, written now and then. The same call resumes from it, also after a crash
%     'Display'     true   progress, in runs of more than two seconds; or 'off', 'iter', 'final'
%
%   Outputs:
%     net       the same network with fewer heads, renumbered from 1. A layer's sum is normalised by the heads
%               that it has left; its skip connection stays, with its gain, and so do the scales of the heads
%               that are left. A network with head counts has other counts, and nothing else changes
%     gd        struct of net, w, U and weights without those heads, for attnpath_predict
%     paths     the path inputs of the smaller network: without the paths that go through those heads
%     m         the moments of the smaller network, as if its examples had been gathered anew
%     heads     k x 2, rows [layer head] in the order of removal, with the numbers that they have in the whole
%               network: attnpath_prune (net, heads(1:3,:)) is without the first three
%     curve     struct of the search, for k heads removed:
%       value     (k+1) x 1 criterion, of the whole network first: leave-one-out error or log evidence
%       left      (k+1) x 1 numbers of heads left
%       tried     a row for each head, a column for each step: the criterion without that head too. NaN where
%                 it was removed before, is the last of its layer, or no minimum was found
%       order     1 x (k+1) cell of order parameters {U_1, ..., U_L}, a 'Start' for attnpath_solve
%       by, heads        as above
%       complete, reason whether the search came to its end, and why it ended, in words
%     attnpath_plot (curve, 'pruning') draws it
%   Ctrl-C ends a search with the heads removed so far, and warns with attnpath:prune:interrupted. Where no
%   minimum is found without a head it stays, with a warning, attnpath:prune:unreliable.
%
%   Equation: theory.md section 8; section 16, (T24) and (T25) for the search.
%
%   Errors:   attnpath:prune: usage, badClass, badValue, missingField, otherRun, inUse, badCheckpoint, file,
%             those of attnpath_loo, attnpath_evidence and attnpath_solve, and those of options and arrays
%             everywhere
%
%   Example:
%     >> net = attnpath_prune (attnpath_net ({zeros(2, 2, 3), zeros(2, 2, 2)}), [1 2; 1 3; 2 1]);
%     >> net.H
%     ans =
%        1   1
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> sol = attnpath_solve (attnpath_net (task.heads, 'Width', 30), task.Xtrain, task.ytrain);
%     >> [heads, curve] = attnpath_prune (sol, 'By', 'loo', 'Display', false);
%     >> heads
%     heads =
%        2   2
%        1   2
%     >> curve.value(2:3)
%     ans =
%        0.2539
%        0.3803
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_scores, attnpath_plot, attnpath_loo, attnpath_evidence, attnpath_net.
%
%   TESTING: scores.tst, prune.tst, train.tst   SOURCE: theory.md sections 8 and 16

% SPDX-License-Identifier: BSD-3-Clause

named = nargin > 2 && (ischar (heads) || isa (heads, 'string'));
if named || (nargin == 2 && isstruct (heads) && isstruct (net) && isfield (net, 'order'))       % options of a search
  given = {heads};
  if nargin > 2, given = [{heads, paths}, varargin]; end
  [net, paths] = search (net, given);
  return
elseif nargin > 3
  ap_fail ('prune', 'usage', 'the call is [net, paths] = attnpath_prune (net, heads, paths)');
elseif nargin < 2
  ap_fail ('prune', 'usage', ['the call is [net, paths] = attnpath_prune (net, heads, paths), or [heads, curve] = ' ...
           'attnpath_prune (sol, ''By'', ''loo'')']);
elseif ischar (heads) && isfield (net, 'order')
  ap_fail ('prune', 'nameValue', 'the option %s has no value: attnpath_prune (sol, ''By'', ''loo'')', heads);
elseif nargout > 1 && nargin < 3
  ap_fail ('prune', 'usage', 'the second output needs the path inputs: attnpath_prune (net, heads, paths)');
end
if isstruct (net) && numel (net) == 1 && isfield (net, 'net')
  [net, kept, whole] = prune_trained (net, heads);
  of = net.net;
else
  [net, kept, whole] = remove (net, heads);
  of = net;
end
if nargin > 2 && ap_is_moments (paths)
  paths = prune_moments (paths, whole, of, kept);
elseif nargin > 2
  paths = prune_paths (paths, whole, of, kept);
end
end

function [heads, curve] = search (sol, given)
table = {'By',         'loo', 'word',  {'loo', 'evidence'}
         'Left',       [],    'count', [1 1e6]
         'Checkpoint', '',    'file',  []
         'Display',    true,  'display', []};
[heads, curve] = ap_prune_search (sol, ap_options ('prune', table, given));
end

function left = surviving (whole, kept)
% Pi x 1: does this path of the whole network use only heads that its layers keep? kept: see remove
list = ap_path_list (whole.H, whole.skip);
left = true (size (list));
for l = 1:numel (kept)
  every = [true, kept{l}];                         % a skip connection stays
  left(:,l) = every(1 + list(:,l));
end
left = all (left, 2);
end

function scale = new_scale (whole, net)
% Pi x 1, of the paths that are left: path inputs of a layer with a skip connection know how many heads it has (T27)
skip = net.skip;
list = ap_path_list (net.H, skip);
scale = ones (size (list, 1), 1);
for l = find (skip > 0)
  by = sqrt ((net.H(l) + 1) / (whole.H(l) + 1)) * [1, sqrt(whole.H(l) / net.H(l))];
  scale = scale .* by(1 + (list(:,l) > 0))';
end
end

function paths = prune_paths (paths, whole, net, kept)
if ~isstruct (paths) || numel (paths) ~= 1 || ~isfield (paths, 'Xi')
  ap_fail ('prune', 'missingField', 'paths must be one struct with a field Xi, from attnpath_paths');
end
Xi = ap_check_inputs ('prune', 'paths', paths, whole);
Xi = Xi(:,:,surviving (whole, kept));
skip = net.skip;
if any (skip)
  Xi = bsxfun (@times, Xi, reshape (new_scale (whole, net), 1, 1, []));
  paths.skip = skip;
end
paths.Xi = Xi;
paths.heads = ap_path_list (net.H, skip);
paths = ap_note_head_scales (paths, net);
if isfield (paths, 'of'), paths.of = (paths.of > 0) .* ap_net_mark ('prune', net, false); end
end

function m = prune_moments (m, whole, net, kept)
m = ap_check_moments ('prune', 'm', m, whole);
left = surviving (whole, kept);
rows = [reshape(repmat (left', m.N0, 1), 1, []), true(1, ap_outputs (m))];
scale = [kron(new_scale (whole, net)', ones (1, m.N0)), ones(1, ap_outputs (m))];
if strcmp (m.form, 'square')
  m.sums = m.sums(rows,rows) .* (scale' * scale);
else
  [~, m.sums] = qr (bsxfun (@times, m.sums(:,rows), scale), 0);
end
m.H = net.H;
m = ap_note_head_scales (m, net);
m.of = ap_net_text (net, m.N0, ap_is_brought (m));
end

function [net, kept, whole] = remove (net, heads)
% kept is a 1 x L cell: for each head of a layer whether it stays. whole: the network as it was, completed
net = ap_check_net ('prune', net);
whole = net;
heads = ap_check_heads ('prune', 'heads', heads, net.H, 'once');
kept = cell (1, net.L);
for l = 1:net.L
  kept{l} = ~ismember (1:net.H(l), heads(heads(:,1) == l,2));
  if ~any (kept{l})
    ap_fail ('prune', 'badValue', 'layer %d has %d heads and must keep one of them', l, net.H(l));
  end
  net.H(l) = sum (kept{l});
  net.headscale{l} = net.headscale{l}(kept{l});
  if isempty (net.heads), continue; end
  has = size (net.heads{l}, 3);
  if isstruct (net.heads{l}), has = [size(net.heads{l}.Q, 3), size(net.heads{l}.K, 3)]; end
  if any (has ~= numel (kept{l}))
    ap_fail ('prune', 'badShape', 'net.heads{%d} has %d heads, and net.H(%d) is %d', l, has(1), l, numel (kept{l}));
  elseif isstruct (net.heads{l})
    net.heads{l}.Q = net.heads{l}.Q(:,:,kept{l});
    net.heads{l}.K = net.heads{l}.K(:,:,kept{l});
  else
    net.heads{l} = net.heads{l}(:,:,kept{l});
  end
end
end

function [small, kept, whole] = prune_trained (gd, heads)
% Keeps the paths that use none of the heads removed. The weights stay as they are: layers are normalised by the heads
% that are left, and w and U by the paths that are left
if isfield (gd, 'order')
  ap_fail ('prune', 'badValue', ['a solution has no heads of its own: attnpath_prune (sol.net, heads) is its ' ...
           'network without these heads, to be solved anew, and attnpath_prune (sol, ''By'', ''loo'') finds heads ' ...
           'to remove']);
elseif ~isfield (gd, 'w')
  ap_fail ('prune', 'missingField', ['the first argument has no field w: give a network, such as ' ...
           'the field net of a model, or what attnpath_train returns']);
end
[small.net, kept, whole] = remove (gd.net, heads);
left = surviving (whole, kept);
[gd.w, C] = ap_check_weights ('prune', 'gd.w', gd.w, whole);
left = kron (left, ones (C, 1)) > 0;
small.w = gd.w(:,left);
if isfield (gd, 'U')
  gd.U = ap_check_array ('prune', 'gd.U', gd.U, {numel(left), numel(left)});
  small.U = gd.U(left,left);
end
if isfield (gd, 'classes'), small.classes = gd.classes; end
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
