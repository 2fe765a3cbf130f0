function experiment_exchangeable ()
%EXPERIMENT_EXCHANGEABLE  Attention as a conditional mean: errors against the length of sequences (after [1])
%
%   Tokens are pairs of a key and a value, i.i.d. given a latent vector z that belongs to the sequence. Attention
%   estimates E[v | k = q, z], which is known. Panels:
%     (a) error of attention against length n: the conditional mean embedding ('cme') with the right kernel, with a
%         general one and with a wrong one, and softmax, against the truth and against its own limit
%     (b) error of the posterior mean of z against n
%     (c) change of the outputs when the tokens are permuted
%     (d) a Bayesian network of finite width, trained at one length and tested at others
%     (e) self-supervised: attention tuned to predict masked tokens, then queried in directions where keys are rare,
%         against the condition number of the keys' covariance
%   Slopes of log error against log n come with 95 % confidence intervals over the seeds. All curves are measured
%   here; of [1] only the rate n^(-1/2) is drawn, not its constants. Prints these numbers and writes
%   demo_exchangeable.png and demo_exchangeable.pdf, into the current directory or the folder in the environment
%   variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/demo_exchangeable.m
%
%   [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent Variable
%       Models, arXiv:2212.14852.
%   See also attnpath_demo, attnpath_task_exchangeable, attnpath_attend, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_exchangeable');
plan = settings ();
plan.gamma = best_bandwidth (plan);
plan.ridge = plan.noise ^ 2 * exp (1 / plan.gamma);
plan.softmax = {'Attention', 'softmax', 'Bandwidth', plan.softmax_bandwidth};
plan.exponential = {'Attention', 'cme', 'Kernel', 'exponential', 'Bandwidth', plan.gamma, 'Ridge', plan.ridge};
plan.linear = {'Attention', 'cme', 'Kernel', 'linear', 'Bandwidth', 1, 'Ridge', plan.noise ^ 2};

started = tic ();
a = errors_against_length (plan);
seconds(1) = toc (started);
started = tic ();
d = networks_at_other_lengths (plan);
seconds(2) = toc (started);
started = tic ();
e = masked_tokens (plan);
seconds(3) = toc (started);

print_lengths (a, plan);
print_networks (d, plan);
print_masked (e, plan);
fprintf ('\nMeasured here: all errors, slopes and condition numbers. In closed form: the posterior of z, the limit\n');
fprintf ('of softmax in (a), the bound in (e). Cited from arXiv:2212.14852, whose constants are not known\n');
fprintf ('here: that errors fall like n^(-1/2) where the model is right, that the error of trained attention does\n');
fprintf ('not grow with the length, and that a condition number decides what masked training is worth downstream.\n');
fprintf ('Seconds: %.0f for (a) to (c), %.0f for (d), %.0f for (e)\n', seconds);

fig = figure_page ([13 9.4]);
if isempty (fig), return; end
draw_attention (fig, a, plan);
draw_latent (fig, a, plan);
draw_order (fig, a, plan);
draw_networks (fig, d, plan);
draw_masked (fig, e, plan);
save_figure (fig, folder, 'demo_exchangeable');
end

function plan = settings ()
plan.seeds = 20;
plan.lengths = 2 .^ (4:12);
plan.fitted = 128;               % slopes are fitted from this length on
plan.dimension = 3;              % of a key; the limit of softmax, below, is written for three
plan.features = 8;               % of the cosine map
plan.noise = 0.5;
plan.queries = 200;              % for each sequence
plan.sequences = 16;             % of each seed and length
plan.cost = 2048;                % of them cost / n, at least one, for the kernels whose n x n matrices take time
plan.softmax_bandwidth = 0.3;    % fixed, so that its bias stays
plan.grid = [0.25 0.5 1 2 4];    % bandwidths of the exponential kernel, of which the evidence chooses
plan.wrong_to = 1024;            % the wrong kernel has reached its limit there

plan.net_seeds = 5;              % (d)
plan.net_train = 64;             % tokens of a training sequence
plan.net_test = 2 .^ (4:10);
plan.net_P = [200 200];          % training and test sequences
plan.net_bandwidths = [0.1 0.5]; % of two softmax heads
plan.net_width = 50;
plan.net_temperature = 0.01;

plan.conditions = 4 .^ (0:5);    % (e)
plan.masked_tokens = 64;
plan.masked_dimension = 4;
plan.masked_P = [50 60];         % sequences to tune the ridge, and to test
plan.ridges = plan.noise ^ 2 * 4 .^ (-2:2);
plan.elsewhere = 50;             % isotropic queries for each sequence

plan = quick_mode (plan, struct ('seeds', 8, 'lengths', 2 .^ (4:9), 'fitted', 32, 'queries', 100, 'net_seeds', 2, ...
         'net_test', [16 64 256], 'net_P', [100 100], 'conditions', [1 16 256], 'masked_P', [20 30]));
end

% ---- the bandwidth of the exponential kernel -------------------------------------------------------------

function gamma = best_bandwidth (plan)
% Keys have norm 1: exp (k'q / gamma) is exp (1 / gamma) times a kernel of variance 1, the variance of the values
% without noise. As the covariance of a Gaussian process that kernel wants the ridge noise^2, so the exponential
% wants exp (1 / gamma) noise^2. Gamma is that of the largest evidence of pilot sequences, of a seed not used again.
pilot = attnpath_task_exchangeable ('Map', 'cosine', 'Features', plan.features, 'Dimension', plan.dimension, ...
                                    'Noise', plan.noise, 'P', 50, 'Ptest', 1, 'Seed', 0);
energy = zeros (size (plan.grid));
for g = 1:numel (plan.grid)
  for mu = 1:50
    [k, v] = keys_and_values (pilot.Xtrain(:,1:end-1,mu), plan.dimension);
    energy(g) = energy(g) + gp_energy (exp ((k' * k - 1) / plan.grid(g)), plan.noise ^ 2, v');
  end
end
[~, g] = min (energy);           % evidence is -energy / 2, but for a constant
gamma = plan.grid(g);
end

function energy = gp_energy (G, T, v)
% log det A + v' A^{-1} v (T7) of a Gaussian process, A = G + T I: a network of one path, whose inputs overlap as G says
[V, D] = eig ((G + G') / 2);
Xi = sqrt (numel (v) * max (D, 0)) * V';
[~, ~, part] = attnpath_action (attnpath_net (1, 'Temperature', T), struct ('Xi', Xi), v, {1});
energy = part.energy;
end

function [k, v] = keys_and_values (X, d)
% A token is a key of d numbers, and below it the value
k = X(1:d,:);
v = X(d+1,:);
end

% ---- (a), (b), (c): errors against length ----------------------------------------------------------------

function a = errors_against_length (plan)
% Six estimates of attention, in columns
a.names = {'cme, right kernel, linear values', 'cme, right kernel, cosine values', 'cme, exponential kernel', ...
           'cme, linear kernel (wrong)', 'softmax, against the truth', 'softmax, against its limit'};
a.latents = {'linear map', 'cosine map'};
lengths = plan.lengths;
err = NaN (numel (lengths), plan.seeds, 6);      % mean squares over queries and sequences
wrong_z = NaN (numel (lengths), plan.seeds, 2);  % of the latent
known_z = NaN (numel (lengths), plan.seeds, 2);  % what the posterior says of it
for s = 1:plan.seeds
  for i = 1:numel (lengths)
    common = {'Dimension', plan.dimension, 'Noise', plan.noise, 'Tokens', lengths(i), 'TestTokens', 1, ...
              'P', plan.sequences, 'Ptest', plan.queries, 'Seed', s};
    lin = attnpath_task_exchangeable (common{:});          % of the same keys as
    cosine = attnpath_task_exchangeable (common{:}, 'Map', 'cosine', 'Features', plan.features);
    few = max (1, min (plan.sequences, floor (plan.cost / lengths(i))));
    square = NaN (plan.sequences, 6);
    for mu = 1:plan.sequences
      square(mu,:) = errors_of_sequence (lin, cosine, mu, mu <= few, plan);
    end
    for c = 1:6
      err(i,s,c) = mean (square(isfinite (square(:,c)),c));
    end
    [wrong_z(i,s,1), known_z(i,s,1)] = errors_of_latent (lin);
    [wrong_z(i,s,2), known_z(i,s,2)] = errors_of_latent (cosine);
    if s == 1
      [a.moved(i,:), a.same(i)] = first_sequence (lin, cosine, plan);
    end
  end
end
late = lengths >= plan.fitted;
for c = 1:6
  a.slope(c,:) = slope_with_interval (lengths, err(:,:,c), late & isfinite (err(:,1,c)'));
end
for j = 1:2
  a.slope_z(j,:) = slope_with_interval (lengths, wrong_z(:,:,j), late);
end
a.err = root_mean (err);
a.err_z = root_mean (wrong_z);
a.known_z = root_mean (known_z);
end

function q = queries_of (task, d)
q = reshape (task.Xtest(d+2:2*d+1,end,:), d, []);
end

function square = errors_of_sequence (lin, cosine, mu, all_kernels, plan)
% Mean squares over queries of sequence mu. With the right kernel and ridge attention is the posterior mean at the
% query, which the tasks know in closed form
square = NaN (1, 6);
q = queries_of (lin, plan.dimension);
phi = cosine.phi (q);
[k, v] = keys_and_values (cosine.Xtrain(:,1:end-1,mu), plan.dimension);
z = cosine.latent.train(:,mu);
soft = attnpath_attend (q, k, v, plan.softmax{:});
square(1) = mean ((lin.posterior.train.mean(:,mu)' * q - lin.latent.train(:,mu)' * q) .^ 2);
square(2) = mean ((cosine.posterior.train.mean(:,mu)' * phi - z' * phi) .^ 2);
square(5) = mean ((soft - z' * phi) .^ 2);
square(6) = mean ((soft - z' * softmax_limit (cosine.map, q, plan.softmax_bandwidth)) .^ 2);
if all_kernels
  square(3) = mean ((attnpath_attend (q, k, v, plan.exponential{:}) - z' * phi) .^ 2);
end
if all_kernels && size (k, 2) <= plan.wrong_to
  square(4) = mean ((attnpath_attend (q, k, v, plan.linear{:}) - z' * phi) .^ 2);
end
end

function phi = softmax_limit (map, q, bandwidth)
% Keys are uniform on the sphere, and the exponential tilts them towards q. With kappa = 1 / bandwidth, the mean of
% exp (a'k) over the sphere in three dimensions is sinh (r) / r, r = sqrt (a'a), also for a = kappa q + i w, which gives
% the mean of cos (w'k + b)
sinhc = @(r) sinh (r) ./ r;
kappa = 1 / bandwidth;
phi = sqrt (2 / numel (map.b)) * real (exp (1i * map.b) ...
      .* sinhc (sqrt (kappa ^ 2 - sum (map.W .^ 2, 2) + 2i * kappa * map.W * q))) / sinhc (kappa);
end

function [wrong, known] = errors_of_latent (task)
% Mean square error of the posterior mean of z, and the mean of the posterior's own variances
wrong = mean (mean ((task.posterior.train.mean - task.latent.train) .^ 2));
[D, sequences] = size (task.latent.train);
S = reshape (task.posterior.train.cov, D * D, sequences);
known = mean (mean (S(1:D+1:end,:)));
end

function [change, largest] = first_sequence (lin, cosine, plan)
% Largest change of an output when the tokens are permuted, of softmax and of the exponential kernel; and the largest
% difference between attention with the right kernel and the posterior mean
q = queries_of (lin, plan.dimension);
phi = cosine.phi (q);
[k, v] = keys_and_values (cosine.Xtrain(:,1:end-1,1), plan.dimension);
[~, v_lin] = keys_and_values (lin.Xtrain(:,1:end-1,1), plan.dimension);
n = size (k, 2);
order = 1 + mod (7 * (n:-1:1), n);               % a permutation: 7 does not divide n
moved = @(kind) max (abs (attnpath_attend (q, k(:,order), v(order), kind{:}) - attnpath_attend (q, k, v, kind{:})));
change = [moved(plan.softmax), moved(plan.exponential)];
largest = 0;
if n <= plan.wrong_to
  f = attnpath_attend (phi, cosine.phi (k), v, plan.linear{:});
  f_lin = attnpath_attend (q, k, v_lin, plan.linear{:});
  largest = max ([abs(f - cosine.posterior.train.mean(:,1)' * phi), abs(f_lin - lin.posterior.train.mean(:,1)' * q)]);
end
end

function b = slope_with_interval (lengths, squares, used)
% Slope of log error against log length, seed by seed: mean, and half of the 95 % confidence interval. The quantile of
% Student's distribution is that of a beta distribution in disguise
x = log (lengths(used))';
y = log (squares(used,:)) / 2;
seeds = size (y, 2);
slopes = sum ((x - mean (x)) .* (y - mean (y, 1)), 1) / sum ((x - mean (x)) .^ 2);
quantile = betaincinv (0.05, (seeds - 1) / 2, 0.5);
student = sqrt ((seeds - 1) * (1 - quantile) / quantile);
b = [mean(slopes), student * std(slopes) / sqrt(seeds)];
end

function r = root_mean (squares)
% lengths x seeds x k mean squares: lengths x k
r = reshape (sqrt (mean (squares, 2)), size (squares, 1), size (squares, 3));
end

% ---- (d): networks tested at other lengths ---------------------------------------------------------------

function d = networks_at_other_lengths (plan)
err = zeros (numel (plan.net_test), plan.net_seeds, 3);    % softmax, cme, what is possible
bayes = {'Width', plan.net_width, 'Temperature', plan.net_temperature};
for s = 1:plan.net_seeds
  draw = @(n, bandwidths) attnpath_task_exchangeable ('Map', 'cosine', 'Features', plan.features, ...
            'Dimension', plan.dimension, 'Noise', plan.noise, 'P', plan.net_P(1), 'Tokens', plan.net_train, ...
            'Ptest', plan.net_P(2), 'TestTokens', n, 'Bandwidth', bandwidths, 'Seed', s);
  task = draw (plan.net_test(1), plan.net_bandwidths);
  other = draw (plan.net_test(1), plan.gamma);
  soft = attnpath_net (task.heads, bayes{:});
  cme = attnpath_net (other.heads, bayes{:}, 'Attention', 'cme', 'Kernel', 'exponential', 'Bandwidth', 1, ...
                      'Ridge', plan.ridge);
  sol = {attnpath_solve(soft, task.Xtrain, task.ytrain), attnpath_solve(cme, task.Xtrain, task.ytrain)};
  for i = 1:numel (plan.net_test)
    task = draw (plan.net_test(i), plan.net_bandwidths);
    for j = 1:2
      err(i,s,j) = mean ((attnpath_predict (sol{j}, task.Xtest) - task.truth.test) .^ 2);
    end
    err(i,s,3) = mean ((task.posterior.test.prediction - task.truth.test) .^ 2);
  end
end
[m, error_of_m] = mean_error (permute (sqrt (err), [2 1 3]));
d.mean = reshape (m, [], 3);
d.error = reshape (error_of_m, [], 3);
end

% ---- (e): masked tokens, and queries from elsewhere ------------------------------------------------------

function e = masked_tokens (plan)
% The ridge is tuned on masked values, without labels, and frozen. Then the same attention is asked about keys of
% equal variance in all directions, and for the sign of the conditional mean there
d = plan.masked_dimension;
angle = linspace (0, 2 * pi, plan.elsewhere + 1);          % on a torus in the sphere: isotropic, and not random
iso = [cos(angle); sin(angle); cos(7 * angle); sin(7 * angle)] / sqrt (2);
iso = iso(:,1:plan.elsewhere);
err = zeros (numel (plan.conditions), plan.seeds, 3);      % masked, elsewhere, wrong signs elsewhere
number = zeros (numel (plan.conditions), plan.seeds, 2);   % condition numbers of K K' and K K' + ridge I
tuned = zeros (numel (plan.conditions), plan.seeds);
for s = 1:plan.seeds
  for i = 1:numel (plan.conditions)
    task = attnpath_task_exchangeable ('Keys', 'gaussian', 'Condition', plan.conditions(i), 'Dimension', d, ...
             'Noise', plan.noise, 'Tokens', plan.masked_tokens, 'P', plan.masked_P(1), 'Ptest', plan.masked_P(2), ...
             'Label', 'masked', 'Seed', s);
    tuned(i,s) = best_ridge (task, plan.ridges, d);
    [square, numbers] = errors_elsewhere (task, tuned(i,s), iso, d);
    err(i,s,:) = mean (square, 1);
    number(i,s,:) = median (numbers, 1);
  end
end
e.err = root_mean (err(:,:,1:2));
e.wrong_signs = mean (err(:,:,3), 2);
e.number = reshape (median (number, 2), [], 2);
e.ridge = median (tuned, 2);
% If e = estimate of z minus z, E (k'e)^2 = e' C e for keys of covariance C, and |e|^2 / d for isotropic ones: at most
% 1 / (d smallest eigenvalue of C) times as large
c = plan.conditions';
e.bound = e.err(:,1) .* sqrt (1 ./ (d * (c .^ -1) ./ sum (c .^ (-(0:d-1) / (d - 1)), 2)));
end

function ridge = best_ridge (task, ridges, d)
loss = zeros (size (ridges));
for mu = 1:size (task.Xtrain, 3)
  [k, v] = keys_and_values (task.Xtrain(:,1:end-1,mu), d);
  for r = 1:numel (ridges)
    f = attend_linear (task.Xtrain(d+2:2*d+1,end,mu), k, v, ridges(r));
    loss(r) = loss(r) + (f - task.ytrain(mu)) ^ 2;
  end
end
[~, r] = min (loss);
ridge = ridges(r);
end

function f = attend_linear (q, k, v, ridge)
f = attnpath_attend (q, k, v, 'Attention', 'cme', 'Kernel', 'linear', 'Bandwidth', 1, 'Ridge', ridge);
end

function [square, numbers] = errors_elsewhere (task, ridge, iso, d)
% A row for each test sequence: errors at the masked token and at isotropic queries, wrong signs; condition numbers
for mu = 1:size (task.Xtest, 3)
  [k, v] = keys_and_values (task.Xtest(:,1:end-1,mu), d);
  f = attend_linear ([task.Xtest(d+2:2*d+1,end,mu), iso], k, v, ridge);
  truth = task.latent.test(:,mu)' * iso;
  square(mu,:) = [(f(1) - task.truth.test(mu)) ^ 2, mean((f(2:end) - truth) .^ 2), ...
                  mean(sign (f(2:end)) ~= sign (truth))];
  numbers(mu,:) = [cond(k * k'), cond(k * k' + ridge * eye (d))];
end
end

% ---- tables ----------------------------------------------------------------------------------------------

function print_lengths (a, plan)
fprintf ('\nExchangeable tokens: keys uniform on the sphere in %d dimensions, noise %g, %d seeds\n', ...
         plan.dimension, plan.noise, plan.seeds);
fprintf ('Values: z''k (linear), or z''phi(k) with %d random cosines (all but the first column)\n', plan.features);
fprintf ('Right kernels: ridge noise^2, which makes the posterior mean. Exponential kernel: bandwidth %g, of the\n', ...
         plan.gamma);
fprintf ('largest evidence of %s on pilot sequences, ridge noise^2 exp (1/%g) = %.3f.\n', mat2str (plan.grid), ...
         plan.gamma, plan.ridge);
fprintf ('Softmax: bandwidth %g at every length, so that its bias stays\n', plan.softmax_bandwidth);
fprintf ('\n(a) rms error of attention, over queries and seeds\n');
heading = {'right,', 'right,', 'exponen-', 'wrong', 'softmax', 'softmax'
           'linear', 'cosine', 'tial', '(linear)', '- truth', '- limit'};
six = repmat ('%10s', 1, 6);
fprintf (['  %7s' six '\n'], '', heading{1,:});
fprintf (['  %7s' six '\n'], 'n', heading{2,:});
errors = arrayfun (@(x) sprintf ('%10.4f', x), a.err, 'UniformOutput', false);
print_rows (['  %7d' six '\n'], plan.lengths', strrep (errors, 'NaN', '  -'));
fprintf ('  slope  %s   fitted from n = %d\n', sprintf ('%10.3f', a.slope(:,1)), plan.fitted);
fprintf ('    +-   %s   95 %% confidence\n', sprintf ('%10.3f', a.slope(:,2)));
fprintf (['  rate   ' six '   of theory; in brackets: up to powers of log n\n'], ...
         '-1/2', '-1/2', '(-1/2)', 'none', 'none', '-1/2');
fprintf ('  none: what remains is bias, of a kernel without the function, or of a bandwidth that stays\n');
fprintf ('  right kernels: computed as the posterior mean at the query; attention differs from it by up to %.0e\n', ...
         max (a.same));
fprintf ('\n(b) rms error of the posterior mean of z, per component; what the posterior''s own variance says\n');
fprintf ('  %7s%18s%24s\n', 'n', a.latents{:});
print_rows ('  %7d%10.4f%10.4f%14.4f%10.4f\n', plan.lengths', a.err_z(:,1), a.known_z(:,1), a.err_z(:,2), ...
            a.known_z(:,2));
fprintf ('  slope  %10.3f %24.3f   fitted from n = %d\n', a.slope_z(:,1), plan.fitted);
fprintf ('    +-   %10.3f %24.3f   95 %% confidence\n', a.slope_z(:,2));
fprintf ('  rate   %10s %24s\n', '-1/2', '-1/2');
fprintf ('\n(c) largest change of an output when tokens are shuffled: %.1e softmax, %.1e cme (eps is %.1e)\n', ...
         max (a.moved, [], 1), eps);
end

function print_networks (d, plan)
fprintf (['\n(d) rms error of networks of width %d trained on %d sequences of %d tokens, at other lengths, ' ...
          '%d seeds\n'], plan.net_width, plan.net_P(1), plan.net_train, plan.net_seeds);
fprintf ('  softmax heads of bandwidths %s; a cme head with the exponential kernel of (a)\n', ...
         mat2str (plan.net_bandwidths));
fprintf ('  %7s %18s %18s %18s\n', 'n', 'softmax heads', 'a cme head', 'posterior mean');
print_rows (['  %7d' repmat(' %9.4f +- %6.4f', 1, 3) '\n'], plan.net_test', d.mean(:,1), d.error(:,1), ...
            d.mean(:,2), d.error(:,2), d.mean(:,3), d.error(:,3));
end

function print_masked (e, plan)
fprintf (['\n(e) cme with a linear kernel, ridge tuned on masked tokens (n = %d, %d dimensions), then frozen; ' ...
          '%d seeds\n'], plan.masked_tokens, plan.masked_dimension, plan.seeds);
fprintf ('  condition of        of K K''   of K K'' +    tuned    rms error                          wrong signs\n');
fprintf ('  the covariance    (median)   ridge I    ridge     masked   elsewhere   bound on it     elsewhere\n');
print_rows ('  %14g%12.1f%10.1f%9.4f%11.4f%12.4f%14.4f%14.1f %%\n', plan.conditions', e.number, e.ridge, e.err, ...
            e.bound, 100 * e.wrong_signs);
fprintf ('  errors against the conditional mean, that of the masked token too (its noise is not in them)\n');
fprintf ('  bound: masked error times (d smallest eigenvalue of the keys'' covariance)^(-1/2)\n');
end

% ---- panels ----------------------------------------------------------------------------------------------

function ax = panel (fig, place, letter, heading, ticks, ends, x, y)
ax = log_axes (fig, place, ends([1 end]) .* [0.8 1.25], ticks);
set (ax, 'yscale', 'log');
label_axes (ax, letter, heading, x, y, 1.08);
end

function c = styled (ax, style, x, y)
% Dark to light and no two alike in grey; marker and dashes tell them apart as well
colours = [0 0 0; 0.00 0.32 0.62; 0.80 0.10 0.10; 0.85 0.55 0.10; 0.35 0.35 0.35; 0.45 0.65 0.85];
dashes = {'-', '-', '-', '--', '--', '-'};
markers = 'osd^xv';
c = curve (ax, x, y, colours(style,:), dashes{style}, 1.4, markers(style), 6);
end

function finish (ax, curves, names, limits)
% The key goes below the axes, where it covers nothing
key = legend (ax, curves, names);
set (key, 'box', 'off', 'fontsize', 9);
place = get (ax, 'position');
at = get (key, 'position');
at(4) = numel (curves) * 0.0215;                 % of the figure, when printed
set (key, 'position', [place(1), place(2) - 0.068 - at(4), at(3:4)]);
set (ax, 'ylim', limits);
if limits(2) < 1e4 * limits(1)
  levels = [0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10];
  set (ax, 'ytick', levels, 'yminortick', 'off', ...
       'yticklabel', arrayfun (@(x) sprintf ('%g', x), levels, 'UniformOutput', false));
end
end

function names = with_slopes (names, slope)
for k = 1:numel (names)
  names{k} = sprintf ('%s: slope %.2f \\pm %.2f', names{k}, slope(k,:));
end
end

function draw_attention (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.07 0.70 0.36 0.26], 'a', 'error of attention', n(1:2:end), n, 'tokens n', ...
            'rms error (truth has deviation 1)');
for c = 1:6
  curves(c) = styled (ax, c, n, a.err(:,c)');
end
curves(7) = curve (ax, n, 0.6 * a.err(1,1) * sqrt (n(1) ./ n), [0 0 0], ':', 1.6);
finish (ax, curves, [with_slopes(a.names, a.slope), {'rate n^{-1/2}'}], ...
        [0.4 * a.err(1,1) * sqrt(n(1) / n(end)), 1.5]);
end

function draw_latent (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.515 0.70 0.215 0.26], 'b', 'error of the latent''s posterior mean', n(1:2:end), n, 'tokens n', ...
            'rms error (prior has deviation 1)');
for j = 1:2
  curves(j) = styled (ax, j, n, a.err_z(:,j)');
  curves(3) = curve (ax, n, a.known_z(:,j)', [0 0 0], 'none', 0.5, '+', 9);
end
curves(4) = curve (ax, n, 0.6 * a.err_z(1,1) * sqrt (n(1) ./ n), [0 0 0], ':', 1.6);
finish (ax, curves, [with_slopes(a.latents, a.slope_z), {'the posterior''s own deviation', 'rate n^{-1/2}'}], ...
        [0.4 * a.err_z(1,1) * sqrt(n(1) / n(end)), 1.5]);
end

function draw_order (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.805 0.70 0.175 0.26], 'c', 'tokens in another order', n(1:4:end), n, 'tokens n', ...
            'largest change of an output');
moved = max (a.moved, eps / 16);                 % 0 has no logarithm
curves = [styled(ax, 5, n, moved(:,1)'), styled(ax, 3, n, moved(:,2)'), ...
          curve(ax, n([1 end]), [eps eps], [0 0 0], ':', 1.6)];
finish (ax, curves, {'softmax', 'cme, exponential kernel', 'eps of double precision'}, ...
        [eps / 32, 10 ^ ceil(log10 (8 * max (a.moved(:))))]);
end

function draw_networks (fig, d, plan)
n = plan.net_test;
ax = panel (fig, [0.07 0.195 0.36 0.24], 'd', sprintf ('networks trained at n = %d', plan.net_train), n, n, ...
            'tokens n of the test sequences', 'rms error (truth has deviation 1)');
styles = [5 3 1];
for j = 1:3
  curves(j) = styled (ax, styles(j), n, d.mean(:,j)');
  error_bars (ax, n, d.mean(:,j), d.error(:,j), get (curves(j), 'color'), 1.4);
end
limits = [min(d.mean(end,:)) / 2, 1.5];
curves(4) = curve (ax, [1 1] * plan.net_train, limits, [0.5 0.5 0.5], '-.', 0.5);
finish (ax, curves, {sprintf('softmax heads, mean of %d seeds \\pm s.e.', plan.net_seeds), 'a cme head', ...
                     'posterior mean: the best there is', 'length of training'}, limits);
end

function draw_masked (fig, e, plan)
c = plan.conditions;
ax = panel (fig, [0.515 0.195 0.465 0.24], 'e', 'tuned on masked tokens, asked elsewhere', c, c, ...
            'condition number of the keys'' covariance', 'rms error (truth has deviation 1)');
curves = [styled(ax, 2, c, e.err(:,1)'), styled(ax, 3, c, e.err(:,2)'), curve(ax, c, e.bound', [0 0 0], ':', 1.6)];
finish (ax, curves, {'masked tokens (self-supervised)', 'isotropic queries (downstream)', ...
                     'bound: masked error (d \lambda_{min})^{-1/2}'}, [min(e.err(:)) / 1.5, 1.5 * max(e.bound)]);
end
