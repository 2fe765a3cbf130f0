function [sol, info] = attnpath_tune (net, X, varargin)
%ATTNPATH_TUNE  Temperature, width, scale, heads and their rule without a test set, and the solution there.
%
%   [sol, info] = ATTNPATH_TUNE (net, X, y)
%   [sol, info] = ATTNPATH_TUNE (net, X, y, Name, Value, ...)
%   [sol, info] = ATTNPATH_TUNE (net, paths, y, ...)
%   [sol, info] = ATTNPATH_TUNE (net, moments, 'By', 'evidence', ...)
%
%   Inputs :
%     net       network, from attnpath_net. What is tuned may have any value there
%     X         N0 x T x P tokens, one training example per page, double or single
%     paths     instead of X: from attnpath_paths, where attention was brought by the user
%     y         P x 1 labels, of any size: they set the unit of the temperature; P x C of C outputs; or classes
%     moments   instead of X and y: from attnpath_moments, by the evidence alone
%   Options, by name or as one struct:
%     'Tune'              {}          cell of 'temperature', 'width', 'scale', 'heads', 'bandwidth', 'ridge',
%                                     or one of these words; {} for the first two, and for the first three
%                                     where 'By' is not 'loo'. 'heads': a prior scale for each head,
%                                     net.headscale, with mean square 1 in each layer. 'bandwidth' and 'ridge'
%                                     need tokens X and a rule that has them
%     'By'                ''          what is best; '' is 'loo', and with heads, bandwidth or ridge 'evidence',
%                                     by which alone they can be tuned. 'loo': least squared leave-one-out
%                                     error (T24); 'density': largest leave-one-out log density; 'evidence':
%                                     largest (T25); or (T10b), as info.by has it, with heads, bandwidth or
%                                     ridge, where outputs share U, and where a width may fall below its
%                                     number of paths (times C, for coupled outputs)
%     'Scale'             'data'      where the scale is held, or its search begins: 'data' where the mean
%                                     diagonal of the GP limit's kernel is the mean square of the labels;
%                                     'net' where the net's variances put it
%     'Ranges'            []          struct of bounds: temperature, [1e-4 10] unless given, in units of that
%                                     diagonal, and where the scale is tuned as well of the temperature over
%                                     the scale; width, [10 10000], of the largest, all keep their
%                                     proportions; and [0.01 100] of factors: scale, on the variance, 1 where
%                                     the search begins; bandwidth and ridge, on the net's own
%     'Whole'             false       true: the choice is the best point with its widths rounded to whole ones
%     'Corrected'         true        false: (T23) for (T24), where the Hessian of many paths does not fit
%     'Outputs'           'coupled'   of C > 1 outputs, as for attnpath_solve: 'coupled' or 'shared'
%     'MaxPoints'         300         points in all; the default grid has 44, and 'Whole' adds one beyond them
%     'Memory'            2           GiB that stored kernels may take
%     'Checkpoint'        ''          a file, written every few seconds. The same call resumes from it
%     'Display'           true        progress, and without an output the table; or 'off', 'iter', 'final'
%     'Classes'           []          as for attnpath_solve: y is classes, or which they are
%     'Lengths'           []          1 x P numbers of tokens, where examples are zero-padded to a common T
%     'Noise'             []          as for attnpath_solve: 1 x P variances of the labels' noise in units of
%                                     the temperature. The kernel and labels that set units are those over it
%
%   Outputs:
%     sol       the solution, as from attnpath_solve. sol.net is the tuned network: temperature, width,
%               headscale, bandwidth, ridge, and the first variance, which takes up the scale: only the product
%               of the variances matters. A layer's own variance takes up a mean square of its head scales
%     info      struct with
%       chosen       struct array, one for each criterion, the search's own first: criterion, in words;
%                    temperature, width, variance, as in a net; scale, the factor on the variance; loo,
%                    accuracy, density, evidence, leading. Each is the best point tried by its criterion
%       tried        struct of columns, one row for each point: temperature, width (the largest), scale, loo,
%                    accuracy, density, evidence (T25), leading (T10b); NaN where there is none
%       by, reason   what the search went by, and how it ended, in words
%       bounds       cell of sentences: bounds at which the choice stands, and heads whose scale has become 0
%       disagree     the sentence of the warning attnpath:tune:disagree, or ''
%       failed       number of points without a value, and failure, the first reason
%       interrupted  true after Ctrl-C, which keeps the best point so far
%     and with heads, bandwidth or ridge, whose values are in chosen and tried as well:
%       before       as chosen, at what the net has, but for what 'Scale' says
%       gained       struct of what was tuned: by how many nats the evidence (T10b) falls when this alone is
%                    put back to what the net has (the scale to 1; of heads, a cell {1 x H_1, .., 1 x H_L}, the
%                    others keep their proportions); NaN where that is not known. There (T25) and leave-one-out
%                    are those of chosen and before alone
%   Without an output the table of criteria is printed instead.
%   Warnings: attnpath:tune: bound, where the choice stands at a bound of its range; disagree, where the choice
%   of another criterion has squared leave-one-out errors that differ by a tenth and by two standard errors;
%   interrupted; seen, where nearly all examples left out of brought attention are right; oldOption.
%
%   How it searches, and what not knowing the test labels costs: doc/choosing.md.
%   Equation: (T10b), (T23), (T24), (T25), (T33), (T34) of theory.md.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> [sol, info] = attnpath_tune (attnpath_net (task.heads), task.Xtrain, task.ytrain, 'Display', false);
%     warning: attnpath_tune: ...
%     >> sol.net.temperature
%     ans = 0.092...
%     >> round (sol.net.width(1))                % the narrowest allowed, which the warning says
%     ans = 10
%     >> mean (sign (attnpath_predict (sol, task.Xtest)) == task.ytest)
%     ans = 0.9650
%
%
%   References:
%     [1] Rasmussen, Williams, Gaussian Processes for Machine Learning, MIT Press 2006, chapter 5.
%
%   See also attnpath_solve, attnpath_loo, attnpath_evidence, attnpath_gradient, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: tune.tst   SOURCE: (T10b), (T23), (T24), (T25)

if nargin < 2 || (nargin < 3 && ~ap_is_moments (X))
  ap_fail ('tune', 'usage', 'the call is [sol, info] = attnpath_tune (net, X, y, Name, Value, ...)');
end
[y, varargin] = ap_take_labels (X, varargin);
table = {'Tune',             {},         'any',    []
         'By',               '',         'word',   {'loo', 'density', 'evidence'}
         'Scale',            'data',     'word',   {'data', 'net'}
         'Ranges',           [],         'any',    []
         'Whole',            false,      'flag',   []
         'Corrected',        true,       'flag',   []
         'Outputs',          'coupled',  'word',   {'coupled', 'shared'}
         'MaxPoints',        300,        'count',  [1 1e6]
         'Memory',           2,          'number', [0 1e5]
         'Checkpoint',       '',         'file',   []
         'Display',          true,       'display', []
         'Classes',          [],         'any',    []
         'Lengths',          [],         'any',    []
         'Noise',            [],         'any',    []};
opt = ap_options ('tune', table, varargin);
net = ap_check_net ('tune', net);
opt = words (opt);
opt.Ranges = ranges_of (opt.Ranges);
check (opt, X, net);
X = with_scales (X, net);
net = with_all_fields (net, opt.Tune);
[what, given, unit] = data_of (net, X, y, opt);
plan = tune_plan (what.net, unit, opt, size (what.data.y, 2), net);
if plan.slopes
  what = by_gradient (what, given, X, opt, plan);
elseif what.corrected && ~isempty (what.examples)
  ap_say_price ('tune', ap_gp_order (what.net, what.blocks), size (what.examples.Xi), size (what.examples.y, 2), ...
                size (plan.grid, 2), opt.Display);
end

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');                   % see ap_run
[run, interrupted] = search (what, plan, opt, marks (given, opt, net));
if opt.Whole && any (strcmp (opt.Tune, 'width')) && ~interrupted && any (isfinite (run.f))
  run = add_whole (run, what, plan);
end
y = [];
if isfield (given, 'y'), y = given.y; end
noise = ap_noise_of (given);
[info, best] = ap_tune_choice (run, plan, y, noise);
info.interrupted = interrupted;
if isempty (run.f)
  ap_fail ('tune', 'interrupted', 'interrupted before the first point of the search was known');
elseif isempty (best)
  ap_fail ('tune', 'notConverged', 'none of %d points has a minimum of the action: %s', numel (run.f), info.failure);
end
at = plan.read (run.at(:,best));
at.width = run.points(best).width;
net.variance(1) = what.net.variance(1);
net = ap_tune_net (net, at);
if plan.slopes, info = tune_gains (info, run, best, plan, what); end
tell (info, opt, nargout);
if isfield (given, 'paths')
  ap_warn_seen ('tune', given.paths, given.y, info.chosen(1).loo, info.chosen(1).accuracy);
end
known = {'Start', run.points(best).order, 'Memory', opt.Memory, 'Outputs', opt.Outputs, 'Display', opt.Display > 0};
if plan.slopes
  sol = what.solve (net, known{:});
elseif isfield (given, 'moments')
  sol = attnpath_solve (net, given.moments, known{:});
else
  sol = attnpath_solve (net, given.paths, given.y, 'Classes', false, 'Noise', noise, known{:});
end
if isfield (given, 'classes'), sol.classes = given.classes; end
info.interrupted = attnpath_interrupt_mex ('forget') || interrupted;
if nargout == 0
  clear sol
end
end

% ---- what is asked for ----

function check (opt, X, net)
if opt.Whole && ceil (opt.Ranges.width(1)) > floor (opt.Ranges.width(2))
  ap_fail ('tune', 'badValue', 'Ranges.width [%g %g] has no whole width, which Whole asks for', opt.Ranges.width);
end
if ap_is_moments (X) && ~strcmp (opt.By, 'evidence')
  ap_fail ('tune', 'badValue', ['By ''%s'' leaves examples out one by one, and moments are sums over them: say ' ...
           '''By'', ''evidence'', or give the examples, attnpath_tune (net, X, y)'], opt.By);
end
inner = intersect (opt.Tune, {'bandwidth', 'ridge'});
if ~isempty (inner), check_rule (inner, X, net); end
if isempty ([inner, intersect(opt.Tune, {'heads'})]), return; end
if ~strcmp (opt.By, 'evidence')
  ap_fail ('tune', 'badValue', '%s are tuned by ''evidence'', whose gradient is known, and not by ''%s''', ...
           strjoin (setdiff (opt.Tune, {'temperature', 'width', 'scale'}), ', '), opt.By);
elseif any (strcmp (opt.Tune, 'heads')) && ~any (cellfun (@(scale) sum (scale > 0) > 1, net.headscale))
  ap_fail ('tune', 'badValue', ['no layer has two heads of a scale above 0: the scale of a layer''s only head is ' ...
           'that of the layer, tune ''scale''']);
elseif net.temperature == 0 && ~any (strcmp (opt.Tune, 'temperature'))
  ap_fail ('tune', 'badValue', 'the temperature is 0, where the evidence has no gradient: tune it too, or give one');
end
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
  ends = [1e-30, 1e30];
  if strcmp (name{1}, 'width'), ends = [1e-3, 1e15]; end
  range = ap_check_value ('tune', ['Ranges.' name{1}], given.(name{1}), 'row', {2, ends(1), ends(2)});
  if range(1) >= range(2)
    ap_fail ('tune', 'badValue', 'Ranges.%s must be two increasing numbers, not [%g %g]', name{1}, range);
  end
  ranges.(name{1}) = range;
end
end

function check_rule (inner, X, net)
name = strjoin (inner, ' and ');
if isstruct (X)
  ap_fail ('tune', 'badValue', ['%s belong to the heads'' rule, and X holds what it has made already: give the ' ...
           'tokens, attnpath_tune (net, X, y)'], name);
end
rule = ap_rules (net.attention);
if ~rule.slopes
  ap_fail ('tune', 'badValue', 'attention %s jumps: it has no %s to be tuned', net.attention, name);
elseif any (strcmp (inner, 'ridge')) && ~rule.factors
  ap_fail ('tune', 'badValue', 'attention %s has no ridge', net.attention);
end
end

function opt = words (opt)
% Tune in order, and By
opt.Tune = hyperparameters (opt);
if ~isempty (opt.By), return; end
opt.By = 'loo';
if any (ismember ({'heads', 'bandwidth', 'ridge'}, opt.Tune)), opt.By = 'evidence'; end
end

function X = with_scales (X, net)
% Path inputs that say nothing of scales hold those of the net as it was given
bare = isstruct (X) && numel (X) == 1 && isfield (X, 'Xi') && ~any (isfield (X, {'heads', 'skip', 'headscale', 'of'}));
if bare, X = ap_paths_struct (net, X.Xi, ap_is_brought (X), []); end
end

function net = with_all_fields (net, tuned)
% The same network with what older ones lack, and scales of heads with a mean square of 1 in each layer
if any (strcmp (tuned, 'bandwidth')) && ~isfield (net, 'bandwidth'), net.bandwidth = 1; end
if any (strcmp (tuned, 'ridge')) && ~isfield (net, 'ridge'), net.ridge = 1e-3; end
if ~any (strcmp (tuned, 'heads')), return; end
scale = net.headscale;
for l = find (cellfun (@any, scale))
  square = mean (scale{l} .^ 2);
  scale{l} = scale{l} / sqrt (square);
  net.variance(l+1) = net.variance(l+1) * square;
end
net.headscale = scale;
end

function names = hyperparameters (opt)
known = {'temperature', 'width', 'scale', 'bandwidth', 'ridge', 'heads'};
names = opt.Tune;
if ischar (names), names = {names}; end
if ~iscellstr (names)
  ap_fail ('tune', 'badClass', 'Tune must be a cell of words, not %s', ap_describe (opt.Tune));
end
wrong = find (~ismember (lower (names), known), 1);
if ~isempty (wrong)
  ap_fail ('tune', 'badValue', 'Tune must be among %s, not %s', strjoin (known, ', '), ap_describe (names{wrong}));
end
if isempty (names), names = known(1:2 + ~any (strcmp (opt.By, {'', 'loo'}))); end
names = known(ismember (known, lower (names)));
end

function problem = marks (given, opt, net)
% All that decides the result, for the checkpoint
ours = rmfield (opt, {'Display', 'Checkpoint', 'Classes', 'Lengths', 'Noise', 'MaxPoints'});   % it may go beyond
names = {'temperature', 'width', 'scale', 'bandwidth', 'ridge'};
names = names([true, true, true, ismember(names(4:5), opt.Tune)]);             % unknown to checkpoints from before
ranges = cellfun (@(name) {['options.' upper(name(1)) name(2:end) 'Range'], opt.Ranges.(name)}, names, ...
                  'UniformOutput', false);         % by the names that they had there
options = [strcat('options.', fieldnames (ours)), struct2cell(ours)];
at = find (strcmp (fieldnames (ours), 'Ranges'));
problem = [options(1:at-1,:); vertcat(ranges{:}); options(at+1:end,:); ap_resume_net(net); ap_resume_data(given)];
end

% ---- the search ----

function [run, interrupted] = search (what, plan, opt, problem)
[run, claim] = ap_resume ('tune', opt.Checkpoint, problem, {'at', 'f', 'points', 'how'});
if isempty (run)
  run = struct ('problem', {problem}, 'at', zeros (size (plan.grid, 1), 0), 'f', [], 'points', [], 'how', '');
  if plan.slopes, run.slope = run.at; end
end
clock = tic ();
job = struct ('name', 'tune', 'goal', Inf, 'done', @(run) numel (run.f), ...
              'advance', @(run, count) advance (run, count, what, plan), 'overhead', 0, 'clock', @() toc (clock), ...
              'file', opt.Checkpoint, 'every', 4, 'pack', @(run) struct ('attnpath_tune_run', run), ...
              'display', opt.Display, 'report', @(run, notes, last) report (run, plan, notes));
[run, ending] = ap_run (job, run);
interrupted = strcmp (ending, 'interrupted');
if interrupted
  run.how = 'it was interrupted';
  warning ('attnpath:tune:interrupted', 'attnpath_tune: interrupted after %d points', numel (run.f));
end
end

function [run, ending, seconds] = advance (run, count, what, plan)
begun = tic ();
ending = '';
for k = 1:count
  if plan.slopes
    [at, run.how, base] = ap_tune_next (run.at, run.f, plan, run.slope);
    if isempty (at) && ~isempty (base), run = settled (run, base); end
  else
    [at, run.how] = ap_tune_next (run.at, run.f, plan);
  end
  if isempty (at)
    ending = 'done';
    break
  end
  [run, interrupted] = add (run, at, what, plan);
  if interrupted
    ending = 'interrupted';
    break
  end
end
seconds = toc (begun);
end

function run = settled (run, base)
% The point found is the choice, also where heads that are gone cost some of the 0.01 nats that they may
run.base = find (max (abs (bsxfun (@minus, run.at, base)), [], 1) == 0, 1);
run.final = run.base;
end

function [run, interrupted] = add (run, at, what, plan)
% From the order parameters of the nearest point that has been solved
far = max (abs (bsxfun (@minus, max (run.at, -700), max (at, -700))), [], 1);      % heads of scale 0 are at -Inf
far(isinf (run.f)) = Inf;
start = ap_gp_order (what.net, what.blocks);
[nearest, k] = min (far);
if ~isempty (k) && isfinite (nearest), start = run.points(k).order; end
[point, interrupted] = judged (plan.read (at), start, what, plan, size (run.at, 2));
if interrupted, return; end
run.at(:,end+1) = at;
if plan.slopes
  run.slope(:,end+1) = NaN (size (at));
  if ~isempty (point.slope), run.slope(:,end) = plan.slope (point.slope, at); end
end
run.points = [run.points, point];
run.f(end+1) = plan.value (point);
end

function [point, interrupted] = judged (at, start, what, plan, done)
% Derivatives behind the grid, whose best point is tried once more
if ~plan.slopes
  [point, interrupted] = tune_judge (at, start, what);
else
  words = {};
  grid = size (plan.grid, 2);
  if grid == 1 || done >= grid, words = unique (plan.words); end
  [point, interrupted] = ap_tune_point (at, start, what, words);
end
end

function run = add_whole (run, what, plan)
% The best point with whole widths, the largest in its range, none below its number of paths where that counts. It is
% the choice, also where the value there is worse, unless it has none
[~, best] = min (run.f);
at = plan.read (run.at(:,best));
at.width = max (max (1, ceil (plan.least)), round (at.width));
[~, k] = max (at.width);
at.width(k) = min (max (at.width(k), ceil (plan.range(1))), floor (plan.range(2)));
[point, interrupted] = judged (at, run.points(best).order, what, plan, 0);
if interrupted, return; end
run.at(:,end+1) = run.at(:,best);
run.at(plan.width,end) = log (max (at.width));
run.points = [run.points, point];
run.f(end+1) = plan.value (point);
if isfinite (run.f(end)), run.final = numel (run.f); end
end

% ---- what is told ----

function [where, more, notes] = report (run, plan, notes)
k = numel (run.f);
where = sprintf ('%d points, of which %d were the grid', k, size (plan.grid, 2));
if k < size (plan.grid, 2), where = sprintf ('point %d of %d of the grid', k, size (plan.grid, 2)); end
[~, best] = min (run.f);
more = '';
if k > 0 && isfinite (run.f(best))
  at = plan.read (run.at(:,best));
  more = sprintf (', best so far T = %.3g', at.temperature);
  if ~isempty (plan.width), more = sprintf ('%s, N = %.3g', more, max (at.width)); end
  more = sprintf ('%s, %s %.4g', more, plan.by, run.points(best).(plan.key));
end
end

function tell (info, opt, outputs)
if opt.Display && outputs == 0
  fprintf ('%d points, by %s: %s\n', numel (info.tried.loo), info.by, info.reason);
  fprintf ('%-26s %11s %8s %8s %10s %8s %9s %9s %9s\n', 'best by', 'temperature', 'width', 'scale', 'loo error', ...
           'accuracy', 'density', 'evidence', 'leading');
  rows = info.chosen;
  if isfield (info, 'before'), rows = [rows, setfield(info.before, 'criterion', 'what the net has')]; end
  for c = rows
    fprintf ('%-26s %11.3g %8.4g %8.3g %10.4g %8.3f %9.2f %9.2f %9.2f\n', c.criterion, c.temperature, max (c.width), ...
             c.scale, c.loo, c.accuracy, c.density, c.evidence, c.leading);
  end
end
if opt.Display && outputs == 0 && isfield (info, 'gained'), tell_gains (info); end
for k = 1:numel (info.bounds)
  warning ('attnpath:tune:bound', 'attnpath_tune: %s', info.bounds{k});
end
if ~isempty (info.disagree)
  warning ('attnpath:tune:disagree', 'attnpath_tune: %s', info.disagree);
end
end

function tell_gains (info)
% What each is, was, and has gained, in nats
for name = fieldnames (orderfields (info.gained))'
  if strcmp (name{1}, 'heads')
    for l = 1:numel (info.gained.heads)
      fprintf ('scales of heads, layer %d: %s, gained %s\n', l, mat2str (info.chosen.headscale{l}, 3), ...
               mat2str (info.gained.heads{l}, 3));
    end
  else
    fprintf ('%s: %.4g, before %.4g, gained %.3g\n', name{1}, max (info.chosen.(name{1})), ...
             max (info.before.(name{1})), info.gained.(name{1}));
  end
end
end

function [what, given, unit] = data_of (net, X, y, opt)
% The training set of a search for hyperparameters, and the size of its kernel.
% Inputs :  X, y as in attnpath_tune;  opt, its options
% Outputs:  what, struct of net, data, examples, blocks, corrected, memory, as for tune_judge: the variance of net
%           is such that the mean diagonal of the GP limit's kernel is unit;  given, what a solution keeps of the
%           training set, as from ap_examples;  unit, of temperatures
% Errors:   attnpath:tune: badValue, and those of ap_examples
sizes = struct ('memory', 0, 'store', false, 'evaluations', 0, 'threads', 0, 'display', opt.Display > 0);
[first, given] = ap_examples ('tune', net, X, y, opt.Lengths, sizes, opt.Classes, opt.Noise);           % checked
[N0, ~, paths] = size (first.Xi);
C = size (first.y, 2);
shared = strcmp (opt.Outputs, 'shared');
labels = (first.y(:)' * first.y(:) + first.rest) / (first.P * C);
diagonal = prod (net.variance) / (N0 * paths) * gp_squares (net, first.Xi) / first.P;
if ~(labels > 0) && any (first.y(:))
  ap_fail ('tune', 'badValue', 'labels up to %.3g are too small: their squares are 0', max (abs (first.y(:))));
elseif ~(labels > 0)
  ap_fail ('tune', 'badValue', 'all labels are 0: there is nothing to learn, and no unit for the temperature');
elseif ~(diagonal > 0)
  ap_fail ('tune', 'badValue', 'all path inputs are 0: the kernel has no size');
end
if ~(labels > 1e-250 && labels < 1e250 && diagonal > 1e-250 && diagonal < 1e250)
  ap_fail ('tune', 'badValue', ['y has a mean square of %.3g and the kernel a mean diagonal of %.3g, and from one ' ...
           'to the other numbers overflow: bring the labels and the tokens to a size near 1'], labels, diagonal);
end
unit = diagonal;
if strcmp (opt.Scale, 'data')
  unit = labels;
  net.variance(1) = net.variance(1) * (labels / diagonal);
end
if any (ismember ({'heads', 'bandwidth', 'ridge'}, opt.Tune))
  what = struct ('net', net, 'data', struct ('y', first.y), 'blocks', C, 'corrected', opt.Corrected, 'outputs', C);
  if shared, what.blocks = 1; end
  return
end
settings = struct ('memory', opt.Memory * 2^30, 'store', true, 'reduce', true, 'evaluations', 10 * opt.MaxPoints, ...
                   'threads', 0, 'shared', shared);
blocks = C;
if shared, blocks = 1; end
what = struct ('net', ap_headless (net), 'examples', [], 'blocks', blocks, 'corrected', opt.Corrected, ...
               'memory', settings.memory);
if isfield (given, 'moments')
  what.data = ap_prepare ('tune', net, given.moments, [], settings);
  return
end
noise = ap_noise_of (given);
what.data = ap_prepare ('tune', net, given.paths.Xi, given.y, settings, noise);
if what.data.P == size (what.data.y, 1)
  what.examples = what.data;
elseif ~strcmp (opt.By, 'evidence')                % fewer examples stand for all, but cannot be left out
  settings.reduce = false;
  settings.memory = 2^22;                          % for one evaluation stored kernels pay only if they fit a cache
  what.examples = ap_prepare ('tune', net, given.paths.Xi, given.y, settings, noise);
end
end

function what = by_gradient (what, given, X, opt, plan)
% For ap_tune_point: solutions and derivatives through the public functions, from tokens where the rule changes
known = {'Memory', opt.Memory, 'Outputs', opt.Outputs};
source = {};
lengths = {};
if any (ismember ({'bandwidth', 'ridge'}, plan.words))
  source = {X};
  lengths = {'Lengths', opt.Lengths};
  known = [known, lengths];
end
if isfield (given, 'moments')
  what.solve = @(net, varargin) attnpath_solve (net, given.moments, known{:}, varargin{:});
  what.labels = given.moments.P * ap_outputs (given.moments);
else
  training = {given.paths, given.y};
  if ~isempty (source), training{1} = X; end
  noise = ap_noise_of (given);
  known = [known, {'Noise', noise}];
  what.solve = @(net, varargin) attnpath_solve (net, training{:}, 'Classes', false, known{:}, varargin{:});
  what.labels = sum (ap_learned (noise, size (given.y, 1))) * size (given.y, 2);
end
what.slopes = @(sol, words) attnpath_gradient (sol, source{:}, 'With', words, lengths{:});
what.display = opt.Display;
end

function s = gp_squares (net, Xi)
% Sum of squares of path inputs, each path weighted by its U_aa in the GP limit over that of the last, which skips
% nothing
if any (net.skip)
  d = ap_gp_diagonal (net, 1);
  Xi = bsxfun (@times, Xi, reshape (sqrt (d / d(end)), 1, 1, []));
end
s = dot (Xi(:), Xi(:));
end

function plan = tune_plan (net, unit, opt, C, own)
% What a search for hyperparameters goes through: coordinates, bounds, grid, and the value of a point.
% Inputs :  net, unit, from data_of;  opt, the options, with Tune as a cell of words in order;
%           C, number of outputs;  own, the network as it was given
% Outputs:  plan, struct of what ap_tune_next needs, and
%             names   of the coordinates;  words, of 'Tune', that each belongs to;  head, d x 2, [layer head] or 0
%             width   the place of 'width' among them, or []
%             by      criterion in words;  key, the field of a point that it is
%             read    @(x): struct of temperature, width, scale at a point, and of bandwidth, ridge, headscale where
%                     they are tuned
%             slopes  whether derivatives are known;  slope, @(s, x): d x 1, of the value, s from ap_tune_point
%             value   @(point): what is made small, in nats: half the examples times the logarithm of the squared
%                     error, which does not depend on units, or minus a log probability; Inf for NaN
%             weak, back  for ap_tune_next;  own, the point where the network as it was given is
%             over    what a bound is of, where that is not plain;  least, 1 x (L+1), what widths must not fall below
%             range   of the largest width
%             variance  the first prior variance at scale 1
% Heads begin at their scales in the network, divided such that each layer has a mean square of 1, which read does
% again at every point: the derivative of the evidence along what is divided out is 0. Heads of scale 0, and such as
% are alone in their layer with one that is not, have no coordinate.
% Coordinates are logarithms. That of temperature is of temperature over scale where both are tuned: squared errors
% see little else, so that the search has a coordinate for it.
[names, words, head] = coordinates (net, opt.Tune);
slopes = any (ismember (words, {'bandwidth', 'ridge', 'heads'}));
d = numel (names);
of_grid = sum (ismember (words, {'temperature', 'width', 'scale'}));
ranges = opt.Ranges;
ranges.temperature = ranges.temperature * unit;
paths = zeros (1, net.L + 1);                      % what widths must not fall below for the evidence
coupled = C > 1 && strcmp (opt.Outputs, 'coupled');
paths(1:net.L) = ap_path_count (net, 1:net.L);
if coupled, paths = C * ap_path_count (net, 1:net.L + 1); end
for l = find (net.skip > 0), paths(l+1) = max (paths(l:l+1)); end          % widths stay equal there
[by, key, ranges.width] = criterion (net, opt, ranges.width, paths, (C == 1 || coupled) && ~slopes);
decades = struct ('temperature', 0.5 + 0.5 * (of_grid == 3), 'width', 1, 'scale', 1 + (of_grid == 3));
ticks = cell (1, d);
begin = own_point (own, words, head);
for k = 1:d                                        % decades are from point to point
  switch words{k}
    case {'temperature', 'width', 'scale'}
      range = log (ranges.(words{k}));
      ticks{k} = linspace (range(2), range(1), 1 + max (1, round (diff (range) / (decades.(words{k}) * log (10)))));
    case 'heads'
      [range, ticks{k}] = deal ([-Inf, Inf], begin(k));
    otherwise
      range = log (ranges.(words{k})) + begin(k);
      ticks{k} = min (max (begin(k), range(1)), range(2));
  end
  bounds(k,:) = range;
end
plan = struct ('names', {names}, 'words', {words}, 'head', head, 'width', find (strcmp (words, 'width')), ...
               'by', by, 'key', key, ...
               'grid', mesh (ticks), 'low', bounds(:,1), 'high', bounds(:,2), 'most', opt.MaxPoints, ...
               'value', @(point) value (point, key), ...
               'variance', net.variance(1), 'over', {repmat({''}, 1, d)}, 'least', zeros (1, net.L + 1), ...
               'range', ranges.width, 'slopes', slopes);
ratio = all (ismember ({'temperature', 'scale'}, words));
if ratio, plan.over{1} = ' (of temperature over scale)'; end
if strcmp (key, 'evidence'), plan.least = paths; end
plan.read = @(x) at_point (x, plan, net, ratio);
plan.slope = @(s, x) slope_of (s, plan.read (x), plan, ratio);
plan.weak = @(x) weak (plan.read (x), head);
plan.own = begin;
plan.back = @(x, k) put_back (x, k, begin, words, head, net.H, ratio);
end

function [names, words, head] = coordinates (net, tuned)
[names, words] = deal (tuned(~strcmp (tuned, 'heads')));
head = zeros (numel (names), 2);
if numel (names) == numel (tuned), return; end
scale = net.headscale;
for l = 1:net.L
  on = find (scale{l} > 0);
  for h = on(1:end * (numel (on) > 1))
    names{end+1} = sprintf ('scale of head %d of layer %d', h, l);
    words{end+1} = 'heads';
    head(end+1,:) = [l, h];
  end
end
end

function x = own_point (net, words, head)
% Where the network as it was given is; that of temperature is not yet over the scale
x = zeros (numel (words), 1);
scale = even (net.headscale);
for k = 1:numel (words)
  switch words{k}
    case 'temperature', x(k) = log (net.temperature);
    case 'width',       x(k) = log (max (net.width));
    case 'bandwidth',   x(k) = log (net.bandwidth);
    case 'ridge',       x(k) = log (net.ridge);
    case 'heads',       x(k) = log (scale{head(k,1)}(head(k,2)));
  end
end
end

function scale = even (scale)
for l = find (cellfun (@any, scale)), scale{l} = scale{l} / sqrt (mean (scale{l} .^ 2)); end
end

function x = put_back (x, k, own, words, head, H, ratio)
% A head gets its own scale back, and the others of its layer keep their proportions. [] where that is no point
t = find (strcmp (words, 'temperature'));
if strcmp (words{k}, 'heads')
  others = head(:,1) == head(k,1);
  others(k) = false;
  share = exp (2 * own(k)) / H(head(k,1));         % of the layer's sum of squares
  x(k) = log (sum (exp (2 * x(others))) * share / (1 - share)) / 2;
elseif ratio && strcmp (words{k}, 'scale')
  x(t) = x(t) + x(k) - own(k);                     % the temperature stays
  x(k) = own(k);
elseif ratio && k == t
  x(k) = own(k) - x(strcmp (words, 'scale'));
else
  x(k) = own(k);
end
if ~isreal (x) || ~isfinite (x(k)), x = []; end
end

function yes = weak (at, head)
yes = false (size (head, 1), 1);
for k = find (head(:,1) > 0)', yes(k) = at.headscale{head(k,1)}(head(k,2)) < 0.1; end
end

function g = slope_of (s, at, plan, ratio)
% The derivative of minus the evidence. A layer's scales are x_h less half the log of the mean square of exp (x_h)
g = zeros (numel (plan.words), 1);
for k = 1:numel (g)
  [l, h] = deal (plan.head(k,1), plan.head(k,2));
  if l > 0
    g(k) = s.heads{l}(h) - sum (s.heads{l}) * at.headscale{l}(h) ^ 2 / numel (at.headscale{l});
  else
    g(k) = s.(plan.words{k});
  end
end
if ratio
  k = strcmp (plan.words, 'scale');
  g(k) = g(k) + g(strcmp (plan.words, 'temperature'));
end
g = -g;
end

function [by, key, range] = criterion (net, opt, range, paths, exact)
% exact: outputs do not share U, which has an evidence to leading order only
words = struct ('loo', 'leave-one-out error', 'density', 'leave-one-out density', 'evidence', 'evidence');
by = words.(opt.By);
key = opt.By;
if ~strcmp (key, 'evidence'), return; end
least = max (net.width) * max (paths ./ net.width);              % the largest width where no U_l is singular
if exact && any (strcmp (opt.Tune, 'width')) && least < range(2)
  range(1) = max (range(1), least);
elseif ~exact || any (strcmp (opt.Tune, 'width')) || least > max (net.width)
  by = 'evidence, leading order';
  key = 'leading';
end
end

function grid = mesh (ticks)
% Columns are points; the first coordinate, temperature if it is tuned, runs fastest, from high to low
grid = zeros (0, 1);
for k = numel (ticks):-1:1
  grid = [repmat(ticks{k}, 1, size (grid, 2)); kron(grid, ones (1, numel (ticks{k})))];
end
end

function at = at_point (x, plan, net, ratio)
% Widths exactly in their range: exp (log (5)) is below 5, and a width below its number of paths has no evidence
at = struct ('temperature', net.temperature, 'width', net.width, 'scale', 1);
if any (strcmp (plan.words, 'heads')), at.headscale = even (net.headscale); end
for k = 1:numel (x)
  v = exp (x(k));
  switch plan.words{k}
    case 'width'
      within = min (max (v, plan.range(1)), plan.range(2));
      at.width = max (net.width * (within / max (net.width)), plan.least);
    case 'heads'
      at.headscale{plan.head(k,1)}(plan.head(k,2)) = v;
    otherwise
      at.(plan.words{k}) = v;
  end
end
if any (strcmp (plan.words, 'heads')), at.headscale = even (at.headscale); end
if ratio, at.temperature = at.temperature * at.scale; end
end

function f = value (point, key)
f = -point.(key);
if strcmp (key, 'loo'), f = numel (point.mean) / 2 * log (point.loo); end
if isnan (f), f = Inf; end
end

function [point, interrupted] = tune_judge (at, start, what)
% One point of a search for hyperparameters: its solution, and what each criterion says of it.
% Inputs :
%   at      struct of temperature, width, 1 x (L+1), and scale, the factor on the prior variance of the outputs
%   start   cell of order parameters {U_1, ..., U_L}, where the solution is looked for
%   what    struct of
%     net         network, but for what is in `at`, without its heads' weights
%     data        examples for solutions, from ap_prepare
%     examples    those that can be left out one by one, from ap_prepare; [] where there are none
%     blocks      outputs that have an index of their own in U: 1, or all of C outputs that are coupled
%     corrected   true: (T24), false: (T23)
%     memory      bytes that stored kernels may take where data has none
% Outputs: point, struct of
%   width         as in `at`;  order, as found;  mean, P x C leave-one-out means
%   loo, accuracy, density, evidence, leading    leave-one-out squared error, accuracy and log density; (T25), NaN
%                 where a width is below its number of paths, times outputs where they are coupled, and where
%                 they share U; (T10b). NaN where the search found no minimum
%   why           '' or why there are NaN, in words
%   interrupted   Ctrl-C was pressed: the point is worth nothing
% Kernels times s with temperature T and labels y are the same problem as kernels as they are with temperature T/s and
% labels y / sqrt (s): the matrix of the predictor is s times as large, and the labels' term and U are the same. So
% kernels are made once.
s = at.scale;
net = what.net;
net.temperature = at.temperature / s;
net.width = at.width;
data = scaled (what.data, s);
[point, interrupted] = solved (net, data, start, what);
point.width = at.width;
if interrupted || ~isempty (point.why), return; end
P = data.P * size (data.y, 2);
point.leading = point.leading - P / 2 * log (s);
paths = what.blocks * ap_path_count (net, 1:net.L + (what.blocks > 1));
try
  short = find (net.width(1:numel (paths)) < paths, 1);
  if what.blocks < size (data.y, 2)
    % outputs that share U are an approximation, which (T25) cannot expand about
  elseif ~isempty (short)
    if isempty (what.examples)                     % nothing else is left to choose by
      point.why = sprintf ('the width %.4g of layer %d is below its %d paths', net.width(short), short, paths(short));
    end
  else
    point.evidence = attnpath_evidence_mex (net, data, point.order, []) - P / 2 * log (s);
  end
  if ~isempty (what.examples)
    point = left_out (point, net, scaled (what.examples, s), s, what.corrected);
  end
catch err
  point.why = ap_tune_excuse (err);
  [point.loo, point.density, point.accuracy, point.evidence, point.leading] = deal (NaN);
end
interrupted = attnpath_interrupt_mex ('seen');     % a gateway that was interrupted has returned anything
end

function data = scaled (data, s)
data.y = data.y / sqrt (s);
data.rest = data.rest / s;
end

function [point, interrupted] = solved (net, data, start, what)
point = struct ('order', {start}, 'width', [], 'mean', [], 'loo', NaN, 'accuracy', NaN, 'density', NaN, ...
                'evidence', NaN, 'leading', NaN, 'why', '');
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', what.memory, 'certificate', false, ...
                   'display', 0);
interrupted = false;
try
  sol = attnpath_solve_mex (net, data, start, settings);
catch err
  interrupted = attnpath_interrupt_mex ('seen');
  point.why = ap_tune_excuse (err);
  return
end
interrupted = attnpath_interrupt_mex ('seen');
point.order = sol.order;
if ~sol.converged
  point.why = sprintf ('the search for a solution ended (%s) with a gradient of %.2g', sol.status, sol.gradrel);
else
  point.leading = sol.evidence;
end
end

function point = left_out (point, net, examples, s, corrected)
at = point.order;
if ~corrected, at = at{1}; end
[mu, ~, density] = ap_left_out (net, examples, at, s);
y = examples.y;
if ~isempty (examples.noise), y = bsxfun (@times, y, sqrt (examples.noise)); end
point.mean = sqrt (s) * mu;
point.loo = s * ap_mean_square (mu - y, examples.noise);
point.density = sum (density);
if size (y, 2) > 1
  point.accuracy = ap_share_right (y, mu);
else
  point.accuracy = mean (sign (mu) == sign (y));
end
end

function info = tune_gains (info, run, best, plan, what)
% What a search by the gradient of the evidence tells besides: what was gained, and other criteria.
% Inputs :  info, from ap_tune_choice;  run, of attnpath_tune;  best, the point chosen;  plan, from tune_plan;
%           what, for ap_tune_point
% Outputs:  info, with gained and before; leave-one-out and (T25) in chosen; heads that are gone in bounds
found = run.at(:,best);
base = best;
if isfield (run, 'base'), base = run.base; end     % before 'Whole'
info.gained = struct ();
if any (plan.head(:))
  info.gained.heads = cellfun (@(scale) NaN (size (scale)), what.net.headscale, 'UniformOutput', false);
end
for k = 1:numel (found)
  nats = gain (plan.back (run.at(:,base), k), run, base);
  if plan.head(k,1) > 0
    info.gained.heads{plan.head(k,1)}(plan.head(k,2)) = nats;
  else
    info.gained.(plan.words{k}) = nats;
  end
end
info.bounds = [info.bounds, gone(plan.head(isinf (found),:))];
info.chosen = with_others (info.chosen, plan.read (found), run.points(best).order, what);
info.before = with_others (info.chosen, plan.read (plan.own), run.points(best).order, what);
end

function nats = gain (back, run, best)
% By how much the evidence falls at the point where one coordinate is put back
nats = NaN;
if isempty (back), return; end
k = find (max (abs (bsxfun (@minus, run.at, back)), [], 1) <= 1e-9, 1);
if ~isempty (k) && isfinite (run.f(k)), nats = run.f(k) - run.f(best); end
end

function text = gone (heads)
text = {};
if isempty (heads), return; end
named = arrayfun (@(l, h) sprintf ('head %d of layer %d', h, l), heads(:,1)', heads(:,2)', 'UniformOutput', false);
verb = {'has', 'have'};
text = {sprintf('%s %s gone to nothing, scale 0', strjoin (named, ', '), verb{1 + (size (heads, 1) > 1)})};
end

function entry = with_others (entry, at, start, what)
% The entry of a point, with all criteria there that exist
[entry.loo, entry.accuracy, entry.density, entry.evidence, entry.leading] = deal (NaN);
for name = intersect (fieldnames (at), fieldnames (entry))', entry.(name{1}) = at.(name{1}); end
net = ap_tune_net (what.net, at);
entry.variance = net.variance(1);
quiet = cellfun (@(id) warning ('off', ['attnpath:' id]), {'solve:noise', 'solve:padding', 'loo:seen'});
back = onCleanup (@() warning (quiet));
try
  sol = what.solve (net, 'Start', start, 'Certificate', false, 'Display', false);
  if ~sol.converged || attnpath_interrupt_mex ('seen'), return; end
  entry.leading = sol.evidence;
  paths = what.blocks * ap_path_count (net, 1:net.L + (what.blocks > 1));
  if what.blocks == what.outputs && all (net.width(1:numel (paths)) >= paths)
    logp = attnpath_evidence (sol);
    if attnpath_interrupt_mex ('seen'), return; end          % what was cut short is worth nothing
    entry.evidence = logp;
  end
  if ~isfield (sol, 'paths'), return; end
  loo = attnpath_loo (sol, 'Corrected', what.corrected, 'Display', what.display);
  if attnpath_interrupt_mex ('seen'), return; end
  [entry.loo, entry.accuracy, entry.density] = deal (loo.mse, loo.accuracy, loo.elpd);
catch err
  if any (strcmp (regexprep (err.identifier, '.*:', ''), {'tooLarge', 'outOfMemory'})), return; end      % they stay NaN
  ap_tune_excuse (err);
end
end
