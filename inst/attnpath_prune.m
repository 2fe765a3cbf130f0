function [net, paths] = attnpath_prune (net, heads, paths, varargin)
%ATTNPATH_PRUNE  Remove heads from a network, or search for heads to remove, one after the other.
%
%   net = ATTNPATH_PRUNE (net, heads)
%   gd = ATTNPATH_PRUNE (gd, heads)
%   [net, paths] = ATTNPATH_PRUNE (net, heads, paths)
%   [gd, paths] = ATTNPATH_PRUNE (gd, heads, paths)
%   [.., m] = ATTNPATH_PRUNE (.., heads, m)
%   [heads, curve] = ATTNPATH_PRUNE (sol, 'By', word, Name, Value, ...)
%
%   The last form searches for heads to remove. Each step solves the network without each of the remaining
%   heads, starting from the order parameters with it, and removes the head with the smallest loss of the
%   criterion. Scores measure each head with all others present. If two heads have the same function, either
%   can be removed, but not both: only the search detects this.
%
%   Inputs :
%     net       network, from attnpath_net
%     gd        or a trained network, from attnpath_train: the remaining weights stay unchanged.
%               Its fields U and weights may be missing
%     heads     k x 2, rows [layer head] to remove, both from 1, such as score(1:k,1:2) of attnpath_scores.
%               Each layer must keep one head, and no row may occur twice. Or rows score(1:k,:) of
%               attnpath_scores with 'Groups': a part of a group is refused, which
%               score(1:k,1:2) does not show
%     paths     path inputs of the network, from attnpath_paths, or a struct with the field Xi
%     m         instead of paths: moments of the network, from attnpath_moments
%     sol       solution from attnpath_solve, of paths, tokens or, for 'evidence', moments
%   Options of the search, by name or as one struct:
%     'By'          'loo'  criterion: 'loo', the squared leave-one-out error, minimized; 'evidence', the log
%                          evidence, maximized, see attnpath_evidence: it needs widths N_l >= Pi_l
%     'Leave'       ''     with the readout 'all': 'sequence', also if '', or 'token', as for attnpath_loo
%     'Left'        []     number of heads at which the search ends; [] for one in each layer
%     'Checkpoint'  ''     a file, written at intervals. The same call resumes from it, also after a crash
%     'Display'     true   progress, in runs of more than two seconds; or 'off', 'iter', 'final'
%
%   Outputs:
%     net       the same network with fewer heads, renumbered from 1. The sum of a layer is normalised by its
%               remaining heads; skip connections with their gains and the scales of the remaining heads stay.
%               In a network with head counts only the counts change
%     gd        struct of net, w, U and weights without those heads, for attnpath_predict
%     paths     the path inputs of the smaller network: without the paths through those heads
%     m         the moments of the smaller network, equal to those computed from its examples
%     heads     k x 2, rows [layer head] in the order of removal, numbered as in the whole network:
%               attnpath_prune (net, heads(1:3,:)) removes the first three
%     curve     struct of the search, for k heads removed:
%       value     (k+1) x 1 criterion, of the whole network first: leave-one-out error or log evidence
%       left      (k+1) x 1 numbers of heads left
%       tried     a row for each head, a column for each step: the criterion without that head too. NaN for a
%                 head removed before, for the last head of its layer, or if no minimum was found
%       order     1 x (k+1) cell of order parameters {U_1, ..., U_L}, a 'Start' for attnpath_solve
%       by, heads        as above
%       complete, reason true if the search was completed, and why it ended, in words
%     attnpath_plot (curve, 'pruning') draws it
%   Ctrl-C ends a search with the heads removed so far, and warns with attnpath:prune:interrupted. If no
%   minimum is found without a head, it stays, with the warning attnpath:prune:unreliable.
%
%   Equation: theory.md section 8; section 16, (T24) and (T25) for the search.
%
%   Example:
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
%   See also attnpath_scores, attnpath_plot, attnpath_loo, attnpath_evidence, attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: scores.tst, prune.tst, train.tst   SOURCE: theory.md sections 8 and 16

named = nargin > 2 && (ischar (heads) || isa (heads, 'string'));
if named || (nargin == 2 && isstruct (heads) && isstruct (net) && isfield (net, 'order'))       % options of a search
  given = {heads};
  if nargin > 2, given = [{heads, paths}, varargin]; end
  try
    [net, paths] = search (net, given);
  catch err
    ap_rethrow ('prune', err);                     % of the functions by which it compares
  end
  return
end
ap_check_call ('prune', nargin == 2 || nargin == 3, ['[net, paths] = attnpath_prune (net, heads, paths), or ' ...
               '[heads, curve] = attnpath_prune (sol, ''By'', ''loo'')']);
ap_refuse ('prune', 'nameValue', ischar (heads) && isfield (net, 'order'), ...
           'the option %s has no value: attnpath_prune (sol, ''By'', ''loo'')', heads);
ap_refuse ('prune', 'usage', nargout > 1 && nargin < 3, ...
           'the second output needs the path inputs: attnpath_prune (net, heads, paths)');
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

function left = surviving (whole, kept)
% Pi x 1: true for the paths of the whole network that use only kept heads. kept: see remove
list = ap_path_list (whole.H, whole.skip);
left = true (size (list, 1), 1);
for l = 1:numel (kept)
  every = [true, kept{l}];                         % a skip connection stays
  left = left & every(1 + list(:,l))';
end
end

function scale = new_scale (whole, net)
% Pi x 1, of the remaining paths: path inputs of a layer with a skip connection depend on its number of heads (T27)
list = ap_path_list (net.H, net.skip);
scale = ones (size (list, 1), 1);
for l = find (net.skip > 0)
  by = sqrt ((net.H(l) + 1) / (whole.H(l) + 1)) * [1, sqrt(whole.H(l) / net.H(l))];
  scale = scale .* by(1 + (list(:,l) > 0))';
end
end

function paths = prune_paths (paths, whole, net, kept)
ap_refuse ('prune', 'missingField', ~isstruct (paths), 'paths must be one struct with a field Xi, from attnpath_paths');
Xi = ap_check_inputs ('prune', 'paths', paths, whole);
paths.Xi = Xi(:,:,surviving (whole, kept));
if any (net.skip)
  paths.Xi = bsxfun (@times, paths.Xi, reshape (new_scale (whole, net), 1, 1, []));
  paths.skip = net.skip;
end
paths.heads = ap_path_list (net.H, net.skip);
paths = ap_note_head_scales (paths, net);
if isfield (paths, 'of'), paths.of = (paths.of > 0) .* ap_net_mark ('prune', net, false); end
end

function m = prune_moments (m, whole, net, kept)
m = ap_check_moments ('prune', 'm', m, whole);
labels = ones (1, ap_outputs (m));
rows = [kron(surviving (whole, kept)', ones (1, m.N0)), labels] > 0;
scale = [kron(new_scale (whole, net)', ones (1, m.N0)), labels];
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
  ap_refuse ('prune', 'badValue', ~any (kept{l}), 'layer %d has %d heads and must keep one of them', l, net.H(l));
  net.H(l) = sum (kept{l});
  net.headscale{l} = net.headscale{l}(kept{l});
  if isempty (net.heads), continue; end
  maps = net.heads(l);                             % one array, or Q and K
  if isstruct (maps{1}), maps = {maps{1}.Q, maps{1}.K}; end
  ap_refuse ('prune', 'badShape', any (cellfun (@(map) size (map, 3), maps) ~= numel (kept{l})), ...
             'net.heads{%d} has %d heads, and net.H(%d) is %d', l, size (maps{1}, 3), l, numel (kept{l}));
  maps = cellfun (@(map) map(:,:,kept{l}), maps, 'UniformOutput', false);
  if isstruct (net.heads{l}), [net.heads{l}.Q, net.heads{l}.K] = maps{:}; else, net.heads(l) = maps; end
end
end

function [small, kept, whole] = prune_trained (gd, heads)
% Keeps the paths that use none of the removed heads. The weights stay unchanged: layers are normalised by the remaining
% heads, and w and U by the remaining paths
ap_refuse ('prune', 'badValue', isfield (gd, 'order'), ['a solution has no heads of its own: attnpath_prune ' ...
           '(sol.net, heads) is its network without these heads, to be solved again, and attnpath_prune (sol, ' ...
           '''By'', ''loo'') finds heads to remove']);
ap_refuse ('prune', 'missingField', ~isfield (gd, 'w'), ['the first argument has no field w: give a network, such ' ...
           'as the field net of a model, or what attnpath_train returns']);
[small.net, kept, whole] = remove (gd.net, heads);
left = surviving (whole, kept);
[gd.w, C] = ap_check_blocks ('prune', 'gd.w', gd.w, whole);
left = kron (left, ones (C, 1)) > 0;
small.w = gd.w(:,left);
if isfield (gd, 'U')
  gd.U = ap_check_array ('prune', 'gd.U', gd.U, {numel(left), numel(left)});
  small.U = gd.U(left,left);
end
if isfield (gd, 'classes'), small.classes = gd.classes; end
if isfield (gd, 'weights'), small.weights = prune_weights (gd.weights, kept); end
end

function weights = prune_weights (weights, kept)
L = numel (kept);
wrong = ~isstruct (weights) || ~isfield (weights, 'V') || ~iscell (weights.V) || numel (weights.V) ~= L;
ap_refuse ('prune', 'badClass', wrong, 'gd.weights must be a struct with V, a cell of %d layers', L);
for l = 1:L
  ap_check_array ('prune', sprintf ('gd.weights.V{%d}', l), weights.V{l}, {'N', 'N', numel(kept{l})});
  weights.V{l} = weights.V{l}(:,:,kept{l});
end
end

function [heads, curve] = search (sol, given)
% Heads removed one at a time, each time the one without which the criterion is best
% A unit of work of ap_run is a trial of one head. The last head of a layer is not tried but counts as tried, so that
% the number of units is known in advance. Every trial starts from the solution of the step before, never from that of
% another trial: results do not depend on interruptions.
table = {'By',         'loo', 'word',  {'loo', 'evidence'}
         'Leave',      '',    'word',  {'', 'sequence', 'token'}
         'Left',       [],    'count', [1 1e6]
         'Checkpoint', '',    'file',  []
         'Display',    true,  'display', []};
opt = ap_options ('prune', table, given);
ap_refuse ('prune', 'badValue', ~isempty (opt.Leave) && strcmp (opt.By, 'evidence'), ...
           'By ''evidence'' leaves no examples out: Leave is for ''loo''');
model = ap_check_removable ('prune', sol, opt.By, opt.Leave);
ap_refuse ('prune', 'badValue', strcmp (opt.By, 'evidence') && strcmp (model.outputs, 'shared'), ...
           'outputs that share one U are an approximation, without an evidence: prune By ''loo'', with examples');
problem = marks (model, opt.By);
if strcmp (opt.Leave, 'token'), problem(end+1,:) = {'Leave', 'token'}; end
model = with_moments (model, opt.By);
list = ap_head_list (model.net.H);
n = size (list, 1);
if isempty (opt.Left), opt.Left = model.net.L; end
ap_refuse ('prune', 'badValue', opt.Left < model.net.L || opt.Left > n, ...
           'Left must be from %d, a head for each layer, to %d, all heads, not %d', model.net.L, n, opt.Left);
clock = tic ();
held = ap_hold ();                                 % from here on Ctrl-C ends the run without loss
[run, claim] = ap_resume ('prune', opt.Checkpoint, problem, {'heads', 'value', 'order', 'tried', 'best'});
if isempty (run)
  run = struct ('problem', {problem}, 'heads', zeros (0, 2), 'value', ap_without (model, [], opt.By), ...
                'order', {{model.order}}, 'tried', NaN (n, 0), 'next', 1, 'best', {{Inf, 0, {}}}, 'unsure', 0);
end
ap_refuse ('prune', 'otherRun', size (run.heads, 1) > n - opt.Left, ['%s is of a search that has removed %d heads ' ...
           'already, more than Left = %d allows'], opt.Checkpoint, size (run.heads, 1), opt.Left);
sign_of = 1 - 2 * strcmp (opt.By, 'evidence');     % the search minimizes
job = struct ('name', 'prune', 'goal', sum (n:-1:opt.Left + 1), 'done', @(run) units (run, n, opt.Left), ...
              'advance', @(run, count) try_one (run, model, list, opt), 'clock', @() toc (clock), ...
              'file', opt.Checkpoint, 'every', 10, 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, n - opt.Left, sign_of, notes));
[run, ending] = ap_run (job, run);
heads = run.heads;
k = size (heads, 1);
why = sprintf ('%d of %d heads removed', k, n);
if strcmp (ending, 'interrupted')
  why = sprintf ('interrupted when %d of %d heads were removed', k, n - opt.Left);
elseif strcmp (ending, 'stuck')
  why = sprintf ('no minimum was found without any further head, %d of %d being removed', k, n - opt.Left);
end
curve = struct ('by', opt.By, 'heads', heads, 'left', n - (0:k)', 'value', sign_of * run.value, ...
                'tried', sign_of * run.tried, 'order', {run.order}, 'complete', n - k <= opt.Left, 'reason', why);
if strcmp (ending, 'interrupted') && ~curve.complete
  warning ('attnpath:prune:interrupted', 'attnpath_prune: %s', curve.reason);
elseif run.unsure > 0
  warning ('attnpath:prune:unreliable', ['attnpath_prune: at %d trials no minimum was found without the head, ' ...
           'which then stayed: NaN in the field tried; %s'], run.unsure, curve.reason);
end
attnpath_interrupt_mex ('forget');
end

function problem = marks (model, by)
% All that decides the result, for the checkpoint
net = model.net;
facts = {net.H, net.width, net.variance, net.temperature};
if any (net.skip), facts{end+1} = net.skip; end
if any ([net.headscale{:}] ~= 1), facts{end+1} = net.headscale; end
if isfield (model, 'moments')
  mark = ap_fingerprint (model.moments.sums);
else
  mark = [ap_fingerprint(model.paths.Xi), ap_fingerprint(model.y)];
  if isfield (model, 'noise'), mark = [mark, ap_fingerprint(model.noise)]; end
end
problem = {'the criterion', by; 'the network', facts; 'the training set', mark; ...
           'the solution', cellfun(@(U) ap_fingerprint (U), model.order, 'UniformOutput', false)};
end

function model = with_moments (model, by)
% Moments replace many examples: computed once, not at every trial
if ~strcmp (by, 'evidence') || isfield (model, 'moments'), return; end
[N0, P, count] = size (model.paths.Xi);
if P <= N0 * count, return; end
model.moments = attnpath_moments (model.net, model.paths, model.y, 'Form', 'factor', 'Display', false, ...
                                  'Noise', ap_field (model, 'noise', []));
model = rmfield (model, {'paths', 'y'});
end

function done = units (run, n, left)
k = size (run.heads, 1);
done = sum (n:-1:max (n - k, left) + 1);
if n - k > left, done = done + run.next - 1; end
end

function [where, more, notes] = report (run, goal, sign_of, notes)
where = sprintf ('%d of %d heads removed', size (run.heads, 1), goal);
more = sprintf (', criterion %.4g of %.4g', sign_of * run.value([end 1]));
end

function [run, ending] = try_one (run, model, list, opt)
ending = '';
if isnan (run.value(1)), run.value(1) = ap_without (model, [], opt.By); end        % cut short when the run began
k = size (run.heads, 1);
if size (run.tried, 2) == k, run.tried(:,end+1) = NaN; end
left = find (~ismember (list, run.heads, 'rows'));
number = left(run.next);
layer = list(number,1);
mates = left(list(left,1) == layer);
if numel (mates) > 1
  [value, ~, order] = ap_without (at_step (model, run, k), [layer, find(mates == number)], opt.By);
  if ~attnpath_interrupt_mex ('seen')
    run.unsure = run.unsure + isnan (value);
    run.tried(number,end) = value;
    if value < run.best{1}, run.best = {value, number, order}; end
  end
end
if attnpath_interrupt_mex ('seen'), return; end    % an interrupted trial is repeated
if run.next < numel (left)
  run.next = run.next + 1;
elseif run.best{2} == 0
  ending = 'stuck';
else
  run.heads(end+1,:) = list(run.best{2},:);
  run.value(end+1,1) = run.best{1};
  run.order{end+1} = run.best{3};
  [run.best, run.next] = deal ({Inf, 0, {}}, 1);
end
end

function now = at_step (model, run, k)
% The solution after k steps
now = model;
if k == 0, return; end
given = ap_either (isfield (model, 'moments'), 'moments', 'paths');
[now.net, now.(given)] = attnpath_prune (model.net, run.heads(1:k,:), model.(given));
now.order = run.order{k+1};
end

%!test % the only head of a layer stays
%! net = attnpath_net ([2 1], 'Width', 20);
%! sol = attnpath_solve (net, struct ('Xi', cat (3, [1 2 3; 2 0 1], [1 0 1; 0 1 0])), [1; 2; 3]);
%! heads = attnpath_prune (sol, 'By', 'loo', 'Display', false);
%! assert (heads(:,1), 1);
%! less = attnpath_prune (net, [1 2]);
%! assert (less.H, [1 1]);
