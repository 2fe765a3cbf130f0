function [sol, info] = attnpath_tune (net, X, varargin)
%ATTNPATH_TUNE  Tune temperature, width, scale, heads, bandwidth or ridge without a test set, and solve.
%
%   [sol, info] = ATTNPATH_TUNE (net, X, y, Name, Value, ...)
%   [sol, info] = ATTNPATH_TUNE (net, paths, y, ...)
%   [sol, info] = ATTNPATH_TUNE (net, moments, 'By', 'evidence', ...)
%
%   Inputs :
%     net       network, from attnpath_net. Searches of heads, bandwidth and ridge begin at its values
%     X         N0 x T x P tokens, one training example per page, double or single
%     paths     instead of X: from attnpath_paths, for attention maps of your own
%     y         P x 1 labels, of any size: they set the unit of temperature; P x C for C outputs; or classes
%     moments   instead of X and y: from attnpath_moments, only with 'By', 'evidence'
%   Options, by name or as one struct:
%     'Tune'              {}          cell of 'temperature', 'width', 'scale', 'heads', 'bandwidth', 'ridge',
%                                     or one of them; {} for the first two, or three if 'By' is not 'loo'.
%                                     'heads': a prior scale for each head, net.headscale, with mean square 1
%                                     in each layer. 'bandwidth' and 'ridge' need tokens X, 'ridge' also cme
%     'By'                ''          criterion: 'loo', least squared leave-one-out error (T24); 'density',
%                                     largest leave-one-out log density; 'evidence', largest (T25), or (T10b)
%                                     if (T25) does not exist, see info.by. '' is 'loo', or 'evidence' with
%                                     heads, bandwidth or ridge, which require it
%     'Scale'             'data'      value of a fixed scale, or start of its search: 'data', the mean diagonal
%                                     of the GP limit's kernel equals the mean square of the labels; 'net',
%                                     the scale given by the net's variances
%     'Ranges'            []          struct of bounds. temperature, or temperature / scale if both are tuned:
%                                     [1e-4 10] times the diagonal of 'Scale'. width: [10 10000], of the
%                                     largest width (all keep their proportions). scale: [0.01 100], a
%                                     factor of the variance, 1 at the start. bandwidth and ridge: [0.01 100],
%                                     factors of the net's values
%     'Whole'             false       true: the result is the best point with widths rounded to integers
%     'Corrected'         true        false: (T23) instead of (T24), if memory is too small for the Hessian
%     'Outputs'           'coupled'   for C > 1 outputs, as for attnpath_solve: 'coupled' or 'shared'
%     'MaxPoints'         300         limit on all points; the default grid has 44, and 'Whole' adds one more
%     'Tolerance'         []          the search ends if the expected gain of a step is below this (nats). []
%                                     is its standard error over examples, or 0.001 if By is 'evidence'
%     'Memory'            2           GiB that stored kernels may take
%     'Checkpoint'        ''          a file, written every few seconds. The same call resumes from it
%     'Display'           true        progress, and without an output the table; or 'off', 'iter', 'final'
%     'Classes'           []          as for attnpath_solve: y contains classes, or the list of them
%     'Lengths'           []          1 x P numbers of tokens, where examples are zero-padded to a common T
%     'Noise'             []          as for attnpath_solve: 1 x P variances of the labels' noise in units of
%                                     the temperature. 'Scale' uses K_ii / noise_i and y_i^2 / noise_i
%
%   Outputs:
%     sol       the solution, as from attnpath_solve. sol.net is the tuned network: temperature, width,
%               headscale, bandwidth, ridge, and the first variance, which includes the scale (only the product
%               of the variances matters). A layer's variance includes the mean square of its head scales
%     info      struct with
%       chosen       struct array, one for each criterion, that of the search first: criterion, in words;
%                    temperature, width, variance, as in a net; scale, the factor on the variance; loo,
%                    accuracy, density, evidence, leading. Each is the best tried point of its criterion
%       tried        struct of columns, one row for each point: temperature, width (the largest), scale, loo,
%                    accuracy, density, evidence (T25), leading (T10b); NaN for a missing value
%       by, reason   the criterion used, and how the search ended, in words
%       bounds       cell of sentences: bounds that the result reaches, and heads with scale 0
%       disagree     the sentence of the warning attnpath:tune:disagree, or ''
%       failed       number of points without a value; failure, the reason of the first
%       interrupted  true after Ctrl-C, which keeps the best point so far
%     and with heads, bandwidth or ridge (their values are in chosen and tried too):
%       before       the fields of chosen for the values in the given net and the scale of 'Scale'
%       gained       struct with a field for each word of 'Tune': the loss of evidence in nats if only this
%                    parameter is reset to its value in the net (scale to 1); NaN if unknown. For heads a cell
%                    {1 x H_1, .., 1 x H_L}: other heads of the layer keep their proportions
%   Without an output the table of criteria is printed instead.
%   Warnings: attnpath:tune: bound, the result is at a bound of its range; disagree, the leave-one-out error
%   at another criterion's choice differs by more than a tenth and two standard errors; interrupted; seen,
%   nearly all leave-one-out predictions with attention maps of yours are correct; oldOption.
%   The search, and the cost of choosing without test labels: doc/choosing.md.
%   Equation: (T10b), (T23), (T24), (T25), (T33), (T34) of theory.md.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> [sol, info] = attnpath_tune (attnpath_net (task.heads), task.Xtrain, task.ytrain, 'Display', false);
%     warning: attnpath_tune: ...
%     >> sol.net.temperature
%     ans = 0.090...
%     >> round (sol.net.width(1))                % the lower bound, hence the warning
%     ans = 10
%
%
%   References:
%     [1] Rasmussen, Williams, Gaussian Processes for Machine Learning, MIT Press 2006, chapter 5.
%
%   See also attnpath_solve, attnpath_loo, attnpath_evidence, attnpath_gradient, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: tune.tst   SOURCE: (T10b), (T23), (T24), (T25)

ap_check_call ('tune', nargin >= 3 || (nargin == 2 && ap_is_moments (X)), ...
               '[sol, info] = attnpath_tune (net, X, y, Name, Value, ...)');
[y, varargin] = ap_take_labels (X, varargin);
table = {'Tune',             {},         'any',    []
         'By',               '',         'word',   {'loo', 'density', 'evidence'}
         'Scale',            'data',     'word',   {'data', 'net'}
         'Ranges',           [],         'any',    []
         'Whole',            false,      'flag',   []
         'Corrected',        true,       'flag',   []
         'Outputs',          'coupled',  'word',   {'coupled', 'shared'}
         'MaxPoints',        300,        'count',  [1 1e6]
         'Tolerance',        [],         'number', [0 1e5]
         'Memory',           2,          'number', [0 1e5]
         'Checkpoint',       '',         'file',   []
         'Display',          true,       'display', []
         'Classes',          [],         'any',    []
         'Lengths',          [],         'any',    []
         'Noise',            [],         'any',    []};
opt = ap_options ('tune', table, varargin);
net = ap_check_net ('tune', net);
opt = with_words (opt);
opt.Ranges = ranges_of (opt.Ranges);
check (opt, X, net);
[net, X] = as_tuned (net, X, opt.Tune);
[what, given, first] = training (net, X, y, opt);
plan = plan_of (net, what, opt);
if opt.Corrected && ~plan.slopes && ~isempty (first)
  ap_say_price ('tune', ap_gp_order (net, what.blocks), size (first.Xi), size (first.y, 2), size (plan.grid, 2), ...
                opt.Display);
end

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');                   % see ap_run
quiet = cellfun (@(id) warning ('off', ['attnpath:' id]), {'tune:padding', 'tune:oneExample', 'gradient:padding'});
loud = onCleanup (@() warning (quiet));            % these warnings have been given
[run, interrupted] = search (what, plan, opt, given);
y = ap_field (given, 'y', []);
judge = @(at, start) ap_tune_point (at, start, what, {}, true);
[info, best] = ap_tune_choice (run, plan, y, ap_field (given, 'noise', []), judge);
if isempty (best)
  ap_fail ('tune', 'notConverged', 'none of %d points has a minimum of the action: %s', numel (run.f), info.failure);
end
if opt.Display && nargout == 0, print_table (info); end
for k = 1:numel (info.bounds), warning ('attnpath:tune:bound', 'attnpath_tune: %s', info.bounds{k}); end
if ~isempty (info.disagree), warning ('attnpath:tune:disagree', 'attnpath_tune: %s', info.disagree); end
chosen = info.chosen(1);
if isfield (given, 'paths'), ap_warn_seen ('tune', given.paths, y, chosen.loo, chosen.accuracy); end
for name = intersect ({'temperature', 'width', 'bandwidth', 'ridge', 'headscale'}, fieldnames (chosen)')
  net.(name{1}) = chosen.(name{1});
end
net.variance(1) = chosen.variance;
sol = attnpath_solve (net, what.training{:}, 'Start', run.points(best).order, 'Memory', opt.Memory, ...
                      'Outputs', opt.Outputs, 'Display', opt.Display > 0);
if isfield (given, 'classes'), sol.classes = given.classes; end
info.interrupted = attnpath_interrupt_mex ('forget') || interrupted;
if nargout == 0
  clear sol
end
end

% ---- options ----

function opt = with_words (opt)
% Tune in order, and By
known = {'temperature', 'width', 'scale', 'bandwidth', 'ridge', 'heads'};
names = opt.Tune;
if ~iscell (names), names = {names}; end
names = cellfun (@(name) ap_check_value ('tune', 'Tune', name, 'word', known), names, 'UniformOutput', false);
if isempty (names), names = known(1:2 + ~any (strcmp (opt.By, {'', 'loo'}))); end
opt.Tune = known(ismember (known, names));
if isempty (opt.By), opt.By = ap_either (any (ismember (known(4:6), names)), 'evidence', 'loo'); end
end

function ranges = ranges_of (given)
ranges = struct ('temperature', [1e-4 10], 'width', [10 10000], 'scale', [0.01 100], 'bandwidth', [0.01 100], ...
                 'ridge', [0.01 100]);
if isempty (given) && isa (given, 'double'), return; end
if ~isstruct (given) || numel (given) ~= 1
  ap_fail ('tune', 'badClass', 'Ranges must be one struct with fields of two numbers, not %s', ap_describe (given));
end
for name = fieldnames (given)'
  if ~isfield (ranges, name{1})
    ap_fail ('tune', 'unknownField', 'Ranges has a field %s, which must be one of %s', name{1}, ...
             strjoin (fieldnames (ranges)', ', '));
  end
  ends = ap_either (strcmp (name{1}, 'width'), [1e-3, 1e15], [1e-30, 1e30]);
  range = ap_check_value ('tune', ['Ranges.' name{1}], given.(name{1}), 'row', {2, ends(1), ends(2)});
  if range(1) >= range(2)
    ap_fail ('tune', 'badValue', 'Ranges.%s must be two increasing numbers, not [%g %g]', name{1}, range);
  end
  ranges.(name{1}) = range;
end
end

function check (opt, X, net)
inner = intersect (opt.Tune, {'bandwidth', 'ridge'});
slopes = setdiff (opt.Tune, {'temperature', 'width', 'scale'});
names = strjoin (inner, ' and ');
rule = ap_rules (net.attention);
why = {};
if opt.Whole && ceil (opt.Ranges.width(1)) > floor (opt.Ranges.width(2))
  why = {'Ranges.width [%g %g] has no whole width, which Whole requires', opt.Ranges.width};
elseif ap_is_moments (X) && ~strcmp (opt.By, 'evidence')
  why = {['By ''%s'' leaves examples out one by one, and moments are sums over them: give ''By'', ''evidence'', or ' ...
          'give the examples, attnpath_tune (net, X, y)'], opt.By};
elseif ~isempty (inner) && isstruct (X)
  why = {['%s belong to the rule of attention, which X no longer needs: give the tokens, ' ...
          'attnpath_tune (net, X, y)'], names};
elseif ~isempty (inner) && ~rule.slopes
  why = {'attention %s jumps: it has no %s to be tuned', net.attention, names};
elseif any (strcmp (inner, 'ridge')) && ~rule.factors
  why = {'attention %s has no ridge', net.attention};
elseif ~isempty (slopes) && ~strcmp (opt.By, 'evidence')
  why = {'%s are tuned by ''evidence'', which has a gradient, and not by ''%s''', strjoin(slopes, ', '), opt.By};
elseif any (strcmp (slopes, 'heads')) && ~any (cellfun (@(scale) sum (scale > 0) > 1, net.headscale))
  why = {['no layer has two heads of a scale above 0: the scale of a layer''s only head is that of the layer, ' ...
          'tune ''scale''']};
elseif ~isempty (slopes) && net.temperature == 0 && ~any (strcmp (opt.Tune, 'temperature'))
  why = {'the temperature is 0, where the evidence has no gradient: tune it too, or give one'};
end
if ~isempty (why), ap_fail ('tune', 'badValue', why{:}); end
end

function [net, X] = as_tuned (net, X, tuned)
% The same network with what older ones lack, and scales of heads with a mean square of 1 in each layer. Path inputs
% without scales have those of the given network
bare = isstruct (X) && numel (X) == 1 && isfield (X, 'Xi') && ~any (isfield (X, {'heads', 'skip', 'headscale', 'of'}));
if bare, X = ap_paths_struct (net, X.Xi, ap_is_brought (X), []); end
if any (strcmp (tuned, 'bandwidth')) && ~isfield (net, 'bandwidth'), net.bandwidth = 1; end
if any (strcmp (tuned, 'ridge')) && ~isfield (net, 'ridge'), net.ridge = 1e-3; end
if ~any (strcmp (tuned, 'heads')), return; end
squares = cellfun (@(scale) mean (scale .^ 2), net.headscale);
squares(squares == 0) = 1;
net.variance(2:end-1) = net.variance(2:end-1) .* squares;
net.headscale = even (net.headscale);
end

function scale = even (scale)
for l = find (cellfun (@any, scale)), scale{l} = scale{l} / sqrt (mean (scale{l} .^ 2)); end
end

% ---- the training set ----

function [what, given, examples] = training (net, X, y, opt)
% Outputs:  what, for ap_tune_point, with unit, of temperatures, and training, arguments of attnpath_solve behind the
%           network;  given, what a solution keeps of the training set;  examples, that can be left out
inner = any (ismember ({'bandwidth', 'ridge'}, opt.Tune));
once = ~inner && ~any (strcmp ('heads', opt.Tune));              % all points have the same path inputs
use = struct ('memory', opt.Memory * 2^30, 'store', once, 'evaluations', 15 + once * (10 * opt.MaxPoints - 15), ...
              'threads', 0, 'shared', strcmp (opt.Outputs, 'shared'));
[data, given] = ap_examples ('tune', net, X, y, opt.Lengths, use, opt.Classes, opt.Noise, opt.Display > 0);
what = struct ('net', net, 'scale', 1, 'blocks', size (data.y, 2), 'paths', zeros (1, net.L + 1), ...
               'corrected', opt.Corrected, 'memory', use.memory, 'by', opt.By, ...
               'count', data.P * ~strcmp (opt.By, 'evidence'));
if use.shared, what.blocks = 1; end
layers = 1:net.L + (what.blocks > 1);
what.paths(layers) = what.blocks * ap_path_count (net, layers);
[labels, what.unit] = sizes_of (net, data);
if strcmp (opt.Scale, 'data')
  what.scale = labels / what.unit;
  what.unit = labels;
end

tokens = {};
if isfield (given, 'moments')
  [what.training, again] = deal ({given.moments}, {given.moments, [], [], use});
else
  [source, lengths, noise] = deal (given.paths, [], ap_field (given, 'noise', []));
  if inner
    [source, lengths] = deal (X, opt.Lengths);
    tokens = {X, 'Lengths', lengths};
  end
  what.training = {source, given.y, 'Classes', false, 'Noise', noise, 'Lengths', lengths};
  again = {source, given.y, lengths, use, false, noise};
end
examples = [];
if once
  if what.count > 0 || data.P == size (data.y, 1), examples = one_by_one (net, data, given, use); end
  what.made = @(net, all_of_it) deal (data, given, examples);
else
  what.made = @(net, all_of_it) made (net, again, use, all_of_it);
end
what.gradient = @(sol, words) attnpath_gradient (setfield (sol, 'outputs', opt.Outputs), tokens{:}, 'With', words);
end

function [data, given, examples] = made (net, again, use, all_of_it)
[data, given] = ap_examples ('tune', net, again{:});
examples = [];
if all_of_it, examples = one_by_one (net, data, given, use); end
end

function examples = one_by_one (net, data, given, use)
% Fewer examples stand for all, but cannot be left out. For one evaluation stored kernels pay only if they fit a cache
examples = [];
if isfield (given, 'moments'), return; end
examples = data;
if data.P == size (data.y, 1), return; end
[use.reduce, use.store, use.memory] = deal (false, true, 2^22);
examples = ap_prepare ('tune', net, given.paths.Xi, given.y, use, ap_field (given, 'noise', []));
end

function [labels, diagonal] = sizes_of (net, data)
% Mean squares of the labels, and the mean diagonal of the GP limit's kernel, to which a path contributes by its U_aa
labels = (data.y(:)' * data.y(:) + data.rest) / (data.P * size (data.y, 2));
squares = reshape (sum (sum (data.Xi .^ 2, 1), 2), [], 1);
diagonal = net.variance(1) / (data.N0 * numel (squares)) * (ap_gp_diagonal (net, 1)' * squares) / data.P;
if ~(labels > 0)
  ap_fail ('tune', 'badValue', ['labels up to %.3g have squares of 0: there is nothing to learn, and no unit for ' ...
           'the temperature'], max (abs (data.y(:))));
elseif ~(diagonal > 0)
  ap_fail ('tune', 'badValue', 'all path inputs are 0: the kernel has no size');
elseif ~(labels > 1e-250 && labels < 1e250 && diagonal > 1e-250 && diagonal < 1e250)
  ap_fail ('tune', 'badValue', ['y has a mean square of %.3g and the kernel a mean diagonal of %.3g, and from one ' ...
           'to the other numbers overflow: bring the labels and the tokens to a size near 1'], labels, diagonal);
end
end

% ---- coordinates ----

function plan = plan_of (net, what, opt)
% What a search goes through: coordinates, bounds, grid. Outputs:  plan, struct of what ap_tune_next needs, and
%   names   of the coordinates;  words, of 'Tune', that each belongs to;  head, d x 2, [layer head] or 0
%   T, S    the places of temperature and scale where both are tuned, else [];  width, that of the width
%   by      criterion in words;  key, the field of a point that it is;  slopes, whether derivatives are known
%   read    @(x): struct, of a point, for ap_tune_point;  slope, @(s, x): d x 1, derivatives of its value
%   own     the point where the network is;  variance, the first prior variance at scale 1
%   least   1 x (L+1), what widths must not fall below;  range, of the largest width
% Heads begin at their scales in the network, divided such that each layer has a mean square of 1, which read does
% again at every point: the derivative of the evidence along what is divided out is 0. Coordinates are logarithms. That
% of temperature is of temperature over scale where both are tuned: squared errors depend on little else.
plan = struct ('net', net, 'most', opt.MaxPoints, 'tolerance', opt.Tolerance, 'T', [], 'S', [], ...
               'least', what.paths, 'variance', net.variance(1) * what.scale);
plan = with_names (plan, opt.Tune);
plan.slopes = any (ismember (plan.words, {'bandwidth', 'ridge', 'heads'}));
plan.width = find (strcmp (plan.words, 'width'));
if all (ismember ({'temperature', 'scale'}, plan.words))
  [plan.T, plan.S] = deal (1, find (strcmp (plan.words, 'scale')));
  plan.names{plan.T} = 'ratio of temperature to scale';
end
for l = find (net.skip > 0), plan.least(l+1) = max (plan.least(l:l+1)); end            % widths stay equal there
ranges = opt.Ranges;
ranges.temperature = ranges.temperature * what.unit;
[plan, ranges.width] = with_criterion (plan, opt, ranges.width, what.blocks);
plan.range = ranges.width;
plan.own = own_point (plan);
three = all (ismember ({'temperature', 'width', 'scale'}, plan.words));
decades = struct ('temperature', 0.5 + 0.5 * three, 'width', 1, 'scale', 1 + three);               % from point to point
plan.grid = zeros (0, 1);                          % the first coordinate runs fastest, from high to low
for k = numel (plan.words):-1:1
  [word, range, ticks] = deal (plan.words{k}, [-Inf, Inf], plan.own(k));
  if isfield (decades, word)
    range = log (ranges.(word));
    ticks = linspace (range(2), range(1), 1 + max (1, round (diff (range) / (decades.(word) * log (10)))));
  elseif ~strcmp (word, 'heads')
    range = log (ranges.(word)) + plan.own(k);
    ticks = min (max (plan.own(k), range(1)), range(2));
  end
  [plan.low(k,1), plan.high(k,1)] = deal (range(1), range(2));
  plan.grid = [repmat(ticks, 1, size (plan.grid, 2)); kron(plan.grid, ones (1, numel (ticks)))];
end
plan.read = @(x) at_point (x, plan);
plan.slope = @(s, x) slope_of (s, at_point (x, plan), plan);
plan.weak = @(x) scales_of (at_point (x, plan), plan.head) < 0.1;
plan.back = @(x, k) put_back (x, k, plan);
end

function plan = with_names (plan, tuned)
% Heads of scale 0, and such as are alone in their layer with one that is not, have no coordinate
plan.words = tuned(~strcmp (tuned, 'heads'));
[plan.names, plan.head] = deal (plan.words, zeros (numel (plan.words), 2));
if numel (plan.words) == numel (tuned), return; end
list = ap_head_list (plan.net.H);
on = [plan.net.headscale{:}]' > 0;
several = accumarray (list(:,1), on) > 1;
for head = list(on & several(list(:,1)),:)'
  plan.names{end+1} = sprintf ('scale of head %d of layer %d', head([2 1]));
  plan.words{end+1} = 'heads';
  plan.head(end+1,:) = head';
end
end

function [plan, range] = with_criterion (plan, opt, range, blocks)
% There is no (T25) of outputs that share U, nor are there derivatives of it
words = struct ('loo', 'leave-one-out error', 'density', 'leave-one-out density', 'evidence', 'evidence');
[plan.by, plan.key] = deal (words.(opt.By), opt.By);
exact = ~plan.slopes && (blocks > 1 || ~strcmp (opt.Outputs, 'shared'));
width = plan.net.width;
least = max (width) * max (plan.least ./ width);                 % the largest width where no U_l is singular
if ~strcmp (plan.key, 'evidence')
  plan.least(:) = 0;
elseif exact && ~isempty (plan.width) && least < range(2)
  range(1) = max (range(1), least);
elseif ~exact || ~isempty (plan.width) || least > max (width)
  [plan.by, plan.key] = deal ('evidence, leading order', 'leading');
  plan.least(:) = 0;
end
end

function scale = scales_of (at, head)
% d x 1: of coordinates that are heads, Inf of others
scale = Inf (size (head, 1), 1);
for k = find (head(:,1) > 0)', scale(k) = at.headscale{head(k,1)}(head(k,2)); end
end

function x = own_point (plan)
own = setfield (plan.net, 'scale', 1);
x = log (scales_of (own, plan.head));
for k = find (plan.head(:,1) == 0)', x(k) = log (max (own.(plan.words{k}))); end
x(plan.T) = x(plan.T) - x(plan.S);
end

function at = at_point (x, plan)
% Widths exactly in their range: exp (log (5)) is below 5, and a width below its number of paths has no evidence
net = plan.net;
at = struct ('temperature', net.temperature, 'width', net.width, 'scale', 1);
if any (plan.head(:)), at.headscale = net.headscale; end
x(plan.T) = x(plan.T) + x(plan.S);
for k = 1:numel (x)
  [l, h] = deal (plan.head(k,1), plan.head(k,2));
  if l > 0, at.headscale{l}(h) = exp (x(k)); else, at.(plan.words{k}) = exp (x(k)); end
end
if ~isempty (plan.width)
  widest = min (max (at.width, plan.range(1)), plan.range(2));
  at.width = max (net.width * (widest / max (net.width)), plan.least);
end
if isfield (at, 'headscale'), at.headscale = even (at.headscale); end
end

function x = put_back (x, k, plan)
% A head gets its own scale back, and the others of its layer keep their proportions. [] where that is no point
l = plan.head(k,1);
own = plan.own;
if l > 0
  others = plan.head(:,1) == l;
  others(k) = false;
  share = exp (2 * own(k)) / plan.net.H(l);        % of the layer's sum of squares
  x(k) = log (sum (exp (2 * x(others))) * share / (1 - share)) / 2;
elseif isequal (k, plan.T)
  x(k) = own(k) - x(plan.S) + own(plan.S);
else
  if isequal (k, plan.S), x(plan.T) = x(plan.T) + x(k) - own(k); end           % the temperature stays
  x(k) = own(k);
end
if ~isreal (x) || ~isfinite (x(k)), x = []; end
end

function g = slope_of (s, at, plan)
% The derivative of minus the evidence. A layer's scales are x_h less half the log of the mean square of exp (x_h)
g = zeros (numel (plan.words), 1);
share = scales_of (at, plan.head) .^ 2;
for k = 1:numel (g)
  [l, h] = deal (plan.head(k,1), plan.head(k,2));
  if l > 0, g(k) = share(k) * mean (s.heads{l}) - s.heads{l}(h); else, g(k) = -s.(plan.words{k}); end
end
g(plan.S) = g(plan.S) + g(plan.T);
end

% ---- the search ----

function [run, interrupted] = search (what, plan, opt, given)
problem = marks (given, opt, plan.net);
[run, claim] = ap_resume ('tune', opt.Checkpoint, problem, {'at', 'f', 'points', 'how'});
if isempty (run)
  run = struct ('problem', {problem}, 'at', zeros (size (plan.grid, 1), 0), 'f', [], 'points', [], 'how', '');
  if plan.slopes, run.slope = run.at; end
end
if ~isfield (run, 'each')                          % checkpoints of 0.3.0 have none
  run.each = repmat ({NaN(what.count, 1)}, size (run.f));
  if isfield (run.points, 'slope'), run.points = rmfield (run.points, 'slope'); end
end
job = struct ('name', 'tune', 'goal', Inf, 'done', @(run) numel (run.f), 'file', opt.Checkpoint, ...
              'advance', @(run, count) advance (run, what, plan), 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, plan, notes));
[run, ending] = ap_run (job, run);
interrupted = strcmp (ending, 'interrupted');
if interrupted
  run.how = 'it was interrupted';
  warning ('attnpath:tune:interrupted', 'attnpath_tune: interrupted after %d points', numel (run.f));
elseif opt.Whole && ~isempty (plan.width) && any (isfinite (run.f))
  run = add_whole (run, what, plan);
end
if isempty (run.f), ap_fail ('tune', 'interrupted', 'interrupted before the first point of the search'); end
end

function problem = marks (given, opt, net)
% All that decides the result, for the checkpoint, by the names that options had when checkpoints were first written
words = {'temperature', 'width', 'scale', 'bandwidth', 'ridge'};
words = words([true, true, true, ismember(words(4:5), opt.Tune)]);             % unknown to checkpoints from before
before = cellfun (@(word) [upper(word(1)) word(2:end) 'Range'], words, 'UniformOutput', false);
for k = 1:numel (words), opt.(before{k}) = opt.Ranges.(words{k}); end
names = [{'Tune', 'By', 'Scale'}, before, {'Whole', 'Corrected', 'Outputs', 'Memory'}]';
problem = [strcat('options.', names), cellfun(@(name) opt.(name), names, 'UniformOutput', false); ...
           ap_resume_net(net); ap_resume_data(given)];
end

function [run, ending] = advance (run, what, plan)
% One more point, from the order parameters of the nearest that has been solved. Derivatives behind the grid, whose best
% point is tried once more
[known, ending, words] = deal ([], '', {});
grid = size (plan.grid, 2);
if plan.slopes
  known = run.slope;
  if grid == 1 || numel (run.f) >= grid, words = unique (plan.words); end
end
[x, run.how, base] = ap_tune_next (run.at, run.f, plan, known, run.each);
if ~isempty (x)
  far = max (abs (bsxfun (@minus, max (run.at, -700), max (x, -700))), [], 1);         % heads of scale 0 are at -Inf
  [nearest, k] = min (far + 1 ./ isfinite (run.f) - 1);
  start = ap_gp_order (what.net, what.blocks);
  if isfinite (nearest), start = run.points(k).order; end
  run = tried (run, x, plan.read (x), start, what, plan, words);
else
  ending = 'done';
  if ~isempty (known) && ~isempty (base)           % the choice, also where removed heads cost as much as is allowed
    [run.base, run.final] = deal (find (all (bsxfun (@eq, run.at, base), 1), 1));
  end
end
end

function run = tried (run, x, at, start, what, plan, words)
[point, interrupted, slope, each] = ap_tune_point (at, start, what, words, ~plan.slopes);
if interrupted, return; end                        % ap_run ends the search
run.at(:,end+1) = x;
if plan.slopes
  run.slope(:,end+1) = NaN (size (x));
  if ~isempty (slope), run.slope(:,end) = plan.slope (slope, x); end
end
run.points = [run.points, point];
run.each{end+1} = each;
f = -point.(plan.key);
if strcmp (plan.key, 'loo'), f = numel (point.mean) / 2 * log (point.loo); end               % whatever the units
if isnan (f), f = Inf; end
run.f(end+1) = f;
end

function run = add_whole (run, what, plan)
% The best point with whole widths, the largest in its range, none below its number of paths where that counts. It is
% the choice, also where the value there is worse, unless it has none
[~, best] = min (run.f);
at = plan.read (run.at(:,best));
at.width = max (max (1, ceil (plan.least)), round (at.width));
[~, k] = max (at.width);
at.width(k) = min (max (at.width(k), ceil (plan.range(1))), floor (plan.range(2)));
x = run.at(:,best);
x(plan.width) = log (max (at.width));
before = numel (run.f);
run = tried (run, x, at, run.points(best).order, what, plan, {});
if numel (run.f) > before && isfinite (run.f(end)), run.final = numel (run.f); end
end

% ---- what is printed ----

function [where, more, notes] = report (run, plan, notes)
where = sprintf ('%d points, the first %d a grid', numel (run.f), size (plan.grid, 2));
more = '';
[low, best] = min (run.f);
if isfinite (low), more = sprintf (', best so far: %s %.4g', plan.by, run.points(best).(plan.key)); end
end

function print_table (info)
fprintf ('%d points, by %s: %s\n', numel (info.tried.loo), info.by, info.reason);
fprintf ('%-26s %11s %8s %8s %10s %8s %9s %9s %9s\n', 'best by', 'temperature', 'width', 'scale', 'loo error', ...
         'accuracy', 'density', 'evidence', 'leading');
rows = info.chosen;
if isfield (info, 'before'), rows = [rows, setfield(info.before, 'criterion', 'what the net has')]; end
for c = rows
  fprintf ('%-26s %11.3g %8.4g %8.3g %10.4g %8.3f %9.2f %9.2f %9.2f\n', c.criterion, c.temperature, max (c.width), ...
           c.scale, c.loo, c.accuracy, c.density, c.evidence, c.leading);
end
if ~isfield (info, 'gained'), return; end
for name = sort (fieldnames (info.gained))'
  gained = info.gained.(name{1});
  if ~iscell (gained)
    fprintf ('%s: %.4g, before %.4g, gained %.3g\n', name{1}, max (info.chosen.(name{1})), ...
             max (info.before.(name{1})), gained);
    continue
  end
  for l = 1:numel (gained)
    fprintf ('scales of heads, layer %d: %s, gained %s\n', l, mat2str (info.chosen.headscale{l}, 3), ...
             mat2str (gained{l}, 3));
  end
end
end
