function gd = attnpath_train (data, varargin)
%ATTNPATH_TRAIN  A network trained by gradient descent, queries and keys included.
%
%   gd = ATTNPATH_TRAIN (task)
%   gd = ATTNPATH_TRAIN (task, Name, Value, ...)
%   gd = ATTNPATH_TRAIN (X, y, Name, Value, ...)
%
%   The network is that of (T1), or with 'Skip' (T26), with softmax attention from learned queries and keys,
%   linear values and no bias. Adam minimises the squared error, summed over outputs, in single precision.
%
%   Inputs :
%     task      a task from attnpath_task_oneshot, whose sequences are new at every step (unless
%               task.kind is set to 'examples'), or any struct with Xtrain and ytrain, of which minibatches are
%               drawn with replacement. Accuracy is measured on its Xtest and ytest, if it has them
%     X, y      instead of task: N0 x T x P tokens and P x 1 labels, P x C for C outputs, or classes
%   Options, by name or as one struct:
%     'Heads'        [4 4]       1 x L, heads of each layer
%     'Width'        512         N_1..N_L and N_a: one number for all, or 1 x (L+1)
%     'Keys'         128         rows of every query and key matrix
%     'Readout'      'mean'      as for attnpath_net
%     'Causal'       false       as for attnpath_net
%     'Skip'         0           as for attnpath_net: a residual network
%     'Steps'        11000       steps in all
%     'Batch'        []          sequences of each step. [] for 128, if paired the nearest multiple of C^2
%     'Rate'         3e-4        learning rate of Adam
%     'Schedule'     'constant'  'constant', or 'cosine': the rate falls to 0 at the last step
%     'WeightDecay'  5e-5        this number times the weights is added to the gradient
%     'Paired'       true        for attnpath_task_oneshot: every draw of images (of C classes) gives C^2
%                                sequences: a query of each class, with each cyclic shift of the labels. false:
%                                independent sequences, as published, which need more steps
%     'Evaluate'     500         steps from one test to the next
%     'Seed'         0           0 to 2^32 - 1. The same seed gives the same network, with OpenBLAS for any
%                                number of threads
%     'Checkpoint'   ''          a file, written at intervals. The same call resumes from it, also after a
%                                crash, and gives the same network; more 'Steps' continue a 'constant' run
%     'Classes'      []          as for attnpath_solve: labels are classes, or the list of them
%     'Display'      true        progress, in runs of more than two seconds; false or 'off' for none, 'iter'
%                                for every chunk of work, 'final' for a line at the end
%
%   Outputs: struct with
%     net           the network with its learned heads, for attnpath_solve and the others
%     w             N0 x Pi effective weights of (T4), for C outputs N0 x Pi C, the output fastest:
%                   attnpath_predict (gd, X) gives the trained network's outputs
%     U             Pi x Pi order parameter of the learned values (section 7), for C outputs Pi C x Pi C
%     classes       the list of classes, if labels were classes or -1 and +1
%     weights       struct of V0, V, a, as from attnpath_weights: in the theory's normalisation (T1)
%     history       struct of step, loss (mean since the test before), accuracy, NaN without classes, as rows
%     accuracy, steps    mean accuracy of the last five tests; steps taken
%     converged, reason  true if all of 'Steps' were taken, the loss being finite; the same in words
%     interrupted   true after Ctrl-C, which in Octave (not on Windows) ends the run with the weights so far
%     settings      all options
%   Without an output a summary is printed instead. A loss that grows without bound ends the run with an
%   earlier network and the warning attnpath:train:diverged. A run whose weights are all below 1e-6 at a test
%   ends, for it cannot learn any more: attnpath:train:decayed. An interrupt warns attnpath:train:interrupted.
%
%   Equation: (T1), (T4); section 10 of theory.md. The gradient is exact: no product is left out or sampled.
%
%   Example:
%     >> task = attnpath_task_markov ('Features', 6, 'Tokens', 4);
%     >> gd = attnpath_train (task, 'Heads', [2 2], 'Width', 20, 'Keys', 5, 'Readout', 'last', ...
%     ..                      'Steps', 500, 'Display', false);
%     >> gd.history.loss(end) < 1                   % the loss of a network with output 0
%     ans = 1
%     >> sol = attnpath_solve (gd.net, task.Xtrain, task.ytrain);      % the theory, on its attention
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Kingma, Ba, Adam: A Method for Stochastic Optimization, arXiv:1412.6980.
%
%   See also attnpath_task_oneshot, attnpath_predict, attnpath_scores, attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: train.tst, test_ap_train.c   REFERENCE: ref_network.m, ref_train_batch.m,
% ref_train_ways.m
% SOURCE: theory.md section 10

ap_check_call ('train', nargin >= 1, 'gd = attnpath_train (task, Name, Value, ...)');
[data, rest] = read_data (data, varargin);
table = {'Heads',       [4 4],      'array',  {1, 'L'}
         'Width',       512,        'any',    []
         'Keys',        128,        'count',  [1 1e6]
         'Readout',     'mean',     'any',    []
         'Causal',      false,      'flag',   []
         'Skip',        0,          'any',    []
         'Steps',       11000,      'count',  [0 1e9]
         'Batch',       [],         'count',  [1 1e6]
         'Rate',        3e-4,       'number', [0 1]
         'Schedule',    'constant', 'word',   {'constant', 'cosine'}
         'WeightDecay', 5e-5,       'number', [0 1e3]
         'Paired',      true,       'flag',   []
         'Evaluate',    500,        'count',  [1 1e9]
         'Seed',        0,          'seed',   []
         'Checkpoint',  '',         'file',   []
         'Classes',     [],         'any',    []
         'Display',     true,       'display',   []};
opt = ap_options ('train', table, rest);
data = code_labels (data, opt.Classes);
together = ap_either (opt.Paired, data.batches.together, 1);       % sequences that come of one draw
if isempty (opt.Batch), opt.Batch = together * max (1, round (128 / together)); end
check (opt, together);
ap_refuse ('train', 'badValue', strcmp (opt.Readout, 'all'), ['Readout ''all'' cannot be trained: gradient descent ' ...
           'takes one label for a sequence. attnpath_solve and attnpath_sample take labels at every token']);
net = ap_gateway ('train', @attnpath_net, opt.Heads, 'Width', opt.Width, 'Readout', opt.Readout, 'Causal', opt.Causal);
net.skip = ap_check_skip ('train', 'Skip', opt.Skip, net.width);
ap_refuse ('train', 'badValue', isnumeric (net.readout) && net.readout > data.T, ...
           'Readout token %d is beyond the %d tokens', net.readout, data.T);
small_enough (net, data, opt);

held = onCleanup (@() attnpath_interrupt_mex ('release'));
% One ap_seeded for the run, not one for every step: Octave drops an interrupt that comes while an onCleanup ends
[run, ending] = ap_seeded (opt.Seed, @() learn (net, data, opt));

gd = describe (net, run.state(:,1), data, opt.Keys);
gd.history = run.history;
if ~isempty (data.classes), gd.classes = data.classes; end
gd.accuracy = mean (run.history.accuracy(max (1, end - 4):end));
gd.steps = run.done;
gd.converged = run.done == opt.Steps;
gd.interrupted = strcmp (ending, 'interrupted') || attnpath_interrupt_mex ('seen');
gd.settings = opt;
gd.reason = sprintf ('all %d steps taken', run.done);
if strcmp (ending, 'interrupted') && ~gd.converged
  gd.reason = sprintf ('interrupted after %d of %d steps', run.done, opt.Steps);
elseif strcmp (ending, 'decayed')
  gd.reason = sprintf (['all weights have decayed to zero after %d of %d steps, the largest to %.1g, and gradients ' ...
                       'of their products are lost: a smaller WeightDecay than %g%s%s may help'], run.done, ...
                       opt.Steps, max (abs (run.state(:,1))), opt.WeightDecay, ...
                       ap_either (opt.Paired, '', ', Paired'), ap_either (any (net.skip > 0), '', ', Skip'));
elseif ~gd.converged
  gd.reason = sprintf (['the loss grew without bound after %d of %d steps: a smaller Rate than %g may help, or ' ...
                       'tokens and labels of a size near 1'], run.done, opt.Steps, opt.Rate);
end
if ~gd.converged
  warning (['attnpath:train:' ending], 'attnpath_train: %s', gd.reason);
elseif gd.interrupted
  warning ('attnpath:train:interrupted', 'attnpath_train: interrupted when %s', gd.reason);
end
gd.interrupted = attnpath_interrupt_mex ('forget') || gd.interrupted;
if nargout == 0
  fprintf ('%d parameters, heads %s, width %s: %s\n', size (run.state, 1), mat2str (opt.Heads), ...
           mat2str (net.width), gd.reason);
  if ~isempty (run.history.loss)
    fprintf ('loss %.4f%s\n', run.history.loss(end), accuracy_text (gd.accuracy, ' (mean of the last five tests)'));
  end
  clear -regexp ^gd$
end
end

% ---- options ----

function [data, rest] = read_data (given, rest)
% one struct for every kind of training data: sequences of batch(step), and a test set
if isstruct (given) && numel (given) == 1
  ap_refuse ('train', 'badTask', ~all (isfield (given, {'Xtrain', 'ytrain'})), ...
             'task must have fields Xtrain and ytrain, as those of attnpath_task_oneshot');
  names = {'task.Xtrain', 'task.ytrain'};
  task = given;
elseif ~isstruct (given) && ~ischar (given) && ~isempty (rest) && ~(ischar (rest{1}) && size (rest{1}, 1) == 1)
  names = {'X', 'y'};
  task = struct ();
  [task.Xtrain, task.ytrain] = deal (given, rest{1});          % struct () would spread a cell over an array
  rest = rest(2:end);
else
  ap_fail ('train', 'badTask', 'the first argument must be a task, or tokens X with labels y behind them, not %s', ...
           {given});
end
data.X = to_single (names{1}, ap_check_array ('train', names{1}, task.Xtrain, {'N0', 'T', 'P'}));
data.y = task.ytrain;                              % checked after the options
data.y_name = names{2};
[data.N0, data.T, data.P] = size (data.X);
data.batches = batches_of (task, data);
[data.Xtest, data.ytest] = deal ([]);
if all (isfield (task, {'Xtest', 'ytest'}))
  data.Xtest = ap_check_array ('train', 'task.Xtest', task.Xtest, {data.N0, 'T', 'Ptest'});
  data.ytest = task.ytest;
end
end

function batches = batches_of (task, data)
% Where the sequences of a step come from: struct of together, how many come of one draw where they are paired, and
% images, embedding, positions, ways and shots of the one-shot task, whose every step has sequences of its own. Without
% images they are drawn from the training set, each example as probable as any other. Tasks of 0.2.0 and before have no
% kind, and one without its images is trained on the sequences that it holds
kind = ap_check_value ('train', 'task.kind', ap_field (task, 'kind', 'oneshot'), 'word', {'examples', 'oneshot'});
batches = struct ('together', 1, 'images', []);
if strcmp (kind, 'examples') || ~all (isfield (task, {'images', 'embedding', 'positions', 'settings'})), return; end
ap_refuse ('train', 'badTask', ~isfield (task.images, 'train') || ~isfield (task.settings, 'Shots'), ...
           'a task with images must be one of attnpath_task_oneshot: it has no images.train, or no settings.Shots');
ways = ap_check_value ('train', 'task.settings.Ways', ap_field (task.settings, 'Ways', 2), 'count', [2 1000]);
images = single (ap_check_array ('train', 'task.images.train', task.images.train, ...
                                 {'pixels', 'patches', 'drawings', 'classes'}));
shots = ap_check_value ('train', 'task.settings.Shots', task.settings.Shots, 'count');
embedding = ap_check_array ('train', 'task.embedding', task.embedding, {data.N0, ways + 1});
positions = ap_check_array ('train', 'task.positions', task.positions, {data.N0, data.T});
[pixels, patches, drawings, classes] = size (images);
ok = mod (data.N0, pixels) == 0 && data.T == (ways * shots + 1) * patches && drawings > shots && classes >= ways;
ap_refuse ('train', 'badTask', ~ok, ['task.images.train, %d x %d x %d x %d, does not fit tokens of %d features, %d ' ...
           'to a sequence, with %d shots of each class'], pixels, patches, drawings, classes, data.N0, data.T, shots);
batches = struct ('images', images, 'embedding', embedding, 'positions', positions, 'ways', ways, 'shots', shots, ...
                  'together', ways ^ 2);
end

function row = marks (batches)
% Fingerprint of where sequences come from
row = ap_fingerprint (batches.images);
if ~isempty (batches.images)
  row = [row, ap_fingerprint(batches.embedding), ap_fingerprint(batches.positions)];
end
end

function check_labels (data)
% Are the labels those that sequences of a step have?
ways = data.batches.ways;
numbered = isnumeric (data.classes) && isequal (sort (double (data.classes(:)')), 1:ways);
ap_refuse ('train', 'badTask', ways > 2 && ~numbered, ['sequences of %d ways are drawn with the numbers 1 to %d ' ...
           'for labels, and task.ytrain must hold these'], ways, ways);
ap_refuse ('train', 'badTask', ways == 2 && data.C > 1, ...
           'sequences of two ways have one label each, and task.ytrain has %d', data.C);
end

function [X, y] = draw (data, count, paired)
% Sequences N0 x T x count and their labels, in single precision
batches = data.batches;
[~, ~, drawings, classes] = size (batches.images);
if isempty (batches.images)
  chosen = 1 + floor (data.P * rand (1, count));
  [X, y] = deal (data.X(:,:,chosen), data.y(chosen,:));
  return
end
choice = ap_oneshot_choose (count, classes, drawings, batches.shots, batches.ways, paired);
y = choice.y;
if batches.ways > 2, y = ap_classes ('train', 'y', y, data.classes, false); end
y = single (y);
X = ap_oneshot_batch (batches.images, choice, batches.embedding, batches.positions);
end

function [batches, basis] = compress (batches, data)
% Tokens of drawn sequences as coordinates in a basis, [] where that is not worth it: they span fewer dimensions than
% they have, by equal channels and smooth positions. A step then costs less, and is the same to the rounding of single
% precision, below which directions are left out
basis = [];
if isempty (batches.images), return; end
[pixels, count, drawings, classes] = size (batches.images);
channels = double (bsxfun (@eq, ceil ((1:data.N0)' * pixels / data.N0), 1:pixels));        % a pixel, channel by channel
B = span_of ([channels, batches.positions, batches.embedding], 3e-7);
if size (B, 2) > 0.8 * data.N0, return; end
basis = single (B);
batches.images = reshape (product (single (product (B', channels)), batches.images(:,:)), [], count, drawings, classes);
batches.embedding = product (B', batches.embedding);
batches.positions = product (B', batches.positions);
end

function Y = product (A, X)
% A * X, added up in one order, as BLAS does not promise for another number of threads
Y = zeros (size (A, 1), size (X, 2), class (X));
for j = 1:size (A, 2), Y = Y + bsxfun (@times, A(:,j), X(j,:)); end
end

function B = span_of (V, tolerance)
% Orthonormal basis of the columns, the largest remainder first. Sums are elementwise: they do not depend on threads
B = zeros (size (V, 1), 0);
largest = max (sum (V .^ 2, 1));
while size (B, 2) < size (V, 1)
  [size_of, k] = max (sum (V .^ 2, 1));
  if size_of <= tolerance ^ 2 * largest, break; end
  v = V(:,k);
  for again = 1:2                                  % the second time for what rounding left of the others
    for j = 1:size (B, 2), v = v - B(:,j) * sum (B(:,j) .* v); end
  end
  v = v / sqrt (sum (v .^ 2));
  B(:,end+1) = v;
  V = V - bsxfun (@times, v, sum (bsxfun (@times, v, V), 1));
end
end

function data = code_labels (data, wanted)
% Labels in single precision, where they are classes coded. Test labels are of the same classes
[y, data.classes] = ap_labels ('train', data.y_name, data.y, data.P, true, wanted);
data.C = size (y, 2);
data.y = to_single (data.y_name, y);
if ~isempty (data.batches.images), check_labels (data); end
if ~isempty (data.Xtest)
  known = ap_either (isempty (data.classes), {true}, {true, data.classes, false});
  data.ytest = ap_labels ('train', 'task.ytest', data.ytest, size (data.Xtest, 3), known{:});
  ap_refuse ('train', 'badShape', size (data.ytest, 2) ~= data.C, ['task.ytest must be %d x %d, as %s has %d ' ...
             'outputs, not %s'], size (data.Xtest, 3), data.C, data.y_name, data.C, {data.ytest});
end
if isempty (data.classes) && data.C == 1 && all (abs (y(:)) == 1), data.classes = [-1; 1]; end
end

function x = to_single (name, x)
bad = find (~isfinite (single (x(:))), 1);
ap_refuse ('train', 'notFinite', ~isempty (bad), ...
           '%s has the value %g at element %d, which is beyond single precision', name, x(bad), bad);
x = single (x);
end

function check (opt, together)
% Checks that the table of options cannot make; attnpath_net checks Width and Readout
for l = 1:numel (opt.Heads)
  ap_check_value ('train', sprintf ('Heads(%d)', l), opt.Heads(l), 'count', [1 1e4]);
end
ap_refuse ('train', 'badValue', mod (opt.Batch, together) ~= 0, ['Batch must be a multiple of %d where sequences ' ...
           'of %d ways are paired, not %d'], together, sqrt (together), opt.Batch);
end

function n = parameters (net, data, keys)
n = 2 * keys * data.N0 * sum (net.H) + sum (ap_weight_sizes (net, data.N0, data.C));
end

function small_enough (net, data, opt)
% weights and moments, before and after a chunk, and their gradient; derivatives by what the tokens see, in four parts;
% a batch; what a pass over some 400 tokens holds, at most four at a time. All in single precision
paths = ap_path_count (net);
n = 400 + data.T;
bytes = 4 * [7 * parameters(net, data, opt.Keys), ...
             6 * (sum(net.H) * data.N0 ^ 2 + data.N0 * paths * data.C), 3 * data.N0 * data.T * opt.Batch, ...
             4 * n * (max(net.H) * data.N0 + data.T * sum(net.H) + (4 + data.C) * paths)];
names = {sprintf('the weights, with Keys = %g and Width = %s,', opt.Keys, mat2str (net.width)), ...
         sprintf('the heads, %s of %d features each,', mat2str (net.H), data.N0), ...
         sprintf('batches of Batch = %d sequences', opt.Batch), ...
         sprintf('%d paths and maps of %d tokens', paths, data.T)};
[most, k] = max (bytes);
ap_refuse ('train', 'tooLarge', sum (bytes) > 2^33, '%s take %.3g GiB, of %.3g GiB in all, and 8 are allowed', ...
           names{k}, most / 2^30, sum (bytes) / 2^30);
end

% ---- the run, which ap_run does chunk by chunk ----

function [run, ending] = learn (net, data, opt)
mark = [ap_fingerprint(data.X), ap_fingerprint(data.y), marks(data.batches)];
[data.batches, basis] = compress (data.batches, data);
settings = struct ('keys', opt.Keys, 'decay', opt.WeightDecay, 'seed', opt.Seed, 'done', 0, 'basis', basis);
set = rmfield (opt, {'Checkpoint', 'Display', 'Skip'});
if any (net.skip), set.Skip = net.skip; end        % checkpoints from before have no row for it
if strcmp (opt.Schedule, 'constant'), set = rmfield (set, 'Steps'); end
problem = [fieldnames(set), struct2cell(set); ...
           {'the training set', mark; 'the test set', [ap_fingerprint(data.Xtest), ap_fingerprint(data.ytest)]}];
clock = tic ();
attnpath_interrupt_mex ('hold');                   % see ap_run: from here on Ctrl-C ends the run, and loses nothing
[run, claim] = ap_resume ('train', opt.Checkpoint, problem, {'state', 'done', 'sum', 'history'});
if ~isempty (run)
  check_run (run, opt, net, data);
else
  [X, y] = batches (data, opt, 1);
  state = attnpath_train_mex (net, settings, [], X, y, 0);         % the start, before any step
  run = struct ('problem', {problem}, 'state', state, 'done', 0, 'sum', [0 0], ...
                'history', struct ('step', [], 'loss', [], 'accuracy', []));
end
job = struct ('name', 'train', 'goal', opt.Steps, 'done', @(run) run.done, ...
              'advance', @(run, count) advance (run, count, net, settings, data, opt), ...
              'clock', @() toc (clock), 'file', opt.Checkpoint, 'every', 10, 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, notes, opt, clock));
[run, ending] = ap_run (job, run);
end

function [run, ending] = advance (run, count, net, settings, data, opt)
% Runs some steps, at most as many as lead to the next test
ending = '';
count = min (count, opt.Evaluate - mod (run.done, opt.Evaluate));
steps = run.done + (1:count);
rates = opt.Rate * ones (1, count);
if strcmp (opt.Schedule, 'cosine'), rates = rates .* (1 + cos (pi * (steps - 1) / opt.Steps)) / 2; end
[X, y] = batches (data, opt, steps);
settings.done = run.done;
[state, loss, status] = attnpath_train_mex (net, settings, run.state, X, y, rates);
if strcmp (status, 'notFinite') || ~all (isfinite (sum (state)))
  ending = 'diverged';                             % the chunk is dropped, all before it is kept
else
  run.state = state;
  run.done = run.done + numel (loss);
  for k = 1:numel (loss), run.sum = run.sum + [loss(k), 1]; end              % the same sum however a run is cut
  if strcmp (status, 'interrupted'), ending = 'interrupted'; end
end
due = mod (run.done, opt.Evaluate) == 0 || run.done == opt.Steps || strcmp (ending, 'diverged');
if run.sum(2) > 0 && due, run = evaluate (run, net, data, opt); end
if isempty (ending) && due && run.done < opt.Steps && max (abs (run.state(:,1))) < 1e-6, ending = 'decayed'; end
end

function check_run (run, opt, net, data)
wanted = [parameters(net, data, opt.Keys), 3];
whole = isa (run.state, 'single') && isequal (size (run.state), wanted) && all (isfinite (run.state(:))) ...
        && isnumeric (run.done) && isstruct (run.history);
ap_refuse ('train', 'badCheckpoint', ~whole, '%s is damaged: remove it, or choose another name', opt.Checkpoint);
ap_refuse ('train', 'otherRun', run.done > opt.Steps, ...
           '%s is of a run of %d steps already, more than Steps = %d', opt.Checkpoint, run.done, opt.Steps);
end

function [X, y] = batches (data, opt, steps)
% the sequences of these steps: those of a step are the same whichever chunk it falls into
X = cell (1, numel (steps));
y = cell (numel (steps), 1);
for k = 1:numel (steps)
  ap_seeded ([opt.Seed, 4, steps(k)]);
  [X{k}, y{k}] = draw (data, opt.Batch, opt.Paired);
end
X = cat (3, X{:});
y = cat (1, y{:})';
end

function run = evaluate (run, net, data, opt)
accuracy = NaN;
if ~isempty (data.Xtest)
  mu = attnpath_predict (describe (net, run.state(:,1), data, opt.Keys), data.Xtest);
  if data.C == 1 && ~isempty (data.classes) && all (abs (data.ytest) == 1)
    accuracy = mean (sign (mu) == sign (data.ytest));
  elseif data.C > 1 && ~isempty (data.classes)
    accuracy = mean (ap_class_decide (mu, 1:data.C) == ap_class_decide (data.ytest, 1:data.C));
  end
end
run.history.step(end+1) = run.done;
run.history.loss(end+1) = run.sum(1) / run.sum(2);
run.history.accuracy(end+1) = accuracy;
run.sum = [0 0];
end

function [where, more, first] = report (run, first, opt, clock)
% first: time and number of steps at the report before all others
if isempty (first), first = [toc(clock), run.done]; end
[loss, accuracy] = deal (NaN);
if ~isempty (run.history.loss), [loss, accuracy] = deal (run.history.loss(end), run.history.accuracy(end)); end
if run.sum(2) > 0, loss = run.sum(1) / run.sum(2); end
pace = '';
if run.done > first(2)
  pace = sprintf (', %.0f ms a step', 1000 * (toc (clock) - first(1)) / (run.done - first(2)));
end
where = sprintf ('step %d of %d', run.done, opt.Steps);
more = sprintf (', loss %.4f%s%s', loss, accuracy_text (accuracy, ''), pace);
end

function text = accuracy_text (accuracy, more)
text = ap_either (isnan (accuracy), '', sprintf (', test accuracy %.1f %%%s', 100 * accuracy, more));
end

% ---- what was learned, in the theory's terms ----

function gd = describe (net, theta, data, keys)
% theta: Q_1, K_1, .., Q_L, K_L, V_0, V_1 .. V_L, a, each as it multiplies the layer below
theta = double (theta);
N0 = data.N0;
heads = cell (1, net.L);
for l = 1:net.L
  [heads{l}.Q, theta] = cut (theta, [keys, N0, net.H(l)]);
  [heads{l}.K, theta] = cut (theta, [keys, N0, net.H(l)]);
end
weights = ap_split_weights (theta, net, N0, data.C);
u = weights.a;
for l = net.L:-1:1
  parts = arrayfun (@(h) weights.V{l}(:,:,h)' * u, 1:net.H(l), 'UniformOutput', false);
  if net.skip(l) > 0, parts = [{u}, parts]; end    % its gain is in the path inputs (T27)
  u = [parts{:}];
end
gd.net = attnpath_net (heads, 'Width', net.width, 'Readout', net.readout, 'Causal', net.causal, 'Skip', net.skip);
gd.w = sqrt (N0) * (weights.V0' * u);
gd.U = u' * u;
weights.V0 = sqrt (N0) * weights.V0;               % in the theory's normalisation
for l = 1:net.L, weights.V{l} = sqrt (net.width(l)) * weights.V{l}; end
weights.a = sqrt (net.width(end)) * weights.a;
gd.weights = weights;
end

function [part, rest] = cut (values, shape)
part = reshape (values(1:prod (shape)), shape);
rest = values(prod (shape)+1:end);
end

%!error id=attnpath:train:usage attnpath_train ()
%!test
%! X = randn (3, 4, 20);
%! gd = attnpath_train (X, sign (randn (20, 1)), 'Heads', [2 1], 'Width', 5, 'Keys', 2, 'Steps', 2, 'Display', false);
%! assert ({gd.net.H, size(gd.w), size(gd.U), size(gd.weights.V{1})}, {[2 1], [3 2], [2 2], [5 5 2]});
