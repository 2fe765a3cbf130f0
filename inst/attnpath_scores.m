function [score, largest, classes, by] = attnpath_scores (model, varargin)
%ATTNPATH_SCORES  Importance of each head: the loss without it, or its share of the order parameter.
%
%   [score, largest, classes, by] = ATTNPATH_SCORES (model, Name, Value, ...)
%   [score, largest] = ATTNPATH_SCORES (gd, X, y, Name, Value, ...)
%   [cost, errors] = ATTNPATH_SCORES (file, Name, Value, ...)
%
%   Inputs :
%     model     solution, sample, expansion, or any struct with net and U, see the table below
%     gd        trained network from attnpath_train, or any struct with net and w
%     X, y      sequences and labels to test gd on: N0 x T x P tokens, or a struct from attnpath_paths, and
%               P x 1 or P x C labels
%     file      from head_costs of export_attention.py: the cost of removing each head of your transformer
%   Options, by name or as one struct:
%     'By'       ''     the score; '' for the default of the model. The weight of an example is 1 / 'Noise'
%                       The loss of the theory's network when it has learned again without the head:
%                'loo'        growth of the squared leave-one-out error of the solution without the head
%                'evidence'   loss of the log evidence of that solution: needs widths N_l >= Pi_l
%                       The loss at once, with U unchanged:
%                'ablation'   growth of the squared leave-one-out error with zeros for the paths through the
%                             head, and with the layer's other heads rescaled as in attnpath_prune. For gd
%                             growth of its squared error, for a file of the loss
%                'predictor'  mean over left-out examples of y_i times the contribution to the output of the
%                             paths through the head. Negative for a misleading head
%                       The weight of the head in U, for figures. It is no loss: at low temperatures U is large
%                       where paths explain noise
%                'share'      sum of |U_pq| over entries with both paths p and q through the head, times the
%                             number of heads, or groups, of the layer; |U_pq| is multiplied by the scales
%                             of heads, and by s_l sqrt (H_l) for skip connections, along both paths
%                'order'      the score of [1]: sum over entries with p or q through the head
%                       For gd and a file:
%                'importance' mean of |d loss / d mask| of the head [2]; for gd divided by the norm over the
%                             heads of its layer
%                'mean', 'resampled', 'norm'   for a file: 'ablation' with the head's mean output, or that for
%                             another example, in place of zeros; norm of W_O W_V, which has no errors
%                       'order' and 'predictor' compare heads within a layer only. With the readout 'all'
%                       errors are those over sequences
%     'Leave'    ''     with the readout 'all', for 'loo', 'ablation' and 'predictor': 'sequence', also if '',
%                       or 'token', as for attnpath_loo; errors are then over tokens
%     'Groups'   []     groups of heads in each layer, a number or 1 x L: heads that share keys and values and
%                       are removed together (grouped-query attention)
%     'Lengths'  []     1 x P numbers of tokens, where examples of X are zero-padded to a common T
%     'Display'  true   print the progress of long runs that remove heads
%
%   Outputs:
%     score     rows [layer head score error], in increasing order, divided by the largest score unless none
%               is above 0. Errors are standard errors over the examples. For several U and an expansion they
%               are standard deviations over U, and the score is that of the mean of U. 'evidence', and 'share'
%               and 'order' of one U, have none. attnpath_prune (net, score(1:k,1:2)) removes the first k.
%               A score is of one head at a time: of two copies it says that either can go, and not that both
%               can. attnpath_prune (sol, 'By', 'loo') solves again after each
%               With groups rows are [layer head score error group size], size counts the heads of the group.
%               Those of a group are one after the other and have equal scores; the error is NaN where there
%               is none. k must end a group: attnpath_prune (net, score(1:k,:)) refuses a part of one
%     cost      the same for a file, not divided;  errors, its fourth column. Files of head_costs (..,
%               groups=..) that do not hold the numbers of groups, which older versions wrote, cannot be
%               recognised: their heads are numbers of groups
%     largest   the divisor of the scores
%     classes   heads x C, divided by the largest: for 'share' and 'order' of coupled outputs, sums over the
%               blocks of U of each output; for 'predictor' and 'ablation' the part of each output in a score
%     by        the word of the score
%   Without an output a table is printed, with ~ at heads that cannot be distinguished from the least.
%   Ctrl-C ends removals with the heads tried so far, and warns with attnpath:scores:interrupted. Scores by
%   examples left out warn of copies, attnpath:scores:copies, or loo:copies and loo:seen as attnpath_loo does.
%   Without the only head of a layer the output is 0, or that of the layer's skip connection.
%
%     model                                        default       falls back to
%     solution, also of coupled or shared outputs  'loo'         'ablation', if 'loo' takes more than 10 s, as
%                                                                estimated from sizes, or 1 GiB
%     solution of moments                          'evidence'    'share', likewise, or if a width N_l < Pi_l,
%                                                                or outputs share one U
%     sample, or struct with net, U, paths, y      'ablation'
%     expansion, sample of moments, or struct      'share'
%     with net and U, such as gd
%     gd with X and y, and a file                  'ablation'
%
%   'loo' solves the theory once for each head: together 5 to 11 times as long as attnpath_solve for 4 to 8
%   heads, longer where U is over 100 times its size in the GP limit and ten starts are made. In
%   studies/removal it names a head that the network needs least often. 'loo' and 'evidence' refuse a
%   solution that has not converged or is no minimum. Other scores of it warn: attnpath:scores:notConverged,
%   or :saddle. In the GP limit 'share' is the same for all heads if no scale differs from 1 and s_l /
%   sigma_l is the same in all layers: the gain of a skip connection, 0 for none, divided by the root of the
%   variance. What a trained transformer loses is another question: doc/your_own_transformer.md.
%
%   Equation: theory.md sections 8, 16 and 17; (T23), (T24), (T25).
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2), zeros(2)});
%     >> score = attnpath_scores (struct ('net', net, 'U', [3 1; 1 1]))
%     score =
%        1.0000   2.0000   0.3333
%        1.0000   1.0000   1.0000
%        2.0000   1.0000   1.0000
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%
%   See also attnpath_solve, attnpath_expand, attnpath_prune, attnpath_loo, attnpath_evidence, attnpath_train.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: scores.tst   REFERENCE: ref_scores.m   SOURCE: theory.md sections 8, 16, 17

ap_check_call ('scores', nargin >= 1, 'score = attnpath_scores (model, Name, Value, ...)');
ap_check_is_model ('scores', model);
table = {'By',      '',   'word', {'', 'loo', 'evidence', 'ablation', 'predictor', 'share', 'order', 'importance', ...
                                 'mean', 'resampled', 'norm'}
         'Leave',   '',   'word', {'', 'sequence', 'token'}
         'Groups',  [],   'any',  []
         'Lengths', [],   'any',  []
         'Display', true, 'display', []};
if isa (model, 'string') && numel (model) == 1, model = char (model); end
in_file = ischar (model) && size (model, 1) == 1;
asked = ~in_file && ~isempty (varargin) ...
        && (isnumeric (varargin{1}) || (isstruct (varargin{1}) && isfield (varargin{1}, 'Xi')));
given = {};
if asked
  check_trained (model, varargin);
  [given, varargin] = deal (varargin(1:2), varargin(3:end));
end
expanded = ap_is_expansion (model);
opt = ap_options ('scores', table, varargin);
by_default = isempty (opt.By);
if by_default, opt.By = default_of (model, asked || in_file, expanded); end
check_options (opt, asked, in_file, expanded);
found = struct ('list', [], 'value', [], 'V', [], 'classes', [], 'group', []);     % V: covariance of values' errors
why = '';
if in_file
  [cost, se] = ap_head_costs ('scores', model, opt.By);
  [found.list, found.value, found.group] = deal (cost(:,1:2), cost(:,3), cost(:,4:end));
  if ~isempty (se), found.V = diag (se .^ 2); end
elseif asked
  found = of_trained (found, model, given{:}, opt);
elseif expanded
  found = of_expansion (model, opt.By);
else
  removed = [];
  if any (strcmp (opt.By, {'loo', 'evidence'})), [removed, opt.By, why] = removable (model, opt, by_default); end
  try
    found = of_theory (found, model, removed, opt);
  catch err
    ap_rethrow ('scores', err);                    % by 'loo' and 'evidence' other functions are called
  end
end
if ~isempty (opt.Groups), found = per_head (found, model.net.H, groups_of (opt.Groups, model.net.H)); end
by = opt.By;
ap_refuse ('scores', 'notFinite', ~all (isfinite (found.value)), ...
           'a score is not finite: the numbers of the model are too large');
errors = sqrt (diag (found.V));
if isempty (errors) && ~isempty (found.group), errors = NaN (size (found.value)); end
[score, rank] = sortrows ([found.list, found.value, errors, found.group], 3);      % stable: groups stay together
classes = [];
if ~isempty (found.classes), classes = found.classes(rank,:); end
if max (classes(:)) > 0, classes = classes / max (classes(:)); end
largest = ap_either (score(end,3) > 0 && ~in_file, score(end,3), 1);
score(:,3:end-size (found.group, 2)) = score(:,3:end-size (found.group, 2)) / largest;
if nargout == 0
  if ~isempty (found.V), found.V = found.V(rank,rank) / largest ^ 2; end
  print_table (score, largest, found.V, ~isempty (found.group), by, why, asked || in_file);
  of_one = any (strcmp (by, {'share', 'order'})) && isempty (found.V);
  if of_one && isempty (why), say_deviations (model, by, opt.Groups); end
  clear -regexp ^score$
elseif in_file
  largest = score(:,4:end-size (found.group, 2));
end
end

function by = default_of (model, of_model, expanded)
% The score that names a head which the network needs first least often (studies/removal), of those that the fields of
% the model allow: tests of what these hold come later
has = @(names) isstruct (model) && numel (model) == 1 && all (isfield (model, names));
alone = has ({'order', 'U'}) && ~has ({'logpost'}) && size (model.U, 3) == 1;
if of_model
  by = 'ablation';
elseif expanded
  by = ap_either (isfield (model, 'worth') && ~isfield (model.worth, 'order'), 'order', 'share');         % of 0.3.0
elseif has ({'paths', 'y', 'U'})
  by = ap_either (alone, 'loo', 'ablation');
else
  by = ap_either (alone && has ({'moments'}), 'evidence', 'share');
end
end

function [removed, by, why] = removable (model, opt, by_default)
% The solution, checked. By default no score that takes far longer than a solution, or does not exist
ap_refuse ('scores', 'badValue', isstruct (model) && isfield (model, 'U') && size (model.U, 3) > 1, ['By ''%s'' ' ...
           'needs a solution, from attnpath_solve: of a sample there are ''share'', ''order'', ''predictor'' and ' ...
           '''ablation'''], opt.By);
by = opt.By;
removed = ap_check_removable ('scores', model, by, opt.Leave);
why = '';
shared = strcmp (by, 'evidence') && strcmp (removed.outputs, 'shared');
ap_refuse ('scores', 'badValue', shared && ~by_default, ['outputs that share one U are an approximation, ' ...
           'without an evidence: there are ''share'' and, with examples, ''loo'' and ''ablation''']);
none = strcmp (by, 'evidence') && removed.net.temperature == 0 ...
       && any (groups_of (opt.Groups, removed.net.H) == 1 & removed.net.skip == 0);
ap_refuse ('scores', 'badValue', none && ~by_default, ['at temperature 0 labels have no evidence without the only ' ...
           'head of a layer: By ''share''']);
if ~by_default, return; end
if isfield (removed, 'moments')
  [instead, N0, C] = deal ('share', removed.moments.N0, ap_outputs (removed.moments));
  size_of = [N0, min(removed.moments.P, N0 * ap_path_count (removed.net)), ap_path_count(removed.net)];
  if ~ap_is_wide (removed.net, removed.order), why = ' (''evidence'' needs widths N_l >= Pi_l)'; end
  if shared, why = ' (outputs that share one U have no ''evidence'')'; end
  if none, why = ' (at temperature 0 labels have no ''evidence'' without a layer''s only head)'; end
else
  [instead, C, size_of] = deal ('ablation', size (removed.y, 2 + strcmp (removed.net.readout, 'all')), ...
                                 size (removed.paths.Xi));
  if isfield (removed, 'noise'), size_of(2) = sum (isfinite (removed.noise(:))); end
end
price = ap_say_price ('scores', removed.net, removed.order, size_of, C, 0, false);
seconds = price.seconds * sum (groups_of (opt.Groups, removed.net.H));
if isempty (why) && (seconds > 10 || price.bytes > 2 ^ 30)
  why = sprintf (' (''%s'' takes about %s and %.2g GiB)', by, ap_duration (seconds), price.bytes / 2 ^ 30);
end
if ~isempty (why), [by, removed] = deal (instead, []); end
end

function check_trained (gd, given)
ap_refuse ('scores', 'missingField', ~isstruct (gd) || numel (gd) ~= 1 || ~all (isfield (gd, {'net', 'w'})), ...
           'with X and y the model must be a trained network, a struct with net and w from attnpath_train, not %s', ...
           {gd});
ap_refuse ('scores', 'usage', numel (given) < 2 || (ischar (given{2}) && size (given{2}, 1) == 1), ...
           'X comes without labels: the call is attnpath_scores (gd, X, y, Name, Value, ...)');
end

function check_options (opt, asked, in_file, expanded)
of_model = asked || in_file;
by = @(varargin) any (strcmp (opt.By, varargin));
column = by ('mean', 'resampled', 'norm');         % of files alone
refuse = @(wrong, varargin) ap_refuse ('scores', 'badValue', wrong, varargin{:});
refuse (~isempty (opt.Leave) && (of_model || ~by ('loo', 'ablation', 'predictor')), ...
        'Leave is for scores of the theory by examples left out, ''loo'', ''ablation'' and ''predictor''');
refuse (~isempty (opt.Lengths) && ~asked, ...
        'Lengths are those of X, in attnpath_scores (gd, X, y, ...), and there is no X');
refuse (~isempty (opt.Groups) && in_file, ...
        'costs of groups come from head_costs (.., groups=..) of export_attention.py');
refuse (~isempty (opt.Groups) && expanded, ...
        'an expansion has scores of single heads: for Groups give its solution, ex.sol');
refuse (expanded && ~by ('share', 'order'), ...
        'an expansion has scores by ''share'' and ''order'', not by ''%s'': give its solution, ex.sol', opt.By);
refuse (by ('importance') && ~of_model, ['By ''importance'' needs a trained network: attnpath_scores (gd, X, y, ' ...
        '''By'', ''importance''), or gives the file that head_costs of export_attention.py writes']);
refuse (column && ~in_file, 'By ''%s'' is a column of files that head_costs of export_attention.py writes', opt.By);
refuse (of_model && ~column && ~by ('ablation', 'importance'), ['By ''%s'' is a score of the theory, ' ...
        'attnpath_scores (sol, ''By'', ''%s''): of a trained network, and of a file, there are ''ablation'' and ' ...
        '''importance'''], opt.By, opt.By);
end

function groups = groups_of (groups, H)
% 1 x L: how many groups of heads each layer has
if isempty (groups), groups = H; return; end
if isfloat (groups) && isscalar (groups), groups = repmat (groups, size (H)); end
groups = ap_check_value ('scores', 'Groups', groups, 'row', {numel(H)});
for l = 1:numel (H)
  ap_refuse ('scores', 'badValue', ~any (groups(l) == 1:H(l)) || mod (H(l), groups(l)) > 0, ...
             'Groups must divide the %d heads of layer %d, and %g does not', H(l), l, groups(l));
end
end

function found = per_head (found, H, groups)
% Rows of groups become rows of their heads, one after the other
together = H ./ groups;
at = cell2mat (arrayfun (@(k) repmat (k, together(found.list(k,1)), 1), (1:size (found.list, 1))', ...
                         'UniformOutput', false));
[~, first, of] = unique (at, 'first');
each = reshape (together(found.list(at,1)), [], 1);
found.group = [found.list(at,2), each];
found.list = [found.list(at,1), (found.group(:,1) - 1) .* each + (1:numel (at))' - reshape(first(of), [], 1) + 1];
found.value = found.value(at);
if ~isempty (found.V), found.V = found.V(at,at); end
if ~isempty (found.classes), found.classes = found.classes(at,:); end
end

function say_deviations (model, by, groups)
% The calls that have standard deviations of these scores of one U
calls = sprintf ('attnpath_scores (post, ''By'', ''%s'') of a sample%s', by, ap_sampling_needs (model.net));
if isempty (groups) && all (isfield (model, {'order', 'reason'})) && ap_is_wide (model.net, model.order)
  calls = sprintf ('attnpath_scores (attnpath_expand (sol), ''By'', ''%s''), or %s', by, calls);
end
fprintf ('for standard deviations use %s\n', calls);
end

function print_table (score, largest, V, grouped, by, why, of_model)
% A mark for each head that cannot be distinguished from the least: by so many standard errors that in one table of
% heads that are all alike no two of them are farther apart, in 95 of 100 (Bonferroni over the pairs). Heads of a group
% are one
n = size (unique (score(:,[1, ap_either(grouped, 5, 2)]), 'rows'), 1);
words = {'order',      'sum of |U| over the entries through a head: it compares heads within a layer'
         'share',      'sum of |U| between paths that both go through a head, times the heads (or groups) of its layer'
         'predictor',  'labels times what a head adds to the output, each example left out'
         'loo',        'growth of the squared leave-one-out error, solved again without the head'
         'evidence',   'loss of log evidence, solved again without the head'
         'ablation',   'growth of the squared leave-one-out error without the head, U unchanged'
         'importance', 'mean of |d loss / d mask| of the head'
         'mean',       'growth of the error with the head''s mean output'
         'resampled',  'growth of the error with the head''s output for another example'
         'norm',       'norm of W_O W_V of the head'};
if of_model, words(strcmp (words(:,1), 'ablation'),2) = {'growth of the error without the head'}; end
at = strcmp (words(:,1), by);
fprintf ('by ''%s''%s, %s', by, why, words{at,2});
if largest ~= 1, fprintf (', divided by %.3g', largest); end
fprintf ('\n');
mark = false (size (score, 1), 1);
if ~isempty (V)
  limit = sqrt (2) * erfinv (1 - 0.1 / (n * max (n - 1, 1)));
  v = diag (V);
  spread = v + v(1) - 2 * V(:,1);
  mark = isnan (spread) | score(:,3) - score(1,3) <= limit * sqrt (max (spread, 0));
end
errors = ~isempty (V);
fprintf ('  layer  head%s    score%s\n', ap_either (grouped, ' group', ''), repmat ('       +-', 1, errors));
if grouped, score = score(:,[1 2 5 3 4]); end
for k = 1:size (score, 1)
  fprintf (['  %5d %5d', repmat(' %5d', 1, grouped), repmat(' %8.4f', 1, 1 + errors), '%s\n'], ...
           score(k,1:3+grouped+errors), ap_either (mark(k), ' ~', ''));
end
if errors > 0
  fprintf ('~: not distinguished from the least, by %.1f standard errors', limit);
  if n > 1 && all (mark), fprintf (': these scores find no order of the heads'); end
  fprintf ('\n');
end
% Two heads whose removals, each a search of its own, cost the same; below 1e-5 they may be heads that do nothing
equal = diff (score(:,1)) == 0 & abs (diff (score(:,3))) < 1e-6 & abs (score(2:end,3)) > 1e-5;
twins = find (equal & ~grouped & any (strcmp (by, {'loo', 'evidence', 'ablation', 'predictor'})), 1);
if ~isempty (twins)
  fprintf (['heads %d and %d of layer %d have equal scores, as copies have, and each stands for its head alone: ' ...
            'remove one, and score again\n'], sort (score(twins:twins+1,2)), score(twins,1));
end
end

function V = error_of (each, weight)
% Covariance of weighted means over the rows of each, the examples, that are independent
weight = weight / sum (weight);
apart = bsxfun (@times, bsxfun (@minus, each, weight' * each), weight);
V = apart' * apart * (numel (weight) / (numel (weight) - 1));         % of one example NaN
end

function found = of_theory (found, model, removed, opt)
% removed: the solution of which heads are removed, [] for scores that need none
if ~isempty (removed)
  groups = groups_of (opt.Groups, removed.net.H);
  found.list = ap_head_list (groups);
  [found.value, found.V] = by_removal (removed, found.list, opt, groups);
  found.list = found.list(1:numel (found.value),:);            % fewer after Ctrl-C
  return
end
[net, U, C, draws] = order_parameter (model, opt.By);
if isempty (draws) || size (draws, 3) == 1, ap_warn_minimum ('scores', model); end
groups = groups_of (opt.Groups, net.H);
found.list = ap_head_list (groups);
if any (strcmp (opt.By, {'order', 'share'}))
  both = strcmp (opt.By, 'share');
  [found.value, found.classes] = ap_u_scores (net, U, C, both, groups);
  if size (draws, 3) > 1, found.V = cov (ap_u_scores (net, draws, C, both, groups)'); end
else
  found = by_predictor (found, model, U, opt, groups);
end
end

function [net, U, C, draws] = order_parameter (model, by)
% draws: of a sample, all of them, the mean of which is U
of_U = any (strcmp (by, {'share', 'order'}));
ap_refuse ('scores', 'badClass', ~isstruct (model) || numel (model) ~= 1, ...
           'model must be one struct with net and U, not %s', {model});
ap_refuse ('scores', 'missingField', all (isfield (model, {'net', 'w'})) && ~(isfield (model, 'U') && of_U), ...
           'a trained network holds no examples: attnpath_scores (gd, X, y, ''By'', ''ablation''), or ''importance''');
ap_refuse ('scores', 'missingField', ~isfield (model, 'net') || ~isfield (model, 'U'), ...
           'model must have fields net and U, from attnpath_solve');
ap_check_edited ('scores', 'model', model);
net = ap_check_net ('scores', model.net);
[U, draws] = deal (model.U, []);
if isfloat (U) && ~issparse (U) && ~isempty (U)
  draws = U(:,:,:);
  U = mean (draws, 3);
end
[U, C] = ap_check_blocks ('scores', 'model.U', U, net, ap_either (of_U, 'any', 'semidefinite'));
end

function found = of_expansion (ex, by)
ap_check_expansion ('scores', ex);
worth = ex.worth;
ap_refuse ('scores', 'badValue', strcmp (by, 'share') && ~isfield (worth, 'order'), ['this expansion was made by ' ...
           'attnpath 0.3.0, and has scores by ''order'' alone: attnpath_expand (ex.sol) has both']);
if strcmp (by, 'order'), worth = ap_field (worth, 'order', worth); end
V = ap_field (worth, 'covariance', diag (worth.score(:,4) .^ 2));  % files of 0.3.0 have the diagonal alone
check_weights (ex, by, worth);
found = struct ('list', worth.score(:,1:2), 'value', worth.score(:,3) * worth.largest, 'V', V * worth.largest ^ 2, ...
                'classes', worth.classes, 'group', []);
end

function check_weights (ex, by, worth)
% Older versions left the weights of skip connections out. Standard deviations cannot be computed again
net = ap_check_net ('scores', ap_field (ex.sol, 'net', []));
if ~any (net.skip), return; end
[U, C] = ap_check_blocks ('scores', 'ex.U', ex.U, net, 'any');
now = ap_u_scores (net, U, C, strcmp (by, 'share'));
[~, rank] = sortrows (worth.score(:,1:2));
ap_refuse ('scores', 'badValue', any (abs (worth.score(rank,3) * worth.largest - now) > 1e-10 * max (now)), ...
           ['the scores of this expansion leave out the weights of skip connections, as those of attnpath 0.3.0 ' ...
            'did: attnpath_expand (ex.sol) has them']);
end

function found = by_predictor (found, model, U, opt, groups)
% Column i of B is A_{-i}^{-1} vec Y_{-i}, and 0 at i: with b = A^{-1} vec Y it is b - A^{-1} E_i [A^{-1}]_ii^{-1} b_i,
% [A^{-1}]_ii C x C (T23). Path p adds to output c at x_i
%   sigma_0^2 / (N0 Pi) sum_{q,d} U_{(p,c),(q,d)} xi_p(i) . sum_nu xi_q(nu) B((nu,d),i)
% and head h the sum f_h over the paths through it: y f_h, or the growth of (y - f)^2 without them. Outputs that share U
% are taken one after the other. classes: a column for each output
[net, Xi, y, noise, ~, many] = ap_training_set ('scores', model);
group = ap_left_groups ('scores', opt.Leave, many, noise);
ap_warn_copies ('scores', Xi(:,ap_used_examples (noise, size (y, 1)),:), group);
[Xi, y, t] = ap_by_noise (Xi, y, noise);                % products of two are then over t
[N0, P, paths] = size (Xi);
C = size (U, 1) / paths;
ap_refuse ('scores', 'badShape', size (y, 2) ~= C && C > 1, ['model.y must have %d labels an example, as many as ' ...
           'model.U has outputs, not %d'], C, size (y, 2));
ap_check_cold ('scores', net, struct ('Xi', Xi, 'P', P), U);
A = attnpath_kernel_mex (net, Xi, Xi, U) + net.temperature * eye (P * C);
[F, failed] = chol ((A + A') / 2);
ap_refuse ('scores', 'notPositiveDefinite', failed || rcond (F) ^ 2 < eps, ...
           ['the kernel K + T I is singular in double precision, with T = %g and a diagonal up to %.3g: give the ' ...
           'net a higher temperature'], net.temperature, max (diag (A)));
Y = F \ (F' \ eye (P * C));
n = size (found.list, 1);
each = zeros (P, n);
found.classes = zeros (n, size (y, 2));
if isempty (t), t = ones (P, 1); end
for first = 1:C:size (y, 2)
  part = first:first+C-1;
  f = added (Xi, U, net.variance(1) / (N0 * paths), left_out (Y, reshape (y(:,part), [], 1), C, group));
  gain = worth (opt.By, f, y(:,part), net, groups);
  found.classes(:,part) = permute (sum (gain, 1), [3 2 1]) / sum (1 ./ t);
  each = each + bsxfun (@times, t, reshape (sum (gain, 2), P, n));
end
found.value = sum (found.classes, 2);
[each, weight] = ap_by_group (each, 1 ./ t, group);
found.V = error_of (each, weight);
if size (y, 2) == 1, found.classes = []; end
end

function B = left_out (Y, y, C, group)
b = Y * y;
P = numel (b) / C;
if isempty (group), group = (1:P)'; end
B = zeros (P * C, P);
for g = 1:max (group)
  i = find (group == g);
  own = reshape (bsxfun (@plus, i, P * (0:C-1)), [], 1);
  B(:,i) = repmat (b - Y(:,own) * (Y(own,own) \ b(own)), 1, numel (i));
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
V = reshape (scale * V * U, N0, P, C, paths);
f = reshape (sum (bsxfun (@times, reshape (Xi, N0, P, 1, paths), V), 1), P, C, paths);
end

% ---- solutions without each head ----

function [values, V] = by_removal (model, list, opt, groups)
noise = ap_field (model, 'noise', []);
[each, group] = deal (zeros (0, 1), []);
if strcmp (opt.By, 'loo')
  [~, ~, y, noise, ~, many] = ap_training_set ('scores', model);
  group = ap_left_groups ('scores', opt.Leave, many, noise);
  each = mean (y .^ 2, 2);
  left = ap_used_examples (noise, size (y, 1));
  nothing = ap_mse_accuracy (0 * y(left,:), y(left,:), reshape (noise(left(1:numel (noise))), [], 1));
  [N0, ~, Pi] = size (model.paths.Xi);
  ap_say_price ('scores', model.net, model.order, [N0, sum(left), Pi], size (y, 2), size (list, 1), opt.Display);
else
  nothing = of_noise_alone (model);
end
held = ap_hold ();                                 % from here on Ctrl-C ends the run without loss
clock = tic ();
n = size (list, 1);
unit = ap_either (isempty (opt.Groups), 'heads', 'groups');
job = struct ('name', 'scores', 'goal', n, 'done', @(run) numel (run.values), ...
              'advance', @(run, count) remove_one (run, model, list, groups, opt.By, {nothing, each}), ...
              'clock', @() toc (clock), 'display', opt.Display, 'report', ...
              @(run, notes, last) deal (sprintf ('%d of %d %s removed', numel (run.values), n, unit), '', notes));
[whole, of_whole] = ap_without (model, [], opt.By);
run = struct ('values', zeros (0, 1), 'each', zeros (numel (each), 0), 'whole', whole, 'of_whole', of_whole);
[run, ending] = ap_run (job, run);
values = run.values;
values(abs (values) < 1e-12 * (abs (whole) + abs (values))) = 0;                     % rounding
ap_refuse ('scores', 'interrupted', isempty (values), 'interrupted before the first head was removed');
if strcmp (ending, 'interrupted') && numel (values) < n
  warning ('attnpath:scores:interrupted', 'attnpath_scores: interrupted when %d of %d %s were removed', ...
           numel (values), n, unit);
end
attnpath_interrupt_mex ('forget');
V = [];
weight = ap_either (isempty (noise), ones (size (each)), 1 ./ noise(:));
if isempty (each), return; end
[each, weight] = ap_by_group (run.each(weight > 0,:), weight(weight > 0), group);
V = error_of (each, weight);
end

function value = of_noise_alone (model)
% Minus the log evidence of labels that are noise alone
[~, given, y, noise] = ap_training_set ('scores', model, true);
data = ap_prepare ('scores', model.net, given, y, struct ('memory', 0, 'store', false, 'reduce', false, ...
                                                          'threads', 0, 'evaluations', 0), noise);
value = ap_outputs (given, y) / 2 * (data.P * log (2 * pi * model.net.temperature) + data.lognoise) ...
        + (sum (data.y(:) .^ 2) + data.rest) / model.net.temperature / 2;
end

function [run, ending] = remove_one (run, model, list, groups, by, nothing)
ending = '';
[layer, group] = deal (list(numel (run.values) + 1,1), list(numel (run.values) + 1,2));
[without, each] = deal (nothing{:});
if groups(layer) > 1 || model.net.skip(layer) > 0
  together = model.net.H(layer) / groups(layer);
  [without, each] = ap_without (model, [repmat(layer, together, 1), (group - 1) * together + (1:together)'], by);
end
if attnpath_interrupt_mex ('seen'), return; end    % what was cut short is worth nothing
ap_refuse ('scores', 'notConverged', isnan (without), ...
           'no minimum of the action was found without head %d of layer %d: ''By'', ''%s'' needs none', ...
           group, layer, ap_either (isfield (model, 'moments'), 'share', 'ablation'));
run.values(end+1,1) = without - run.whole;
run.each(:,end+1) = each - run.of_whole;
end

function found = of_trained (found, gd, X, y, opt)
% What each head is worth to a trained network itself: P x heads. With F_p what path p adds to the outputs f (T4), and
% F_h the sum over the paths through head h, 'importance' is |(f - y) . F_h|, half of |d loss / d mask| at a mask of 1,
% over the norm of its layer's means
net = ap_check_net ('scores', gd.net);
ap_refuse ('scores', 'badValue', strcmp (net.readout, 'all'), ['a trained network has one output for a sequence, ' ...
           'and the readout of this one is ''all'': X and y are not for it']);
groups = groups_of (opt.Groups, net.H);
found.list = ap_head_list (groups);
[w, C] = ap_check_blocks ('scores', 'model.w', gd.w, net);
net.N0 = size (w, 1);
count = size (w, 2) / C;
test = ap_check_part ('scores', @(k) struct ('X', {X}, 'Lengths', {opt.Lengths}), 1, net, net.N0, '');
if isfield (gd, 'classes'), y = ap_classes ('scores', 'y', y, gd.classes, false); end
y = ap_labels ('scores', 'y', y, test.P, true);
ap_refuse ('scores', 'badShape', size (y, 2) ~= C, ...
           'y must have %d labels an example, as many as model.w has outputs, not %d', C, size (y, 2));
each = zeros (test.P, size (found.list, 1));
chunk = max (1, floor (2 ^ 24 / (net.N0 * count)));
told = ap_progress_line ();
for first = 1:chunk:test.P
  told = ap_progress_line (told, opt.Display, 'attnpath_scores: %d of %d examples', first - 1, test.P);
  part = first:min (test.P, first + chunk - 1);
  Xi = test.inputs (part);
  F = zeros (numel (part), C, count);              % what each path adds to each output
  for p = 1:count, F(:,:,p) = Xi(:,:,p)' * w(:,C * (p - 1) + (1:C)) / sqrt (net.N0 * count); end
  each(part,:) = reshape (sum (worth (opt.By, F, y(part,:), net, groups), 2), numel (part), []);
end
for l = (1:net.L) * strcmp (opt.By, 'importance')
  own = found.list(:,1) == l;
  size_of = norm (mean (each(:,own), 1));
  if size_of > 0, each(:,own) = each(:,own) / size_of; end
end
[found.value, found.V] = deal (mean (each, 1)', error_of (each, ones (test.P, 1)));
end

function gain = worth (by, F, y, net, groups)
% P x C x heads, or groups of them: by 'ablation' the growth of squared errors where their paths are silent and others
% of the layer are rescaled. F, P x C x Pi, what each path adds; what skips a layer is not rescaled
paths = ap_path_list (net.H, net.skip, groups);
list = ap_head_list (groups);
f = sum (F, 3);
gain = zeros ([size(f), size(list, 1)]);
for k = 1:size (list, 1)
  [l, G] = deal (list(k,1), groups(list(k,1)));
  through = sum (F(:,:,paths(:,l) == list(k,2)), 3);
  if strcmp (by, 'predictor')
    gain(:,:,k) = y .* through;
  elseif strcmp (by, 'importance')
    gain(:,1,k) = abs (sum ((f - y) .* through, 2));
  else
    less = sum (F(:,:,paths(:,l) == 0), 3);
    if G > 1, less = less + (f - less - through) * sqrt (G / (G - 1)); end
    gain(:,:,k) = (less - y) .^ 2 - (f - y) .^ 2;
  end
end
end

%!test % |U| of the paths through each head of the first layer
%! score = attnpath_scores (struct ('net', attnpath_net ([2 1]), 'U', [3 1; 1 1]), 'By', 'order');
%! assert (score(1:2,1:2), [1 2; 1 1]);

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_scores (sol)                       % layer, head, score: the least useful first
