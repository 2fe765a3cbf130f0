function bench_methods (directory, widths)
% bench_methods: number of evaluations that other methods need to reach the saddle point
%
% Prints a table: a row per method, a column per problem, the number of actions (with gradient) evaluated
% until gradnorm <= 1e-8 (one-shot: 1e-6) from the GP point. Newton and Adam come from the CSV file of
% bench_solve, with their cost in evaluation-equivalents; the others are below, and only counted:
%
%   L-BFGS, affine-invariant   memory 10; coordinates d with U_l = F_l exp (d_l) F_l', the frame F carried
%                              along each step, so that old pairs stay valid (parallel transport)
%   L-BFGS, log-Cholesky       memory 10; the entries of the Cholesky factors, logarithms on the diagonals
%   fixed point                U_1 = (B + G/N)^{-1}, B = I (x) U_2^{-1}, Anderson-accelerated in log U with
%                              memory 10; U_2 and u_a solved for at each U_1 (eliminated), or U_2 from the
%                              previous U_1 (alternated). If G has eigenvalues so negative that there is no
%                              inverse, they are cut so that U grows at most tenfold. Two layers, variances 1
%
% L-BFGS has a line search for the weak Wolfe conditions by bisection, whose evaluations count. Methods stop
% after 1000 evaluations.

% SPDX-License-Identifier: BSD-3-Clause

results = read_csv (fullfile (directory, 'newton.csv'));
columns = problems_of (directory, widths);
head = sprintf (' %s |', columns.title);
fprintf ('| method |%s\n|---|%s\n', head, repmat ('--:|', 1, numel (columns)));
newton_row ('attnpath, 4 probes (default)', 4, results, columns);
newton_row ('attnpath, no probes', 0, results, columns);
newton_row ('attnpath, 64 probes', 64, results, columns);
row ('L-BFGS, affine-invariant', @(f) lbfgs (f, affine ()), columns);
row ('L-BFGS, log-Cholesky', @(f) lbfgs (f, cholesky ()), columns);
row ('fixed point, upper eliminated', @(f) fixed_point (f, true), columns);
row ('fixed point, alternated', @(f) fixed_point (f, false), columns);
newton_row ('Adam, to 1e-5 only', -1, results, columns);
end

function columns = problems_of (directory, widths)
[Xi, y] = read_problem (fullfile (directory, 'markov.bin'));
for k = 1:numel (widths)
  columns(k) = column ('markov', Xi, y, [2, 2], widths(k), 0.01, 1e-8);
end
[Xi, y] = read_problem (fullfile (directory, 'oneshot.bin'));
columns(end+1) = column ('oneshot', Xi, y, [4, 4], 10, 0.5, 1e-6);
end

function c = column (name, Xi, y, H, width, temperature, tolerance)
heads = {zeros(size (Xi, 1), size (Xi, 1), H(1)), zeros(size (Xi, 1), size (Xi, 1), H(2))};
net = attnpath_net (heads, 'Width', width, 'Temperature', temperature);
data = struct ('Xi', Xi, 'y', y, 'P', numel (y), 'rest', 0, 'store', [], 'basis', [], 'rounding', 0);
data = completed (data, Xi, y);
c = struct ('name', name, 'title', sprintf ('%s, N = %d', name, width), 'data', data, 'H', H, 'width', width, ...
            'tolerance', tolerance, 'net', net);
end

function [Xi, y] = read_problem (name)
file = fopen (name, 'r');
sizes = fread (file, 3, 'double');
H = fread (file, sizes(3), 'double');
Xi = reshape (fread (file, sizes(1) * sizes(2) * prod (H), 'double'), [sizes(1), sizes(2), prod(H)]);
y = fread (file, sizes(2), 'double');
fclose (file);
end

function results = read_csv (name)
file = fopen (name, 'r');
results = textscan (file, '%s %f %f %f %f %f', 'Delimiter', ',');
fclose (file);
end

function newton_row (title, method, results, columns)
fprintf ('| %s |', title);
for c = columns
  k = find (strcmp (results{1}, c.name) & results{2} == c.width & results{3} == method);
  if isempty (k)
    fprintf (' |');
  else
    fprintf (' %d (%.1f) |', results{4}(k(end)), results{5}(k(end)));
  end
end
fprintf ('\n');
end

function row (title, method, columns)
fprintf ('| %s |', title);
for c = columns
  try
    count = method (c);
    if isfinite (count)
      fprintf (' %d |', count);
    else
      fprintf (' > 1000 |');
    end
  catch problem
    fprintf (' fails |');
    fprintf (2, '%s, %s: %s\n', title, c.title, problem.message);
  end
end
fprintf ('\n');
end

function [S, grad, gradnorm] = evaluate (c, order)
% Inf if the order parameters or the kernel are not positive definite in double precision
try
  [S, grad, ~, ~, ~, gradnorm] = attnpath_action_mex (c.net, c.data, order, 0);
catch problem
  if isempty (strfind (problem.identifier, 'notPositiveDefinite')), rethrow (problem); end
  S = Inf;
  grad = order;
  gradnorm = Inf;
end
end

function order = gp_order (c)
order = {eye(prod (c.H)), eye(c.H(2))};
end

% ---- L-BFGS in a geometry: frame at a point, gradient in it, the point and frame after a step ------------

function count = lbfgs (c, geometry)
order = gp_order (c);
frame = geometry.start (order);
[S, grad, gradnorm] = evaluate (c, order);
count = 1;
g = geometry.gradient (frame, grad);
steps = zeros (numel (g), 0);
changes = steps;
while gradnorm > c.tolerance && count < 1000
  d = two_loops (g, steps, changes);
  if isempty (steps), d = d / max (1, norm (g)); end
  slope = g' * d;
  [low, high, t] = deal (0, Inf, 1);
  while true                                     % weak Wolfe conditions by bisection
    [order, there] = geometry.move (frame, t * d);
    [value, grad, norm_there] = evaluate (c, order);
    count = count + 1;
    if value > S + 1e-4 * t * slope + 1e-13 * (1 + abs (S)) || ~isfinite (value)
      high = t;
    else
      new = geometry.gradient (there, grad);
      if new' * d >= 0.9 * slope || norm_there <= c.tolerance, break; end
      low = t;
    end
    if isfinite (high), t = (low + high) / 2; else, t = 2 * t; end
    if count >= 1000 || t < 1e-12, count = Inf; return; end
  end
  keep = max (1, size (steps, 2) - 8):size (steps, 2);
  steps = [steps(:,keep), t * d];
  changes = [changes(:,keep), new - g];
  [g, S, frame, gradnorm] = deal (new, value, there, norm_there);
end
if gradnorm > c.tolerance, count = Inf; end
end

function d = two_loops (g, steps, changes)
d = -g;
m = size (steps, 2);
weight = 1 ./ sum (steps .* changes, 1);
a = zeros (1, m);
for k = m:-1:1
  a(k) = weight(k) * (steps(:,k)' * d);
  d = d - a(k) * changes(:,k);
end
if m > 0
  d = d / (weight(m) * sum (changes(:,m).^2));
end
for k = 1:m
  d = d + (a(k) - weight(k) * (changes(:,k)' * d)) * steps(:,k);
end
end

function g = affine ()
g = struct ('start', @(order) cellfun (@(U) chol (U)', order, 'UniformOutput', false), ...
            'gradient', @affine_gradient, 'move', @affine_move);
end

function g = affine_gradient (F, grad)
g = [];
for l = 1:numel (F)
  A = F{l}' * grad{l} * F{l};
  g = [g; A(:)];
end
end

function [order, F] = affine_move (F, d)
order = F;
for l = 1:numel (F)
  n = size (F{l}, 1);
  [V, D] = eig (symmetric (reshape (d(1:n^2), n, n)));
  d(1:n^2) = [];
  F{l} = F{l} * (V * diag (exp (diag (D) / 2)) * V');
  order{l} = symmetric (F{l} * F{l}');
end
end

function g = cholesky ()
g = struct ('start', @(order) cellfun (@(U) chol (U)', order, 'UniformOutput', false), ...
            'gradient', @cholesky_gradient, 'move', @cholesky_move);
end

function g = cholesky_gradient (F, grad)
g = [];
for l = 1:numel (F)
  A = 2 * grad{l} * F{l};
  n = size (A, 1);
  A(1:n+1:end) = diag (A) .* diag (F{l});
  g = [g; A(tril (true (size (A))))];
end
end

function [order, F] = cholesky_move (F, d)
order = F;
for l = 1:numel (F)
  lower = tril (true (size (F{l})));
  A = zeros (size (F{l}));
  A(lower) = d(1:nnz (lower));
  d(1:nnz (lower)) = [];
  F{l} = F{l} + A - diag (diag (F{l} + A)) + diag (diag (F{l}) .* exp (diag (A)));
  order{l} = symmetric (F{l} * F{l}');
end
end

% ---- fixed point -------------------------------------------------------------------------------------------

function count = fixed_point (c, eliminated)
order = gp_order (c);
[points, residuals] = deal ([]);
for count = 1:1000
  if eliminated, order{2} = upper (c, order{1}, order{2}); end
  [~, grad, gradnorm] = evaluate (c, order);
  if gradnorm <= c.tolerance, return; end
  if ~isfinite (gradnorm), break; end
  next = {lower_layer(c, order{1}, grad{1})};
  if ~eliminated, next{2} = upper (c, order{1}, order{2}); end
  x = [];
  f = [];
  for l = 1:numel (next)
    from = logarithm (order{l});
    x = [x; from(:)];
    to = logarithm (next{l});
    f = [f; to(:) - from(:)];
  end
  keep = max (1, size (points, 2) - 9):size (points, 2);
  points = [points(:,keep), x];
  residuals = [residuals(:,keep), f];
  x = anderson (points, residuals);
  for l = 1:numel (next)
    n = size (order{l}, 1);
    order{l} = exponential (symmetric (reshape (x(1:n^2), n, n)));
    x(1:n^2) = [];
  end
end
count = Inf;
end

function x = anderson (X, F)
x = X(:,end) + F(:,end);
if size (X, 2) > 1
  dF = diff (F, 1, 2);
  x = x - (diff (X, 1, 2) + dF) * (pinv (dF) * F(:,end));
end
end

function U = lower_layer (c, U, grad)
% grad = N (B - U^{-1}) + G, so that with U = F F' the fixed point's inverse is F^{-T} (I + F' grad F / N) F^{-1}
F = chol (U)';
[V, D] = eig (symmetric (F' * grad * F) / c.width);
F = F * V;
U = symmetric (F * diag (1 ./ max (1 + diag (D), 0.1)) * F');
end

function U = upper (c, U1, U)
% U_2 and u_a for given U_1 (theory.md, section 3): all widths N, variances 1, so that Z^2 + b Z = ptr U_1 / u_a
% with Z = U_2 / u_a, b = H_1 - 1
H = c.H;
M = zeros (H(2));
for h = 1:H(1)
  k = (h - 1) * H(2) + (1:H(2));
  M = M + U1(k,k);
end
[V, D] = eig (symmetric (M));
for k = 1:500                                    % u_a + H_2 - 1 = tr U_2 / u_a, by fixed point
  b = H(2) - 1;
  ua = (sqrt (b^2 + 4 * trace (U)) - b) / 2;
  b = H(1) - 1;
  root = (sqrt (b^2 + 4 * diag (D) / ua) - b) / 2;
  before = U;
  U = symmetric (V * diag (ua * root) * V');
  if norm (U - before) <= 1e-14 * norm (U), break; end
end
end

function A = symmetric (A)
A = (A + A') / 2;
end

function A = logarithm (U)
[V, D] = eig (symmetric (U));
A = V * diag (log (diag (D))) * V';
end

function U = exponential (A)
[V, D] = eig (A);
U = symmetric (V * diag (exp (diag (D))) * V');
end
