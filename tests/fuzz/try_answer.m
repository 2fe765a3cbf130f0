function out = try_answer (seed, number, word)
% TRY_ANSWER  One random small problem and one thing that its answers must be: what the reference has, or what the
% answers of an equal problem are.
%   out = try_answer (seed, number): the problem depends on these two alone.
%   out = try_answer (seed, number, word): with the first identity whose name contains word, instead of its own.
%   out.identity, its name;  out.wrong, a cell of texts, empty where all is right;  out.said, why a function refused the
%   problem, or what it reported instead of a good result, '' otherwise;  out.problem, the problem in words
% Tolerances are first-order bounds. With r = eps times the condition of A = K + noise, and e the distance of two order
% parameters, relative (in the frame U = F F'), each row of `answers` has what r and e do to it.
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
  do, q = draw (); until ! isempty (q) && list{k,3} (q)
  out.problem = described (q);
  for row = list{k,2} (q)', out.wrong = [out.wrong, differs(row{:})]; end
catch err
  if strcmp (err.identifier, 'answers:said'), out.said = err.message;
  else, out.wrong = {sprintf('[%s] %s (%s:%d)', err.identifier, err.message, err.stack(1).name, err.stack(1).line)}; end
end
rand ("twister", before{1});
randn ("twister", before{2});
end

function text = differs (what, got, want, tol)
text = {};
if ! isequal (size (got), size (want))
  text = {sprintf('%s is %s, not %s', what, mat2str (size (got)), mat2str (size (want)))};
elseif any (isnan (tol(:))) || any ((abs (got - want) > tol)(:)) || any ((isnan (got) != isnan (want))(:))
  [~, at] = max ((abs (got - want) ./ max (tol, realmin))(:));
  text = {sprintf('%s (%d of %d) is %.10g, not %.10g: off by %.2g, allowed %.2g', what, at, numel (got), got(at), ...
                  want(at), abs (got(at) - want(at)), tol(min (at, end)))};
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
                      {'exponential', 'gaussian', 'linear'}{randi(3)}, 'Ridge', about (-2, -2, 2), ...
                      'Causal', rand () < 0.3, 'Skip', skip, more{:});
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
try
  paths = inputs (q);
  new_inputs (q);
catch err                                                  % keys whose kernel overflows
  if ! strcmp (err.identifier, 'attnpath:paths:notFinite'), rethrow (err); end
  q = [];
  return
end
K = kernel (q, ref_gp (q.net){1}, paths, paths, 1);
q.diagonal = mean (diag (K));
if q.diagonal == 0, q.diagonal = 1; end
q.net.temperature = min (q.diagonal * about (-1, -9, 4), 1e30);
q.y = {randn(P, C), sign(randn (P, C)), ones(P, C), K * randn(P, C) / q.diagonal}{randi(4)} * about (0, -6, 6);
if rand () < 0.3
  q.noise = exp (2 * q.reach * randn (1, P));
  q.noise((1:P) > 1 & rand (1, P) < 0.15) = Inf;
end
end

function q = chosen (q, i)
[q.X, q.lengths, q.noise, q.y] = deal (q.X(:,:,i), q.lengths(i), q.noise(i), q.y(i,:));
q.A = cellfun (@(A) A(:,:,:,i), q.A, 'UniformOutput', false);
end

function paths = inputs (q)
maps = {q.A};
paths = attnpath_paths (q.net, q.X, maps{! isempty (q.A)}, 'Lengths', q.lengths);
end

function paths = new_inputs (q)
maps = {q.At};
paths = attnpath_paths (q.net, q.Xt, maps{! isempty (q.At)});
end

function K = kernel (q, U, one, two, C)
% (T18), for tolerances: as ref_kernel
[N0, ~, n] = size (one.Xi);
flat = @(p) reshape (permute (p.Xi, [1 3 2]), [], size (p.Xi, 2));
block = @(c, d) flat (one)' * kron (U(c:C:end,d:C:end), eye (N0)) * flat (two);
[c, d] = ndgrid (1:C);
K = q.net.variance(1) / (N0 * n) * cell2mat (arrayfun (block, c, d, 'UniformOutput', false));
end

function text = described (q)
text = sprintf (['%s, heads %s, skip %s, %d examples, %d outputs %s %s, widths %s, temperature %.2g of the ' ...
                 'diagonal, labels %.2g of its root, noise %s'], q.net.attention, mat2str (q.net.H), ...
                mat2str (q.net.skip, 2), numel (q.noise), q.C, q.mode, q.form, mat2str (q.net.width, 2), ...
                q.net.temperature / q.diagonal, max (abs (q.y(:))) / sqrt (q.diagonal), mat2str (q.noise, 2));
end

function s = solved (q, varargin)
lastwarn ('', '');
[examples, given] = deal ({inputs(q), q.y}, {'Display', false});
if any (q.noise != 1), given = [given, {'Noise', q.noise}]; end
try
  if ! isempty (q.form)
    examples = {attnpath_moments(q.net, examples{:}, 'Form', q.form, given{:})};
    given = {'Display', false};
  end
  s = attnpath_solve (q.net, examples{:}, 'Outputs', q.mode, given{:}, varargin{:});
catch err
  said ([refusal(err) ' (' described(q) ')']);
end
[~, id] = lastwarn ();
if ! s.converged, said (sprintf ('not converged: %s (%s)', s.reason, described (q))); end
if strcmp (id, 'attnpath:solve:rounding'), said (id); end
end

function said (text)
% why there is no good answer, as the function has said itself
error ('answers:said', '%s', text);
end

function varargout = unless (right, fun)
% What fun returns, where it may be right to refuse
try
  [varargout{1:max (1, nargout)}] = fun ();
catch err
  if right, said (refusal (err)); end
  rethrow (err);
end
end

function [s, m] = at_solution (q, worst)
s = solved (q);
m = measure (q, s);
if nargin > 1 && m.r > worst, said ('the definition is too coarse here'); end
end

function s = pretended (q, order)
s = struct ('net', q.net, 'U', order{1}, 'order', {order}, 'hessian_min', 0, 'hessian_bound', false);
end

function text = refusal (err)
if isempty (regexp (err.identifier, '^attnpath:[a-z_]+:[A-Za-z]+$')), rethrow (err); end
text = sprintf ('[%s] %s', err.identifier, err.message);
end

% ---- answers, and what rounding may do to them ----

function m = measure (q, s)
% At the solution s, of examples over the roots of their noise: eigenvalues d of A, alpha = A^{-1} y; what rounding does
% to A (dA), of path inputs that are off by some eps, and to the energy (off)
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
terms = setfield (one, 'Xi', abs (one.Xi));                % of K, which may cancel
[m.T, m.t, m.n] = deal (q.net.temperature, root .^ 2, numel (y));
m.d = max (diag (D), 0) + m.T;
size_ = abs (s.U);                                         % sums of a square lose what is below the largest of them
if strcmp (q.form, 'square'), size_(:) = 10 * norm (s.U); end
m.dA = 100 * eps * (norm (kernel (q, size_, terms, terms, m.blocks)) + m.T);
m.alpha = V * ((V' * y) ./ m.d);
m.yAy = abs (sum (sum (y .* m.alpha)));
new = new_inputs (q);
if ! all (learned), new.Xi = cat (2, new.Xi, inputs(chosen (q, ! learned)).Xi); end        % whom attnpath_loo predicts
k = kernel (q, s.U, one, new, m.blocks);
m.kk = max (abs (diag (kernel (q, s.U, new, new, m.blocks))));
m.Ak = max ([0, norm(V * ((V' * k) ./ m.d), 'columns')]);
Ai = V * diag (1 ./ m.d) * V';
[m.c, m.Ae, m.b] = deal (diag (Ai), norm (Ai, 'columns')', max (abs (m.alpha), [], 2));
m.N = sum (q.net.width(1:q.net.L + (m.blocks > 1)) .* cellfun (@rows, s.order));
m.cond = max (cellfun (@cond, s.order));
m.low = min (cellfun (@(U) min (eig (U)), s.order));
m.r = m.dA / min (m.d);
m.norm = norm (m.alpha(:));
m.off = m.dA * (m.copies * sum (1 ./ m.d) + m.norm ^ 2);                                   % of the energy
m.square = strcmp (q.form, 'square') * eps / m.T * (explained (q, one.Xi, m.alpha, s.U) + norm (y, 'fro')) ^ 2;
m.off = m.off + m.square;
m.all = m.n + m.yAy + m.N;
m.amp = Inf;
if s.hessian_min > 0 && ! s.hessian_bound, m.amp = m.all / (s.hessian_min * max (q.net.width) * m.low ^ 2); end
end

function sum_ = explained (q, Xi, alpha, U)
% what rounding of B'B can do to the labels that weights theta explain: the sum of |theta_i| |feature i|
[N0, P, n] = size (Xi);
blocks = rows (U) / n;
size_ = kron (reshape (sqrt (sumsq (Xi, 2)), N0, n), ones (1, blocks));
sum_ = 0;
for a = reshape (alpha, P * blocks, [])
  features = arrayfun (@(p) Xi(:,:,p) * reshape (a, P, blocks), 1:n, 'UniformOutput', false);
  sum_ = sum_ + q.net.variance(1) / (N0 * n) * sum (sum (abs ([features{:}] * U) .* size_));
end
end

function list = answers (q, s, m)
% name, value, tolerance, a function of e, and what it may not exceed without a word: a tenth of the labels, variances,
% nats of an example or the tenth digit of the action; of the certificate its sign
y = (max (abs (q.y(:))) + sqrt (m.kk * m.yAy) / 1e3) / 10;                                 % the latter bounds means
evidence = @(e) m.off + e ^ 2 * m.all + 100 * eps * (abs (s.energy) + abs (s.entropy) ...
                                                     + m.N * (m.cond / 20 + abs (log (m.low))));
% the certificate's search ends at a residual of 1e-4: eigenvalues that are closer than some of that are one
certificate = @(e) (e + m.r) * m.all / m.low ^ 2 / max (q.net.width) + 1e-3 * abs (s.hessian_min);
lost = strcmp (q.form, 'square') * m.dA / m.T * sqrt (m.kk * m.yAy);      % where new inputs leave what the others span
mean_ = @(e) lost + m.dA * m.Ak * m.norm + (e + 1e-14) * sqrt (m.kk * m.yAy);
variance = @(e) m.dA * m.Ak ^ 2 + (e + 1e-14) * m.kk;
dc = max (m.dA * m.Ae .^ 2 ./ m.c);                        % relative errors of c_i, and errors of b_i, (T23)
db = @(e) m.dA * m.Ae * m.norm + (e + 1e-14) * sqrt (m.c * m.yAy);
left = @(e) mean_ (e) + max ((db (e) + (dc + e) * m.b) ./ m.c .* sqrt (m.t'));
corrected = @(e) left (e + m.amp ^ 2 * (e + m.r + 1e-14) + 1e-6 * m.amp);                   % (T24) iterates
left_variance = @(e) variance (e) + max ((dc + e + 1e-14) ./ m.c .* m.t') + 100 * eps * m.T * max (m.t);
% by a head, y' A^{-1} K_h A^{-1} y - tr A^{-1} K_h: K_h changes by e, and so does each A^{-1}; terms of m.all cancel
slope = @(e) m.square + 3 * (e + eps) * m.all + 2 * m.r * (m.n + m.yAy) + m.dA * m.T * (sum (m.d .^ -2) + m.norm ^ 2);
determinant = @(e) evidence (e) + (e + m.r) * m.amp * sum (cellfun (@numel, s.order));
given = {};
if ! isempty (q.form), given = {inputs(q), q.y, 'Noise', q.noise}; end
loo = @(corrected) attnpath_loo (s, given{:}, 'Corrected', corrected, 'Display', false);
known = ! s.hessian_bound;
one = m.blocks == 1;                                       % of coupled outputs c_i are blocks
minimum = known && s.hessian_min > s.hessian_doubt;
wide = all (q.net.width(1:q.net.L) >= cellfun (@rows, s.order(1:q.net.L))) && q.net.width(end) >= m.blocks;
list = {'evidence', true, @() s.evidence, evidence, max(0.1 * m.n, 20 * s.evidence_doubt)
        'hessian_min', known, @() s.hessian_min, certificate, Inf
        'sign', known, @() sign (s.hessian_min) * (abs (s.hessian_min) > s.hessian_doubt), @(e) 0, 0
        'mean', true, @() attnpath_predict (s, new_inputs (q)), mean_, y
        'variance', true, @() spread (s, q), variance, m.kk / 10
        'left out', one, @() loo (false).mean, left, y
        'left out variance', one, @() in_rows (loo (false).variance, q.C), left_variance, max([1 ./ m.c; m.kk]) / 10
        'left out corrected', one && minimum, @() loo (true).mean, corrected, Inf
        'gradient', true, @() slopes (s), slope, Inf
        'log evidence', wide && m.copies == 1 && minimum, @() attnpath_evidence (s), determinant, Inf};
list = list([list{:,2}],[1 3 4 5]);
for k = 1:rows (list)
  try
    list{k,2} = list{k,2} ();
  catch err
    list{k,2} = refusal (err);
  end
end
end

function s2 = spread (s, q)
[~, s2] = attnpath_predict (s, new_inputs (q));
end

function x = slopes (s)
g = attnpath_gradient (s, 'With', {'temperature', 'variance', 'heads'});
x = [g.temperature, g.variance(:)', g.heads{:}];
end

function x = in_rows (x, C)
% C x C x P with an example in each row
if C > 1, x = reshape (x, C ^ 2, [])'; end
end

% ---- identities: q2 is a problem equal to q, which may be changed as well; change has what is then other than before:
% order, a function of the order parameters and of the solution; others of an answer, by its name;  keep, the examples
% that are left out alike;  only, without: names of answers ----

function list = identities ()
% name, what compares, which problems it takes; references of several coupled outputs know no skip connections
any_ = @(q) true;
own = @(q) isempty (q.A);
known_ = @(q) q.C == 1 || strcmp (q.mode, 'shared') || ! any (q.net.skip);
few = @(paths) @(q) q.C == 1 && prod (q.net.H + (q.net.skip > 0)) <= paths && numel (q.noise) > 1;
list = {'twice', @(q) alike (@twice, q), any_
        'copies', @(q) alike (@copies, q), any_
        'noise Inf', @(q) alike (@left_away, q), any_
        'order of examples', @(q) alike (@examples, q), any_
        'order of heads', @(q) alike (@heads, q), any_
        'labels scaled', @(q) alike (@labels, q), any_
        'tokens scaled', @(q) alike (@tokens, q), any_
        'temperature as noise', @(q) alike (@hotter, q), any_
        'maps brought', @(q) alike (@brought, q), own
        'moments', @(q) alike (@moments, q), any_
        'moments added', @added, any_
        'tokens permuted', @places, own
        'padding', @padded, any_
        'head scales as variances', @(q) alike (@variances, q), any_
        'head of scale 0', @(q) alike (@dead, q), @(q) any (q.net.H > 1)
        'outputs rotated', @(q) alike (@rotated, q), @(q) q.C > 1 && strcmp (q.mode, 'coupled')
        'one output shared', @(q) alike (@shared, q), any_
        'classes', @classes, @(q) numel (q.noise) > 1
        'attention', @attention, own
        'path inputs', @(q) [paths(q); all_tokens(q)], any_
        'action', @action, known_
        'solution', @solution, known_
        'predictions', @predictions, any_
        'kernel', @kernels, any_
        'certificate', @certificate, few(6)
        'gradient', @gradient, @(q) ! any (q.net.skip) && (q.C == 1 || strcmp (q.mode, 'coupled'))
        'left out', @left_out, few(4)
        'flat tail', @flat_tail, @(q) numel (q.noise) > 1
        'bandwidth', @bandwidth, @(q) own (q) && strcmp (q.net.attention, 'softmax')
        'influence', @influence, @(q) nnz (isfinite (q.noise)) > 1
        'expansion', @expansion, @(q) all (q.net.width >= max (1, q.C) * prod (q.net.H + (q.net.skip > 0)))
        'evidence', @evidence, few(3)
        'solved without', @without, @(q) sum (isfinite (q.noise)) > 1 && (q.C == 1 || strcmp (q.mode, 'shared'))
        'scores', @scores, @(q) q.C == 1
        'groups', @groups, any_
        'faint skip', @faint, @(q) ! any (q.net.skip) && (q.C == 1 || strcmp (q.mode, 'shared'))
        'not converged', @unfinished, @(q) sum (isfinite (q.noise)) > 1 && (q.C == 1 || strcmp (q.mode, 'shared'))};
end

function compare = alike (of, q)
% The answers of q2 must be those of q
[q2, change, q] = of (q);
[s, m] = at_solution (q);
order = s.order;
if isfield (change, 'order'), order = change.order (order, s); end
s2 = solved (q2, 'Start', order);
e = max (cellfun (@apart, order, s2.order));
compare = {'distance', e, 0, 1e-5 + m.amp * m.r};
first = 0;                                         % of rounded inputs the action has a first order, of U it has none
if isfield (change, 'inputs')
  e = max (e, change.inputs);
  first = 2 * change.inputs / (100 * eps) * (m.off - m.square);           % m.dA is 100 eps of the kernel
end
[a, b] = deal (answers (q, s, m), answers (q2, s2, measure (q2, s2)));
stalled = any (strncmp ({s.reason, s2.reason}, 'no further descent', 18));
open_ = any (abs ([s.hessian_min, s2.hessian_min]) <= [s.hessian_doubt, s2.hessian_doubt]) ...
        || max (s.gradrel, s2.gradrel) > {1e-3, 1e-5}{1 + stalled};        % as sol.reason says: not stationary
[~, i, j] = intersect (a(:,1), b(:,1));
for k = [i(:), j(:)]'
  [name, want, got, tol, most] = deal (a{k(1),1}, a{k(1),2}, b{k(2),[2 3 4]});        % in the units of q2
  if isfield (change, 'only') && ! any (strcmp (name, change.only)), continue, end
  if isfield (change, 'without') && any (strcmp (name, change.without)), continue, end
  if strcmp (name, 'sign') && (open_ || want * got == 0), continue, end
  if ischar (want) || ischar (got)
    text = [name ': ' want(1:end * ischar (want)), got(1:end * ischar (got))];
    right = m.r > 1e-4 && ischar (want) == ischar (got) || strcmp (name, 'left out corrected') ...        % it iterates
            || strcmp (name, 'log evidence') && m.amp > 1e12;
    if ! right, compare(end+1,:) = {text, 1, 0, 0}; end
    continue
  end
  field = strrep (strrep (name, ' corrected', ''), ' ', '_');
  if isfield (change, field), want = change.(field) (want); end
  if strncmp (name, 'left', 4)
    if isfield (change, 'keep'), [want, got] = deal (want(change.keep,:), got(change.keep,:)); end
    most = max ([most, max(abs (want(:))) / 1e4]);                       % far beyond the labels
  end
  if open_ || stalled, most = Inf; end
  allowed = tol (4 * e) + first * any (strcmp (name, {'evidence', 'log evidence'}));
  compare(end+1,:) = {name, got, want, min(allowed, most)};
end
end

function e = apart (U, V)
F = chol (U)';
e = norm (F \ (V - U) / F');
end

function change = repeated (t, m, q)
% m times the noise t each, for t / m once: (T35) and what their differences cost
each = log (m) + (m - 1) * log (t * q.net.temperature);
[change.evidence, change.log_evidence] = deal (@(x) x - q.C * sum (each + (m - 1) * log (2 * pi)) / 2);
change.gradient = @(x) x - [q.C * (m - 1) * numel(t) / 2, zeros(1, numel (x) - 1)];
end

function [q2, change, q] = twice (q)
% also where A is singular but for a tiny temperature: what is rounded twice over T must stay symmetric there
if rand () < 0.5, q.net.temperature = q.diagonal * 10 ^ (-6 - 3 * rand ()); end
i = find (isfinite (q.noise) & rand (size (q.noise)) < 0.7);
q2 = chosen (q, [1:numel(q.noise), i]);
change = repeated (q.noise(i), 2, q);
q.noise(i) = q.noise(i) / 2;
change.keep = setdiff (1:numel (q.noise), i);
end

function [q2, change, q] = copies (q)
i = randi (numel (q.noise));
m = randi (5);
q2 = q;
q2.noise(i) = m * q.noise(i);
q2 = chosen (q2, [1:numel(q.noise), i(ones (1, m - 1))]);
change = struct ();
if isfinite (q.noise(i)), change = repeated (q2.noise(i), m, q); end
change.keep = setdiff (1:numel (q.noise), i);
end

function [q2, change, q] = left_away (q)
q.noise(1 + randi (max (1, numel (q.noise) - 1)) * (numel (q.noise) > 1)) = Inf;
if ! any (isfinite (q.noise)), q.noise(1) = 1; end
q2 = chosen (q, isfinite (q.noise));
change.keep = [];
end

function [q2, change, q] = examples (q)
p = randperm (numel (q.noise));
q2 = chosen (q, p);
[change.left_out, change.left_out_variance] = deal (@(x) x(p,:));
end

function net = each_head (net, l, change)
if isstruct (net.heads{l}), net.heads{l} = structfun (change, net.heads{l}, 'UniformOutput', false);
else, net.heads{l} = change (net.heads{l}); end
end

function q = of_heads (q, l, p)
% heads p of layer l
q.net.headscale{l} = q.net.headscale{l}(p);
if isempty (q.A), q.net = each_head (q.net, l, @(W) W(:,:,p));
else, [q.A{l}, q.At{l}] = deal (q.A{l}(:,:,p,:), q.At{l}(:,:,p,:)); end
end

function [q2, change, q] = heads (q)
[q2, L, skip] = deal (q, q.net.L, q.net.skip > 0);
p = arrayfun (@randperm, q.net.H, 'UniformOutput', false);
for l = 1:L, q2 = of_heads (q2, l, p{l}); end
function order = moved (order, s)
  for l = 1:numel (order)
    k = 1;
    blocks = rows (order{l}) / prod (q.net.H(l:L) + skip(l:L));
    for j = L:-1:l
      branch = p{j};
      if skip(j), branch = [1, 1 + branch]; end
      k = ((branch' - 1) * numel (k) + k)'(:)';
    end
    k = ((1:blocks)' + (k - 1) * blocks)(:)';
    order{l} = order{l}(k,k);
  end
end
change.order = @moved;
first = [0, cumsum(q.net.H)];
place = cell2mat (arrayfun (@(l) first(l) + p{l}, 1:L, 'UniformOutput', false));
change.gradient = @(x) [x(1:end-first(end)), x(numel (x) - first(end) + place)];
end

function [q2, change, q] = labels (q)
[q2, c] = deal (q, 10 ^ (q.reach * 6 * (2 * rand () - 1)));
q2.y = c * q.y;
q2.net.temperature = c ^ 2 * q.net.temperature;
q2.net.variance(end) = c ^ 2 * q.net.variance(end);
change.order = @(order, s) cellfun (@(U) c ^ 2 * U, order, 'UniformOutput', false);
change.hessian_min = @(x) x / c ^ 4;
[change.evidence, change.log_evidence] = deal (@(x) x - sum (isfinite (q.noise)) * q.C * log (c));
[change.mean, change.left_out] = deal (@(x) c * x);
[change.variance, change.left_out_variance] = deal (@(x) c ^ 2 * x);
end

function [q2, change, q] = tokens (q)
[q2, change, c] = deal (q, struct (), 10 ^ (q.reach * 6 * (2 * rand () - 1)));
[q2.X, q2.Xt] = deal (c * q.X, c * q.Xt);
q2.net.variance(1) = q.net.variance(1) / c ^ 2;
for l = 1:numel (q.net.heads), q2.net = each_head (q2.net, l, @(W) W / c ^ (2 - isstruct (q.net.heads{l}))); end
if isempty (q.A), change.inputs = other_rounding (q2, q, c); end
end

function [q2, change, q] = hotter (q)
[q2, change, c] = deal (q, struct (), 10 ^ (q.reach * 3 * (2 * rand () - 1)));
q2.net.temperature = q.net.temperature / c;
q2.noise = c * q.noise;
end

function [q2, change, q] = brought (q)
[q2, change] = deal (q, struct ());
q2.A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths);
q2.At = attnpath_attention (q.net, q.Xt);
more = {};
if strcmp (q.net.attention, 'cme'), more = {'Attention', 'cme'}; end
q2.net = attnpath_net (q.net.H, 'Width', q.net.width, 'Variance', q.net.variance, 'Readout', q.net.readout, ...
                       'Temperature', q.net.temperature, 'Skip', q.net.skip, 'HeadScale', q.net.headscale, more{:});
change.inputs = other_rounding (q2, q, 1);
end

function e = other_rounding (q2, q, c)
% of path inputs, c times as large in q2: maps of cme, and what they do to tokens, are rounded in another order. Their
% identity is 'path inputs'
off = @(a, b) max (abs (a.Xi(:) / c - b.Xi(:))) / max ([abs(b.Xi(:)); realmin]);
e = max (off (inputs (q2), inputs (q)), off (new_inputs (q2), new_inputs (q)));
end

function [q2, change, q] = moments (q)
[q2, change] = deal (q, struct ());
q2.form = {'square', 'factor'}{randi(2)};
end

function [q2, change, q] = variances (q)
[q2, l, skip] = deal (q, randi (q.net.L), q.net.skip > 0);
c = exp (q.reach * 2 * randn ());
q2.net.headscale{l} = q.net.headscale{l} * c;
q2.net.variance(l+1) = q.net.variance(l+1) / c ^ 2;
function order = moved (order, s)
  for j = 1:min (l, numel (order))
    k = 1;                                                 % paths through a head of layer l have c less
    for i = q.net.L:-1:j
      f = ones (q.net.H(i) + skip(i), 1);
      if i == l, f(1+skip(i):end) = 1 / c; end
      k = kron (f, k);
    end
    k = kron (k, ones (rows (order{j}) / numel (k), 1));
    order{j} = (k * k') .* order{j};
  end
end
change = struct ('order', @moved, 'without', 'hessian_min');
end

function [q2, change, q] = dead (q)
% a head of scale 0 is none, but for the root of the number of heads: q2 has it, q is without
[q2, l] = deal (q, find (q.net.H > 1)(1));
h = randi (q.net.H(l));
q2.net.headscale{l}(h) = 0;
q = of_heads (q, l, setdiff (1:q.net.H(l), h));
q.net.H(l) = q.net.H(l) - 1;
q.net.headscale{l} = q.net.headscale{l} * sqrt (q.net.H(l) / q2.net.H(l));
function whole = moved (order, s)
  [whole, above, net, skip] = deal (order, [order, {s.ua}], q2.net, q2.net.skip > 0);
  for j = l:-1:1
    U = kron (eye (net.H(j)), net.variance(j+1) * above{j+1});
    if skip(j), U = blkdiag (above{j+1}, U); end
    list = ref_pathlist (net.H(j:end), net.skip(j:end));   % the head's partial paths keep their prior
    mine = kron (list(:,l-j+1) == h, ones (rows (U) / rows (list), 1)) > 0;
    [U(! mine,:), U(:,! mine)] = deal (0);
    U(! mine,! mine) = order{j};
    [whole{j}, above{j}] = deal (U);
  end
end
change = struct ('order', @moved, 'only', {{'evidence', 'mean', 'variance', 'left out'}});
end

function turn = turned (R)
turn = @(order, s) cellfun (@(U) kron (eye (rows (U) / rows (R)), R') * U * kron (eye (rows (U) / rows (R)), R), ...
                            order, 'UniformOutput', false);
end

function [q2, change, q] = rotated (q)
[R, ~] = qr (randn (q.C));
q2 = q;
q2.y = q.y * R;
change.order = turned (R);
[change.mean, change.left_out] = deal (@(x) x * R);
change.variance = @(v) reshape (kron (R, R)' * reshape (v, q.C ^ 2, []), size (v));
end

function [q2, change, q] = shared (q)
[q.y, q.C, q.mode] = deal (q.y(:,1), 1, 'coupled');
[q2, change] = deal (q, struct ());
q2.mode = 'shared';
end

function compare = classes (q)
% classes in another order: outputs in another order, of two classes mirrored
P = numel (q.noise);
C = min (P, randi (2) + 1);
y = [1:C, randi(C, 1, P - C)];
p = randperm (C);
[names, codes, given] = deal ({'a', 'b', 'c'}(1:C), int8 (5 * ((1:C) - 2)), {'Display', false, 'Noise', q.noise});
a = unless (true, @() attnpath_solve (q.net, inputs (q), names(y)', given{:}, 'Classes', names));
R = eye (C)(:,p);
if C == 2, R = 1 - 2 * (p(1) == 2); end
order = turned (R) (a.order);
b = unless (true, @() attnpath_solve (q.net, inputs (q), codes(y)', given{:}, 'Classes', codes(p), 'Start', order));
if ! (a.converged && b.converged), said (a.reason); end
[q.y, q.C] = deal (a.y, columns (a.y));
e = max (cellfun (@apart, order, b.order));
list = answers (q, a, measure (q, a));
[want, tol] = list{strcmp (list(:,1), 'mean'),2:3};
[mu, ~, two] = attnpath_predict (b, new_inputs (q));
[~, ~, one] = attnpath_predict (a, new_inputs (q));
[~, one] = ismember (one, names);
margin = [want, -want];
if C > 2, margin = want; end
margin = sort (margin, 2, 'descend');
clear_ = margin(:,1) - margin(:,2) > 4 * tol (4 * e);
compare = {'labels', b.y, a.y * R, 0
           'evidence', b.evidence, a.evidence, list{strcmp (list(:,1), 'evidence'),3}(4 * e)
           'mean', mu, want * R, tol(4 * e)
           'class', two(clear_), codes(one(clear_))', 0};
end

function compare = all_tokens (q)
% each token an example: the path inputs are those of readouts of one token, and all else is that of a list of examples
all = setfield (q.net, 'readout', 'all');
[maps, new_maps] = deal ({q.A}(! isempty (q.A)), {q.At}(! isempty (q.A)));
[T, P] = deal (columns (q.X), numel (q.lengths));
paths = attnpath_paths (all, q.X, maps{:}, 'Lengths', q.lengths);
apart = paths.Xi;
for t = 1:T
  there = q.lengths >= t;
  if ! any (there), continue; end
  own = cellfun (@(A) cellfun (@(a) a(:,:,:,there), A, 'UniformOutput', false), maps, 'UniformOutput', false);
  apart(:,paths.token == t,:) = attnpath_paths (setfield (q.net, 'readout', t), q.X(:,:,there), own{:}, ...
                                                'Lengths', q.lengths(there)).Xi;
end
place = paths.token + T * (paths.example - 1);
y = NaN (T * P, q.C);
y(place,:) = max (abs (q.y(:))) * randn (numel (place), q.C);
y(rand (T * P, 1) < 0.2,:) = NaN;
keep = ! isnan (y(place,1));
compare = {'path inputs', paths.Xi, apart, max(1e-13 * max (abs (apart(:))), input_error (q, product_error (q)))};
if ! any (keep), return; end
given = {'Outputs', q.mode, 'Display', false};
a = unless (true, @() attnpath_solve (all, paths, reshape (y, T, P, q.C), given{:}));
flat = @(p, keep) struct ('Xi', p.Xi(:,keep,:));
b = attnpath_solve (q.net, flat (paths, keep), y(place(keep),:), given{:});
if ! (a.converged && b.converged), said (a.reason); end
new = attnpath_paths (all, q.Xt, new_maps{:});
mu = reshape (attnpath_predict (a, new), [], q.C)(new.token + T * (new.example - 1),:);
want = attnpath_predict (b, flat (new, true (1, numel (new.token))));
size_ = max (abs (y(:))) + max (abs (want(:)));
compare = [compare; {'U', a.U, b.U, 1e-9 * max(abs (b.U(:)))
                     'evidence', a.evidence, b.evidence, 1e-9 * abs(b.evidence)
                     'mean', mu, want, 1e-7 * size_}];
if q.C == 1 && a.hessian_min > a.hessian_doubt
  left = unless (true, @() attnpath_loo (a, 'Leave', 'token', 'Display', false)).mean(place(keep))(:);
  compare(end+1,:) = {'left out', left, attnpath_loo(b, 'Display', false).mean, 1e-7 * size_};
end
end

function compare = added (q)
% in two orders of three parts, some of which may have one example
q = chosen (q, isfinite (q.noise));
[n, form, m] = deal (numel (q.noise), {'square', 'factor'}{randi(2)}, cell (1, 3));
part = randi (3, 1, n);
for k = unique (part)
  of = chosen (q, part == k);
  m{k} = attnpath_moments (q.net, inputs (of), of.y, 'Form', form, 'Noise', of.noise);
end
m = m(! cellfun (@isempty, m));
if rows (unique (cell2mat (cellfun (@(m) m.sums(:)', m', 'UniformOutput', false)), 'rows')) < numel (m)
  said ('parts that are alike are refused, as one part twice');
end
one = two = m{end};
for k = numel (m) - 1:-1:1, [one, two] = deal (attnpath_moments (one, m{k}), attnpath_moments (m{k}, two)); end
square = @(m) m.sums' ^ strcmp (form, 'factor') * m.sums;
if strcmp (form, 'square'), square = @(m) m.sums; end
compare = {'P', [two.P, two.lognoise], [one.P, one.lognoise], 1e-13 * n * max(abs (log (q.noise)))
           'sums', square(two), square(one), 1e-14 * n * trace(square (one))};
end

function e = attention_error (q)
% of a map's entry: eps times the scores, of cme eps times the condition of the kernel matrix
[worst, cond_] = deal (0, 1);
for l = 1:numel (q.net.heads)
  for h = 1:q.net.H(l)
    for mu = 1:size (q.X, 3)
      [W, X] = deal (q.net.heads{l}, q.X(:,1:q.lengths(mu),mu));
      if isstruct (W), M = W.K(:,:,h)' * W.Q(:,:,h) / sqrt (rows (W.Q)); else, M = W(:,:,h); end
      worst = max (worst, max ((abs (X)' * abs (M) * abs (X))(:)));
      if ! strcmp (q.net.attention, 'cme'), continue, end
      x = W.K(:,:,h) * X;
      g = max (sum (x .^ 2, 1)) / (q.net.bandwidth * sqrt (rows (x)));
      if strcmp (q.net.kernel, 'exponential'), g = exp (g); elseif strcmp (q.net.kernel, 'gaussian'), g = 1; end
      worst = max (worst, max (sum (x .^ 2, 1)));
      cond_ = max (cond_, 1 + columns (x) * g / q.net.ridge);
    end
  end
end
e = 50 * eps * (1 + worst / q.net.bandwidth) * cond_ ^ 2 * q.net.L;
end

function tol = input_error (q, e)
% of path inputs by maps that are off by e. Norms of paths: maps have columns that sum to one, those of cme need not,
% nor where heads have scales
[n, A] = deal (1, q.A);
if isempty (A), A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths); end
for l = 1:q.net.L
  n = n * max ([1, q.net.skip(l), max(abs (q.net.headscale{l})) * max(sum (abs (A{l}), 1)(:))]);
end
tol = e * max (abs (q.X(:))) * n * sqrt (prod (q.net.H + 1)) * size (q.X, 2);
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
compare = {'path inputs', inputs(q2).Xi, inputs(q).Xi, input_error(q, attention_error (q))};
end

function compare = padded (q)
% one by one, without padding
[all, compare, tol] = deal (inputs (q).Xi, cell (0, 4), 1e-14);
if isempty (q.A), tol = attention_error (q); end
for mu = 1:numel (q.noise)
  i = chosen (q, mu);
  [i.X, i.A] = deal (i.X(:,1:i.lengths,:), cellfun (@(A) A(1:i.lengths,1:i.lengths,:,:), i.A, 'UniformOutput', false));
  compare(end+1,:) = {'path inputs', all(:,mu,:), inputs(i).Xi, input_error(q, tol)};
end
end

function compare = attention (q)
[got, want] = deal (attnpath_attention (q.net, q.X, 'Lengths', q.lengths), ref_attention (q.net, q.X, q.lengths));
tol = attention_error (q);
compare = cell (0, 4);
for l = 1:q.net.L, compare(l,:) = {sprintf('layer %d', l), got{l}, want{l}, tol * (1 + max (abs (want{l}(:))))}; end
end

function compare = paths (q)
A = q.A;
if isempty (A), A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths); end
compare = {'path inputs', inputs(q).Xi, ref_paths(q.net, q.X, A, q.lengths), input_error(q, product_error (q))};
end

function e = product_error (q)
% maps of cme are rounded in another order than products with them
e = 1e-14;
if isempty (q.A) && strcmp (q.net.attention, 'cme'), e = attention_error (q); end
end

% ---- definitions ----

function net = known (q)
net = setfield (q.net, 'noise', q.noise);
if net.N0 == 0, net.N0 = rows (q.X); end
end

function [S, grad, part] = definition (q, order)
q = chosen (q, isfinite (q.noise));
[of, copies] = deal (@ref_outputs_action, 1);
if q.C == 1, of = @ref_action; elseif strcmp (q.mode, 'shared'), [of, copies] = deal (@ref_outputs_shared, q.C); end
[S, grad, part] = of (known (q), inputs (q).Xi, q.y, order);
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

function compare = action (q)
order = some_order (q);
q.form = {'', 'square', 'factor'}{randi(3)};
m = measure (q, pretended (q, order));
[want, slope, parts] = definition (q, order);
given = {inputs(q), q.y, 'Noise', q.noise};
if isempty (q.form)
  [S, grad, part] = attnpath_action (q.net, given{1:2}, order, given{3:4});
else
  of = @() attnpath_action (q.net, attnpath_moments (q.net, given{:}, 'Form', q.form), order);
  small = min ([q.net.temperature / q.diagonal, q.net.temperature / norm(q.y ./ sqrt (q.noise'), 'fro') ^ 2 * 1e6]);
  [S, grad, part] = unless (strcmp (q.form, 'square') && small < 1e-6, of);
end
% the energy in its own units, the gradient in the frame; the entropy's inverses have the condition of U
around = m.copies * m.cond * 1e-13 * sum (cellfun (@rows, order)) * sum (q.net.width) * (1 + tilt (q.net, order));
energy = m.off + 1e-13 * (abs (parts.energy) + m.n * abs (log (m.T)));
compare = {'energy', part.energy, parts.energy, energy
           'entropy', part.entropy, parts.entropy, around + 1e-13 * abs(parts.entropy)};
for l = 1:numel (grad)
  F = chol (order{l})';
  compare(end+1,:) = {sprintf('gradient %d', l), F' * grad{l} * F, F' * slope{l} * F, 4 * energy + around};
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
[s, m] = at_solution (q, 1);
[S, grad, part] = definition (q, s.order);
gp = ref_gp (q.net);
if numel (s.order) > q.net.L
  gp = cellfun (@(U) kron (U, eye (q.C)), [gp, {q.net.variance(end)}], 'UniformOutput', false);
end
[~, ~, none] = definition (q, gp);
around = 100 * eps * m.copies * (m.N * (1 + abs (log (m.low))) + abs (none.entropy)) * m.cond;
energy = m.off + 1e-13 * (abs (part.energy) + m.n * abs (log (m.T)));
evidence = -(S - none.entropy) / 2 - sum (isfinite (q.noise)) * q.C / 2 * log (2 * pi);
compare = {'action', s.action, S, energy + around; 'evidence', s.evidence, evidence, energy + around};
for l = 1:numel (grad)
  F = chol (s.order{l})';
  g = norm (F' * grad{l} * F) / q.net.width(l) / m.copies;
  tol = 2e-6 * m.all / min (q.net.width) + rows (F) * s.gradrel + (4 * energy + around) / q.net.width(l);
  compare(end+1,:) = {sprintf('gradient %d', l), g, 0, tol};
end
end

function compare = predictions (q)
q = chosen (q, isfinite (q.noise));
order = some_order (q);
[m, U] = deal (measure (q, pretended (q, order)), order{1});
[mu, s2] = unless (m.r > 1e-4, @() attnpath_predict (model_of (q, U), new_inputs (q)));
if m.blocks < q.C, U = kron (U, eye (q.C)); end
[want, spread] = ref_predict (known (q), inputs (q).Xi, q.y, U, new_inputs (q).Xi);
compare = {'mean', mu, want, m.dA * m.Ak * m.norm + 1e-13 * sqrt(m.kk * m.yAy)
           'variance', s2, spread, m.dA * m.Ak ^ 2 + 1e-13 * m.kk};
end

function model = model_of (q, U)
model = struct ('net', q.net, 'paths', inputs (q), 'y', q.y, 'noise', q.noise, 'U', U);
end

function compare = kernels (q)
U = some_order (q){1};
[one, two, net] = deal (inputs (q), new_inputs (q), known (q));
size_ = 1e-14 * net.variance(1) * max (abs (one.Xi(:))) * max (abs (two.Xi(:)));
compare = {'kernel', attnpath_kernel(q.net, one, U, two), ref_kernel(net, one.Xi, U, two.Xi), ...
           size_ * rows(U) * rows(q.X) * norm(U)
           'path kernels', attnpath_pathkernels(q.net, one, two), ref_pathkernels(net, one.Xi, two.Xi), size_};
end

function compare = certificate (q)
% ref_hessian: differences of step h, truncation h^2, rounding over h
q.noise(isinf (q.noise)) = 1;
[s, m] = at_solution (q, 1e-8);
if s.hessian_bound || abs (s.hessian_min) <= s.hessian_doubt, said ('undecided'); end
h = eps ^ (1/3);
H = ref_hessian (known (q), inputs (q).Xi, q.y, s.order);
tol = (100 * h ^ 2 + (1e-14 + m.r) / h) * m.all / m.low ^ 2 / max (q.net.width);
compare = {'hessian_min', s.hessian_min, min(eig (H)), 1e-3 * abs(s.hessian_min) + tol};
end

function compare = gradient (q)
q = chosen (q, isfinite (q.noise));
[s, m] = at_solution (q, 1);
g = unless (true, @() attnpath_gradient (s, 'With', {'temperature', 'variance', 'heads', 'noise', 'paths'}));
want = ref_gradient (known (q), inputs (q).Xi, q.y, s.order);
slope = 4 * m.dA * (sum (1 ./ m.d) + m.norm ^ 2) + 1e-13 * m.all;    % entries of U cancel; stationary to gradrel
compare = {'by temperature', g.temperature, want.temperature, slope
           'by variance', g.variance, want.variance, slope * 10 * m.cond + s.gradrel * m.N
           'by heads', [g.heads{:}], [want.heads{:}], slope * 10 * m.cond
           'by noise', g.noise, want.noise, slope};
end

function compare = left_out (q)
% (T23) by leaving each out; (T24) by differences, of step eps^(1/3)
q.noise(isinf (q.noise)) = 1;
[s, m] = at_solution (q, 1e-8);
[mu, s2, mu24] = ref_loo (known (q), inputs (q).Xi, q.y, s.order);
list = answers (q, s, m);
tol = @(name, e) 10 * list{strcmp (list(:,1), name),3} (e);
loo = attnpath_loo (s, 'Corrected', false, 'Display', false);
compare = {'mean', loo.mean, mu, tol('left out', 0); 'variance', loo.variance, s2, tol('left out variance', 0)};
if s.hessian_min <= 0 || m.amp > 1e3, return, end
moved = m.amp * (1e-9 + (1e-14 + m.r) / eps ^ (1/3) + 1e-6);
compare(3,:) = {'mean corrected', attnpath_loo(s, 'Display', false).mean, mu24, tol('left out', moved)};
end

function compare = flat_tail (q)
% an example of so much noise that at all draws its label has the same density, that of the noise: k-hat is of no tail
q = chosen (q, isfinite (q.noise));
order = some_order (q);
n = numel (q.noise);
size_ = max (abs (kernel (q, order{1}, inputs (q), inputs (q), measure (q, pretended (q, order)).blocks))(:));
most = (size_ + max (abs (q.y(:))) ^ 2) * (1 + n * size_ / q.net.temperature);           % of squares of means, and more
q.noise(1) = 10 ^ (13 + 3 * rand ()) * (1 + most / q.net.temperature);
if q.noise(1) * q.net.temperature > 1e100 || n < 2, said ('beyond a noise that is used'); end
U = bsxfun (@times, order{1}, reshape (exp (randn (1, 60) / 10), 1, 1, []));
warning ('off', 'attnpath:loo:unreliable', 'local');
loo = unless (true, @() attnpath_loo (setfield (model_of (q, order{1}), 'U', U), 'Display', false));
compare = {'k-hat', double(loo.khat(1) == -Inf), 1, 0
           'log density', loo.logdensity(1), -q.C / 2 * log(2 * pi * q.noise(1) * q.net.temperature), 1e-6};
end

function compare = bandwidth (q)
% through the maps, from saturated attention to none
q = chosen (q, isfinite (q.noise));
q.net.bandwidth = q.net.bandwidth * 10 ^ (q.reach * (6 - 18 * rand ()));
s = solved (q);
g = unless (true, @() attnpath_gradient (s, q.X, 'With', {'bandwidth', 'maps'}, 'Lengths', q.lengths));
A = attnpath_attention (q.net, q.X, 'Lengths', q.lengths);
[want, tol] = deal (0, realmin);                           % smaller numbers have fewer digits
for l = 1:q.net.L
  score = log (max (A{l}, realmin) ./ max (max (A{l}), realmin)) .* (A{l} > 0);
  score = score - sum (A{l} .* score);
  want = want - sum ((g.maps{l} .* A{l} .* score)(:));
  tol = tol + 1e-13 * sum ((max (abs (g.maps{l})) .* A{l} .* abs (score))(:)) * columns (A{l});
end
compare = {'by bandwidth', g.bandwidth, want, tol};
end

function compare = influence (q)
% (T37) where networks are wide, and U moves little, against the solution without an example
q = chosen (q, isfinite (q.noise));
q.net.width = q.net.width * 1e4 / min (q.net.width);
[i, q2, exact] = deal (randi (numel (q.noise)), q, {'Tolerance', 1e-12});
q2.noise(i) = Inf;
s = solved (q, exact{:});
m = measure (q, s);
if m.r > 1e-6 || ! (m.amp < 1e6), said ('the definition is too coarse here'); end
[in, loo] = deal (attnpath_influence (s, new_inputs (q)), attnpath_loo (s, 'Display', false));
s2 = solved (q2, 'Start', s.order, exact{:});
compare = {'log density', in.logp(i), loo.logdensity(i), 1e-6 * (1 + abs (loo.logdensity(i)))};  % both iterate
moved = apart (s.U, s2.U);
if moved > 0.03, return, end                       % too far for a first order
F = chol (s.U)';
[before, after] = deal (attnpath_predict (s, new_inputs (q)), attnpath_predict (s2, new_inputs (q)));
step = reshape (in.mean(i,:,:), size (before));
rounding = m.amp * (1e-10 + m.r);
compare(2:3,:) = {'U', norm(F \ (s2.U - s.U - in.U(:,:,i)) / F'), 0, 0.15 * moved + m.amp * moved ^ 2 + rounding
                  'mean', norm(after - before - step), 0, (0.06 + m.amp * moved) * norm(after - before) ...
                                                          + rounding * sqrt(m.kk * m.yAy)};
end

function compare = expansion (q)
% of an equal problem. Third derivatives are off by step^2 / 12 of themselves, and by as much by rounding, where
% attnpath_expand chooses the step by it; the two are apart by the errors of both
[q2, change, q] = {@twice, @examples, @heads, @labels, @tokens, @hotter}{randi(6)} (q);
[s, m] = at_solution (q, 1e-6);
if s.hessian_min <= s.hessian_doubt || ! (m.amp < 1e6), said ('no minimum, or a flat one'); end
if ! isfield (change, 'order'), change.order = @(order, s) order; end
U = change.order (s.order, s);
s2 = solved (q2, 'Start', U);
warning ('off', 'attnpath:expand:unreliable', 'local');
[a, b] = deal (attnpath_expand (s, 'Draws', 100), attnpath_expand (s2, 'Draws', 100));
[mean_, sd] = deal (change.order (a.order, s), change.order (a.order_sd, s));
[e, compare] = deal (4 * max (cellfun (@apart, U, s2.order)) + m.r, cell (0, 4));
for l = 1:numel (U)
  size_ = sqrt (diag (U{l}) * diag (U{l})');
  varies = max ((sd{l} ./ size_)(:));
  off = e * (1 + m.amp * varies ^ 2) + 2 * (a.lines.step ^ 2 + b.lines.step ^ 2) * varies;
  compare(end+1:end+2,:) = {sprintf('mean %d', l), b.order{l}, mean_{l}, size_ * off
                            sprintf('deviation %d', l), b.order_sd{l}, sd{l}, size_ * varies * (e * m.amp + 1e-12)};
end
end

function compare = evidence (q)
% differences of step 2e-3 along geodesics
q.noise(isinf (q.noise)) = 1;
[s, m] = at_solution (q);
narrow = any (q.net.width(1:q.net.L) < cellfun (@rows, s.order)) || s.hessian_min < -s.hessian_doubt;
got = unless (narrow || s.hessian_min <= s.hessian_doubt, @() attnpath_evidence (s));
compare = {'refused', 0, 1, 0};
if narrow, return, end
h = 2e-3;
off = (h ^ 2 * 10 + (100 * eps * (abs (s.energy) + abs (s.entropy)) + m.off) / h ^ 2 / m.all) * m.amp;
if off > 0.1 || m.r > 1e-8, said ('the definition is too coarse here'); end
want = ref_evidence (known (q), inputs (q).Xi, q.y, s.order);
compare = {'log evidence', got, want, off * sum(cellfun (@numel, s.order))};
end

function compare = without (q)
% left out at fixed U, against the predictor of the others
[s, m] = at_solution (q);
i = find (isfinite (q.noise));
i = i(randi (numel (i)));
list = answers (q, s, m);
others = model_of (chosen (q, setdiff (1:numel (q.noise), i)), s.U);
loo = unless (m.r > 1e-4, @() attnpath_loo (s, 'Corrected', false, 'Display', false));
[mu, s2] = unless (m.r > 1e-4, @() attnpath_predict (others, inputs (chosen (q, i))));
tol = @(name) 10 * list{strcmp (list(:,1), name),3} (0);
compare = {'mean', loo.mean(i,:), mu, tol('left out')
           'variance', in_rows(loo.variance, q.C)(i,:), in_rows(s2, q.C), tol('left out variance')};
end

function compare = scores (q)
s = pretended (q, some_order (q));
compare = cell (0, 4);
for by = {'order', 'share'}
  [got, want] = deal (sortrows (attnpath_scores (s, 'By', by{1})), sortrows (ref_scores (q.net, s.U, by{1})));
  compare(end+1,:) = {by{1}, got, want, 1e-13};
end
end

function compare = groups (q)
% rows of heads, those of a group together; the first of them, removed, are the heads of the first group; by 'share' the
% number of groups times the entries between paths of a group, by 'ablation' of groups of one head what heads have
s = setfield (model_of (q, some_order (q){1}), 'noise', q.noise);
if q.C > 1 && strcmp (q.mode, 'shared'), s.y = s.y(:,1); end
H = q.net.H;
number = arrayfun (@(h) find (mod (h, 1:h) == 0)(randi (nnz (mod (h, 1:h) == 0))), H);
together = H ./ number;
[score, largest] = attnpath_scores (s, 'By', 'share', 'Groups', number);
C = rows (s.U) / prod (H + (q.net.skip > 0));
list = kron (ref_pathlist (H, q.net.skip), ones (C, 1));
w = zeros (rows (list), 1);
for p = 1:rows (list), w(p) = prod (arrayfun (@(l) weight (q.net, l, list(p,l)), 1:q.net.L)); end
want = zeros (rows (score), 1);
for k = 1:rows (score)
  in = ceil (list(:,score(k,1)) / together(score(k,1))) == score(k,5);
  want(k) = number(score(k,1)) * sum (((w * w') .* abs (s.U))(in,in)(:));
end
all_ = arrayfun (@(l) [repmat(l, H(l), 1), (1:H(l))'], 1:q.net.L, 'UniformOutput', false);
compare = {'heads', sortrows(score(:,1:2)), vertcat(all_{:}), 0
           'group', score(:,5), ceil(score(:,2) ./ together(score(:,1))(:)), 0
           'changes of group', nnz(any (diff (score(:,[1 5])), 2)), sum(number) - 1, 0
           'share', score(:,3) * largest, want, 1e-13 * max(want)};
of = find (number(score(:,1))(:) > 1, 1);            % a first group that is not its layer
if ! isempty (of)
  first = score(score(:,1) == score(of,1) & score(:,5) == score(of,5),1:2);
  less = attnpath_prune (q.net, first);
  compare(end+1,:) = {'heads left', less.H, H - together .* ((1:q.net.L) == score(of,1)), 0};
end
by = unless (true, @() attnpath_scores (s, 'By', 'ablation'));
alone = attnpath_scores (s, 'By', 'ablation', 'Groups', H);
compare(end+1,:) = {'groups of one', alone(:,1:4), by, 0};
end

function w = weight (net, l, h)
if h == 0, w = net.skip(l) * sqrt (net.H(l)); else, w = net.headscale{l}(h); end
end

function compare = faint (q)
% skip connections of nearly no gain: answers and scores of the network without them
q.net.width(:) = q.net.width(1);
q2 = q;
layer = 1:q.net.L == randi (q.net.L);
function whole = moved (order, s)
  [whole, above] = deal (order, [order, {s.ua}]);
  for l = q.net.L:-1:1
    U = kron (eye (q.net.H(l)), q.net.variance(l+1) * above{l+1});
    if layer(l), U = blkdiag (above{l+1}, U); end
    mine = all (ref_pathlist (q.net.H(l:end), layer(l:end)) > 0, 2);           % the paths of q
    U(mine,mine) = order{l};
    [whole{l}, above{l}] = deal (U);
  end
end
[s, m] = at_solution (q, 1e-6);
q2.net.skip = double (layer);
size_ = @(q) max ([abs(inputs (q).Xi(:)); realmin]);
q2.net.skip = 1e-8 / (1 + m.yAy / q.net.width(1)) * min (1, size_ (q) / size_ (q2)) * layer;        % faint for U
start = moved (s.order, s);
s2 = solved (q2, 'Start', start);
e = max (cellfun (@apart, start, s2.order));
compare = {'distance', e, 0, 1e-5 + m.amp * (m.r + 1e-12)};
list = answers (q, s, m);
tol = list{strcmp (list(:,1), 'mean'),3};
compare(2,:) = {'mean', attnpath_predict(s2, new_inputs (q2)), attnpath_predict(s, new_inputs (q)), tol(4 * e + 1e-9) + 1e-9 * max(abs (q.y(:)))};
scale = @(s) max (abs (s.U(:))) * rows (s.U) ^ 2;
for by = {'share', 'order'}
  [a, most] = attnpath_scores (s, 'By', by{1});
  [b, now] = attnpath_scores (s2, 'By', by{1});
  compare(end+1,:) = {by{1}, sortrows(b)(:,3) * now, sortrows(a)(:,3) * most, (4 * e + 1e-7) * max(q.net.H) ...
                      * scale(s2) * max([q.net.headscale{:}]) ^ (2 * q.net.L)};
end
end

function compare = unfinished (q)
% what did not converge is not taken silently: warnings, and refusals where heads are removed
[s, m] = at_solution (q, 1e-4);
if s.hessian_min <= 0 || ! (m.amp < 1e12), said ('no minimum, or a flat one'); end
bad = setfield (s, 'converged', false);
calls = {@() attnpath_loo(bad, 'Corrected', false, 'Display', false), @() attnpath_scores(bad, 'By', 'share'), ...
         @() attnpath_loo(bad, 'Display', false), @() attnpath_influence(bad), @() attnpath_scores(bad), ...
         @() attnpath_prune(bad, 'By', 'loo')};
want = {'loo', 'scores', 'loo', 'influence', 'scores', 'prune'};
got = zeros (1, numel (calls));
for k = 1:numel (calls)
  id = '';
  try
    warning ('error', ['attnpath:' want{k} ':notConverged'], 'local');
    calls{k} ();
  catch err
    id = err.identifier;
  end
  got(k) = strcmp (id, ['attnpath:' want{k} ':notConverged']);
end
compare = {'warned or refused', got, ones(1, numel (calls)), 0};
end
