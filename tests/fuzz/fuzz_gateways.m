% fuzz_gateways.m: call every gateway with arguments that are nearly right, and with nonsense; Octave must live.
%   octave --no-gui --norc --no-history tests/fuzz/fuzz_gateways.m directory calls seed
% First the public functions run on small problems, with a recorder in front of each gateway, so that there are right
% arguments to start from. Then each call takes one such set and spoils it in one to three places (or invents all of
% it). A call may return or raise attnpath:*:*; what it may not do is crash, or trip a sanitizer, in the directory's
% gateways. Calls are numbered by (seed, call): the file fuzz.last in the directory holds the one that was running,
% arguments and all, in case it was the last.
%   octave --no-gui --norc --no-history tests/fuzz/fuzz_gateways.m directory 0 0 folder
% writes the right calls into the folder instead, a file each, as tests/fuzz/gateways.c reads them.

1;

function b = bytes_of (x)
  % a value as tests/fuzz/gateways.c reads it
  if isstruct (x)
    names = fieldnames (x);
    b = [5, numel(x), numel(names)];
    for k = 1:numel (names) * (numel (x) == 1)
      b = [b, numel(names{k}), double(names{k}), bytes_of(x.(names{k}))];
    end
    return
  elseif iscell (x)
    b = [6, rows(x), columns(x)];
    for k = 1:numel (x), b = [b, bytes_of(x{k})]; end
    return
  elseif isempty (x) && isa (x, 'double')
    b = 0;
    return
  end
  tag = find (strcmp (class (x), {'double', 'single', 'char', 'logical', 'int32'}));
  tag = [1 2 3 4 7](tag);
  x = double (x);
  b = [tag, ndims(x) - 2];
  for n = size (x)
    if n < 64, b = [b, n]; else, b = [b, 200 + floor(n / 256), mod(n, 256)]; end
  end
  if all (abs (x(:)) <= 127) && all (x(:) == fix (x(:)))
    b = [b, 1, mod(x(:)', 256)];
  elseif numel (x) == 1 || numel (x) > 40                  % a state, of a sampler or of a training, to the last bit
    b = [b, 0, double(typecast (x(:)', 'uint8'))];
  else
    b = [b, 4, double(typecast (single (x(:)'), 'uint8'))];
  end
end

function write_seeds (recorded, folder)
  names = regexp (fileread (fullfile (fileparts (mfilename ('fullpath')), 'gateways.c')), '\<G\((\w+)\)', 'tokens');
  names = cellfun (@(n) n{1}, names, 'UniformOutput', false);
  names = names(~strcmp (names, 'name'));
  for k = 1:numel (recorded)
    which = find (strcmp (strcat ('attnpath_', names, '_mex'), recorded{k}{1})) - 1;
    b = [which, recorded{k}{3}, numel(recorded{k}{2})];
    for j = 1:numel (recorded{k}{2}), b = [b, bytes_of(recorded{k}{2}{j})]; end
    fid = fopen (fullfile (folder, sprintf ('right_%03d', k)), 'w');
    fwrite (fid, uint8 (b));
    fclose (fid);
  end
end

function file = recorder (folder, gateway, name)
  % a function of the gateway's name that notes its arguments, and the gateway itself under another name
  copyfile (gateway, fullfile (folder, ['real_' name '.mex']));
  fid = fopen (fullfile (folder, [name '.m']), 'w');
  fprintf (fid, 'function varargout = %s (varargin)\n', name);
  fprintf (fid, 'global fuzz_calls\n');
  fprintf (fid, 'fuzz_calls{end+1} = {''%s'', varargin, nargout};\n', name);
  fprintf (fid, '[varargout{1:nargout}] = real_%s (varargin{:});\nend\n', name);
  fclose (fid);
end

function scenario ()
  % small problems that reach every gateway in each of its forms
  rand ('twister', 1);
  randn ('twister', 1);
  [N0, T, P] = deal (3, 4, 5);
  X = randn (N0, T, P);
  Xt = randn (N0, T, 2);
  y = sign (randn (P, 1));
  nets = {attnpath_net({randn(N0, N0, 2), randn(N0, N0, 2)}, 'Width', 6, 'Temperature', 0.1), ...
          attnpath_net({struct('Q', randn (2, N0, 2), 'K', randn (2, N0, 2))}, 'Width', 4, 'Temperature', 0.5, ...
                       'Readout', 'mean', 'Attention', 'hardmax', 'Causal', true), ...
          attnpath_net({randn(N0, N0)}, 'Width', [3 5], 'Temperature', 0.2, 'Readout', 2, ...
                       'HeadScale', {0.5}), ...
          attnpath_net({struct('Q', randn (2, N0, 2), 'K', randn (2, N0, 2))}, 'Width', 4, 'Temperature', 0.5, ...
                       'Readout', 'mean', 'Attention', 'cme', 'Kernel', 'gaussian', 'Bandwidth', 2, 'Ridge', 0.1), ...
          attnpath_net({struct('Q', randn (2, N0, 2), 'K', randn (2, N0, 2))}, 'Width', 4, 'Temperature', 0.5, ...
                       'Attention', 'cme', 'Ridge', 0.3, 'Causal', true)};
  [q, K, V] = deal (randn (3, 4), randn (3, 5), randn (2, 5));
  attnpath_attend (q, K, V);
  for kernel = {'exponential', 'gaussian', 'linear'}
    head = {'Attention', 'cme', 'Kernel', kernel{1}, 'Ridge', 0.2};
    attnpath_attend (q, K, V, head{:});
    [~, ~] = attnpath_attend (q, K, V, head{:});
  end
  for k = 1:numel (nets)
    net = nets{k};
    A = attnpath_attention (net, X);
    paths = attnpath_paths (net, X);
    attnpath_paths (net, X, A);
    attnpath_moments (net, X, y, 'Form', 'factor');
    attnpath_solve (net, attnpath_moments (net, X, y));
    test = attnpath_paths (net, Xt);
    attnpath_pathkernels (net, paths);
    attnpath_pathkernels (net, paths, test);
    sol = attnpath_solve (net, paths, y);
    attnpath_kernel (net, paths, sol.U);
    attnpath_kernel (net, paths, sol.U, test);
    [~, ~, ~] = attnpath_action (net, paths, y, sol.order);
    [~, ~] = attnpath_predict (sol, test);
    attnpath_loo (sol);
    attnpath_gradient (sol, 'With', {'temperature', 'paths'});
    try attnpath_gradient (sol, X, 'With', {'maps', 'bandwidth'}); end                 % not of hardmax
    try attnpath_evidence (sol); attnpath_evidence (sol, 'Probes', 2); end              % not where layers are narrow
    try attnpath_expand (sol, 'Draws', 100); end
    attnpath_evidence (sol, 'Method', 'annealed', 'Particles', 3, 'Overlap', 0.2, 'Display', false);
    attnpath_loo (sol, 'Corrected', false);
    attnpath_influence (sol, test, 'Groups', [1 1 2 3 3]);
    many = setfield (rmfield (sol, {'order', 'ua'}), 'U', repmat (sol.U, [1 1 25]));
    attnpath_influence (many, test);
    attnpath_predict (many, test);
    [~, ~] = attnpath_predict (many, test);
    few = {'Chains', 2, 'Warmup', 4, 'Draws', 3, 'Display', false};
    post = attnpath_sample (net, paths, y, few{:});
    post = attnpath_sample (net, paths, y, few{:}, 'Probe', test, 'Weights', true, 'Method', 'langevin');
    post = attnpath_sample (net, paths, y, few{:}, 'Probe', test, 'Method', 'langevin-all', 'Thin', 2);
    gd = attnpath_train (X, y, 'Heads', net.H, 'Width', net.width, 'Keys', 2, 'Readout', net.readout, 'Steps', 2, ...
                         'Batch', 3, 'Causal', net.causal, 'Display', false);
  end
  % several outputs, noise of each example, scales of heads, skip connections
  Y = sign (randn (P, 2));
  net = attnpath_net ({randn(N0, N0, 2), randn(N0, N0, 2)}, 'Width', 6, 'Temperature', 0.2, ...
                      'HeadScale', {[1 2], [0.5 1]});
  paths = attnpath_paths (net, X);
  test = attnpath_paths (net, Xt);
  skipping = attnpath_net ({randn(N0, N0, 2), randn(N0, N0)}, 'Width', 6, 'Temperature', 0.1, 'Skip', 1);
  attnpath_paths (skipping, X);
  attnpath_solve (skipping, X, y, 'Display', 'iter');
  for outputs = {'coupled', 'shared'}
    sol = attnpath_solve (net, paths, Y, 'Outputs', outputs{1});
    [~, ~] = attnpath_predict (sol, test);
    attnpath_loo (sol);
    attnpath_influence (sol, test, 'Groups', [1 1 2 3 3]);
    try attnpath_evidence (sol); attnpath_expand (sol, 'Draws', 100); end
    try attnpath_gradient (sol, 'With', {'temperature', 'paths'}); end
    attnpath_solve (net, attnpath_moments (net, paths, Y), 'Outputs', outputs{1});
  end
  attnpath_sample (net, paths, Y, few{:}, 'Probe', test, 'Weights', true, 'Method', 'langevin');
  attnpath_sample (net, paths, Y, few{:});
  attnpath_train (X, Y, 'Heads', 2, 'Width', 3, 'Keys', 2, 'Steps', 2, 'Batch', 3, 'Display', false);
  sol = attnpath_solve (net, paths, y, 'Noise', rand (P, 1));
  attnpath_loo (sol);
  attnpath_gradient (sol, 'With', {'noise', 'temperature', 'paths'});
  attnpath_evidence (sol);
  attnpath_expand (sol, 'Draws', 100);
  attnpath_solve (net, attnpath_moments (net, paths, y, 'Noise', rand (P, 1)));
  attnpath_sample (net, paths, y, few{:}, 'Noise', rand (P, 1));
  % so many paths that the Hessian is known by products alone; few examples of many features, which have a basis
  attnpath_solve (attnpath_net ([7 6], 'Width', 50, 'Temperature', 0.1), struct ('Xi', randn (2, 3, 42)), [1; -1; 1]);
  attnpath_solve (attnpath_net (2, 'Width', 9, 'Temperature', 0.1), struct ('Xi', randn (30, 4, 2)), [1; -1; 1; -1]);
end

args = argv ();
args = args(cellfun (@(a) isempty (regexp (a, '^-|\.m$')), args));
folder = make_absolute_filename (args{1});
calls = str2double (args{2});
seed = str2double (args{3});
here = fileparts (mfilename ('fullpath'));
addpath (fullfile (fileparts (fileparts (here)), 'inst'), here, fullfile (here, '..', 'helpers'));
warning ('off', 'all');

found = dir (fullfile (folder, 'attnpath_*_mex.mex'));
found = found(~strcmp ({found.name}, 'attnpath_rename_mex.mex'));          % no files of this machine by names of chance
names = regexprep ({found.name}, '\.mex$', '');
box = tempname ();
mkdir (box);
for k = 1:numel (names)
  recorder (box, fullfile (folder, found(k).name), names{k});
end
addpath (box);
global fuzz_calls
fuzz_calls = {};
evalc ('scenario ();');
recorded = fuzz_calls;
reached = unique (cellfun (@(c) c{1}, recorded, 'UniformOutput', false));
if numel (reached) < numel (names)
  printf ('fuzz: the scenario does not reach %s\n', strjoin (setdiff (names, reached), ', '));
  printf ('0 passed, 1 failed\n');
  exit (1);
end

if numel (args) > 3
  write_seeds (recorded, make_absolute_filename (args{4}));
  exit (0);
end

last = fullfile (folder, 'fuzz.last');
rand ('twister', seed);
randn ('twister', seed);
passed = 0;
failed = 0;
returned = 0;
slowest = 0;
for k = 1:calls
  call = recorded{randi(numel (recorded))};
  in = call{2};
  out = call{3};
  if rand () < 0.05
    in = arrayfun (@(i) anything (0), 1:randi (8) - 1, 'UniformOutput', false);
  else
    for j = 1:randi (3)
      if rand () < 0.04
        in = in(1:end-1);
      elseif rand () < 0.04
        in{end+1} = anything (0);
      elseif ~isempty (in)
        i = randi (numel (in));
        try
          in{i} = spoil (in{i}, 0);
        catch                                              % not every class can be changed in every way
          in{i} = anything (0);
        end
      end
    end
  end
  if rand () < 0.05, out = randi (6) - 1; end
  % loops that are right but long are not what is looked for
  for i = 1:numel (in)
    if isstruct (in{i}) && numel (in{i}) == 1 && isfield (in{i}, 'maxiterations') && isnumeric (in{i}.maxiterations) ...
       && isscalar (in{i}.maxiterations) && in{i}.maxiterations > 30
      in{i}.maxiterations = 30;
    end
    if isstruct (in{i}) && numel (in{i}) == 1 && isfield (in{i}, 'display'), in{i}.display = 0; end
    if isstruct (in{i}) && numel (in{i}) == 1 && isfield (in{i}, 'chains') && isnumeric (in{i}.chains) ...
       && isscalar (in{i}.chains) && in{i}.chains > 8
      in{i}.chains = 8;
    end
  end
  name = call{1};
  if strcmp (name, 'attnpath_sample_mex') && numel (in) == 6 && isnumeric (in{6}) && isscalar (in{6}) && in{6} > 30
    in{6} = 30;                                            % trajectories
  end
  try
    save ('-binary', last, 'name', 'in', 'out', 'seed', 'k');
  catch                                                    % an object among them, which cannot be saved
    save ('-binary', last, 'name', 'out', 'seed', 'k');
  end
  started = tic ();
  ok = true;
  try
    result = cell (1, out);
    [result{:}] = feval (['real_' name], in{:});
    returned = returned + 1;
  catch err
    ok = ~isempty (regexp (err.identifier, '^attnpath:[a-z]+:[A-Za-z]+$')) || ...
         any (strcmp (err.identifier, {'Octave:undefined-function', 'Octave:bad-alloc'}));
    if ~ok
      printf ('fuzz: seed %d, call %d, %s: [%s] %s\n', seed, k, name, err.identifier, err.message);
    end
  end
  slowest = max (slowest, toc (started));
  passed = passed + ok;
  failed = failed + ~ok;
end
delete (last);
confirm_recursive_rmdir (false, 'local');
rmdir (box, 's');
printf ('fuzz: %d calls of %d gateways returned, %d were refused, the slowest took %.1f s\n', ...
        returned, numel (names), calls - returned, slowest);
printf ('%d passed, %d failed\n', passed, failed);
exit (double (failed > 0));
