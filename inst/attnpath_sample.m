function post = attnpath_sample (net, X, varargin)
%ATTNPATH_SAMPLE  Draws from the exact Bayesian posterior of a trained network of finite width.
%
%   post = ATTNPATH_SAMPLE (net, X, y)
%   post = ATTNPATH_SAMPLE (net, X, y, Name, Value, ...)
%   post = ATTNPATH_SAMPLE (net, paths, y, ...)
%   post = ATTNPATH_SAMPLE (net, moments, ...)
%   post = ATTNPATH_SAMPLE (net, X, y, 'Method', 'attention', ...)
%
%   Inputs :
%     net       network, from attnpath_net, with integer widths and a positive temperature
%     X         N0 x T x P tokens, one training example per page, double or single
%     paths     instead of X: from attnpath_paths, for attention maps of your own
%     y         P x 1 labels; or P x C for C outputs; with the readout 'all' T x P, as for attnpath_solve
%     moments   instead of X and y: from attnpath_moments, sums over any number of examples
%   Options, by name or as one struct:
%     'Method'      'collapsed'  'collapsed': draws from the posterior of the order parameters. Its cost does
%                                not grow with the widths. Each chain begins near a mode of the posterior;
%                                R-hat is large if chains find different modes
%                                'langevin': draws from the posterior of the weights, V_0 integrated out
%                                'langevin-all': the same with V_0 sampled as well, which is far slower, and
%                                misses the tail of U at widths of a few units
%                                These are exact and check each other (section 7 of theory.md)
%                                'attention': the heads are learned too, see below
%     'Chains'      4            independent chains, started from draws of the prior, side by side in threads
%                                (in Octave)
%     'Warmup'      []           trajectories of each chain that adapt the sampler and are not kept. [] for 300
%                                with Method 'collapsed', and 1000 otherwise
%     'Accept'      0.8          mean acceptance to which the warm-up adapts the step, 0.5 to 0.999: steps are
%                                shorter where it is larger, and fewer trajectories diverge
%     'Draws'       1000         kept draws of each chain
%     'Thin'        1            trajectories per draw
%     'Seed'        0            0 to 2^32 - 1. The same seed and 'Memory' give the same draws, with OpenBLAS
%                                for any number of threads
%     'Probe'       []           tokens N0 x T x probes, or paths, at which f is drawn. With the readout 'all'
%                                the probes of f are all tokens, sequence by sequence, as in paths
%     'Weights'     false        true: keep the weights of every draw, see attnpath_weights
%     'Checkpoint'  ''           a file, written every few seconds. The same call resumes from it, also after a
%                                crash, and gives the same draws; a larger 'Draws' continues a run. Only one
%                                process can use the file. Weights go to a second file, named file.weights
%     'Memory'      2            limit in GiB of stored kernels, and of weights without a checkpoint
%     'Display'     true         progress, in runs of more than two seconds; false or 'off' for none, 'iter'
%                                for every chunk of work, 'final' for a line at the end
%     'Lengths'     []           1 x P numbers of tokens, where examples are zero-padded to a common T
%     'Classes'     []           as for attnpath_solve: y contains classes, or the list of them
%     'Noise'       []           as for attnpath_solve: 1 x P variances of the labels' noise in units of the
%                                temperature
%
%   Options of Method 'attention', which draws the heads (queries and keys, or bilinear matrices) with the
%   order parameters, from tokens X; heads of net are the shapes
%     'AttentionScale'  4        standard deviation of a score, before the bandwidth, by the prior of the
%                                heads' entries, between tokens whose squared length is the mean of those in X
%     'StartHeads'  'prior'      where chains begin: 'prior', draws of it, or 'given', heads of net: compare
%                                both where data might make two kinds of heads probable
%     'KeepHeads'   'double'     heads of all draws, in this precision or in 'single', or a number k: of every
%                                k-th draw, of none if k exceeds Draws. Four heads of 231 x 231 numbers in 4000
%                                draws take 6.8 GB
%     'Limit'       ''           'gp': infinite width, U fixed at its GP value. Several outputs share it, which
%                                is exact and far cheaper than coupled ones
%
%   Outputs: struct with
%     U             Pi x Pi x draws x chains order parameter of the paths; for C outputs Pi C x Pi C x ..
%     order, ua     {U, U_2, .., U_L}, each Pi_l x Pi_l x draws x chains, and u_a, draws x chains. For C
%                   outputs U_l is Pi_l C x Pi_l C x .., order{L+1} is the readout's C x C x .., and ua is the
%                   same. NaN in draws that an older version, without order, wrote to a checkpoint
%     f             probes x draws x chains outputs; for C outputs probes x C x draws x chains. Each draw is
%                   one network: the spread of f over the draws is that of the posterior
%     logpost       draws x chains log posterior density of the sampled variables, in the sampler's coordinates
%                   and up to a constant: compare values within one run only
%     weights       with 'Weights': one set of weights x draws x chains, or a struct with the name of their
%                   file. If a run was killed, the file may have further weights after the last draw
%     diagnostics   from attnpath_diagnose: R-hat, effective sample sizes, MCSE, E-BFMI, acceptance,
%                   divergences
%     converged     true if R-hat is at most 1.01, every effective sample size at least 400, and no trajectory
%                   diverged
%     reason        the same in words
%     hamiltonian   draws x chains total energies, for E-BFMI, which is less reliable with 'Thin' above 1
%     acceptance    1 x chains mean acceptance probability
%     moved         1 x chains fraction of trajectories accepted
%     divergences   1 x chains trajectories whose energy error was huge or not a number; they are rejected
%     step, steps, friction        1 x chains, adapted values
%     guide         1 x chains number of directions in the surrogate energy (T36); 0: exact energy only
%     method, seed, warmup, thin   as given
%     heads         Method 'attention': 1 x L cell, each as in net.heads with the further dimensions draws x
%                   chains. Heads of a layer with equal prior scales may change places from draw to draw,
%                   and Q and K of a head turn together: look at what such changes leave as it is, maps
%                   averaged over heads (attnpath_attention), predictions (attnpath_predict), K' Q
%     kept          .. numbers of the draws that heads has
%     headsize      .. L x kept draws x chains mean squares of a layer's entries, in units of their prior
%     X, Lengths, attentionscale, startheads, limit     .. as given. There are no paths: each draw has its own
%     interrupted   true after Ctrl-C, which in Octave (not on Windows) ends the run with the draws so far.
%                   Elsewhere it is an ordinary interrupt: only a checkpoint keeps the draws
%     net, paths, y, noise, classes   as given: a sample is all that attnpath_predict needs
%   Without an output a summary is printed instead. Warnings: attnpath:sample:notConverged for unreliable
%   draws, attnpath:sample:interrupted for an interrupted run.
%
%   Equation: (T11), (T12) for 'collapsed'; (T39) for 'attention', section 21; (T2), (T13) for the others;
%   sections 6 and 7 of theory.md. For several outputs (T17), (T18), section 12.
%
%   Example:
%     >> task = attnpath_task_markov ();
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> post = attnpath_sample (net, task.Xtrain, task.ytrain, 'Probe', task.Xtest, 'Display', false);
%     >> disp (post.reason)                      % how far it can be trusted
%     R-hat ...
%     >> mean (post.U(:,:,:), 3);                % compare with U of attnpath_solve
%     >> mean (sign (mean (post.f(:,:), 2)) == task.ytest) > 0.9
%     ans = 1
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Riou-Durand, Vogrinc, Metropolis Adjusted Langevin Trajectories, arXiv:2202.13230.
%
%   See also attnpath_diagnose, attnpath_weights, attnpath_solve, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: sample.tst, learned.tst, test_ap_sample.c, test_ap_learned.c   SOURCE: (T11), (T12), (T13), (T39)

ap_check_call ('sample', nargin >= 3 || (nargin == 2 && ap_is_moments (X)), ...
               'post = attnpath_sample (net, X, y, Name, Value, ...)');
[y, varargin] = ap_take_labels (X, varargin);
table = {'Method',     'collapsed', 'word',   {'collapsed', 'langevin', 'langevin-all', 'attention'}
         'Chains',     4,           'count',  [1 1e4]
         'Warmup',     [],          'count',  [0 1e9]
         'Draws',      1000,        'count',  [1 1e9]
         'Accept',     0.8,         'number', [0.5 0.999]
         'Thin',       1,           'count',  [1 1e9]
         'Seed',       0,           'seed',   []
         'Probe',      [],          'any',    []
         'Weights',    false,       'flag',   []
         'Checkpoint', '',          'file',   []
         'Memory',     2,           'number', [0 1e5]
         'Display',    true,        'display',   []
         'Lengths',    [],          'any',    []
         'Classes',    [],          'any',    []
         'Noise',      [],          'any',    []
         'AttentionScale', 4,       'number', [1e-12 1e6]
         'StartHeads', 'prior',     'word',   {'prior', 'given'}
         'KeepHeads',  'double',    'any',    []
         'Limit',      '',          'word',   {'gp'}};
far = 0.01;     % standard deviations by which outputs may be off: a fifth of the standard error of 400 draws
opt = ap_options ('sample', table, varargin);
if isempty (opt.Warmup), opt.Warmup = 300 + 700 * ~strcmp (opt.Method, 'collapsed'); end
net = ap_check_net ('sample', net);
learned = read_heads (net, X, opt);
gp = ~isempty (opt.Limit);
ap_refuse ('sample', 'badValue', ~gp && any (net.width ~= round (net.width)), ...
           'a network with weights needs whole widths, not %s', mat2str (net.width, 6));
ap_refuse ('sample', 'badValue', net.temperature <= 0, ...
           'sampling needs a positive temperature, not %g', net.temperature);
announce (net, X, opt);
use = struct ('memory', opt.Memory * 2^30, 'store', true, 'threads', 1, ...                % one thread: see 'Seed'
              'evaluations', 4 * opt.Chains * (opt.Warmup + opt.Draws * opt.Thin));
[data, given, many] = ap_examples ('sample', net, X, y, opt.Lengths, use, opt.Classes, opt.Noise, opt.Display > 0);
N0 = data.N0;
C = size (data.y, 2);
if gp, C = 1; end                                  % of U, which outputs share there
if learned, data = with_tokens (net, X, given, opt, use, many); end
check_room (opt, net, N0, C);
probe = probe_inputs (net, X, N0, opt);
if ~learned && span_error (net, data, given, probe, many) > far, data = without_basis (net, given, use, many); end

held = ap_hold ();                                 % from here on Ctrl-C ends the run without loss
[run, interrupted] = draw (net, data, given, probe, opt);

drawn = join (run.pieces, opt.Draws, size (data.y, 2), opt.KeepHeads);
post = given;
if learned, post = keep_heads (post, drawn, data, opt, X); end
for name = {'U', 'f', 'logpost', 'hamiltonian', 'weights'}, post.(name{1}) = drawn.(name{1}); end
[post.order, post.ua] = all_layers (net, C, drawn);
[post.method, post.seed, post.warmup, post.thin] = deal (opt.Method, opt.Seed, opt.Warmup, opt.Thin);
facts = {'acceptance', 'moved', 'divergences', 'step', 'steps', 'friction', 'guide'};
for name = facts, post.(name{1}) = run.facts.(name{1}); end
post.interrupted = interrupted;
if opt.Weights && ~isempty (opt.Checkpoint)
  post.weights = struct ('file', [opt.Checkpoint '.weights'], 'numbers', sum (ap_weight_sizes (net, N0, C)), ...
                         'draws', size (post.logpost, 1), 'chains', opt.Chains);
end
[post.diagnostics, post.converged, post.reason] = judge (post, opt);
if interrupted || attnpath_interrupt_mex ('seen')
  warning ('attnpath:sample:interrupted', 'attnpath_sample: interrupted after %d of %d draws a chain', ...
           size (post.logpost, 1), opt.Draws);
end
if ~post.converged
  warning ('attnpath:sample:notConverged', 'attnpath_sample: %s%s', post.reason, remedy (net, opt, post));
end
post.interrupted = attnpath_interrupt_mex ('forget') || interrupted;
if nargout == 0
  summarise (post, data.P, learned);
  clear -regexp ^post$
end
end

% ---- options ----

function check_room (opt, net, N0, C)
% Whether Memory holds the weights; and memory U of all draws and layers, and once more while they are joined
paths = C * ap_path_count (net);
weights = 8 * sum (ap_weight_sizes (net, N0, C)) * opt.Draws * opt.Chains;
total = 2 * 8 * sum (layer_sizes (net, C) .^ 2) * opt.Draws * opt.Chains;
heads = price_of_heads (net, opt);
most = ap_free_memory ();
ap_refuse ('sample', 'tooLarge', 2 * heads > most, ['heads of %d draws of %d chains take %.3g GiB, twice while ' ...
           'they are joined, and %.3g are free: keep fewer, ''KeepHeads'', 10 for those of every tenth draw, or in ' ...
           '''single'''], opt.Draws, opt.Chains, heads / 2^30, most / 2^30);
ap_say ('sample', heads > 2^28 && opt.Display, 'heads of %d draws of %d chains take %.3g GiB, see ''KeepHeads''', ...
        opt.Draws, opt.Chains, heads / 2^30);
ap_refuse ('sample', 'tooLarge', opt.Weights && isempty (opt.Checkpoint) && weights > opt.Memory * 2^30, ...
           ['the weights of %d draws of %d chains take %.3g GiB, more than Memory, %g: give a Checkpoint, and they ' ...
           'go to a file beside it'], opt.Draws, opt.Chains, weights / 2^30, opt.Memory);
ap_refuse ('sample', 'tooLarge', total > most, ['U of %d draws of %d chains takes %.3g GiB with what it is joined ' ...
           'from, for it is %d x %d, and %.3g are free: take fewer ''Draws'', with ''Thin'' between them, or ' ...
           'remove heads, attnpath_prune'], opt.Draws, opt.Chains, total / 2^30, paths, paths, most / 2^30);
end

function bytes = price_of_heads (net, opt)
% Of the draws of heads that are kept
bytes = 0;
if ~strcmp (opt.Method, 'attention'), return; end
numbers = sum (cellfun (@(h) ap_either (isstruct (h), 2 * numel (ap_field (h, 'Q', [])), numel (h)), net.heads));
bytes = 8 * numbers * opt.Draws * opt.Chains;
if strcmp (opt.KeepHeads, 'single'), bytes = bytes / 2; end
if isnumeric (opt.KeepHeads), bytes = bytes / opt.KeepHeads; end
end

function n = layer_sizes (net, C)
% Rows of U_1 .. U_L, u_a; of C outputs of U_1 .. U_{L+1}, and the 1 above them
n = ap_path_count (net, 1:numel (net.H) + 1);
if C > 1, n = [n * C, 1]; end
end

function [order, ua] = all_layers (net, C, drawn)
n = layer_sizes (net, C);
order = {drawn.U};
ends = cumsum ([0, n(2:end) .^ 2]);
for l = 2:numel (n)
  order{l} = reshape (drawn.upper(ends(l-1)+1:ends(l),:), [n(l), n(l), size(drawn.logpost)]);
end
ua = reshape (order{end}, size (drawn.logpost));
order = order(1:end-1);
if C > 1, ua = order{end}; end
end

function learned = read_heads (net, X, opt)
% The options of Method 'attention', which the other methods do not have
learned = strcmp (opt.Method, 'attention');
usual = struct ('AttentionScale', 4, 'StartHeads', 'prior', 'KeepHeads', 'double', 'Limit', '');
for name = fieldnames (usual)'
  ap_refuse ('sample', 'badValue', ~learned && ~isequal (opt.(name{1}), usual.(name{1})), ['%s belongs to Method ' ...
             '''attention'', which samples heads, and the Method is ''%s'''], name{1}, opt.Method);
end
if ~learned, return; end
ap_refuse ('sample', 'badValue', ~isnumeric (X), ['heads are sampled with their maps, so that X must be tokens N0 ' ...
           'x T x P, not %s: path inputs, maps of your own and moments are of heads that are fixed'], {X});
ap_refuse ('sample', 'noHeads', isempty (net.heads), ['this net has no heads, only their numbers: ' ...
           'attnpath_net (heads), of the shapes that they are to have']);
ap_refuse ('sample', 'badValue', ~getfield (ap_rules (net.attention), 'slopes'), ...
           'attention %s jumps: its heads have no derivatives, along which they could be sampled', net.attention);
kind = ap_either (ischar (opt.KeepHeads), {'word', {'double', 'single'}}, {'count', [1 1e9]});
ap_check_value ('sample', 'KeepHeads', opt.KeepHeads, kind{:});
ap_refuse ('sample', 'badValue', opt.Weights && ~isempty (opt.Limit), ...
           'at the GP limit widths are infinite: there are no weights to keep');
end

function data = with_tokens (net, X, given, opt, use, many)
% The examples as they are, with the tokens from which path inputs are made at each place of a chain
[use.evaluations, use.reduce, use.store, use.memory, use.shared] = deal (0, false, false, 0, ~isempty (opt.Limit));
[y, noise] = labels_of (given, many);
data = ap_prepare ('sample', net, given.paths.Xi, y, use, noise);
data.tokens = double (X);
data.lengths = ap_check_lengths ('sample', opt.Lengths, size (X, 1), size (X, 2), size (X, 3));
data.probelengths = [];
data.weight = ones (1, size (given.paths.Xi, 2));
if ~isempty (noise), data.weight = 1 ./ sqrt (noise); end
count = size (X, 2) * size (X, 3);
if ~isempty (data.lengths), count = sum (data.lengths); end
there = data.tokens;
for mu = 1:numel (data.lengths), there(:,data.lengths(mu)+1:end,mu) = 0; end       % whatever the padding holds
data.square = sum (there(:) .^ 2) / count;
ap_refuse ('sample', 'badValue', ~(data.square > 0), 'squares of all tokens are zero: scores have no scale');
if ~strcmp (opt.StartHeads, 'given'), return; end
for l = 1:net.L
  [W, variance] = deal (net.heads{l}, opt.AttentionScale / data.square);
  if isstruct (W), W = [W.Q(:); W.K(:)]; else, variance = variance ^ 2; end
  ap_refuse ('sample', 'badValue', ~isfinite (sum (W(:) .^ 2) / variance), ...
             ['heads of layer %d are too large to begin ' ...
             'at, up to %.3g: their prior density is 0 in double precision'], l, max (abs (W(:))));
end
end

function post = keep_heads (post, drawn, data, opt, X)
% Fields of a sample of heads: their draws, and the tokens instead of path inputs, which are of the heads at the start
post = rmfield (post, 'paths');
[post.X, post.Lengths, post.attentionscale] = deal (X, opt.Lengths, opt.AttentionScale);
[post.startheads, post.limit] = deal (opt.StartHeads, opt.Limit);
[post.heads, post.headsize] = ap_split_heads (post.net, drawn.heads, opt.AttentionScale / data.square);
post.kept = 1:size (drawn.logpost, 1);             % draws whose heads are kept
if isnumeric (opt.KeepHeads), post.kept = opt.KeepHeads:opt.KeepHeads:size (drawn.logpost, 1); end
end

function probe = probe_inputs (net, X, N0, opt)
if isnumeric (opt.Probe) && isempty (opt.Probe)
  probe = [];
elseif strcmp (opt.Method, 'attention')
  ap_refuse ('sample', 'badValue', isstruct (opt.Probe), ...
             'Probe must be tokens: its path inputs are those of the heads, which are sampled');
  probe = double (ap_check_array ('sample', 'Probe', opt.Probe, {N0, 'T', 'P'}));
elseif isstruct (opt.Probe)
  probe = ap_check_inputs ('sample', 'Probe', opt.Probe, net, N0);
else
  ap_refuse ('sample', 'brought', ap_is_brought (X), ['attention maps are your own and cannot be computed for new ' ...
             'tokens: Probe must be attnpath_paths (net, Xprobe, Aprobe)']);
  tokens = ap_check_array ('sample', 'Probe', opt.Probe, {N0, 'T', 'P'});
  probe = ap_inputs ('sample', net, tokens, [], []);
end
end

function off = span_error (net, data, given, probe, many)
% Bound on the error of an output's mean from the basis of the path inputs' span.
% Outputs:  off, the largest over the inputs of probe, in prior standard deviations of the output; 0 without a basis
% The path inputs X = B X' + Z of the examples are taken for B X', Z being tokens' rounding. Kernels with an input xi of
% which xi_o lies outside the span lose s sum_ab U_ab xi_o_a' Z_b, s = sigma_0^2/(N0 Pi), and the mean loses its product
% with A^{-1} y, |A^{-1} y| <= |y|/T. With U at its GP limit, at most u, and sqrt (s u) |xi| the prior standard
% deviation, that is at most sqrt (s u) |xi_o|/|xi| |Z| |y|/T of them. It grows as the root of U.
off = 0;
if isempty (data.basis) || isempty (probe), return; end
s = net.variance(1) / (size (probe, 1) * size (probe, 3));
u = max (ap_gp_diagonal (net, 1));
labels = sqrt (sum (data.y(:) .^ 2) + data.rest);
squares = @(x) sum (sum (x .^ 2, 1), 3);           % of an input, over all paths
share = sqrt (squares (outside (data.basis, probe)) ./ max (squares (probe), realmin));
off = max (share) * sqrt (s * u) * rounded (data, given, many) * labels / net.temperature;
end

function z = rounded (data, given, many)
% The norm of Z: of sums of squares, what ap_span.c allows it to be
if isfield (given, 'moments')
  allowed = ap_either (strcmp (given.moments.form, 'square'), data.N0, 4);
  z = sqrt (allowed * eps * sum (data.Xi(:) .^ 2));
else
  [y, noise] = labels_of (given, many);
  z = outside (data.basis, ap_by_noise (given.paths.Xi, y, noise));
  z = norm (z(:));
end
end

function x = outside (basis, x)
x(:,:) = x(:,:) - basis * (basis' * x(:,:));
end

function data = without_basis (net, given, use, many)
[use.evaluations, use.reduce] = deal (0, true);
if isfield (given, 'moments'), source = given.moments; else, source = given.paths.Xi; end
[y, noise] = labels_of (given, many);
data = ap_prepare ('sample', net, source, y, use, noise);
end

function [y, noise] = labels_of (given, many)
% As ap_prepare takes them
[y, noise] = deal (ap_from_tokens (many, ap_field (given, 'y', [])), ap_field (given, 'noise', []));
if isstruct (many), noise = ap_check_noise ('sample', 'Noise', noise, many, y); end
end

% ---- the run ----
% ap_run does it chunk by chunk. A chunk is some trajectories of every chain, and a call of the gateway.

function [run, interrupted] = draw (net, data, given, probe, opt)
C = size (data.y, 2);
learned = isfield (data, 'tokens');
settings = struct ('method', opt.Method, 'warmup', opt.Warmup, 'thin', opt.Thin, 'chains', opt.Chains, ...
                   'seed', opt.Seed, 'memory', opt.Memory * 2^30, 'weights', opt.Weights);
if opt.Accept ~= 0.8, settings.accept = opt.Accept; end            % unknown to checkpoints from before
if learned
  settings.scale = opt.AttentionScale / data.square;
  [settings.given, settings.gp] = deal (strcmp (opt.StartHeads, 'given'), ~isempty (opt.Limit));
end
problem = [strcat('settings.', fieldnames (settings)), struct2cell(settings); ...
           ap_resume_net(net); ...
           {'the layout of a chain', 3}; ...       % 2: chains without a guide; without this row: those of 0.1.0
           marks(data, given); {'Probe', ap_fingerprint(probe)}];
if learned                                         % first, since they decide some of the settings
  problem = [{'X', ap_fingerprint(data.tokens); 'AttentionScale', opt.AttentionScale; ...
              'StartHeads', opt.StartHeads; 'Limit', opt.Limit; 'KeepHeads', opt.KeepHeads}; problem];
end
settings.accept = opt.Accept;                     % which the gateway requires, and older checkpoints lack
[run, claim] = ap_resume ('sample', opt.Checkpoint, problem, {'state', 'facts', 'drawn', 'pieces'});
state = ap_field (run, 'state', []);               % [] for new chains
if ~isempty (run) && ~isfield (run.pieces{1}, 'upper')             % of a version that did not keep them
  n = layer_sizes (net, C);
  run.pieces{1}.upper = NaN (sum (n(2:end) .^ 2), run.drawn, opt.Chains);
end
bare = net;
if ~learned, bare = ap_without_heads (net); end
call = @(state, count) attnpath_sample_mex (bare, data, probe, settings, state, count);
clock = tic ();
say_price (net, data, given, opt);
try
  [state, out] = call (state, 0);                  % the start of new chains
catch err
  if isempty (run) || ~strcmp (err.identifier, 'attnpath:sample:badShape'), ap_rethrow ('sample', err); end
  ap_fail ('sample', 'otherRun', ['%s belongs to another run: the layout of a chain differs; remove the file, or ' ...
           'choose another name'], opt.Checkpoint);
end
if isempty (run)
  if ~isempty (opt.Checkpoint), out.weights = zeros (0, 0, opt.Chains); end
  out = some_heads (out, 0, opt.KeepHeads);
  run = struct ('problem', {problem}, 'state', state, 'facts', out.facts, 'drawn', 0, 'pieces', {{out}});
end
interrupted = strcmp (out.status, 'interrupted');
if interrupted, return; end
file = [];
if opt.Weights && ~isempty (opt.Checkpoint)
  file = open_weights (opt, run, sum (ap_weight_sizes (net, data.N0, C)));
  close_it = onCleanup (@() fclose (file));
end
job = struct ('name', 'sample', 'goal', opt.Warmup + opt.Draws * opt.Thin, 'done', @(run) run.facts.done(1), ...
              'advance', @(run, count) advance (run, count, call, file, opt.KeepHeads), 'clock', @() toc (clock), ...
              'file', opt.Checkpoint, 'display', opt.Display, 'pack', ...
              @(run) struct ('attnpath_sample_run', setfield (run, 'pieces', {join(run.pieces, Inf, C, [])})), ...
              'report', @(run, notes, last) report (run, notes, last, opt, clock, C));
[run, ending] = ap_run (job, run);
interrupted = strcmp (ending, 'interrupted');
end

function rows = marks (data, given)
% What of the examples decides the draws, for the checkpoint. Where few examples stand for many, the few count
rows = ap_resume_data (given);
if ~isfield (given, 'moments')
  if data.P > size (data.y, 1), rows(end+1,:) = {'the examples that stand for them', size(data.Xi)}; end
  if ~isempty (data.basis), rows(end+1,:) = {'the basis of their span', size(data.basis)}; end
end
end

function out = some_heads (out, drawn, keep)
% The heads of those draws that are kept, after so many draws
if ~isfield (out, 'heads'), return; end
if isnumeric (keep)
  out.heads = out.heads(:,mod (drawn + (1:size (out.heads, 2)), keep) == 0,:);
elseif strcmp (keep, 'single')
  out.heads = single (out.heads);
end
end

function [run, ending] = advance (run, count, call, file, keep)
ending = 'interrupted';
[state, out] = call (run.state, count);
if strcmp (out.status, ending), return; end        % chains stand at different trajectories: the chunk is dropped
ending = '';
if ~isempty (file), out = put_weights (file, out, run.drawn); end
out = some_heads (out, run.drawn, keep);
[run.state, run.facts, run.drawn] = deal (state, out.facts, run.drawn + size (out.logpost, 1));
run.pieces{end+1} = out;
end

function all = join (pieces, draws, C, keep)
% One struct of the first `draws` draws. f has a dimension more for C > 1 outputs. keep: every so many draws have heads
along = struct ('U', 3, 'f', 2 + (C > 1), 'logpost', 1, 'hamiltonian', 1, 'weights', 2, 'upper', 2);
if isfield (pieces{1}, 'heads'), along.heads = 2; end
for name = fieldnames (along)'
  d = along.(name{1});
  parts = cellfun (@(piece) piece.(name{1}), pieces, 'UniformOutput', false);
  all.(name{1}) = cat (d, parts{:});
  most = draws;
  if strcmp (name{1}, 'heads') && isnumeric (keep) && ~isempty (keep), most = floor (draws / keep); end
  if size (all.(name{1}), d) > most
    index = repmat ({':'}, 1, ndims (all.(name{1})));
    index{d} = 1:most;
    all.(name{1}) = all.(name{1})(index{:});
  end
end
end

% ---- the file of weights ----

function file = open_weights (opt, run, count)
% The file of weights, at the place behind the last draw of the checkpoint: what a crash left beyond it is written again
name = [opt.Checkpoint '.weights'];
file = fopen (name, ap_either (run.drawn > 0, 'r+', 'w+'), 'ieee-le');
if file < 0, ap_fail ('sample', 'file', '%s cannot be opened for writing', name); end
place = 8 * count * run.drawn * size (run.state, 2);
fseek (file, 0, 'eof');
there = ftell (file);
if there < place || fseek (file, place, 'bof') ~= 0
  fclose (file);
  ap_fail ('sample', 'file', '%s is too short for its checkpoint: it holds %d of %d draws', name, ...
           floor (there / max (place, 1) * run.drawn), run.drawn);
end
end

function out = put_weights (file, out, drawn)
% Writes weights draw by draw, and each draw chain by chain; they are not kept in memory
values = permute (out.weights, [1 3 2]);
failed = fwrite (file, values, 'double') ~= numel (values);
if exist ('OCTAVE_VERSION', 'builtin'), failed = fflush (file) ~= 0 || failed; end    % MATLAB does so by itself
ap_refuse ('sample', 'file', failed, 'the weights could not be written after draw %d: is the disk full?', drawn);
out.weights = zeros (0, size (out.weights, 2), size (out.weights, 3));
end

% ---- progress and summary ----

function announce (net, X, opt)
% The kernels, where they take seconds: at the rate of one core, 2e10 operations a second
from_paths = isstruct (X) && isfield (X, 'Xi');
if from_paths, X = X.Xi; end
[P, paths] = deal (size (X, 3 - from_paths), ap_path_count (net));
if ~from_paths && strcmp (net.readout, 'all'), P = P * size (X, 2); end
ap_say ('sample', opt.Display && isnumeric (X) && P ^ 2 * paths ^ 2 * size (X, 1) > 4e10, ...
        'computing the kernels of %d examples and %d paths', P, paths);
end

function say_price (net, data, given, opt)
% What the first trajectory takes, if that is long or all is to be told, and all of them: 16 evaluations of the energy
% and its gradient, as many as make a trajectory of the first step (ap_chain.c), at the rate of announce
C = ap_either (isempty (opt.Limit), size (data.y, 2), 1);
seconds = seconds_of (C, net, data, opt);
count = opt.Warmup + opt.Draws * opt.Thin;
if opt.Display == 2 || (opt.Display == 1 && (seconds > 10 || (C > 1 && count * seconds > 60)))
  coupled = '';
  if C > 1
    columns = isfield (given, 'y') && ~isfield (given, 'classes') && ~strcmp (net.readout, 'all');
    coupled = sprintf ([' (%d coupled outputs, since the exact posterior has none that are shared; one alone,%s up ' ...
                        'to %s)'], C, ap_either (columns, ' y(:,1),', ''), ...
                       ap_duration (count * seconds_of (1, net, data, opt)));
  end
  ap_say ('sample', true, ['a trajectory of %d chains and %d paths takes about %s, all %d of them up to %s%s; ' ...
          'fewer heads, see attnpath_prune, take less'], opt.Chains, ap_path_count (net), ap_duration (seconds), ...
          count, ap_duration (count * seconds), coupled);
end
end

function seconds = seconds_of (C, net, data, opt)
% Of one trajectory of all chains
[N0, P, Pi] = size (data.Xi);
paths = C * Pi;
columns = min (paths, net.width(1));               % of the root of U
each = (P * C) ^ 3 + 6 * paths ^ 2 * columns;
if isempty (data.store)
  each = each + N0 * P * C * (paths ^ 2 + 2 * paths * columns) + N0 * (P * C) ^ 2 * (paths + columns);
else
  each = each + 32 * numel (data.store);
end
if isfield (data, 'tokens')                        % maps, forwards and back
  [N0, T, P] = size (data.tokens);
  each = each + 8 * P * T * N0 * (N0 + T) * sum (net.H);
end
seconds = 16 * opt.Chains * each / 2e10;
end

function [where, more, notes] = report (run, notes, last, opt, clock, C)
% notes: the smallest effective sample size, its number of draws, and when and in what time it was computed. It may take
% a twentieth of the time, and is not repeated once it has taken five seconds: the line then has its number of draws.
% With very many paths it is not computed
time = toc (clock);
if isempty (notes), notes = struct ('ess', NaN, 'drawn', 0, 'at', -Inf, 'took', 0); end
if run.drawn >= 8 && size (run.pieces{1}.U, 1) < 1000 && ~last && time > notes.at + 20 * notes.took && notes.took < 5
  drawn = join (run.pieces, Inf, C, []);
  d = attnpath_diagnose (struct ('U', drawn.U, 'f', [], 'logpost', drawn.logpost), 'Display', false);
  notes = struct ('ess', d.ess, 'drawn', run.drawn, 'at', toc (clock), 'took', toc (clock) - time);
end
[where, more, of] = deal (sprintf ('warm-up %d of %d', run.facts.done(1), opt.Warmup), '', '');
if run.facts.done(1) <= opt.Warmup, return; end
where = sprintf ('%d of %d draws x %d chains', run.drawn, opt.Draws, size (run.state, 2));
more = sprintf (', acceptance %.2f', mean (run.facts.acceptance));
if notes.drawn ~= run.drawn, of = sprintf (' after %d draws', notes.drawn); end
if ~isnan (notes.ess), more = sprintf (', smallest ESS %.0f%s%s', notes.ess, of, more); end
end

function [diagnostics, converged, reason] = judge (post, opt)
draws = size (post.logpost, 1);
if draws < 4
  [diagnostics, converged] = deal ([], false);
  reason = sprintf ('not converged: %d draws a chain are too few for a diagnosis', draws);
  if draws == 0, reason = 'not converged: there is no draw yet'; end
  return
end
count = numel (post.U) / 2 + numel (post.f);
ap_say ('sample', opt.Display && count > 5e6, 'diagnosis of %d draws, about %s', numel (post.logpost), ...
        ap_duration (count / 1e6));
diagnostics = attnpath_diagnose (post, 'Display', opt.Display == 1 || opt.Display == 2);
[converged, reason] = deal (diagnostics.converged, diagnostics.reason);
end

function text = remedy (net, opt, post)
% Below as many units as paths U is singular, and 300 trajectories adapt too little to the posterior's shape. README's
% task: smallest effective sample sizes, trajectories that diverged, and seconds (in turns with other work)
%                       N = 1              N = 2             N = 3
%     default              .  34   2       190   0   7       354   0   2
%     'Warmup', 1000       . 118   3        70   1   7       801   0  10
%     'langevin'        1286   0  36       910   0  26      1425   0  28
% Trajectories in the space of weights diverge where U is large. With 'langevin-all', widths 3, 6, 4 and one head in
% each of two layers 1 % of them did: the mean of U^2 was 5 % too small (160 runs, quadrature), R-hat and ESS were good.
% With 'langevin', N = 2 and 20 examples (3 runs of 2000 draws in 4 chains): 1 to 3 did, with 'Accept', 0.95 none; with
% 'collapsed' 25 to 65
% With 'collapsed', widths 1, 6, 2 and T = 1e-4 (4 runs of 4000 draws): 315 diverged, 299 after a warm-up of 3000, and
% with 'Accept' 0.9, 0.95, 0.99: 61, 28, 3; 0 with 0.99 and 'Warmup', 1000. The times of 0.95 are once to twice as long
text = '';
rows = layer_sizes (net, size (post.U, 1) / ap_path_count (net));
narrow = find (net.width < rows(1:numel (net.width)), 1);
if strcmp (opt.Method, 'collapsed') && ~isempty (narrow)
  text = sprintf (['; N_%d = %g is less than the %d rows of U_%d: ''Method'', ''langevin'', which moves the ' ...
                   'weights, mixes better there and takes longer%s'], narrow, net.width(narrow), rows(narrow), ...
                  narrow, ap_either (opt.Warmup < 1000, '; ''Warmup'', 1000 may suffice', ''));
end
if ~any (post.divergences > 0), return; end
if strcmp (opt.Method, 'langevin-all')
  text = [text '; ''Method'', ''collapsed'' draws from the same posterior, its tail too'];
elseif opt.Accept < 0.99
  text = sprintf ('%s; ''Accept'', %g has shorter steps, of which fewer diverge', text, ...
                  ap_either (opt.Accept < 0.95, 0.95, 0.99));
end
end

function summarise (post, P, learned)
fprintf ('%d examples, %d paths (heads %s%s), widths %s, temperature %g\n', P, ap_path_count (post.net), ...
         mat2str (post.net.H), ap_branch_text (post.net, 4), mat2str (post.net.width, 4), post.net.temperature);
fprintf ('%s: %d chains, %d draws each after a warm-up of %d\n', post.method, size (post.logpost, 2), ...
         size (post.logpost, 1), post.warmup);
if isempty (post.diagnostics)
  fprintf ('%s\n', post.reason);
else
  ap_say_diagnosis (post.diagnostics, post.moved);
end
if ~learned && ~isempty (post.U), ap_say_matrix ('mean of U', mean (post.U(:,:,:), 3)); end
end

%!test % the prior: mean of U is its GP value
%! task = attnpath_task_markov ('P', 4, 'Ptest', 2, 'Features', 6, 'Tokens', 4);
%! net = attnpath_net (task.heads, 'Width', 6, 'Temperature', 1e8);
%! post = attnpath_sample (net, task.Xtrain, task.ytrain, 'Draws', 500, 'Display', false);
%! assert (mean (post.U(:,:,:), 3), eye (4), 5 * max (post.diagnostics.U.mcse(:)));

%!demo
%! % draws from the exact posterior of a narrow network, beside the theory's order parameters
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! net = attnpath_net (task.heads, 'Width', 10);
%! post = attnpath_sample (net, task.Xtrain, task.ytrain);
%! post.reason
%! mean (post.U(:,:,:), 3)
%! attnpath_solve (net, task.Xtrain, task.ytrain).U
