% make_before.m: writes the files of this folder. Run it in the folder with the tree that should write them:
%   octave-cli --norc --no-history -p TREE/inst -p TREE/src make_before.m
% before.tst loads, uses and resumes them with the current tree. They are written once, and never by a later tree.
1;

function call = struck (stem, at)
  % A function in front of this gateway that sends an interrupt in its call number `at`
  front = tempname ();
  mkdir (front);
  copyfile (which (['attnpath_' stem '_mex']), fullfile (front, 'real_mex.mex'));
  fid = fopen (fullfile (front, ['attnpath_' stem '_mex.m']), 'w');
  fprintf (fid, ['function varargout = attnpath_%s_mex (varargin)\n  persistent calls\n' ...
                 '  if isempty (calls), calls = 0; end\n  calls = calls + 1;\n' ...
                 '  [varargout{1:nargout}] = real_mex (varargin{:});\n  if calls == %d\n' ...
                 '    kill (getpid (), SIG ().INT);\n    while ~attnpath_interrupt_mex (''seen''), end\n' ...
                 '  end\nend\n'], ...
           stem, at);
  fclose (fid);
  addpath (front);
  call = onCleanup (@() rmpath (front));
end

function remove (names)
  for k = 1:numel (names)
    if exist (names{k}, 'file') == 2, delete (names{k}); end
  end
end

warning ('off', 'all');
randn ('twister', 3);
rand ('twister', 3);
files = {'sample.run', 'weights.run', 'weights.run.weights', 'moments.run', 'train.run', 'cosine.run', 'tune.run', ...
         'prune.run', 'models.mat', 'want.mat'};
remove (files);
confirm_recursive_rmdir (false);
if exist ('sweep', 'dir'), rmdir ('sweep', 's'); end

% ---- data and models ----
given = struct ('X', randn (4, 3, 12), 'Xtest', randn (4, 3, 5), 'y', sign (randn (12, 1)), 'Xi', randn (4, 12, 4), ...
                'Xitest', randn (4, 5, 4), 'Ximany', randn (4, 24, 4), 'ymany', sign (randn (24, 1)));
given.heads = {randn(4, 4, 2), struct('Q', randn (2, 4, 2), 'K', randn (2, 4, 2))};
given.classes = {'ant', 'bee', 'cat'}(1 + mod (0:11, 3))';
c = before_calls (given);
m = struct ('given', given, 'net', c.net, 'coupled', c.coupled, 'narrow', c.narrow);
m.sol = c.solve (c.net);
m.tokens = attnpath_solve (c.net, given.X, given.y, 'Display', false, 'Starts', 2);
m.several = c.classes (c.coupled);
m.shared = c.classes (c.coupled, 'Outputs', 'shared');
m.post = c.sample (c.net, 'Draws', 15);
m.langevin = c.weights (c.narrow, 'Draws', 4);
m.square = c.moments (c.net, c.source (3), 'square');
m.factor = c.moments (c.net, c.source (3), 'factor');
m.ofmoments = attnpath_solve (c.net, m.factor, 'Display', false);
m.gd = c.train ('Steps', 12);
m.task = attnpath_task_markov ('P', 4, 'Ptest', 2, 'Features', 4, 'Tokens', 3);
save ('-v6', 'models.mat', '-struct', 'm');

% ---- interrupted runs ----
for kind = {{'sample', c.net}, {'weights', c.narrow}}
  left = struck ('sample', 4);
  post = c.(kind{1}{1}) (kind{1}{2}, 'Draws', 20, 'Checkpoint', [kind{1}{1} '.run']);
  clear left
  assert (post.interrupted);
  printf ('%s: %d of 20 draws\n', kind{1}{1}, size (post.logpost, 1));
end
left = struck ('train', 3);
gd = c.train ('Steps', 30, 'Schedule', 'cosine', 'Checkpoint', 'cosine.run');
clear left
assert (gd.interrupted);
gd = c.train ('Steps', 10, 'Checkpoint', 'train.run');
try, part = c.moments (c.net, c.source (2), 'factor', 'Checkpoint', 'moments.run'); end
sol = c.tune (c.net, 'MaxPoints', 6, 'Checkpoint', 'tune.run');
heads = c.prune (m.sol, 'Left', 3, 'Checkpoint', 'prune.run');
result = c.sweep (struct ('width', [10 100], 'rule', {{'softmax', 'cme'}}, 'seed', 1), 'Folder', 'sweep');
assert (cellfun (@(name) exist (name, 'file'), files(1:end-1)), 2 * ones (1, numel (files) - 1));

% ---- results of this tree with them ----
want = struct ();
for name = {'sol', 'tokens', 'several', 'shared', 'post', 'langevin', 'ofmoments', 'gd'}
  test = c.probe;
  if any (strcmp (name{1}, {'tokens', 'ofmoments', 'gd'})), test = given.Xtest; end
  [want.(name{1}).mu, s2] = deal ([]);
  if strcmp (name{1}, 'gd')
    want.gd.mu = attnpath_predict (m.gd, test);
  else
    [want.(name{1}).mu, want.(name{1}).s2] = attnpath_predict (m.(name{1}), test);
  end
  [want.(name{1}).scores, want.(name{1}).largest] = attnpath_scores (m.(name{1}));
end
for name = {'sol', 'tokens', 'several'}
  for by = {'predictor', 'loo', 'evidence'}
    [score, largest] = attnpath_scores (m.(name{1}), 'By', by{1}, 'Display', false);
    want.(name{1}).by.(by{1}) = {score, largest};
  end
end
for name = {'sol', 'tokens', 'several', 'shared', 'post'}
  loo = attnpath_loo (m.(name{1}), 'Display', false);
  want.(name{1}).loo = {loo.mean, loo.variance, loo.logdensity, loo.mse};
end
for name = {'sol', 'tokens', 'several', 'ofmoments'}, want.(name{1}).evidence = attnpath_evidence (m.(name{1})); end
want.several.probability = attnpath_probability (m.several, c.probe);
want.langevin.effective = attnpath_weights (m.langevin, 2, 1);
[net, part] = attnpath_prune (c.net, [2 1], m.square);
want.pruned = getfield (attnpath_solve (net, part, 'Display', false), 'U');
want.trained = getfield (c.solve (m.gd.net), 'U');
together = attnpath_moments (m.square, attnpath_moments (c.net, given.X(:,:,1:2) + 1, given.y(1:2), 'Display', false));
want.together = getfield (attnpath_solve (c.net, together, 'Display', false), 'U');

% ... and results of the interrupted runs
run = c.sample (c.net, 'Draws', 20);
want.run.sample = struct ('U', run.U, 'f', run.f, 'logpost', run.logpost);
run = c.weights (c.narrow, 'Draws', 20);
want.run.weights = struct ('U', run.U, 'f', run.f, 'logpost', run.logpost, ...
                           'weights', run.weights(:,end,:));
for kind = {{'train', {'Steps', 30}}, {'cosine', {'Steps', 30, 'Schedule', 'cosine'}}}
  run = c.train (kind{1}{2}{:});
  want.run.(kind{1}{1}) = struct ('w', run.w, 'U', run.U, 'history', run.history);
end
want.run.moments = m.factor.sums;
[run, info] = c.tune (c.net, 'MaxPoints', 20);
want.run.tune = struct ('U', run.U, 'temperature', run.net.temperature, 'width', run.net.width, ...
                        'tried', info.tried);
[heads, curve] = c.prune (m.sol, 'Left', 2);
want.run.prune = struct ('heads', heads, 'curve', curve);
want.run.sweep = c.sweep (struct ('width', [10 100], 'rule', {{'softmax', 'cme'}}, 'seed', [1 2]));
save ('-v6', 'want.mat', '-struct', 'want');
