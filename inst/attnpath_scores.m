function [score, largest, classes] = attnpath_scores (model, varargin)
%ATTNPATH_SCORES  How much each head matters: its share of the order parameter, or what is lost without it.
%
%   score = ATTNPATH_SCORES (model)
%   score = ATTNPATH_SCORES (model, 'By', word)
%   score = ATTNPATH_SCORES (gd, X, y, 'By', word)
%   cost = ATTNPATH_SCORES (file, 'By', word)
%   [score, largest, classes] = ATTNPATH_SCORES (...)
%
%   Inputs :
%     model     solution from attnpath_solve, sample from attnpath_sample, or any struct with net and U. For
%               all words but 'share' and 'order' it must have paths and y as well, and for 'loo' and
%               'evidence' it must be a solution, for 'evidence' also one of moments. Or an expansion from
%               attnpath_expand, by these two. A score is one of one U: of several U, Pi x Pi x draws, and of
%               an expansion, of their mean
%     gd        network from attnpath_train, or any struct with net and w, which is asked itself
%     X, y      sequences and labels to ask it with, such as those that it was trained on: N0 x T x P tokens,
%               or a struct from attnpath_paths, and P x 1 or P x C labels
%     file      name of the file that head_costs of export_attention.py writes: what each head costs a
%               transformer of your own
%   Options, by name or as one struct:
%     'By'       'share'  or 'ablation' for gd and a file.
%                         'share': sum of |U_pq| over entries whose paths p and q both go through the head,
%                         times the scales of the heads along both (net.headscale) and the heads H_l of its
%                         layer. At the GP point all heads have the same.
%                         'order': the score of [1], sum over entries whose path p or path q goes through the
%                         head. It compares heads within a layer, and not layers (section 16).
%                         'predictor': mean over the training examples of y_i times what the paths through
%                         the head add to the output, each example left out, and summed over outputs;
%                         negative for a head that misleads. Within a layer too: each layer has the same sum.
%                         'loo': by how much the squared leave-one-out error grows when the head is removed
%                         and the rest is solved anew. 'evidence': by how much the log evidence falls then.
%                         'ablation': by how much the squared error grows, each example left out, when the
%                         paths through the head are silent. Nothing is learned anew; the other heads of the
%                         layer are multiplied by sqrt (H / (H-1)), as attnpath_prune does. Of gd, by how
%                         much its squared error grows then, of a file the loss.
%                         'importance', of gd and a file: mean of |d loss / d mask| of the head [2]; of gd
%                         over the norm of its layer's.
%                         Where the model has 'Noise' an example weighs one over it
%     'Lengths'  []       1 x P numbers of tokens, where examples of X are zero-padded to a common T
%     'Display'  true     progress is told, where heads are removed and it takes long
%
%   Outputs:
%     score     rows [layer head score], one per head, divided by the largest. Scores increase, the largest is
%               1, and equal ones stay in the order of layers and heads. attnpath_prune (net, score(1:k,1:2))
%               removes the k least heads. Where no score is above 0 they are not divided. A fourth column has
%               standard errors, divided by the same: over the examples; of several U and of an expansion the
%               standard deviation of the score over them. By 'evidence', and by 'share' and 'order' of one U,
%               there is none
%     cost      rows [layer head cost error], of a file, in units of its loss: they are not divided
%     largest   what they were divided by; of a file the standard errors of the costs
%     classes   of C outputs, heads x C in the order of score's rows: by 'share' and 'order', where they are
%               coupled, the same sums over the blocks of U that belong to one output; by 'predictor' and
%               'ablation' the parts that add up to a score. Divided by the largest of them, where that is
%               above 0; [] otherwise
%
%   Without an output a table is printed, with ~ at heads that cannot be distinguished from the least; where
%   that is all of them, it says that no order is found.
%   Ctrl-C ends removals with the heads that were tried, and warns with attnpath:scores:interrupted.
%
%   A layer's only head cannot be removed: without it there is no output, and removals compare with that.
%
%   Which one: all of them describe the Bayesian network with this attention. In two kinds of transformers
%   only 'share' and, in one of them, 'loo' and 'ablation' foretold what heads of several layers cost the
%   model (doc/your_own_transformer.md). In networks of attention alone 'order', 'predictor' and 'loo' found
%   heads that training has left nearly idle, in seven of eight that have such heads (doc/training.md). A
%   trained network at hand is best asked itself. Scores differ between draws of the training examples, and
%   their mean over several mostly foretells more than one.
%
%   Equation: theory.md sections 8 and 16; (T23) for 'ablation' and 'predictor', (T24) for 'loo', (T25) for
%   'evidence'.
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2), zeros(2)});
%     >> score = attnpath_scores (struct ('net', net, 'U', [3 1; 1 1]))
%     score =
%        1.0000   2.0000   0.3333
%        1.0000   1.0000   1.0000
%        2.0000   1.0000   1.0000
%     >> gd = struct ('net', attnpath_net (2), 'w', [2 3]);        % two heads, one feature
%     >> paths = struct ('Xi', cat (3, [1 -1], [1 -1]));           % which see the same
%     >> score = attnpath_scores (gd, paths, attnpath_predict (gd, paths))
%     score =
%        1.0000   1.0000   0.1216        0
%        1.0000   2.0000   1.0000        0
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%
%   See also attnpath_solve, attnpath_expand, attnpath_prune, attnpath_mask, attnpath_loo, attnpath_evidence,
%   attnpath_train.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: scores.tst   REFERENCE: ref_scores.m   SOURCE: theory.md sections 8 and 16

if nargin < 1
  ap_fail ('scores', 'usage', 'the call is score = attnpath_scores (model, Name, Value, ...)');
end
ap_check_is_model ('scores', model);
table = {'By',      'share', 'word', {'share', 'order', 'predictor', 'loo', 'evidence', 'ablation', 'importance'}
         'Lengths', [],      'any',  []
         'Display', true,    'display', []};
if isa (model, 'string') && numel (model) == 1, model = char (model); end
in_file = ischar (model) && size (model, 1) == 1;
asked = ~in_file && numel (varargin) > 1 ...
        && (isnumeric (varargin{1}) || (isstruct (varargin{1}) && isfield (varargin{1}, 'Xi')));
given = {};
if asked, [given, varargin] = deal (varargin(1:2), varargin(3:end)); end
before = ap_is_expansion (model) && isfield (model, 'worth') && ~isfield (model.worth, 'order');     % of 0.3.0
if before
  table{1,2} = 'order';
elseif asked || in_file
  table{1,2} = 'ablation';
end
opt = ap_options ('scores', table, varargin);
if ~isempty (opt.Lengths) && ~asked
  ap_fail ('scores', 'badValue', 'Lengths are those of X, in attnpath_scores (gd, X, y, ...), and there is no X');
end
if ~ap_is_expansion (model), check_word (opt.By, asked, in_file); end
found = struct ('list', [], 'value', [], 'V', [], 'classes', []);      % V: covariance of the values' errors
if in_file
  [cost, se] = ap_head_costs ('scores', model, opt.By);
  [found.list, found.value, found.V] = deal (cost(:,1:2), cost(:,3), diag (se .^ 2));
elseif asked
  model = trained_network (model);
  found.list = ap_head_list (model.net.H);
  each = trained_worth (model, given{:}, opt);
  [found.value, found.V] = deal (mean (each, 1)', error_of (each, ones (size (each, 1), 1)));
elseif ap_is_expansion (model)
  found = of_expansion (found, model, opt);
else
  found = of_theory (found, model, opt);
end
if ~all (isfinite (found.value))
  ap_fail ('scores', 'notFinite', 'a score is not finite: the numbers of the model are too large');
end
[score, rank] = sortrows ([found.list, found.value, sqrt(diag (found.V))], 3);
classes = [];
if ~isempty (found.classes)
  classes = found.classes(rank,:);
  if max (classes(:)) > 0, classes = classes / max (classes(:)); end
end
largest = 1;
if score(end,3) > 0 && ~in_file, largest = score(end,3); end
score(:,3:end) = score(:,3:end) / largest;
if nargout == 0
  if ~isempty (found.V), found.V = found.V(rank,rank) / largest ^ 2; end
  print_table (score, largest, found.V, opt.By, asked || in_file);
  clear score
elseif in_file
  largest = score(:,4);
end
end

function check_word (by, asked, in_file)
of_model = asked || in_file;
if strcmp (by, 'importance') && ~of_model
  ap_fail ('scores', 'badValue', ['By ''importance'' asks a trained network itself: attnpath_scores (gd, X, y, ' ...
           '''By'', ''importance''), or gives the file that head_costs of export_attention.py writes']);
elseif of_model && ~any (strcmp (by, {'ablation', 'importance'}))
  ap_fail ('scores', 'badValue', ['By ''%s'' is a score of the theory, attnpath_scores (sol, ''By'', ''%s''): of a ' ...
           'trained network, and of a file, there are ''ablation'' and ''importance'''], by, by);
end
end

function print_table (score, largest, V, by, of_model)
% A mark for each head that cannot be distinguished from the least: by so many standard errors that in one table of
% heads that are all alike no two of them are farther apart, in 95 of 100 (Bonferroni over the pairs)
n = size (score, 1);
words = {'order',      'sum of |U| over the entries through a head: it compares heads within a layer'
         'share',      'sum of |U| between paths that both go through a head, times the heads of its layer'
         'predictor',  'labels times what a head adds to the output, each example left out'
         'loo',        'growth of the squared error left out, solved anew without the head'
         'evidence',   'loss of log evidence, solved anew without the head'
         'ablation',   'growth of the squared error left out without the head, nothing learned anew'
         'importance', 'mean of |d loss / d mask| of the head'};
at = strcmp (words(:,1), by);
text = words{at,2};
if of_model && strcmp (by, 'ablation'), text = 'growth of the error without the head'; end
fprintf ('by ''%s'', %s', by, text);
if largest ~= 1, fprintf ('; 1 is %.3g', largest); end
fprintf ('\n');
mark = false (n, 1);
if ~isempty (V)
  limit = sqrt (2) * erfinv (1 - 0.1 / (n * max (n - 1, 1)));
  v = diag (V);
  mark = score(:,3) - score(1,3) <= limit * sqrt (max (v + v(1) - 2 * V(:,1), 0));
end
errors = size (score, 2) - 3;
marks = {'', ' ~'};
fprintf ('  layer  head    score%s\n', repmat ('       +-', 1, errors));
for k = 1:n
  fprintf (['  %5d %5d', repmat(' %8.4f', 1, 1 + errors), '%s\n'], score(k,:), marks{1 + mark(k)});
end
if errors == 0
  if any (strcmp (by, {'share', 'order'}))
    fprintf ('standard deviations are those of attnpath_scores (attnpath_expand (sol)), and of a sample\n');
  end
  return
end
if n > 1 && all (mark)
  fprintf (['~: no head can be distinguished from the least, by %.1f standard errors: these scores find no ' ...
            'order of the heads\n'], limit);
else
  fprintf ('~: not distinguished from the least, by %.1f standard errors\n', limit);
end
end

function V = error_of (each, weight)
% Covariance of weighted means over the rows of each, the examples, that are independent
weight = weight / sum (weight);
apart = bsxfun (@times, bsxfun (@minus, each, weight' * each), weight);
V = apart' * apart * (numel (weight) / max (numel (weight) - 1, 1));
end

function found = of_theory (found, model, opt)
[net, U, C, draws] = order_parameter (model);
found.list = ap_head_list (net.H);
switch opt.By
  case {'order', 'share'}
    both = strcmp (opt.By, 'share');
    found.value = ap_order_scores (net, U, C, both);
    if size (draws, 3) > 1, found.V = cov (ap_order_scores (net, draws, C, both)'); end
    if C > 1, found.classes = by_class (net, U, found.list, C, both); end
  case {'predictor', 'ablation'}
    found = by_predictor (found, model, U, opt.By);
  otherwise
    if size (draws, 3) > 1
      ap_fail ('scores', 'badValue', ['By ''%s'' needs a solution, from attnpath_solve: of a sample there are ' ...
               '''share'', ''order'', ''predictor'' and ''ablation'''], opt.By);
    end
    [found.value, found.V] = by_removal (model, found.list, opt);
    found.list = found.list(1:numel (found.value),:);          % fewer after Ctrl-C
end
end

function gd = trained_network (gd)
if ~isstruct (gd) || numel (gd) ~= 1 || ~all (isfield (gd, {'net', 'w'}))
  ap_fail ('scores', 'missingField', ['with X and y the model must be a trained network, a struct with net and w ' ...
           'from attnpath_train, not %s'], ap_describe (gd));
end
gd.net = ap_check_net ('scores', gd.net);
end

function [net, U, C, draws] = order_parameter (model)
% draws: of a sample, all of them, the mean of which is U
if ~isstruct (model) || numel (model) ~= 1
  ap_fail ('scores', 'badClass', 'model must be one struct with net and U, not %s', ap_describe (model));
elseif ~isfield (model, 'net') || ~isfield (model, 'U')
  ap_fail ('scores', 'missingField', 'model must have fields net and U, from attnpath_solve');
end
ap_check_edited ('scores', 'model', model);
net = model.net;
net = ap_check_net ('scores', net);
U = model.U;
draws = [];
if isfloat (U) && ~issparse (U) && ~isempty (U)
  draws = U(:,:,:);
  U = mean (draws, 3);
end
[U, C] = ap_check_blocks ('scores', 'model.U', U, net, 'any');
end

function values = by_class (net, U, list, C, both)
values = zeros (size (list, 1), C);
for c = 1:C, values(:,c) = ap_order_scores (net, U(c:C:end,c:C:end), 1, both); end
end

function found = of_expansion (found, ex, opt)
if ~any (strcmp (opt.By, {'share', 'order'}))
  ap_fail ('scores', 'badValue', ['of an expansion scores are known by ''share'' and ''order'', not by ''%s'': ' ...
           'give its solution, ex.sol'], opt.By);
end
ap_check_expansion ('scores', ex);
worth = ex.worth;
if strcmp (opt.By, 'order') && isfield (worth, 'order')
  worth = worth.order;
elseif strcmp (opt.By, 'share') && ~isfield (worth, 'order')
  ap_fail ('scores', 'badValue', ['this expansion was made by attnpath 0.3.0, and has scores by ''order'' alone: ' ...
           'attnpath_expand (ex.sol) has both']);
end
found.list = worth.score(:,1:2);
found.value = worth.score(:,3) * worth.largest;
found.V = diag ((worth.score(:,4) * worth.largest) .^ 2);
found.classes = worth.classes;
end

function found = by_predictor (found, model, U, by)
% Column i of B is A_{-i}^{-1} vec Y_{-i}, and 0 at i: with b = A^{-1} vec Y it is b - A^{-1} E_i [A^{-1}]_ii^{-1} b_i,
% [A^{-1}]_ii C x C (T23). Path p adds to output c at x_i
%   sigma_0^2 / (N0 Pi) sum_{q,d} U_{(p,c),(q,d)} xi_p(i) . sum_nu xi_q(nu) B((nu,d),i)
% and head h the sum f_h over the paths through it: y f_h, or the growth of (y - f)^2 without them. Outputs that share U
% are taken one after the other. classes: a column for each output
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
every = ap_path_list (net.H, net.skip);
n = size (found.list, 1);
each = zeros (P, n);
found.classes = zeros (n, size (y, 2));
if isempty (t), t = ones (P, 1); end
for first = 1:C:size (y, 2)
  part = first:first+C-1;
  f = added (Xi, U, net.variance(1) / (N0 * paths), left_out (Y, reshape (y(:,part), [], 1), C));
  for k = 1:n
    through = sum (f(:,:,every(:,found.list(k,1)) == found.list(k,2)), 3);
    past = sum (f(:,:,every(:,found.list(k,1)) == 0), 3);
    if strcmp (by, 'predictor')
      gain = y(:,part) .* through;
    else
      gain = without_head (sum (f, 3), through, past, y(:,part), net.H(found.list(k,1)));
    end
    found.classes(k,part) = sum (gain, 1) / sum (1 ./ t);
    each(:,k) = each(:,k) + t .* sum (gain, 2);
  end
end
found.value = sum (found.classes, 2);
found.V = error_of (each, 1 ./ t);
if size (y, 2) == 1, found.classes = []; end
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

function f = added (Xi, U, scale, B)
% P x C x Pi: what a path adds to each output
[N0, P, paths] = size (Xi);
C = size (U, 1) / paths;
V = zeros (N0 * P, paths * C);
for p = 1:paths
  for c = 1:C, V(:,C * (p - 1) + c) = reshape (Xi(:,:,p) * B((c - 1) * P + (1:P),:), [], 1); end
end
V = scale * V * U;
f = zeros (P, C, paths);
for p = 1:paths
  for c = 1:C, f(:,c,p) = sum (Xi(:,:,p) .* reshape (V(:,C * (p - 1) + c), N0, P), 1)'; end
end
end

% ---- without each head, solved anew ----

function [values, V] = by_removal (model, list, opt)
[net, given, y, noise] = ap_training_set ('scores', model, strcmp (opt.By, 'evidence'));
if ~isfield (model, 'order')
  ap_fail ('scores', 'missingField', ['model has no field order, which ''%s'' needs: it must be a solution from ' ...
           'attnpath_solve'], opt.By);
end
C = ap_outputs (given, y);
model.net = net;
model.order = ap_check_order ('scores', 'model.order', model.order, net, ap_output_blocks (net, model.order, C));
each = zeros (0, 1);
if strcmp (opt.By, 'loo')
  each = mean (y .^ 2, 2);
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
              'advance', @(run, count) remove_some (run, count, model, list, opt.By, {nothing, each}), ...
              'overhead', 0, 'clock', @() toc (clock), 'file', '', 'every', Inf, 'pack', @(run) run, 'display', ...
              opt.Display, 'report', @(run, notes, last) report (run, n, notes));
[whole, of_whole] = ap_removal_cost (model, opt.By);
run = struct ('values', zeros (0, 1), 'each', zeros (numel (each), 0), 'whole', whole, 'of_whole', of_whole);
[run, ending] = ap_run (job, run);
values = run.values;
if isempty (values)
  ap_fail ('scores', 'interrupted', 'interrupted before the first head was removed');
elseif strcmp (ending, 'interrupted') && numel (values) < n
  warning ('attnpath:scores:interrupted', 'attnpath_scores: interrupted when %d of %d heads were removed', ...
           numel (values), n);
end
attnpath_interrupt_mex ('forget');
V = [];
if isempty (each), return; end
weight = ones (size (each));
if ~isempty (noise), weight = 1 ./ noise(:); end
V = error_of (run.each(weight > 0,:), weight(weight > 0));
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
  [without, each] = deal (nothing{:});
  more = {};
  if isfield (model, 'outputs'), more = {'Outputs', model.outputs}; end
  try
    if model.net.H(head(1)) > 1
      [without, each] = ap_removal_cost (ap_solve_without (model, head, 'rest', more{:}), by);
    end
  catch err
    if ~attnpath_interrupt_mex ('seen'), rethrow (err); end
  end
  if attnpath_interrupt_mex ('seen')               % what was cut short is worth nothing
    ending = 'interrupted';
    break
  end
  run.values(end+1,1) = without - run.whole;
  run.each(:,end+1) = each - run.of_whole;
end
seconds = toc (begun);
end

function each = trained_worth (gd, X, y, opt)
% What each head is worth to a trained network itself, on sequences given.
% Inputs :  gd, struct of net and w, from attnpath_train;  X and y, sequences or their path inputs, and labels;  opt,
%           struct of By ('ablation' or 'importance'), Lengths and Display, as attnpath_scores explains them
% Outputs:  P x sum (H), layer by layer; a head's worth is the mean over the examples
% With F_p what path p adds to the outputs f (T4), and F_h the sum over the paths through head h:
%   'ablation'    |sqrt (H/(H-1)) (f - F_h) - y|^2 less |f - y|^2, as without_head has it
%   'importance'  |(f - y) . F_h|, half of |d loss / d mask| at a mask of 1, over the norm of its layer's means
net = gd.net;
[w, C] = ap_check_weights ('scores', 'model.w', gd.w, net);
[N0, columns] = size (w);
count = columns / C;
if isstruct (X)
  Xi = ap_check_inputs ('scores', 'X', X, net, N0, opt.Lengths);
  P = size (Xi, 2);
  inputs = @(part) Xi(:,part,:);
else
  X = ap_check_array ('scores', 'X', X, {N0, 'T', 'P'});
  P = size (X, 3);
  lengths = ap_check_lengths ('scores', opt.Lengths, size (X, 1), size (X, 2), P);
  inputs = @(part) of_tokens (net, X, lengths, part);
end
if isfield (gd, 'classes'), y = ap_classes ('scores', 'y', y, gd.classes, false); end
y = ap_labels ('scores', 'y', y, P, true);
if size (y, 2) ~= C
  ap_fail ('scores', 'badShape', 'y must have %d labels an example, as many as model.w has outputs, not %d', C, ...
           size (y, 2));
end
list = ap_head_list (net.H);
heads = ap_path_list (net.H, net.skip);
each = zeros (P, size (list, 1));
chunk = max (1, floor (2 ^ 24 / (N0 * count)));
begun = tic ();
told = 0;
for first = 1:chunk:P
  if opt.Display, told = ap_progress_line (told, toc (begun), 'attnpath_scores: %d of %d examples', first - 1, P); end
  part = first:min (P, first + chunk - 1);
  F = path_terms (inputs (part), w, C);
  f = sum (F, 3);
  for k = 1:size (each, 2)
    through = sum (F(:,:,heads(:,list(k,1)) == list(k,2)), 3);
    past = sum (F(:,:,heads(:,list(k,1)) == 0), 3);          % by the layer's skip connection, which stays as it is
    each(part,k) = worth (opt.By, f, through, past, y(part,:), net.H(list(k,1)));
  end
end
for l = (1:net.L) * strcmp (opt.By, 'importance')
  own = list(:,1) == l;
  size_of = norm (mean (each(:,own), 1));
  if size_of > 0, each(:,own) = each(:,own) / size_of; end
end
end

function Xi = of_tokens (net, X, lengths, part)
if ~isempty (lengths), lengths = lengths(part); end
Xi = ap_inputs ('scores', net, X(:,:,part), lengths, []);
end

function F = path_terms (Xi, w, C)
% P x C x Pi: what each path adds to each output
[N0, P, count] = size (Xi);
F = zeros (P, C, count);
for p = 1:count, F(:,:,p) = Xi(:,:,p)' * w(:,C * (p - 1) + (1:C)) / sqrt (N0 * count); end
end

function value = worth (by, f, through, past, y, H)
% P x 1
if strcmp (by, 'importance')
  value = abs (sum ((f - y) .* through, 2));
else
  value = sum (without_head (f, through, past, y, H), 2);
end
end

function growth = without_head (f, through, past, y, H)
% Growth of squared errors where a head's paths are silent and the others of its layer are rescaled.
% Inputs :  f, outputs;  through, what the paths through the head add to them;  past, what those by the layer's skip
%           connection add, which is not rescaled;  y, labels;  all P x C;  H, heads of the layer. Without its only
%           head past is left
% Outputs:  P x C
less = past;
if H > 1, less = less + (f - past - through) * sqrt (H / (H - 1)); end
growth = (less - y) .^ 2 - (f - y) .^ 2;
end

%!test
%! score = attnpath_scores (struct ('net', attnpath_net ([2 1]), 'U', [3 1; 1 1]));
%! assert (score, [1 2 1/3; 1 1 1; 2 1 1], eps);

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_scores (sol)                       % layer, head, score: the least useful first
