% make_of_0_3_0.m: writes the files of this folder. Run it in the folder with the tree that should write them:
%   octave-cli --norc --no-history -p TREE/inst -p TREE/src make_of_0_3_0.m
% older_files.tst loads, uses and resumes them with the current tree. They are written once, and never by a later tree.
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

warning ('off', 'all');
addpath (fullfile ('..', 'before_0_2_0'));
confirm_recursive_rmdir (false);
if exist ('sweep', 'dir'), rmdir ('sweep', 's'); end
for name = {'sample.run', 'weights.run', 'weights.run.weights', 'train.run', 'tune.run', 'prune.run', 'moments.run'}
  if exist (name{1}, 'file') == 2, delete (name{1}); end
end
given = getfield (load (fullfile ('..', 'before_0_2_0', 'models.mat'), 'given'), 'given');
c = before_calls (given);
quiet = {'Display', false};

% ---- models ----
m = struct ('net', c.net);
m.skipping = attnpath_net (given.heads, 'Width', 10, 'Temperature', 0.1, 'Skip', [0 0.5], ...
                           'HeadScale', {[1 2], [0.5 1]}, 'Readout', 'mean', 'Causal', true);
m.paths = attnpath_paths (m.net, given.X);
m.skipped = attnpath_paths (m.skipping, given.X);
m.brought = attnpath_paths (attnpath_net ([2 2]), given.X, attnpath_attention (m.net, given.X));
m.sol = attnpath_solve (m.net, m.paths, given.y, quiet{:});
m.tokens = attnpath_solve (m.skipping, given.X, given.y, 'Noise', 1 + mod (1:12, 3), quiet{:});
m.several = attnpath_solve (c.coupled, m.paths, given.classes, quiet{:});
m.shared = attnpath_solve (c.coupled, m.paths, given.classes, 'Outputs', 'shared', quiet{:});
m.ex = attnpath_expand (attnpath_solve (c.coupled, m.paths, given.y, quiet{:}), quiet{:});
m.post = c.sample (c.net, 'Draws', 12);
m.moments = attnpath_moments (m.net, given.X, given.y, quiet{:});
m.ofmoments = attnpath_solve (m.net, m.moments, quiet{:});
m.gd = c.train ('Steps', 10);
save ('-v7', 'models.mat', '-struct', 'm');

% ---- interrupted runs ----
left = struck ('sample', 4);
post = c.sample (c.net, 'Chains', 1, 'Draws', 20, 'Checkpoint', 'sample.run');
clear left
assert (post.interrupted);
printf ('%d of 20 draws\n', size (post.logpost, 1));
left = struck ('sample', 4);
post = c.weights (c.narrow, 'Chains', 1, 'Draws', 20, 'Checkpoint', 'weights.run');
clear left
assert (post.interrupted);
left = struck ('train', 3);
gd = c.train ('Steps', 30, 'Checkpoint', 'train.run');
clear left
assert (gd.interrupted);
try, part = c.moments (c.net, c.source (2), 'factor', 'Checkpoint', 'moments.run'); end
sol = c.tune (c.net, 'MaxPoints', 6, 'Checkpoint', 'tune.run');
heads = c.prune (m.sol, 'Left', 3, 'Checkpoint', 'prune.run');
result = c.sweep (struct ('width', [10 100], 'rule', {{'softmax', 'cme'}}, 'seed', 1), 'Folder', 'sweep');

% ---- results of this tree with the models ----
want = struct ();
for name = {'sol', 'tokens', 'several', 'shared', 'ex', 'post', 'ofmoments', 'gd'}
  test = given.Xtest;
  if strcmp (name{1}, 'post'), test = c.probe; end
  is = name{1};
  [want.(is).mu, want.(is).s2] = attnpath_predict (m.(is), test);
  if ~strcmp (is, 'gd'), [want.(is).scores, want.(is).largest] = attnpath_scores (m.(is)); end
end
for name = {'sol', 'tokens', 'several', 'shared'}
  is = name{1};
  loo = attnpath_loo (m.(is), quiet{:});
  want.(is).loo = {loo.mean, loo.variance, loo.logdensity, loo.mse};
  if ~strcmp (is, 'shared'), want.(is).evidence = attnpath_evidence (m.(is)); end
end
want.gradient = attnpath_gradient (m.sol);
want.probability = attnpath_probability (m.several, given.Xtest);
want.kernel = attnpath_kernel (m.net, m.paths, m.sol.U);
want.brought = getfield (attnpath_solve (attnpath_net ([2 2], 'Temperature', 0.1), m.brought, given.y, quiet{:}), 'U');

% ... and results of the interrupted runs
run = c.sample (c.net, 'Chains', 1, 'Draws', 20);
want.run.sample = struct ('U', run.U, 'f', run.f, 'logpost', run.logpost);
run = c.weights (c.narrow, 'Chains', 1, 'Draws', 20);
want.run.weights = struct ('U', run.U, 'f', run.f, 'logpost', run.logpost, ...
                           'last', {getfield(attnpath_weights (run, 20, 1), 'V')});
run = c.train ('Steps', 30);
want.run.train = struct ('w', run.w, 'U', run.U);
want.run.moments = getfield (c.moments (c.net, c.source (3), 'factor'), 'sums');
[run, info] = c.tune (c.net, 'MaxPoints', 20);
want.run.tune = struct ('U', run.U, 'temperature', run.net.temperature, 'width', run.net.width);
[heads, curve] = c.prune (m.sol, 'Left', 2);
want.run.prune = struct ('heads', heads, 'value', curve.value);
want.run.sweep = c.sweep (struct ('width', [10 100], 'rule', {{'softmax', 'cme'}}, 'seed', [1 2]));
save ('-v7', 'want.mat', '-struct', 'want');
