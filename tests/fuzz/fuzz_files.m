% fuzz_files.m: files that functions read, spoiled; Octave must live, and say what is wrong.
%   octave --no-gui --norc --no-history tests/fuzz/fuzz_files.m directory inputs seed [word]
% directory has the gateways; with a word only the readers whose name contains it. Right files of each kind are written
% first: checkpoints, cells of a sweep, data sets in parts, weights, images. Each input is one of them, spoiled: cut
% off, some bytes changed, blocks of bytes exchanged; or read, changed in one variable (spoil.m) and written again.
% A reader may refuse with attnpath:*:*, or return. What it may not do is crash, raise anything else, or, where it can
% know what is right (checkpoints, cells that bear a seal), return something else than of the right files.
% Inputs are numbered by (seed, input). What was found lies in build/fuzz/files afterwards, or, after a crash, in the
% folder that the first line names.

1;

function r = reader (name, files, call, varargin)
  % files: a pattern, of those that may be spoiled, all others stay; call: returns what was read
  % varargin: @(result, right): is it right? true for isequaln; [] where nobody can know
  r = struct ('name', name, 'files', files, 'call', call, 'judge', @(result, right) isequaln (result, right));
  if ! isempty (varargin), r.judge = varargin{1}; end
end

function list = readers (at)
  % at, an empty folder
  rand ('twister', 1);
  randn ('twister', 1);
  here = @(varargin) fullfile (at, varargin{:});
  task = attnpath_task_markov ('P', 12, 'Ptest', 2, 'Features', 4, 'Tokens', 3);
  net = attnpath_net (task.heads, 'Width', 5, 'Temperature', 0.2);
  [X, y] = deal (task.Xtrain, task.ytrain);
  sol = attnpath_solve (net, X, y, 'Display', false);
  quiet = {'Display', false};
  sampling = {'Chains', 2, 'Warmup', 3, 'Draws', 4, quiet{:}};
  list = reader ('sample', 'sample*', @() attnpath_sample (net, X, y, sampling{:}, 'Checkpoint', here ('sample'), ...
                 'Method', 'langevin', 'Weights', true));
  post = attnpath_sample (net, X, y, sampling{:}, 'Checkpoint', here ('draws'), 'Method', 'langevin', 'Weights', true);
  list(end+1) = reader ('weights', 'draws.weights', @() attnpath_weights (post, 4, 2), @(varargin) true);
  list(end+1) = reader ('train', 'train', @() attnpath_train (task, 'Heads', [2 1], 'Width', 3, 'Keys', 2, ...
                        'Readout', 'last', 'Batch', 2, 'Steps', 3, 'Checkpoint', here ('train'), quiet{:}));
  list(end+1) = reader ('moments', 'moments', @() attnpath_moments (net, X, y, 'Checkpoint', here ('moments'), quiet{:}));
  list(end+1) = reader ('tune', 'tune', @() second (@() attnpath_tune (net, X, y, 'Tune', {'temperature'}, 'MaxPoints', 2, ...
                        'Checkpoint', here ('tune'), quiet{:})));
  list(end+1) = reader ('prune', 'prune', @() second (@() attnpath_prune (sol, 'By', 'loo', 'Checkpoint', here ('prune'), ...
                        quiet{:})));

  cells = @(c) struct ('x', c.a + [1 2; 3 4], 'word', 'six', 'list', {{1, 'b'}});
  sweep = @(varargin) attnpath_sweep (cells, struct ('a', 1:3), 'Folder', here ('sweep'), quiet{:}, varargin{:});
  list(end+1) = reader ('sweep', fullfile ('sweep', '*'), @() sweep (), @cells_right);
  list(end+1) = reader ('sweep again', fullfile ('sweep', '*'), @() sweep ('Retry', true), @cells_right);
  list(end+1) = reader ('sweep collected', fullfile ('sweep', '*'), @() sweep ('Collect', true), @cells_right);

  A = attnpath_attention (net, X);
  Lengths = 3 * ones (1, 12);
  Lengths(2) = 2;
  readout = 'last';
  bare = attnpath_net (net.H, 'Width', 5, 'Readout', 'last');
  mkdir (here ('parts'));
  formats = {'-v6', '-v7', '-text', '-binary'};
  for k = 1:numel (formats)
    save (formats{k}, here ('parts', sprintf ('own%d.mat', k)), 'X', 'y', 'Lengths', 'readout');
    save (formats{k}, here ('parts', sprintf ('brought%d.mat', k)), 'X', 'y', 'A');
    own = here ('parts', sprintf ('own%d.mat', k));
    brought = here ('parts', sprintf ('brought%d.mat', k));
    list(end+1) = reader (['parts ' formats{k}], fullfile ('parts', sprintf ('*%d.mat', k)), ...
                          @() {attnpath_moments(net, attnpath_source ({own}), quiet{:}), ...
                               attnpath_moments(bare, attnpath_source ({brought}), quiet{:})}, []);
  end

  pages = attnpath_omniglot ('generator', 'Classes', 2).images;
  for c = 1:2, images{1}{c,1} = squeeze (num2cell (pages(:,:,:,c), [1 2])); end
  names = {'Alphabet'};
  mkdir (here ('omniglot'));
  save ('-v6', here ('omniglot', 'data_background.mat'), 'images', 'names');
  list(end+1) = reader ('omniglot', fullfile ('omniglot', '*'), ...
                        @() attnpath_omniglot ('background', 'Folder', here ('omniglot')), []);

  layer = [1 1 2 2];  head = [1 2 1 2];
  [cost, cost_se] = deal (rand (1, 4));
  save ('-v6', here ('costs.mat'), 'layer', 'head', 'cost', 'cost_se');
  list(end+1) = reader ('costs', 'costs.mat', @() attnpath_scores (here ('costs.mat'), 'By', 'ablation'), []);

  file_bytes (here ('images.idx'), uint8 ([0 0 8 3, 0 0 0 2, 0 0 0 3, 0 0 0 4, 0:23]));
  list(end+1) = reader ('idx', 'images.idx', @() read_idx (here ('images.idx')), []);
  [data, labels] = deal (uint8 (randi (255, 3, 3072)), uint8 ([1; 2; 3]));
  save ('-v6', here ('cifar.mat'), 'data', 'labels');
  list(end+1) = reader ('cifar', 'cifar.mat', @() second (@() read_cifar (here ('cifar.mat'))), []);
end

function out = second (call)
  [first, out] = call ();
  out = {first, out};
end

function yes = cells_right (result, right)
  % what is not said to have failed, or to be missing, is what was stored
  yes = isequal (size (result), size (right));
  for k = find (strcmp ({result.status}, 'done'))
    for name = fieldnames (right)'
      yes = yes && isequal (result(k).(name{1}), right(k).(name{1}));
    end
  end
  yes = yes && isequal ({result.cell}, {right.cell});
end

function bytes = spoil_bytes (bytes)
  n = numel (bytes);
  place = @() randi (max (1, n));
  block = @() place () + (0:min (randi (64), n) - 1);
  switch randi (8)
    case 1
      bytes = bytes(1:place () - 1);
    case {2, 3}
      for k = 1:randi (3), bytes(place ()) = bitxor (bytes(place ()), 2 ^ (randi (8) - 1)); end
    case 4
      for k = 1:randi (3), bytes(place ()) = {0, 1, 127, 128, 255}{randi(5)}; end
    case 5
      bytes(min (block (), n)) = [];
    case 6
      at = place ();
      bytes = [bytes(1:at), uint8(randi (256, 1, randi (64)) - 1), bytes(at+1:end)];
    case 7
      bytes(min (block (), n)) = bytes(place ());
    case 8                                                 % where sizes and classes are said
      bytes(min (n, 128 + randi (200))) = randi (256) - 1;
  end
end

function bytes = spoil_variables (file)
  % [] where it cannot be done: the file is of no format that load knows, or what came out cannot be saved
  bytes = [];
  try
    content = load (file);
    for k = 1:randi (2), content = spoil (content, 0); end
    formats = {'-v6', '-v7', '-text', '-binary'};
    if ! isstruct (content) || numel (content) ~= 1, return, end
    save (formats{randi(4)}, file, '-struct', 'content');
    bytes = file_bytes (file)';
  end
end

function found = files_of (folder, r)
  found = dir (fullfile (folder, r.files));
  found = arrayfun (@(f) fullfile (f.folder, f.name), found(! [found.isdir]), 'UniformOutput', false);
end

args = argv ();
args = args(cellfun (@(a) isempty (regexp (a, '^-|fuzz_files\.m$')), args));
inputs = str2double (args{2});
seed = str2double (args{3});
here = fileparts (mfilename ('fullpath'));
top = fileparts (fileparts (here));
addpath (fullfile (top, 'inst'), make_absolute_filename (args{1}), here, fullfile (here, '..', 'helpers'), genpath (fullfile (top, 'demos')));
warning ('off', 'all');
box = tempname ();
mkdir (box);
printf ('files are spoiled in %s\n', box);
fflush (stdout);
list = readers (box);
if numel (args) > 3, list = list(! cellfun (@isempty, strfind ({list.name}, args{4}))); end
for k = 1:numel (list)
  list(k).right = list(k).call ();
  again = list(k).call ();
  if ! isempty (list(k).judge) && ! list(k).judge (again, list(k).right)
    printf ('%s: does not return the same twice\n0 passed, 1 failed\n', list(k).name);
    exit (1);
  end
  list(k).at = files_of (box, list(k));
  list(k).bytes = cellfun (@(file) file_bytes (file)', list(k).at, 'UniformOutput', false);
end

rand ('twister', seed);
randn ('twister', seed);
[passed, failed, returned] = deal (0);
slowest = struct ('time', 0, 'input', '');
for k = 1:inputs
  r = list(randi (numel (list)));
  which = randi (numel (r.at));
  rewritten = rand () < 0.5;
  if rewritten, bytes = spoil_variables (r.at{which}); else, bytes = spoil_bytes (r.bytes{which}); end
  if rewritten && strncmp (r.name, 'sweep', 5), r.judge = []; end     % without a seal its numbers may be anything
  if ! (isempty (bytes) && isa (bytes, 'double')), file_bytes (r.at{which}, bytes); end
  if rand () < 0.02, delete (r.at{which}); end
  started = cputime ();
  why = '';
  try
    result = r.call ();
    returned = returned + 1;
    if ! isempty (r.judge) && ! r.judge (result, r.right), why = 'returned something else'; end
  catch err
    if isempty (regexp (err.identifier, '^attnpath:[a-z_]+:[A-Za-z]+$'))
      why = sprintf ('[%s] %s', err.identifier, err.message);
      if ! isempty (err.stack), why = sprintf ('%s (%s, line %d)', why, err.stack(1).name, err.stack(1).line); end
    end
  end
  took = cputime () - started;
  if took > slowest.time, slowest = struct ('time', took, 'input', sprintf ('input %d, %s', k, r.name)); end
  passed = passed + isempty (why);
  failed = failed + ! isempty (why);
  if ! isempty (why)
    kept = fullfile (top, 'build', 'fuzz', 'files');
    if ! exist (kept, 'dir'), mkdir (kept); end
    kept = fullfile (kept, sprintf ('%s-%d-%d', strrep (r.name, ' ', '_'), seed, k));
    if exist ('bytes', 'var') && ! isempty (bytes), file_bytes (kept, bytes); end
    printf ('%s: seed %d, input %d, %s: %s\n', r.name, seed, k, r.at{which}, why);
    fflush (stdout);
  end
  for j = 1:numel (r.at), file_bytes (r.at{j}, r.bytes{j}); end
  for new = setdiff (files_of (box, r), r.at)', delete (new{1}); end
end
confirm_recursive_rmdir (false, 'local');
rmdir (box, 's');
printf ('%d spoiled files were read, %d refused, the slowest (%s) took %.1f s of the processor\n', returned, inputs - returned, ...
        slowest.input, slowest.time);
printf ('%d passed, %d failed\n', passed, failed);
exit (double (failed > 0));
