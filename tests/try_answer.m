function out = try_answer (seed, number, word)
% TRY_ANSWER  One random small problem and one thing that its answers must be: what the reference has, or what the answers
% of an equal problem are.
%   out = try_answer (seed, number): the problem depends on these two alone.
%   out = try_answer (seed, number, word): with the first identity whose name contains word, instead of its own.
%   out.identity, its name;  out.wrong, a cell of texts, empty where all is right;  out.said, why a function refused the
%   problem, or what it reported instead of a good result, '' otherwise;  out.problem, the problem in words
% Tolerances are first-order bounds. With r = eps times the condition of A = K + noise, and e the distance of two order
% parameters, relative (in the frame U = F F'), each row says what r and e do to it: see `answers`.
% See also fuzz_answers.

list = identities ();
k = 1 + mod (number - 1, rows (list));
if nargin > 2, k = find (! cellfun (@isempty, strfind (list(:,1), word)), 1); end
before = {rand("twister"), randn("twister")};
rand ("twister", [seed; number]);
randn ("twister", [seed; number; 1]);
out = struct ('identity', list{k,1}, 'wrong', {{}}, 'said', '', 'problem', '');
quiet = warning ('on', 'quiet');
restore = onCleanup (@() warning (quiet));
try
  do, q = draw (); until list{k,3} (q)
  out.problem = described (q);
  compare = list{k,2} (q);
  if ischar (compare), compare = {'', 0, 0, 0, compare}; end
  for row = compare'
    [what, got, want, tol, said] = row{:};
    if ! isempty (said), out.said = said; continue, end
    out.wrong = [out.wrong, differs(what, got, want, tol)];
  end
catch err
  out.wrong = {sprintf('[%s] %s (%s)', err.identifier, err.message, strjoin (arrayfun (@(s) sprintf ('%s:%d', s.name, ...
                       s.line), err.stack(1:min (3, end))', 'UniformOutput', false), ' < '))};
end
rand ("twister", before{1});
randn ("twister", before{2});
end

function text = differs (what, got, want, tol)
text = {};
if ! isequal (size (got), size (want))
  text = {sprintf('%s is %s, not %s', what, mat2str (size (got)), mat2str (size (want)))};
elseif any (isnan (tol(:))) || any ((abs (got - want) > tol)(:)) || any ((isnan (got) != isnan (want))(:))
  [over, at] = max ((abs (got - want) ./ max (tol, realmin))(:));
  text = {sprintf('%s (%d of %d) is %.10g, not %.10g: off by %.2g, allowed %.2g', what, at, numel (got), got(at), want(at), ...
                  abs (got(at) - want(at)), tol(min (at, end)))};
end
end

% ---- problems ----

function q = draw ()
% Decades are drawn over the part `reach` of their range
q.reach = [0.1 0.4 1 1](randi (4));
about = @(middle, low, high) 10 ^ (middle + q.reach * (low + (high - low) * rand ()));
C = max (1, randi (5) - 2);
do
  L = randi (3);
  H = randi (3, 1, L);
  skip = (rand () < 0.3) * (rand (1, L) < 0.5) .* exp (randn (1, L));
until prod (H + (skip > 0)) * C <= 12
[N0, T, P] = deal (randi (5), randi (5), randi (10));
rule = {'softmax', 'softmax', 'hardmax', 'cme'}{randi(4)};
size_ = about (0, -6, 6);
strength = exp (randn ()) / size_ ^ 2;                       % scores are of order one to ten
for l = 1:L
  if strcmp (rule, 'cme') || rand () < 0.3
    G = randi (3);
    part = @() sqrt (strength) * randn (G, N0, H(l));
    heads{l} = struct ('Q', part (), 'K', part ());
  else
    heads{l} = strength * randn (N0, N0, H(l));
  end
end
width = arrayfun (@(k) about (1.3, -1.3, 4.7), 1:L+1);
if rand () < 0.5 || any (skip), width(:) = width(1); end
if rand () < 0.5, width = ceil (width); end
scale = arrayfun (@(h) exp (randn (1, h) / 2), H, 'UniformOutput', false);
if rand () < 0.3, l = randi (L);  scale{l}(randi (H(l))) = 0; end
more = {};
if rand () < 0.3, more = {'HeadScale', scale}; end
readout = {'last', 'first', 'mean', randi(T)}{randi(4)};
q.net = attnpath_net (heads, 'Width', width, 'Variance', exp (2 * q.reach * randn (1, L + 2)), 'Readout', readout, ...
                      'Attention', rule, 'Bandwidth', exp (randn () / 2), 'Kernel', ...
                      {'exponential', 'gaussian', 'linear'}{randi(3)}, 'Ridge', about (-2, -2, 2), 'Causal', rand () < 0.3, ...
                      'Skip', skip, more{:});
q.X = size_ * randn (N0, T, P);
if P > 2 && rand () < 0.3, q.X(:,:,2) = [1 -1 0](randi (3)) * q.X(:,:,1); end      % twice, mirrored, nothing
q.Xt = size_ * randn (N0, T, 3);
q.lengths = T * ones (1, P);
if rand () < 0.3 && ! isnumeric (readout), q.lengths = randi (T, 1, P); end
for mu = 1:P, q.X(:,q.lengths(mu)+1:T,mu) = 0; end
[q.A, q.At] = deal ({});
if rand () < 0.2
  bare = attnpath_net (H, 'Readout', readout, 'Skip', skip, more{:}, 'Width', width, 'Variance', q.net.variance);
  maps = @(X, lengths) attnpath_attention (setfield (q.net, 'attention', 'softmax'), X, 'Lengths', lengths);
  [q.A, q.At, q.net] = deal (maps (q.X, q.lengths), maps (q.Xt, T * ones (1, 3)), bare);
end
[q.noise, q.form, q.C] = deal (ones (1, P), '', C);
q.mode = {'coupled', 'shared'}{1 + (C > 1 && rand () < 0.3)};
K = kernel (q, ref_gp (q.net){1}, inputs (q), inputs (q), 1);
diagonal = mean (diag (K));
if diagonal == 0, diagonal = 1; end
q.net.temperature = min (diagonal * about (-1, -9, 4), 1e30);
q.y = {randn(P, C), sign(randn (P, C)), ones(P, C), K * randn(P, C) / diagonal}{randi(4)} * about (0, -6, 6);
if rand () < 0.3
  q.noise = exp (2 * q.reach * randn (1, P));
  q.noise((1:P) > 1 & rand (1, P) < 0.15) = Inf;
end
end

function q = chosen (q, i)
q.X = q.X(:,:,i);
q.lengths = q.lengths(i);
q.noise = q.noise(i);
q.y = q.y(i,:);
q.A = cellfun (@(A) A(:,:,:,i), q.A, 'UniformOutput', false);
end

function paths = inputs (q)
if isempty (q.A), paths = attnpath_paths (q.net, q.X, 'Lengths', q.lengths);
else, paths = attnpath_paths (q.net, q.X, q.A, 'Lengths', q.lengths); end
end

function paths = new_inputs (q)
if isempty (q.At), paths = attnpath_paths (q.net, q.Xt); else, paths = attnpath_paths (q.net, q.Xt, q.At); end
end

function K = kernel (q, U, one, two, C)
% (T18), for tolerances: as ref_outputs_kernel
[N0, ~, n] = size (one.Xi);
flat = @(p) reshape (permute (p.Xi, [1 3 2]), [], size (p.Xi, 2));
K = cell (C);
for c = 1:C
  for d = 1:C
    K{c,d} = q.net.variance(1) / (N0 * n) * flat (one)' * kron (U(c:C:end,d:C:end), eye (N0)) * flat (two);
  end
end
K = cell2mat (K);
end

function text = described (q)
diagonal = mean (diag (kernel (q, ref_gp (q.net){1}, inputs (q), inputs (q), 1)));
text = sprintf (['%s, heads %s, skip %s, %d examples, %d outputs %s %s, widths %s, temperature %.2g of the diagonal, labels ' ...
                 '%.2g of its root, noise %s'], q.net.attention, mat2str (q.net.H), mat2str (q.net.skip, 2), numel (q.noise), ...
                q.C, q.mode, q.form, mat2str (q.net.width, 2), q.net.temperature / diagonal, max (abs (q.y(:))) / sqrt (diagonal), ...
                mat2str (q.noise, 2));
end

function s = solved (q, varargin)
% s.said: '' or why the solution is none
lastwarn ('', '');
paths = inputs (q);
given = {'Display', false};
if any (q.noise != 1), given = [given, {'Noise', q.noise}]; end
try
  if isempty (q.form)
    s = attnpath_solve (q.net, paths, q.y, 'Outputs', q.mode, given{:}, varargin{:});
  else
    m = attnpath_moments (q.net, paths, q.y, 'Form', q.form, given{:});
    s = attnpath_solve (q.net, m, 'Outputs', q.mode, 'Display', false, varargin{:});
  end
catch err
  s = struct ('said', [refusal(err) ' (' described(q) ')'], 'order', {{}});
  return
end
[~, id] = lastwarn ();
s.said = '';
if ! s.converged, s.said = sprintf ('not converged: %s (%s)', s.reason, described (q)); end
if strcmp (id, 'attnpath:solve:rounding'), s.said = id; end
end

function text = refusal (err)
if isempty (regexp (err.identifier, '^attnpath:[a-z_]+:[A-Za-z]+$')), rethrow (err); end
text = sprintf ('[%s] %s', err.identifier, err.message);
end

% ---- answers, and what rounding may do to them ----

function m = measure (q, s)
% At the solution s, of examples over the roots of their noise. dA: what rounding does to A, of path inputs that are off
% by some eps. eigenvalues d of A, alpha = A^{-1} y
learned = isfinite (q.noise);
root = sqrt (q.noise(learned));
part = chosen (q, learned);
one = inputs (part);
one.Xi = one.Xi ./ root;
m.blocks = rows (s.U) / size (one.Xi, 3);
m.copies = q.C / m.blocks;
y = part.y ./ root';
if m.blocks > 1, y = y(:); end
K = kernel (q, s.U, one, one, m.blocks);
[V, D] = eig ((K + K') / 2);
[m.T, m.t] = deal (q.net.temperature, root .^ 2);
m.d = max (diag (D), 0) + m.T;
m.dA = 100 * eps * max (m.d);
m.alpha = V * ((V' * y) ./ m.d);
m.yAy = abs (sum (sum (y .* m.alpha)));
new = new_inputs (q);
if ! all (learned), new.Xi = cat (2, new.Xi, inputs(chosen (q, ! learned)).Xi); end        % whom attnpath_loo predicts
k = kernel (q, s.U, one, new, m.blocks);
m.kk = max (abs (diag (kernel (q, s.U, new, new, m.blocks))));
m.Ak = max ([0, norm(V * ((V' * k) ./ m.d), 'columns')]);
Ai = V * diag (1 ./ m.d) * V';
m.c = diag (Ai);
m.Ae = norm (Ai, 'columns')';
m.b = max (abs (m.alpha), [], 2);
m.n = numel (y);
m.N = sum (q.net.width(1:q.net.L + (m.blocks > 1)) .* cellfun (@rows, s.order));
m.cond = max (cellfun (@cond, s.order));
m.low = min (cellfun (@(U) min (eig (U)), s.order));
if ! isempty (strfind (q.form, 'square')), m.dA = m.dA * 10; end
m.r = m.dA / min (m.d);
m.all = m.n + m.yAy + m.N;
m.amp = Inf;
if s.hessian_min > 0 && ! s.hessian_bound, m.amp = m.all / (s.hessian_min * max (q.net.width) * m.low ^ 2); end
end

function rows_ = answers (q, s, m)
% name, value, tolerance, a function of e, and what it may not exceed without a word: a tenth of the labels, variances,
% nats of an example; of the certificate its sign
y = max (abs (q.y(:))) + sqrt (m.kk * m.yAy) / 1e3;        % the latter bounds means
norm_alpha = norm (m.alpha(:));
rows_ = {'evidence', s.evidence, @(e) m.dA * (m.copies * sum (1 ./ m.d) + norm_alpha ^ 2) + e ^ 2 * m.all ...
                                      + 100 * eps * (abs (s.energy) + abs (s.entropy) + m.N * (m.cond / 20 + abs (log (m.low)))), 0.1 * m.n + 1e-13 * (abs (s.energy) + abs (s.entropy))
         'hessian_min', s.hessian_min, @(e) (e + m.r) * m.all / m.low ^ 2 / max (q.net.width) + 2e-4 * abs (s.hessian_min), Inf
         'sign', sign(s.hessian_min), @(e) 0, 0};
if s.hessian_bound, rows_([2 3],:) = []; end
mean_ = @(e) m.dA * m.Ak * norm_alpha + (e + 1e-14) * sqrt (m.kk * m.yAy);
variance_ = @(e) m.dA * m.Ak ^ 2 + (e + 1e-14) * m.kk;
ask ('mean', mean_, @() attnpath_predict (s, new_inputs (q)), y / 10);
ask ('variance', variance_, @() nthargout (2, @attnpath_predict, s, new_inputs (q)), m.kk / 10);
given = {};
if ! isempty (q.form), given = {inputs(q), q.y, 'Noise', q.noise}; end
dc = max (m.dA * m.Ae .^ 2 ./ m.c);                        % relative errors of c_i, and errors of b_i, (T23)
if m.blocks == 1
  db = @(e) m.dA * m.Ae * norm_alpha + (e + 1e-14) * sqrt (m.c * m.yAy);
  ask ('left out', @(e) mean_ (e) + max (db (e) ./ m.c + (dc + e) * m.b ./ m.c), ...
       @() getfield (attnpath_loo (s, given{:}, 'Corrected', false, 'Display', false), 'mean'), y / 10);
  ask ('left out variance', @(e) variance_ (e) + max ((dc + e + 1e-14) ./ m.c) + 100 * eps * m.T * max (m.t), ...
       @() flat (getfield (attnpath_loo (s, given{:}, 'Corrected', false, 'Display', false), 'variance'), q.C), max (1 ./ m.c) / 10);
end
g = @() attnpath_gradient (s, 'With', {'temperature', 'variance', 'heads'});
slope = @(e) e * m.all + m.r * (m.n + m.yAy);
slope = @(e) slope (e) + m.dA * m.T * (sum (m.d .^ -2) + norm (m.alpha(:)) * norm (m.alpha(:)));
ask ('by temperature', slope, @() g ().temperature, Inf);
ask ('by variance', slope, @() g ().variance, Inf);
ask ('by heads', slope, @() g ().heads, Inf);
wide = all (q.net.width(1:q.net.L) >= cellfun (@rows, s.order(1:q.net.L))) && q.net.width(end) >= m.blocks;
if wide && m.copies == 1 && s.hessian_min > 0
  ask ('log evidence', @(e) rows_{1,3} (e) + (e + m.r) * m.amp * sum (cellfun (@numel, s.order)), @() attnpath_evidence (s), Inf);
end
  function ask (name, tol, fun, most)
    try
      value = fun ();
    catch err
      value = refusal (err);
    end
    rows_(end+1,:) = {name, value, tol, most};
  end
end

function x = flat (x, C)
% C x C x P with an example in each row
if C > 1, x = reshape (x, C ^ 2, [])'; end
end

function compare = alike (q, q2, change)
% The answers of q2 must be those of q. change: order, of the order parameters; evidence, what is added; others by name
s = solved (q);
compare = s.said;
if ! isempty (s.said), return, end
m = measure (q, s);
s2 = solved (q2, 'Start', change.order (s.order));
if ! isempty (s2.said), compare = ['of the equal problem ' s2.said];  return, end
e = max (cellfun (@apart, change.order (s.order), s2.order));
compare = {'distance', e, 0, 1e-5 + m.amp * m.r, ''};
[a, b] = deal (answers (q, s, m), answers (q2, s2, measure (q2, s2)));
for k = 1:rows (a)
  j = find (strcmp (b(:,1), a{k,1}));
  if isempty (j) || isfield (change, 'without') && any (strcmp (change.without, a{k,1})), continue, end
  [want, got] = deal (a{k,2}, b{j,2});
  name = strrep (a{k,1}, ' ', '_');
  if ischar (want) || ischar (got)
    if ! (ischar (want) && ischar (got)), compare(end+1,:) = {a{k,1}, ischar(got), ischar(want), 0, ''}; end
    said = [want(1:end * ischar (want)), got(1:end * ischar (got))];
    if m.r > 1e-4, compare{end,5} = said; else, compare(end+1,:) = {[a{k,1} ': ' said], 1, 0, 0, ''}; end
    continue
  end
  if isfield (change, name), want = change.(name) (want); end
  if strncmp (name, 'left_out', 8) && isfield (change, 'keep')
    [want, got] = deal (want(change.keep,:), got(change.keep,:));
  end
  if iscell (want), [want, got] = deal (cell2mat (want), cell2mat (got)); end
  compare(end+1,:) = {a{k,1}, got, want, min(b{j,3}(4 * e), b{j,4}), ''};      % in the units of q2
end
end

function e = apart (U, V)
F = chol (U)';
e = norm (F \ (V - U) / F');
end

% ---- identities: each returns rows of what, got, want, tolerance, and what was said instead ----

function list = identities ()
% name, function, and which problems it takes; references of several coupled outputs know no skip connections
any_ = @(q) true;
own = @(q) isempty (q.A);
known_ = @(q) q.C == 1 || strcmp (q.mode, 'shared') || ! any (q.net.skip);
few = @(paths) @(q) q.C == 1 && prod (q.net.H + (q.net.skip > 0)) <= paths && numel (q.noise) > 1;
list = {'twice', @twice, any_
        'copies', @copies, any_
        'noise Inf', @left_away, any_
        'order of examples', @examples, any_
        'order of heads', @heads, any_
        'labels scaled', @labels, any_
        'tokens scaled', @tokens, any_
        'temperature as noise', @hotter, any_
        'maps brought', @brought, own
        'moments', @moments, any_
        'moments added', @added, any_
        'tokens permuted', @places, own
        'padding', @padded, any_
        'head scales as variances', @variances, any_
        'head of scale 0', @dead, @(q) any (q.net.H > 1)
        'outputs rotated', @rotated, @(q) q.C > 1 && strcmp (q.mode, 'coupled')
        'one output shared', @shared, any_
        'classes', @classes, @(q) numel (q.noise) > 1
        'attention', @attention, own
        'path inputs', @paths, any_
        'action', @action, known_
        'solution', @solution, known_
        'predictions', @predictions, any_
        'kernel', @kernels, any_
        'certificate', @certificate, few(6)
        'gradient', @gradient, @(q) ! any (q.net.skip) && (q.C == 1 || strcmp (q.mode, 'coupled'))
        'left out', @left_out, few(4)
        'evidence', @evidence, few(3)
        'solved without', @without, @(q) sum (isfinite (q.noise)) > 1 && (q.C == 1 || strcmp (q.mode, 'shared'))
        'scores', @scores, @(q) ! any (q.net.skip) && q.C == 1};
end

function change = same ()
change.order = @(order) order;
end

function change = repeated (t, m, q)
% m times the noise t each, for t / m once: (T35) and what their differences cost
change = same ();
each = log (m) + (m - 1) * log (t * q.net.temperature);
change.evidence = @(x) x - q.C * sum (each) / 2 - q.C * sum (m - 1) * numel (t) / 2 * log (2 * pi);
change.log_evidence = change.evidence;
change.by_temperature = @(x) x - q.C * (m - 1) * numel (t) / 2;
end

function compare = twice (q)
i = find (isfinite (q.noise) & rand (size (q.noise)) < 0.7);
q2 = chosen (q, [1:numel(q.noise), i]);
change = repeated (q.noise(i), 2, q);
q.noise(i) = q.noise(i) / 2;
others = setdiff (1:numel (q.noise), i);
change = left_out_of (change, others);
compare = alike (q, q2, change);
end

function compare = copies (q)
i = randi (numel (q.noise));
m = randi (5);
q2 = q;
q2.noise(i) = m * q.noise(i);
q2 = chosen (q2, [1:numel(q.noise), i(ones (1, m - 1))]);
if ! isfinite (q.noise(i)), change = same (); else, change = repeated (q2.noise(i), m, q); end
compare = alike (q, q2, left_out_of (change, setdiff (1:numel (q.noise), i)));
end

function change = left_out_of (change, i)
% only these examples are left out alike: of the others a copy stays
change.keep = i;
end

function compare = left_away (q)
q2 = q;
q.noise(1 + randi (max (1, numel (q.noise) - 1)) * (numel (q.noise) > 1)) = Inf;
if ! any (isfinite (q.noise)), q.noise(1) = 1; end
q2 = chosen (q, isfinite (q.noise));
compare = alike (q, q2, left_out_of (same (), []));
end

function compare = examples (q)
p = randperm (numel (q.noise));
change = same ();
change.left_out = @(x) x(p,:);
change.left_out_variance = @(x) x(p,:);
compare = alike (q, chosen (q, p), change);
end

function compare = heads (q)
q2 = q;
L = q.net.L;
skip = q.net.skip > 0;
p = cell (1, L);
for l = 1:L
  p{l} = randperm (q.net.H(l));
  if ! isempty (q.A), q2.A{l} = q.A{l}(:,:,p{l},:);  q2.At{l} = q.At{l}(:,:,p{l},:);
  elseif isstruct (q.net.heads{l}), q2.net.heads{l} = structfun (@(W) W(:,:,p{l}), q.net.heads{l}, 'UniformOutput', false);
  else, q2.net.heads{l} = q.net.heads{l}(:,:,p{l}); end
  q2.net.headscale{l} = q.net.headscale{l}(p{l});
end
function order = moved (order)
  for l = 1:numel (order)
    k = 1;
    blocks = rows (order{l}) / prod (q.net.H(l:L) + skip(l:L));
    for j = L:-1:l
      branch = p{j};
      if skip(j), branch = [1, 1 + branch]; end
      k = (branch' - 1) * numel (k) + k;
      k = k'(:)';
    end
    k = ((1:blocks)' + (k - 1) * blocks)(:)';
    order{l} = order{l}(k,k);
  end
end
change.order = @moved;
change.by_heads = @(g) cellfun (@(x, k) x(k), g, p, 'UniformOutput', false);
compare = alike (q, q2, change);
end

function compare = labels (q)
c = 10 ^ (q.reach * 6 * (2 * rand () - 1));
q2 = q;
q2.y = c * q.y;
q2.net.temperature = c ^ 2 * q.net.temperature;
q2.net.variance(end) = c ^ 2 * q.net.variance(end);
change = larger (c ^ 2);
change.evidence = @(x) x - sum (isfinite (q.noise)) * q.C * log (c);
[change.mean, change.left_out] = deal (@(x) c * x);
[change.variance, change.left_out_variance] = deal (@(x) c ^ 2 * x);
change.log_evidence = change.evidence;
compare = alike (q, q2, change);
end

function change = larger (factor)
change.order = @(order) cellfun (@(U) factor * U, order, 'UniformOutput', false);
change.hessian_min = @(x) x / factor ^ 2;
end

function compare = tokens (q)
c = 10 ^ (q.reach * 6 * (2 * rand () - 1));
q2 = q;
[q2.X, q2.Xt] = deal (c * q.X, c * q.Xt);
q2.net.variance(1) = q.net.variance(1) / c ^ 2;
for l = 1:numel (q.net.heads)
  if isstruct (q.net.heads{l}), q2.net.heads{l} = structfun (@(W) W / c, q.net.heads{l}, 'UniformOutput', false);
  else, q2.net.heads{l} = q.net.heads{l} / c ^ 2; end
end
compare = alike (q, q2, same ());
end

function compare = hotter (q)
c = 10 ^ (q.reach * 3 * (2 * rand () - 1));
q2 = q;
q2.net.temperature = q.net.temperature / c;
q2.noise = c * q.noise;
compare = alike (q, q2, same ());
end

function compare = brought (q)
q2 = q;
q2.A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths);
q2.At = attnpath_attention (q.net, q.Xt);
more = {};
if strcmp (q.net.attention, 'cme'), more = {'Attention', 'cme'}; end
q2.net = attnpath_net (q.net.H, 'Width', q.net.width, 'Variance', q.net.variance, 'Temperature', q.net.temperature, ...
                       'Readout', q.net.readout, 'Skip', q.net.skip, 'HeadScale', q.net.headscale, more{:});
compare = alike (q, q2, same ());
end

function compare = moments (q)
q2 = q;
q2.form = {'square', 'factor'}{randi(2)};
compare = alike (q, q2, same ());
end

function compare = added (q)
% in two orders of three parts, some of which may have one example
q = chosen (q, isfinite (q.noise));
n = numel (q.noise);
part = randi (3, 1, n);
form = {'square', 'factor'}{randi(2)};
m = cell (1, 3);
for k = 1:3
  i = find (part == k);
  if isempty (i), continue, end
  of = chosen (q, i);
  m{k} = attnpath_moments (q.net, inputs (of), of.y, 'Form', form, 'Noise', of.noise);
end
m = m(! cellfun (@isempty, m));
one = two = m{end};
for k = numel (m) - 1:-1:1, [one, two] = deal (attnpath_moments (one, m{k}), attnpath_moments (m{k}, two)); end
square = @(m) m.sums' ^ strcmp (form, 'factor') * m.sums;
if strcmp (form, 'square'), square = @(m) m.sums; end
compare = {'P', [two.P, two.lognoise], [one.P, one.lognoise], 1e-13 * n * max(abs (log (q.noise(isfinite (q.noise))))) , ''
           'sums', square(two), square(one), 1e-14 * n * trace(square (one)), ''};
end

function compare = places (q)
% tokens in another order, where attention has no order; in each example its own
q.net.causal = false;
q2 = q;
n = size (q.X, 2);
place = q.net.readout;
if ischar (place), place = 1; end
for mu = 1:numel (q.noise)
  p = 1:q.lengths(mu);
  if strcmp (q.net.readout, 'mean'), p = randperm (q.lengths(mu)); end
  if strcmp (q.net.readout, 'first'), p = [1, 1 + randperm(q.lengths(mu) - 1)]; end
  if strcmp (q.net.readout, 'last'), p = [randperm(q.lengths(mu) - 1), q.lengths(mu)]; end
  if isnumeric (q.net.readout)
    p = [place, setdiff(randperm (n), place)];
    q2.net.readout = 1;
  end
  q2.X(:,1:q.lengths(mu),mu) = q.X(:,p,mu);
end
% columns of attention have errors of eps times the scores, of cme eps times the condition of the kernel matrix
compare = {'path inputs', inputs(q2).Xi, inputs(q).Xi, attention_error(q) * max(abs (q.X(:))) * path_size(q), ''};
end

function e = attention_error (q)
% of a map's entry
[worst, cond_] = deal (0, 1);
for l = 1:numel (q.net.heads)
  for h = 1:q.net.H(l)
    for mu = 1:size (q.X, 3)
      W = q.net.heads{l};
      if isstruct (W), W = W.K(:,:,h)' * W.Q(:,:,h) / sqrt (rows (W.Q)); else, W = W(:,:,h); end
      worst = max (worst, max (max (abs (q.X(:,:,mu))' * abs (W) * abs (q.X(:,:,mu)))));
      if strcmp (q.net.attention, 'cme')
        x = q.net.heads{l}.K(:,:,h) * q.X(:,1:q.lengths(mu),mu);
        g = max (sum (x .^ 2, 1)) / (q.net.bandwidth * sqrt (rows (x)));
        if strcmp (q.net.kernel, 'exponential'), g = exp (g); elseif strcmp (q.net.kernel, 'gaussian'), g = 1; end
        worst = max (worst, max (sum (x .^ 2, 1)));
        cond_ = max (cond_, 1 + columns (x) * g / q.net.ridge);
      end
    end
  end
end
e = 50 * eps * (1 + worst / q.net.bandwidth) * cond_ ^ (2 * strcmp (q.net.attention, 'cme')) * q.net.L;
end

function n = path_size (q)
% norms of paths: maps have columns that sum to one, those of cme need not, nor where heads have scales
[n, A] = deal (1, q.A);
if isempty (A), A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths); end
for l = 1:q.net.L
  n = n * max ([1, q.net.skip(l), max(abs (q.net.headscale{l})) * max(sum (abs (A{l}), 1)(:))]);
end
n = n * sqrt (prod (q.net.H + 1)) * size (q.X, 2);
end

function compare = padded (q)
% one by one, without padding
all = inputs (q).Xi;
compare = cell (0, 5);
for mu = 1:numel (q.noise)
  i = chosen (q, mu);
  [i.X, i.A] = deal (i.X(:,1:i.lengths,:), cellfun (@(A) A(1:i.lengths,1:i.lengths,:,:), i.A, 'UniformOutput', false));
  tol = 1e-14;
  if isempty (q.A), tol = attention_error (q); end
  compare(end+1,:) = {'path inputs', all(:,mu,:), inputs(i).Xi, tol * max(abs (q.X(:))) * path_size(q), ''};
end
end

function compare = variances (q)
q2 = q;
l = randi (q.net.L);
c = exp (q.reach * 2 * randn ());
q2.net.headscale{l} = q.net.headscale{l} * c;
q2.net.variance(l+1) = q.net.variance(l+1) / c ^ 2;
skip = q.net.skip > 0;
function order = moved (order)
  for j = 1:min (l, numel (order))
    k = 1;                                                 % paths through a head of layer l have c less
    blocks = rows (order{j}) / prod (q.net.H(j:end) + skip(j:end));
    for i = q.net.L:-1:j
      f = ones (q.net.H(i) + skip(i), 1);
      if i == l, f(1+skip(i):end) = 1 / c; end
      k = kron (f, k);
    end
    k = kron (k, ones (blocks, 1));
    order{j} = (k * k') .* order{j};
  end
end
change = same ();
change.order = @moved;
change.without = {'hessian_min'};
compare = alike (q, q2, change);
end

function compare = dead (q)
% a head of scale 0 is none, but for the root of the number of heads
l = find (q.net.H > 1)(1);
h = randi (q.net.H(l));
rest = setdiff (1:q.net.H(l), h);
q.net.headscale{l}(h) = 0;
q2 = q;
q2.net.H(l) = q.net.H(l) - 1;
q2.net.headscale{l} = q.net.headscale{l}(rest) * sqrt ((q.net.H(l) - 1) / q.net.H(l));
if ! isempty (q.A), [q2.A{l}, q2.At{l}] = deal (q.A{l}(:,:,rest,:), q.At{l}(:,:,rest,:));
elseif isstruct (q.net.heads{l}), q2.net.heads{l} = structfun (@(W) W(:,:,rest), q.net.heads{l}, 'UniformOutput', false);
else, q2.net.heads{l} = q.net.heads{l}(:,:,rest); end
stays = ! (inputs (q).heads(:,l) == h);
s = solved (q2);
compare = s.said;
if ! isempty (s.said), return, end
skip = q.net.skip > 0;
order = s.order;
n = arrayfun (@(j) prod (q.net.H(j:end) + skip(j:end)), 1:q.net.L);
blocks = rows (s.U) / nnz (stays);
gp = ref_gp (q.net);
above = [order, {s.ua}];
for j = l:-1:1
  mine = kron (any_of (q.net, j, l, h), ones (blocks, 1)) > 0;          % the head's partial paths
  U = zeros (n(j) * blocks);
  if j == l && ! skip(l)
    U = kron (eye (q.net.H(l)), q.net.variance(l+1) * above{l+1});
  elseif j == l
    U = blkdiag (above{l+1}, kron (eye (q.net.H(l)), q.net.variance(l+1) * above{l+1}));
  else
    U = kron (eye (q.net.H(j)), q.net.variance(j+1) * order{j+1});
    if skip(j), U = blkdiag (order{j+1}, U); end
  end
  U(! mine,:) = 0;
  U(:,! mine) = 0;
  U(! mine,! mine) = s.order{j};
  order{j} = U;
end
m = measure (q2, s);
s2 = solved (q, 'Start', order);
if ! isempty (s2.said), compare = ['of the equal problem ' s2.said];  return, end
e = max (cellfun (@apart, order, s2.order));
compare = {'distance', e, 0, 1e-5 + m.amp * m.r, ''};
[a, b] = deal (answers (q2, s, m), answers (q, s2, measure (q, s2)));
for k = find (ismember (a(:,1), {'evidence', 'mean', 'variance', 'left out', 'by temperature'}))'
  if ischar (a{k,2}), continue, end
  compare(end+1,:) = {a{k,1}, b{k,2}, a{k,2}, b{k,3}(4 * e), ''};
end
end

function yes = any_of (net, from, l, h)
% which partial paths of layers from .. L use head h of layer l
list = ref_pathlist (net.H(from:end), net.skip(from:end));
yes = list(:,l - from + 1) == h;
end

function compare = rotated (q)
[R, ~] = qr (randn (q.C));
q2 = q;
q2.y = q.y * R;
turn = @(U) kron (eye (rows (U) / q.C), R') * U * kron (eye (rows (U) / q.C), R);
change.order = @(order) cellfun (turn, order, 'UniformOutput', false);
change.mean = @(x) x * R;
change.left_out = change.mean;
change.variance = @(v) reshape (kron (R, R)' * reshape (v, q.C ^ 2, []), size (v));
compare = alike (q, q2, change);
end

function compare = shared (q)
q.y = q.y(:,1);
q.C = 1;
q.mode = 'coupled';
q2 = q;
q2.mode = 'shared';
compare = alike (q, q2, same ());
end

function compare = classes (q)
% classes in another order: outputs in another order, of two classes mirrored
P = numel (q.noise);
C = min (P, randi (2) + 1);
y = [1:C, randi(C, 1, P - C)];
p = randperm (C);
names = {'a', 'b', 'c'}(1:C);
given = {'Display', false, 'Noise', q.noise};
try
  a = attnpath_solve (q.net, inputs (q), names(y)', given{:}, 'Classes', names);
catch err
  compare = refusal (err);
  return
end
if ! a.converged, compare = a.reason;  return, end
R = eye (C)(:,p);
if C == 2, R = 1 - 2 * (p(1) == 2); end
turn = @(U) kron (eye (rows (U) / rows (R)), R') * U * kron (eye (rows (U) / rows (R)), R);
order = cellfun (turn, a.order, 'UniformOutput', false);
b = attnpath_solve (q.net, inputs (q), int8 (5 * (y' - 2)), given{:}, 'Classes', int8 (5 * (p - 2)), 'Start', order);
[q.y, q.C] = deal (a.y, columns (a.y));
m = measure (q, a);
compare = {'labels', b.y, a.y * R, 0, ''};
if ! b.converged, compare{end} = b.reason;  return, end
e = max (cellfun (@apart, order, b.order));
[~, ~, one] = attnpath_predict (a, new_inputs (q));
[~, ~, two] = attnpath_predict (b, new_inputs (q));
rows_ = answers (q, a, m);
[mu, tol] = deal (rows_{strcmp (rows_(:,1), 'mean'),2:3});
[~, one] = ismember (one, names);
[~, two] = ismember (two, int8 (5 * ((1:C) - 2)));
margin = sort (mu, 2, 'descend');
if C == 2, margin = abs (mu); else, margin = margin(:,1) - margin(:,2); end
clear_ = margin > 2 * tol (4 * e);
compare(end+1:end+3,:) = {'evidence', b.evidence, a.evidence, rows_{1,3}(4 * e), ''
                          'mean', attnpath_predict(b, new_inputs (q)), mu * R, tol(4 * e), ''
                          'class', two(clear_), one(clear_), 0, ''};
end

% ---- definitions ----

function net = known (q)
net = setfield (q.net, 'noise', q.noise);
if net.N0 == 0, net.N0 = rows (q.X); end
end

function [S, grad, part] = definition (q, order)
q = chosen (q, isfinite (q.noise));
net = known (q);
Xi = inputs (q).Xi;
copies = 1;
if q.C == 1, of = @ref_action;
elseif strcmp (q.mode, 'shared'), [of, copies] = deal (@ref_outputs_shared, q.C);
else, of = @ref_outputs_action; end
[S, grad, part] = of (net, Xi, q.y, order);
S = copies * S;
grad = cellfun (@(g) copies * g, grad, 'UniformOutput', false);
[part.energy, part.entropy] = deal (copies * part.energy, copies * part.entropy);
end

function order = some_order (q)
% about the GP limit's, by some decades
C = 1;
if strcmp (q.mode, 'coupled'), C = q.C; end
L = q.net.L;
skip = q.net.skip > 0;
near = @(n) (randn (n) / 3 + eye (n)) * exp (q.reach * randn ());
above = q.net.variance(end) * near (C);
above = above * above' / q.net.variance(end);
order = {};
if C > 1, order = {above}; end
for l = L:-1:1
  n = prod (q.net.H(l:L) + skip(l:L)) * C;
  k = rows (above);
  F = sqrt (q.net.variance(l+1)) * kron (eye (n / k), chol (above)') * near (n);
  if skip(l), F(1:k,:) = [chol(above)', zeros(k, n - k)]; end
  above = F * F';
  above = (above + above') / 2;
  order = [{above}, order];
end
end

function compare = attention (q)
[got, want] = deal (attnpath_attention (q.net, q.X, 'Lengths', q.lengths), ref_attention (q.net, q.X, q.lengths));
tol = attention_error (q);
compare = cell (0, 5);
for l = 1:q.net.L, compare(end+1,:) = {sprintf('layer %d', l), got{l}, want{l}, tol * (1 + max (abs (want{l}(:)))), ''}; end
end

function compare = paths (q)
A = q.A;
if isempty (A), A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths); end
compare = {'path inputs', inputs(q).Xi, ref_paths(q.net, q.X, A, q.lengths), 1e-14 * max(abs (q.X(:))) * path_size(q), ''};
end

function s = pretended (q, order)
s = struct ('U', order{1}, 'order', {order}, 'hessian_min', 0, 'hessian_bound', false);
end

function compare = action (q)
order = some_order (q);
m = measure (q, pretended (q, order));
[want, slope, parts] = definition (q, order);
of = q;
form = randi (3);
if form == 1
  [S, grad, part] = attnpath_action (q.net, inputs (q), q.y, order, 'Noise', q.noise);
else
  try
    [S, grad, part] = attnpath_action (q.net, attnpath_moments (q.net, inputs (q), q.y, 'Noise', q.noise, 'Form', ...
                                       {'square', 'factor'}{form - 1}), order);
  catch err
    compare = refusal (err);
    if form == 3 || m.r < 1e-10, compare = {compare, 1, 0, 0, ''}; end
    return
  end
end
% the energy in its own units, the gradient in the frame; the entropy's inverses have the condition of U
around = m.copies * max (cellfun (@cond, order)) * 1e-13 * sum (cellfun (@rows, order)) * sum (q.net.width) ...
         * (1 + tilt (q.net, order));
energy = m.dA * (m.copies * sum (1 ./ m.d) + norm (m.alpha(:)) ^ 2) + 1e-13 * (abs (parts.energy) + m.n * abs (log (m.T)));
compare = {'energy', part.energy, parts.energy, energy, ''
           'entropy', part.entropy, parts.entropy, around + 1e-13 * abs(parts.entropy), ''};
for l = 1:numel (grad)
  F = chol (order{l})';
  compare(end+1,:) = {sprintf('gradient %d', l), F' * grad{l} * F, F' * slope{l} * F, 4 * energy + around, ''};
end
end

function t = tilt (net, order)
% how far from the entropy's own minimum: tr U_{l+1}^{-1} ptr U_l, and log det
t = 0;
above = [order, {net.variance(end)}];
for l = 1:numel (order)
  U = above{l+1};
  if l == net.L && rows (U) == 1 && numel (order) == net.L, U = trace (order{l}) / rows (order{l}); end
  t = max ([t, trace(order{l}) * norm(inv (U)) / net.variance(min (l + 1, end)), abs(log (eig (order{l})))']);
end
end

function compare = solution (q)
s = solved (q);
compare = s.said;
if ! isempty (s.said), return, end
m = measure (q, s);
[S, grad, part] = definition (q, s.order);
gp = ref_gp (q.net);
if numel (s.order) > q.net.L, gp = cellfun (@(U) kron (U, eye (q.C)), [gp, {q.net.variance(end)}], 'UniformOutput', false); end
[~, ~, none] = definition (q, gp);
around = 100 * eps * m.copies * (m.N * (1 + abs (log (m.low))) + abs (none.entropy)) * max (cellfun (@cond, s.order));
energy = m.dA * (m.copies * sum (1 ./ m.d) + norm (m.alpha(:)) ^ 2) + 1e-13 * (abs (part.energy) + m.n * abs (log (m.T)));
P = sum (isfinite (q.noise));
own = q.C * sum (log (q.noise(isfinite (q.noise))));
compare = {'action', s.action, S, energy + around, ''
           'evidence', s.evidence, -(S - none.entropy) / 2 - P * q.C / 2 * log(2 * pi), energy + around, ''};
for l = 1:numel (grad)
  F = chol (s.order{l})';
  g = norm (F' * grad{l} * F) / q.net.width(l) / m.copies;
  compare(end+1,:) = {sprintf('gradient %d', l), g, 0, 2e-6 * m.all / min(q.net.width) + rows(F) * s.gradrel + (4 * energy + around) / q.net.width(l), ''};
end
end

function compare = predictions (q)
q = chosen (q, isfinite (q.noise));
order = some_order (q);
s = pretended (q, order);
m = measure (q, s);
model = struct ('net', q.net, 'paths', inputs (q), 'y', q.y, 'noise', q.noise, 'U', s.U);
try
  [mu, s2] = attnpath_predict (model, new_inputs (q));
catch err
  compare = refusal (err);
  if m.r < 1e-4, compare = {compare, 1, 0, 0, ''}; end
  return
end
U = s.U;
if m.blocks < q.C, U = kron (U, eye (q.C)); end
if q.C == 1
  [want, spread] = ref_predict (known (q), inputs (q).Xi, q.y, U, new_inputs (q).Xi);
else
  [want, spread] = ref_outputs_predict (known (q), inputs (q).Xi, q.y, U, new_inputs (q).Xi);
end
compare = {'mean', mu, want, m.dA * m.Ak * norm(m.alpha(:)) + 1e-13 * sqrt(m.kk * m.yAy), ''
           'variance', s2, spread, m.dA * m.Ak ^ 2 + 1e-13 * m.kk, ''};
end

function compare = kernels (q)
U = some_order (q){1};
[one, two, net] = deal (inputs (q), new_inputs (q), known (q));
C = rows (U) / size (one.Xi, 3);
compare = {'kernel', attnpath_kernel(q.net, one, U, two), ref_outputs_kernel(net, one.Xi, U, two.Xi), ...
           1e-14 * rows(U) * rows(q.X) * norm(U) * net.variance(1) * max(abs (one.Xi(:))) * max(abs (two.Xi(:))), ''
           'path kernels', attnpath_pathkernels(q.net, one, two), ref_pathkernels(net, one.Xi, two.Xi), ...
           1e-14 * net.variance(1) * max(abs (one.Xi(:))) * max(abs (two.Xi(:))), ''};
end

function [s, m, compare] = at_solution (q)
s = solved (q);
[m, compare] = deal ([], s.said);
if isempty (s.said), m = measure (q, s); end
end

function compare = certificate (q)
% ref_hessian: differences of step h, truncation h^2, rounding over h
q.noise(isinf (q.noise)) = 1;
[s, m, compare] = at_solution (q);
if isempty (m), return, end
if m.r > 1e-8 || s.hessian_bound, compare = 'differences are too coarse here';  return, end
h = eps ^ (1/3);
H = ref_hessian (known (q), inputs (q).Xi, q.y, s.order);
compare = {'hessian_min', s.hessian_min, min(eig (H)), 1e-4 * abs(s.hessian_min) + (100 * h ^ 2 + (1e-14 + m.r) / h) * m.all / m.low ^ 2 / max(q.net.width), ''};
end

function compare = gradient (q)
q = chosen (q, isfinite (q.noise));
[s, m, compare] = at_solution (q);
if isempty (m), return, end
try
  g = attnpath_gradient (s, 'With', {'temperature', 'variance', 'heads', 'noise', 'paths'});
catch err
  compare = refusal (err);
  return
end
net = known (q);
want = ref_gradient (net, inputs (q).Xi, q.y, s.order);
slope = 4 * m.dA * (sum (1 ./ m.d) + norm (m.alpha(:)) ^ 2) + 1e-13 * m.all;
compare = {'by temperature', g.temperature, want.temperature, slope, ''
           'by variance', g.variance, want.variance, slope * 10 * max(cellfun (@cond, s.order)), ''
           'by heads', [g.heads{:}], [want.heads{:}], slope, ''
           'by noise', g.noise, want.noise, slope, ''};
end

function compare = left_out (q)
% (T23) by leaving each out; (T24) by differences, of step eps^(1/3)
q.noise(isinf (q.noise)) = 1;
[s, m, compare] = at_solution (q);
if isempty (m), return, end
if m.r > 1e-8, compare = 'differences are too coarse here';  return, end
[mu, s2, mu24] = ref_loo (known (q), inputs (q).Xi, q.y, s.order);
rows_ = answers (q, s, m);
loo = attnpath_loo (s, 'Corrected', false, 'Display', false);
j = find (strcmp (rows_(:,1), 'left out'));
compare = {'mean', loo.mean, mu, 10 * rows_{j,3}(0), ''
           'variance', loo.variance, s2, 10 * rows_{j+1,3}(0), ''};
if s.hessian_min <= 0 || m.amp > 1e3 || m.r > 1e-8, return, end
loo = attnpath_loo (s, 'Display', false);
wide = 1 + m.amp * (1e-9 + (1e-14 + m.r) / eps ^ (1/3)) * m.amp;
moved = m.amp * ((1e-9 + (1e-14 + m.r) / eps ^ (1/3)) + 1e-6);
compare(end+1,:) = {'mean corrected', loo.mean, mu24, 10 * rows_{j,3}(moved), ''};
end

function compare = evidence (q)
q.noise(isinf (q.noise)) = 1;
[s, m, compare] = at_solution (q);
if isempty (m), return, end
if any (q.net.width(1:q.net.L) < cellfun (@rows, s.order)) || s.hessian_min <= 0
  try
    attnpath_evidence (s);
    compare = {'refused', 0, 1, 0, ''};
  catch err
    compare = refusal (err);
  end
  return
end
% differences of step 2e-3 along geodesics
h = 2e-3;
off = (h ^ 2 * 10 + (100 * eps * (abs (s.energy) + abs (s.entropy)) + m.dA * (sum (1 ./ m.d) + norm (m.alpha(:)) ^ 2)) / h ^ 2 / m.all) * m.amp;
D = sum (cellfun (@numel, s.order));
compare = {'log evidence', attnpath_evidence(s), ref_evidence(known (q), inputs (q).Xi, q.y, s.order), D * off, ''};
if off > 0.1, compare{5} = 'differences are too coarse here'; end
end

function compare = without (q)
% left out at fixed U, against the predictor of the others
i = find (isfinite (q.noise));
[s, m, compare] = at_solution (q);
if isempty (m), return, end
rows_ = answers (q, s, m);
i = i(randi (numel (i)));
rest = chosen (q, setdiff (1:numel (q.noise), i));
model = struct ('net', q.net, 'paths', inputs (rest), 'y', rest.y, 'noise', rest.noise, 'U', s.U);
try
  loo = attnpath_loo (s, 'Corrected', false, 'Display', false);
  [mu, s2] = attnpath_predict (model, inputs (chosen (q, i)));
catch err
  compare = refusal (err);
  if m.r < 1e-4, compare = {compare, 1, 0, 0, ''}; end
  return
end
j = find (strcmp (rows_(:,1), 'left out'));
compare = {'mean', loo.mean(i,:), mu, 10 * rows_{j,3}(0), ''
           'variance', flat(loo.variance, q.C)(i,:), flat(s2, q.C), 10 * rows_{j+1,3}(0), ''};
end

function compare = scores (q)
q.net.headscale = cellfun (@(s) ones (size (s)), q.net.headscale, 'UniformOutput', false);
s = pretended (q, some_order (q));
s.net = q.net;
compare = {'scores', attnpath_scores(s), ref_scores(q.net, s.U), 1e-13, ''};
end
