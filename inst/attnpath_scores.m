function [score, largest, classes] = attnpath_scores (model, varargin)
%ATTNPATH_SCORES  How much each head matters: its share of the order parameter, or what is lost without it.
%
%   score = ATTNPATH_SCORES (model)
%   score = ATTNPATH_SCORES (model, 'By', word)
%   score = ATTNPATH_SCORES (gd, X, y, 'By', word)
%   cost = ATTNPATH_SCORES (file, 'By', word)
%   [score, largest] = ATTNPATH_SCORES (...)
%   [score, largest, classes] = ATTNPATH_SCORES (...)
%
%   Inputs :
%     model     solution from attnpath_solve, or any struct with net and U. The mean is taken of several U,
%               Pi x Pi x draws. For all words but 'order' it must have paths and y as well, and for 'loo' and
%               'evidence' it must be a solution, for 'evidence' also one of moments. Or an expansion from
%               attnpath_expand, by 'order'
%     gd        network from attnpath_train, or any struct with net and w, which is asked itself
%     X, y      sequences and labels to ask it with, such as those that it was trained on: N0 x T x P tokens,
%               or a struct from attnpath_paths, and P x 1 or P x C labels
%     file      name of the file that head_costs of export_attention.py writes: what each head costs a
%               transformer of your own
%   Options, by name or as one struct:
%     'By'       'order'  'order': sum of |U_pq| over all entries whose path p or path q goes through the head,
%                         times the scales of the heads along both paths (net.headscale).
%                         'predictor': mean over the training examples of y_i times what the paths through the
%                         head add to the output, each example left out, and summed over outputs; negative for
%                         a head that misleads. Where the model has 'Noise' an example weighs one over it.
%                         'loo': by how much the squared leave-one-out error grows when the head is removed and
%                         the rest is solved anew. 'evidence': by how much the log evidence falls then.
%                         For gd and a file, 'ablation' unless given: by how much the squared error, or the
%                         loss, grows without the head. 'importance': mean of |d loss / d mask| of the head
%                         [2]; of gd over the norm of its layer's
%     'Lengths'  []       1 x P numbers of tokens, where examples of X are zero-padded to a common T
%     'Display'  true     progress is told, where heads are removed and it takes long
%
%   Outputs:
%     score     rows [layer head score], one per head, divided by the largest. Scores increase, the largest is
%               1, and equal ones stay in the order of layers and heads. attnpath_prune (net, score(1:k,1:2))
%               removes the k least heads. Where no score is above 0 they are not divided. For an expansion
%               scores are means over the Gaussian of U, and a fourth column has their standard deviations over
%               it, divided by the same; ex.least says how probable it is that a head is the least
%     cost      rows [layer head cost], of a file, in units of its loss: they are not divided
%     largest   what they were divided by; of a file the standard errors of the costs, over examples
%     classes   of C outputs, heads x C in the order of score's rows: by 'order', where they are coupled, the
%               same sums over the blocks of U that belong to one output; by 'predictor' the parts that add up
%               to a score. Divided by the largest of them, where that is above 0; [] otherwise
%
%   Ctrl-C ends removals with the heads that were tried, and warns with attnpath:scores:interrupted.
%
%   A layer's only head cannot be removed: without it there is no output, and 'loo' and 'evidence' compare with
%   that. The order parameter says how a head is used, not what for: 'predictor' costs little and asks that.
%
%   Which one: all four describe the Bayesian network with this attention. Heads that training has left nearly
%   idle they found in seven of eight trained networks that have such heads; where a network uses all of its
%   heads no order helps much: doc/training.md. Scores differ between draws of the training examples, and their
%   mean over several mostly foretells more than one. A trained network at hand is best asked itself, by
%   'ablation' on its training sequences. Where the least of these is half of the largest no head is idle.
%
%   Equation: theory.md sections 8 and 16; (T23) for 'predictor', (T24) for 'loo', (T25) for 'evidence'.
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2), zeros(2)});
%     >> attnpath_scores (struct ('net', net, 'U', [3 1; 1 1]))
%     ans =
%        1.0000   2.0000   0.5000
%        1.0000   1.0000   0.8333
%        2.0000   1.0000   1.0000
%     >> gd = struct ('net', attnpath_net (2), 'w', [2 3]);        % two heads, one feature
%     >> paths = struct ('Xi', cat (3, [1 -1], [1 -1]));           % which see the same
%     >> attnpath_scores (gd, paths, attnpath_predict (gd, paths), 'By', 'ablation')
%     ans =
%        1.0000   1.0000   0.1216
%        1.0000   2.0000   1.0000
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%
%   See also attnpath_solve, attnpath_expand, attnpath_prune, attnpath_mask, attnpath_loo, attnpath_evidence,
%   attnpath_train.
%
%   TESTING: scores.tst   REFERENCE: ref_scores.m   SOURCE: theory.md sections 8 and 16

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1
  ap_fail ('scores', 'usage', 'the call is score = attnpath_scores (model, Name, Value, ...)');
end
ap_check_is_model ('scores', model);
table = {'By',      'order', 'word', {'order', 'predictor', 'loo', 'evidence', 'ablation', 'importance'}
         'Lengths', [],      'any',  []
         'Display', true,    'display', []};
if isa (model, 'string') && numel (model) == 1, model = char (model); end
in_file = ischar (model) && size (model, 1) == 1;
asked = ~in_file && numel (varargin) > 1 ...
        && (isnumeric (varargin{1}) || (isstruct (varargin{1}) && isfield (varargin{1}, 'Xi')));
given = {};
if asked, [given, varargin] = deal (varargin(1:2), varargin(3:end)); end
if asked || in_file, table{1,2} = 'ablation'; end
opt = ap_options ('scores', table, varargin);
if ap_is_expansion (model)
  [score, largest, classes] = of_expansion (model, opt);
  return
end
check_word (opt.By, asked, in_file);
if ~isempty (opt.Lengths) && ~asked, no_tokens (); end
if in_file
  [score, largest] = ap_head_costs ('scores', model, opt.By);
  [score, rank] = sortrows (score, 3);
  largest = largest(rank);
  classes = [];
  return
end
if asked
  list = ap_head_list (trained_network (model));
  values = ap_trained_worth (model, given{:}, opt);
  classes = [];
else
  [list, values, classes] = of_theory (model, opt);
end
if ~all (isfinite (values))
  ap_fail ('scores', 'notFinite', 'a score is not finite: the numbers of the model are too large');
end
[score, rank] = sortrows ([list, values], 3);
if ~isempty (classes)
  classes = classes(rank,:);
  if max (classes(:)) > 0, classes = classes / max (classes(:)); end
end
largest = 1;
if score(end,3) > 0, largest = score(end,3); end
score(:,3) = score(:,3) / largest;
end

function no_tokens ()
ap_fail ('scores', 'badValue', 'Lengths are those of X, in attnpath_scores (gd, X, y, ...), and there is no X');
end

function check_word (by, asked, in_file)
own = any (strcmp (by, {'ablation', 'importance'}));
if own && ~asked && ~in_file
  ap_fail ('scores', 'badValue', ['By ''%s'' asks a trained network itself: attnpath_scores (gd, X, y, ''By'', ' ...
           '''%s''), or gives the file that head_costs of export_attention.py writes'], by, by);
elseif ~own && (asked || in_file)
  ap_fail ('scores', 'badValue', ['By ''%s'' is a score of the theory, attnpath_scores (sol, ''By'', ''%s''): of a ' ...
           'trained network, and of a file, there are ''ablation'' and ''importance'''], by, by);
end
end

function [list, values, classes] = of_theory (model, opt)
[net, U, C] = order_parameter (model);
list = ap_head_list (net.H);
classes = [];
switch opt.By
  case 'order'
    values = ap_order_scores (net, U, C);
    if C > 1, classes = by_class (net, U, list, C); end
  case 'predictor'
    [values, classes] = by_predictor (model, U, list);
    if size (classes, 2) == 1, classes = []; end
  otherwise
    values = by_removal (model, list, opt);
    list = list(1:numel (values),:);               % fewer after Ctrl-C
end
end

function H = trained_network (gd)
if ~isstruct (gd) || numel (gd) ~= 1 || ~all (isfield (gd, {'net', 'w'}))
  ap_fail ('scores', 'missingField', ['with X and y the model must be a trained network, a struct with net and w ' ...
           'from attnpath_train, not %s'], ap_describe (gd));
end
ap_check_net ('scores', gd.net);
H = gd.net.H;
end

function [net, U, C] = order_parameter (model)
if ~isstruct (model) || numel (model) ~= 1
  ap_fail ('scores', 'badClass', 'model must be one struct with net and U, not %s', ap_describe (model));
elseif ~isfield (model, 'net') || ~isfield (model, 'U')
  ap_fail ('scores', 'missingField', 'model must have fields net and U, from attnpath_solve');
end
ap_check_edited ('scores', 'model', model);
net = model.net;
ap_check_net ('scores', net);
U = model.U;
if isfloat (U) && ~issparse (U) && ~isempty (U), U = mean (U(:,:,:), 3); end
[U, C] = ap_check_blocks ('scores', 'model.U', U, net, 'any');
end

function values = by_class (net, U, list, C)
values = zeros (size (list, 1), C);
for c = 1:C, values(:,c) = ap_order_scores (net, U(c:C:end,c:C:end), 1); end
end

function [score, largest, classes] = of_expansion (ex, opt)
if ~strcmp (opt.By, 'order')
  ap_fail ('scores', 'badValue', ['of an expansion scores are known by ''order'', not by ''%s'': give its ' ...
           'solution, ex.sol'], opt.By);
elseif ~isempty (opt.Lengths)
  no_tokens ();
end
ap_check_expansion ('scores', ex);
[score, largest, classes] = deal (ex.worth.score, ex.worth.largest, ex.worth.classes);
end

function [values, classes] = by_predictor (model, U, list)
% Column i of B is A_{-i}^{-1} vec Y_{-i}, and 0 at i: with b = A^{-1} vec Y it is b - A^{-1} E_i [A^{-1}]_ii^{-1} b_i,
% [A^{-1}]_ii C x C (T23). Path p adds to output c at x_i
%   sigma_0^2 / (N0 Pi) sum_{q,d} U_{(p,c),(q,d)} xi_p(i) . sum_nu xi_q(nu) B((nu,d),i)
% Outputs that share U are taken one after the other. classes: a column for each output
[net, Xi, y, noise] = ap_training_set ('scores', model);
[Xi, y, t] = ap_by_noise (Xi, y, noise);                % products of two are then over t
[N0, P, paths] = size (Xi);
C = size (U, 1) / paths;
if size (y, 2) ~= C && C > 1
  ap_fail ('scores', 'badShape', 'model.y must have %d labels an example, as many as model.U has outputs, not %d', ...
           C, size (y, 2));
end
U = ap_check_symmetric ('scores', 'model.U', U, paths * C, 'semidefinite');
ap_check_cold ('scores', net, struct ('Xi', Xi, 'P', P), U);
A = attnpath_kernel_mex (net, Xi, Xi, U) + net.temperature * eye (P * C);
[F, failed] = chol ((A + A') / 2);
if failed || rcond (F) ^ 2 < eps
  ap_fail ('scores', 'notPositiveDefinite', ['the kernel K + T I is singular in double precision, with T = %g and ' ...
           'a diagonal up to %.3g: give the net a higher temperature'], net.temperature, max (diag (A)));
end
Y = F \ (F' \ eye (P * C));
every = ap_path_list (net.H, ap_skips (net));
classes = zeros (size (list, 1), size (y, 2));
for first = 1:C:size (y, 2)
  part = first:first+C-1;
  B = left_out (Y, reshape (y(:,part), [], 1), C);
  gain = gains (Xi, U, net.variance(1) / (N0 * paths), B, y(:,part));
  for k = 1:size (list, 1)
    classes(k,part) = sum (gain(:,every(:,list(k,1)) == list(k,2)), 2)';
  end
end
if ~isempty (t), classes = classes / mean (1 ./ t); end
values = sum (classes, 2);
end

function B = left_out (Y, y, C)
b = Y * y;
if C == 1
  B = bsxfun (@minus, b, bsxfun (@times, Y, (b ./ diag (Y))'));
  return
end
P = numel (b) / C;
B = zeros (P * C, P);
for i = 1:P
  own = i:P:P * C;
  B(:,i) = b - Y(:,own) * (Y(own,own) \ b(own));
end
end

function gain = gains (Xi, U, scale, B, y)
% C x Pi: mean over the examples of a label times what a path adds to its output
[N0, P, paths] = size (Xi);
C = size (y, 2);
V = zeros (N0 * P, paths * C);
for p = 1:paths
  for c = 1:C, V(:,C * (p - 1) + c) = reshape (Xi(:,:,p) * B((c - 1) * P + (1:P),:), [], 1); end
end
V = scale * V * U;
through = zeros (P, paths * C);
for p = 1:paths
  for k = C * (p - 1) + (1:C), through(:,k) = sum (Xi(:,:,p) .* reshape (V(:,k), N0, P), 1)'; end
end
gain = zeros (C, paths);
for c = 1:C, gain(c,:) = y(:,c)' * through(:,c:C:end) / P; end
end

% ---- without each head, solved anew ----

function values = by_removal (model, list, opt)
[net, given, y, noise] = ap_training_set ('scores', model, strcmp (opt.By, 'evidence'));
if ~isfield (model, 'order')
  ap_fail ('scores', 'missingField', ['model has no field order, which ''%s'' needs: it must be a solution from ' ...
           'attnpath_solve'], opt.By);
end
C = ap_outputs (given, y);
model.order = ap_check_order ('scores', 'model.order', model.order, net, ap_output_blocks (net, model.order, C));
if strcmp (opt.By, 'loo')
  [~, left, t] = ap_by_noise (given, y, noise);
  if ~isempty (t), left = bsxfun (@times, left, sqrt (t)); end
  nothing = ap_mean_square (left, t);
  ap_say_price ('scores', model.order, size (given), C, size (list, 1), opt.Display);
else
  [P, labels, lognoise] = sum_of_labels (given, y, noise);
  nothing = (P * log (2 * pi * net.temperature) + lognoise + labels / net.temperature) / 2;
end
held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');                   % see ap_run
clock = tic ();
n = size (list, 1);
job = struct ('name', 'scores', 'goal', n, 'done', @(run) numel (run.values), ...
              'advance', @(run, count) remove_some (run, count, model, list, opt.By, nothing), 'overhead', 0, ...
              'clock', @() toc (clock), 'file', '', 'every', Inf, 'pack', @(run) run, 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, n, notes));
[run, ending] = ap_run (job, struct ('values', zeros (0, 1), 'whole', ap_removal_cost (model, opt.By)));
values = run.values;
if isempty (values)
  ap_fail ('scores', 'interrupted', 'interrupted before the first head was removed');
elseif strcmp (ending, 'interrupted') && numel (values) < n
  warning ('attnpath:scores:interrupted', 'attnpath_scores: interrupted when %d of %d heads were removed', ...
           numel (values), n);
end
attnpath_interrupt_mex ('forget');
end

function [P, squares, lognoise] = sum_of_labels (given, y, noise)
% Their number and the sum of their squares, which moments hold in the last rows, one for each output; all in units of
% their noise, with the sum of its logarithms
C = ap_outputs (given, y);
if ~isstruct (given)
  [~, y, t] = ap_by_noise (given, y, noise);
  [P, squares, lognoise] = deal (numel (y), sum (y(:) .^ 2), C * sum (log (t)));
  return
end
lognoise = 0;
if isfield (given, 'lognoise'), lognoise = C * given.lognoise; end
P = given.P * C;
if strcmp (given.form, 'square')
  squares = trace (given.sums(end-C+1:end,end-C+1:end));
else
  squares = sum (sum (given.sums(:,end-C+1:end) .^ 2));
end
end

function [where, more, notes] = report (run, n, notes)
where = sprintf ('%d of %d heads removed', numel (run.values), n);
more = '';
end

function [run, ending, seconds] = remove_some (run, count, model, list, by, nothing)
begun = tic ();
ending = '';
for k = 1:count
  head = list(numel (run.values) + 1,:);
  without = nothing;
  more = {};
  if isfield (model, 'outputs'), more = {'Outputs', model.outputs}; end
  try
    if model.net.H(head(1)) > 1, without = ap_removal_cost (ap_solve_without (model, head, 'rest', more{:}), by); end
  catch err
    if ~attnpath_interrupt_mex ('seen'), rethrow (err); end
  end
  if attnpath_interrupt_mex ('seen')               % what was cut short is worth nothing
    ending = 'interrupted';
    break
  end
  run.values(end+1,1) = without - run.whole;
end
seconds = toc (begun);
end

%!test
%! score = attnpath_scores (struct ('net', attnpath_net ([2 1]), 'U', [3 1; 1 1]));
%! assert (score, [1 2 3/6; 1 1 5/6; 2 1 1], eps);

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_scores (sol)                       % layer, head, score: the least useful first
