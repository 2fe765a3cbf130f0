function experiment_exchangeable ()
%EXPERIMENT_EXCHANGEABLE  Attention as a conditional mean: errors against the length of exchangeable sequences (after [1])
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

% ---- settings --------------------------------------------------------------------------------------------

seeds = 20;
lengths = 2 .^ (4:12);
fitted = 128;                    % slopes are fitted from this length on
dimension = 3;                   % of a key; the limit of softmax, below, is written for three
features = 8;                    % of the cosine map
noise = 0.5;
queries = 200;                   % for each sequence
sequences = 16;                  % of each seed and length
cost = 2048;                     % of them cost / n, at least one, for the kernels whose n x n matrices take time
softmax_bandwidth = 0.3;         % fixed, so that its bias stays
grid = [0.25 0.5 1 2 4];         % bandwidths of the exponential kernel, of which the evidence chooses
wrong_to = 1024;                 % the wrong kernel has reached its limit there

net_seeds = 5;                   % (d)
net_train = 64;                  % tokens of a training sequence
net_test = 2 .^ (4:10);
net_P = [200 200];               % training and test sequences
net_bandwidths = [0.1 0.5];      % of two softmax heads
net_width = 50;
net_temperature = 0.01;

conditions = 4 .^ (0:5);         % (e)
masked_tokens = 64;
masked_dimension = 4;
masked_P = [50 60];              % sequences to tune the ridge, and to test
ridges = noise ^ 2 * 4 .^ (-2:2);
elsewhere = 50;                  % isotropic queries for each sequence

if strcmp (getenv ('ATTNPATH_QUICK'), '1')       % the same with less of all, to see whether it runs
  seeds = 8;
  lengths = 2 .^ (4:9);
  fitted = 32;
  queries = 100;
  net_seeds = 2;
  net_test = [16 64 256];
  net_P = [100 100];
  conditions = [1 16 256];
  masked_P = [20 30];
end
folder = figure_folder ('demo_exchangeable');

% ---- the bandwidth of the exponential kernel -------------------------------------------------------------

% Keys have norm 1: exp (k'q / gamma) is exp (1 / gamma) times a kernel of variance 1, the variance of the values
% without noise. As the covariance of a Gaussian process that kernel wants the ridge noise^2, so the exponential
% wants exp (1 / gamma) noise^2. Gamma is that of the largest evidence of pilot sequences, of a seed not used again.
pilot = attnpath_task_exchangeable ('Map', 'cosine', 'Features', features, 'Dimension', dimension, 'Noise', noise, ...
                                    'P', 50, 'Ptest', 1, 'Seed', 0);
evidence = zeros (size (grid));
for g = 1:numel (grid)
  for mu = 1:50
    k = pilot.Xtrain(1:dimension,1:end-1,mu);
    v = pilot.Xtrain(dimension+1,1:end-1,mu);
    R = chol (exp ((k' * k - 1) / grid(g)) + noise ^ 2 * eye (size (k, 2)));
    evidence(g) = evidence(g) - sum (log (diag (R))) - sum ((R' \ v') .^ 2) / 2;
  end
end
[~, g] = max (evidence);
gamma_cme = grid(g);
ridge_cme = noise ^ 2 * exp (1 / gamma_cme);

% ---- (a), (b), (c): errors against length ----------------------------------------------------------------

% The limit of softmax: keys are uniform on the sphere, and the exponential tilts them towards q. With kappa =
% 1 / gamma, the mean of exp (a'k) over the sphere in three dimensions is sinh (r) / r, r = sqrt (a'a), also for a =
% kappa q + i w, which gives the mean of cos (w'k + b).
sinhc = @(r) sinh (r) ./ r;
kappa = 1 / softmax_bandwidth;
smoothed = @(map, q) sqrt (2 / numel (map.b)) * real (exp (1i * map.b) ...
           .* sinhc (sqrt (kappa ^ 2 - sum (map.W .^ 2, 2) + 2i * kappa * map.W * q))) / sinhc (kappa);

cme_linear = {'Attention', 'cme', 'Kernel', 'linear', 'Bandwidth', 1, 'Ridge', noise ^ 2};
cme_exponential = {'Attention', 'cme', 'Kernel', 'exponential', 'Bandwidth', gamma_cme, 'Ridge', ridge_cme};
names = {'cme, right kernel, linear values', 'cme, right kernel, cosine values', 'cme, exponential kernel', ...
         'cme, linear kernel (wrong)', 'softmax, against the truth', 'softmax, against its limit'};
latents = {'linear map', 'cosine map'};
err = NaN (numel (lengths), seeds, numel (names));         % mean squares over queries and sequences
wrong_z = NaN (numel (lengths), seeds, 2);                 % of the latent
known_z = NaN (numel (lengths), seeds, 2);                 % what the posterior says of it
moved = zeros (numel (lengths), 2);
same = 0;
started = tic ();
for s = 1:seeds
  for i = 1:numel (lengths)
    n = lengths(i);
    few = max (1, min (sequences, floor (cost / n)));
    settings = struct ('Dimension', dimension, 'Noise', noise, 'Tokens', n, 'TestTokens', 1, 'P', sequences, ...
                       'Ptest', queries, 'Seed', s);
    lin = attnpath_task_exchangeable (settings);
    settings.Map = 'cosine';
    settings.Features = features;
    cosine = attnpath_task_exchangeable (settings);
    q = reshape (lin.Xtest(dimension+2:2*dimension+1,end,:), dimension, queries);    % the keys of both are the same
    phi = cosine.phi (q);
    limit = smoothed (cosine.map, q);
    square = NaN (sequences, numel (names));
    for mu = 1:sequences
      k = lin.Xtrain(1:dimension,1:n,mu);
      v = cosine.Xtrain(dimension+1,1:n,mu);
      z = cosine.latent.train(:,mu);
      % With the right kernel and ridge attention is the posterior mean at the query, of which task has all it takes
      best_lin = lin.posterior.train.mean(:,mu)' * q;
      best = cosine.posterior.train.mean(:,mu)' * phi;
      soft = attnpath_attend (q, k, v, 'Attention', 'softmax', 'Bandwidth', softmax_bandwidth);
      square(mu,1) = mean ((best_lin - lin.latent.train(:,mu)' * q) .^ 2);
      square(mu,2) = mean ((best - z' * phi) .^ 2);
      square(mu,5) = mean ((soft - z' * phi) .^ 2);
      square(mu,6) = mean ((soft - z' * limit) .^ 2);
      if mu <= few
        exponential = attnpath_attend (q, k, v, cme_exponential{:});
        square(mu,3) = mean ((exponential - z' * phi) .^ 2);
        if n <= wrong_to
          square(mu,4) = mean ((attnpath_attend (q, k, v, cme_linear{:}) - z' * phi) .^ 2);
        end
      end
      if s == 1 && mu == 1
        order = 1 + mod (7 * (n:-1:1), n);                 % a permutation: 7 does not divide n
        f = attnpath_attend (q, k(:,order), v(order), 'Attention', 'softmax', 'Bandwidth', softmax_bandwidth);
        moved(i,1) = max (abs (f - soft));
        f = attnpath_attend (q, k(:,order), v(order), cme_exponential{:});
        moved(i,2) = max (abs (f - exponential));
        if n <= wrong_to                                   % that attention is the posterior mean, as a number
          f = attnpath_attend (phi, cosine.phi (k), v, cme_linear{:});
          f_lin = attnpath_attend (q, k, lin.Xtrain(dimension+1,1:n,mu), cme_linear{:});
          same = max ([same, abs(f - best), abs(f_lin - best_lin)]);
        end
      end
    end
    for c = 1:numel (names)
      err(i,s,c) = mean (square(isfinite (square(:,c)),c));
    end
    both = {lin, cosine};
    for j = 1:2
      wrong_z(i,s,j) = mean (mean ((both{j}.posterior.train.mean - both{j}.latent.train) .^ 2));
      D = size (both{j}.latent.train, 1);
      S = reshape (both{j}.posterior.train.cov, D * D, sequences);
      known_z(i,s,j) = mean (mean (S(1:D+1:end,:)));
    end
  end
end
seconds_a = toc (started);

% Slopes, seed by seed. The quantile of Student's distribution is that of a beta distribution in disguise
quantile = betaincinv (0.05, (seeds - 1) / 2, 0.5);
student = sqrt ((seeds - 1) * (1 - quantile) / quantile);
slope_of = @(x, y) sum ((x - mean (x)) .* (y - mean (y, 1)), 1) / sum ((x - mean (x)) .^ 2);
slopes = @(e, used) slope_of (log (lengths(used))', log (e(used,:)) / 2);
interval = @(b) [mean(b), student * std(b) / sqrt(numel (b))];
late = lengths >= fitted;
slope = zeros (numel (names), 2);
for c = 1:numel (names)
  slope(c,:) = interval (slopes (err(:,:,c), late & isfinite (err(:,1,c)')));
end
slope_z = zeros (2, 2);
for j = 1:2, slope_z(j,:) = interval (slopes (wrong_z(:,:,j), late)); end
rms = @(x) reshape (sqrt (mean (x, 2)), size (x, 1), size (x, 3));
err_a = rms (err);
err_b = rms (wrong_z);
expected_b = rms (known_z);

% ---- (d): networks tested at other lengths ---------------------------------------------------------------

err_d = zeros (numel (net_test), net_seeds, 3);            % softmax, cme, what is possible
started = tic ();
for s = 1:net_seeds
  settings = struct ('Map', 'cosine', 'Features', features, 'Dimension', dimension, 'Noise', noise, ...
                     'P', net_P(1), 'Tokens', net_train, 'Ptest', net_P(2), 'Seed', s);
  for i = 1:numel (net_test)
    settings.TestTokens = net_test(i);
    settings.Bandwidth = net_bandwidths;
    task = attnpath_task_exchangeable (settings);
    if i == 1
      net = attnpath_net (task.heads, 'Width', net_width, 'Temperature', net_temperature);
      settings.Bandwidth = gamma_cme;
      other = attnpath_task_exchangeable (settings);
      net(2) = attnpath_net (other.heads, 'Width', net_width, 'Temperature', net_temperature, 'Attention', 'cme', ...
                             'Kernel', 'exponential', 'Bandwidth', 1, 'Ridge', ridge_cme);
      for j = 1:2, sol{j} = attnpath_solve (net(j), task.Xtrain, task.ytrain); end
    end
    for j = 1:2
      err_d(i,s,j) = mean ((attnpath_predict (sol{j}, task.Xtest) - task.truth.test) .^ 2);
    end
    err_d(i,s,3) = mean ((task.posterior.test.prediction - task.truth.test) .^ 2);
  end
end
seconds_d = toc (started);

% ---- (e): masked tokens, and queries from elsewhere ------------------------------------------------------

% The ridge is tuned on masked values, without labels, and frozen. Then the same attention is asked about keys of
% equal variance in all directions, and for the sign of the conditional mean there. If e = estimate of z minus z,
% E (k'e)^2 = e' C e for keys of covariance C, and |e|^2 / d for isotropic ones: at most 1 / (d smallest eigenvalue
% of C) times as large.
d = masked_dimension;
err_e = zeros (numel (conditions), seeds, 3);              % masked, elsewhere, wrong signs elsewhere
measured = zeros (numel (conditions), seeds, 2);           % condition numbers of K K' and K K' + ridge I
tuned = zeros (numel (conditions), seeds);
started = tic ();
for s = 1:seeds
  for i = 1:numel (conditions)
    task = attnpath_task_exchangeable ('Keys', 'gaussian', 'Condition', conditions(i), 'Dimension', d, ...
             'Noise', noise, 'Tokens', masked_tokens, 'P', masked_P(1), 'Ptest', masked_P(2), 'Label', 'masked', ...
             'Seed', s);
    attend = @(q, X, ridge) attnpath_attend (q, X(1:d,1:end-1), X(d+1,1:end-1), 'Attention', 'cme', ...
                                             'Kernel', 'linear', 'Bandwidth', 1, 'Ridge', ridge);
    loss = zeros (size (ridges));
    for mu = 1:masked_P(1)
      X = task.Xtrain(:,:,mu);
      for r = 1:numel (ridges)
        loss(r) = loss(r) + (attend (X(d+2:2*d+1,end), X, ridges(r)) - task.ytrain(mu)) ^ 2;
      end
    end
    [~, r] = min (loss);
    tuned(i,s) = ridges(r);
    angle = linspace (0, 2 * pi, elsewhere + 1);           % on a torus in the sphere: isotropic, and not random
    iso = [cos(angle); sin(angle); cos(7 * angle); sin(7 * angle)] / sqrt (2);
    iso = iso(:,1:elsewhere);
    square = zeros (masked_P(2), 3);
    number = zeros (masked_P(2), 2);
    for mu = 1:masked_P(2)
      X = task.Xtest(:,:,mu);
      f = attend ([X(d+2:2*d+1,end), iso], X, tuned(i,s));
      truth = task.latent.test(:,mu)' * iso;
      square(mu,:) = [(f(1) - task.truth.test(mu)) ^ 2, mean((f(2:end) - truth) .^ 2), ...
                      mean(sign (f(2:end)) ~= sign (truth))];
      second = X(1:d,1:end-1) * X(1:d,1:end-1)';
      number(mu,:) = [cond(second), cond(second + tuned(i,s) * eye (d))];
    end
    err_e(i,s,:) = mean (square, 1);
    measured(i,s,:) = median (number, 1);
  end
end
seconds_e = toc (started);
bound = @(c) 1 ./ (d * (c .^ -1) ./ sum (c .^ (-(0:d-1) / (d - 1)), 2));    % 1 / (d smallest eigenvalue)

% ---- numbers ---------------------------------------------------------------------------------------------

fprintf ('\nExchangeable tokens: keys uniform on the sphere in %d dimensions, noise %g, %d seeds\n', ...
         dimension, noise, seeds);
fprintf ('Values: z''k (linear), or z''phi(k) with %d random cosines (all but the first column)\n', features);
fprintf ('Right kernels: ridge noise^2, which makes the posterior mean. Exponential kernel: bandwidth %g, of the\n', ...
         gamma_cme);
fprintf ('largest evidence of %s on pilot sequences, ridge noise^2 exp (1/%g) = %.3f.\n', mat2str (grid), gamma_cme, ...
         ridge_cme);
fprintf ('Softmax: bandwidth %g at every length, so that its bias stays\n', softmax_bandwidth);
fprintf ('\n(a) rms error of attention, over queries and seeds\n');
heading = {'right,', 'right,', 'exponen-', 'wrong', 'softmax', 'softmax'
           'linear', 'cosine', 'tial', '(linear)', '- truth', '- limit'};
fprintf ('  %7s%s\n', '', sprintf ('%10s', heading{1,:}));
fprintf ('  %7s%s\n', 'n', sprintf ('%10s', heading{2,:}));
for i = 1:numel (lengths)
  fprintf ('  %7d%s\n', lengths(i), strrep (sprintf ('%10.4f', err_a(i,:)), 'NaN', '  -'));
end
fprintf ('  slope  %s   fitted from n = %d\n', sprintf ('%10.3f', slope(:,1)), fitted);
fprintf ('    +-   %s   95 %% confidence\n', sprintf ('%10.3f', slope(:,2)));
fprintf ('  rate   %10s%10s%10s%10s%10s%10s   of theory; in brackets: up to powers of log n\n', ...
         '-1/2', '-1/2', '(-1/2)', 'none', 'none', '-1/2');
fprintf ('  none: what remains is bias, of a kernel without the function, or of a bandwidth that stays\n');
fprintf ('  right kernels: computed as the posterior mean at the query; attention differs from it by up to %.0e\n', ...
         same);

fprintf ('\n(b) rms error of the posterior mean of z, per component; what the posterior''s own variance says\n');
fprintf ('  %7s%18s%24s\n', 'n', latents{:});
for i = 1:numel (lengths)
  fprintf ('  %7d%10.4f%10.4f%14.4f%10.4f\n', lengths(i), [err_b(i,:); expected_b(i,:)]);
end
fprintf ('  slope  %10.3f %24.3f   fitted from n = %d\n', slope_z(:,1), fitted);
fprintf ('    +-   %10.3f %24.3f   95 %% confidence\n', slope_z(:,2));
fprintf ('  rate   %10s %24s\n', '-1/2', '-1/2');

fprintf ('\n(c) largest change of an output when tokens are shuffled: %.1e softmax, %.1e cme (eps is %.1e)\n', ...
         max (moved, [], 1), eps);

fprintf (['\n(d) rms error of networks of width %d trained on %d sequences of %d tokens, at other lengths, ' ...
          '%d seeds\n'], net_width, net_P(1), net_train, net_seeds);
fprintf ('  softmax heads of bandwidths %s; a cme head with the exponential kernel of (a)\n', mat2str (net_bandwidths));
fprintf ('  %7s %18s %18s %18s\n', 'n', 'softmax heads', 'a cme head', 'posterior mean');
table_d = [mean(sqrt (err_d), 2), std(sqrt (err_d), 0, 2) / sqrt(net_seeds)];
for i = 1:numel (net_test)
  fprintf ('  %7d%s\n', net_test(i), sprintf (' %9.4f +- %6.4f', squeeze (table_d(i,:,:))));
end

table_e = rms (err_e(:,:,1:2));
fprintf (['\n(e) cme with a linear kernel, ridge tuned on masked tokens (n = %d, %d dimensions), then frozen; ' ...
          '%d seeds\n'], masked_tokens, d, seeds);
fprintf ('  condition of        of K K''   of K K'' +    tuned    rms error                          wrong signs\n');
fprintf ('  the covariance    (median)   ridge I    ridge     masked   elsewhere   bound on it     elsewhere\n');
for i = 1:numel (conditions)
  fprintf ('  %14g%12.1f%10.1f%9.4f%11.4f%12.4f%14.4f%14.1f %%\n', conditions(i), ...
           median (measured(i,:,1)), median (measured(i,:,2)), median (tuned(i,:)), table_e(i,:), ...
           table_e(i,1) * sqrt (bound (conditions(i))), 100 * mean (err_e(i,:,3)));
end
fprintf ('  errors against the conditional mean, that of the masked token too (its noise is not in them)\n');
fprintf ('  bound: masked error times (d smallest eigenvalue of the keys'' covariance)^(-1/2)\n');

fprintf ('\nMeasured here: all errors, slopes and condition numbers. In closed form: the posterior of z, the limit\n');
fprintf ('of softmax in (a), the bound in (e). Cited from arXiv:2212.14852, whose constants are not known\n');
fprintf ('here: that errors fall like n^(-1/2) where the model is right, that the error of trained attention does\n');
fprintf ('not grow with the length, and that a condition number decides what masked training is worth downstream.\n');
fprintf ('Seconds: %.0f for (a) to (c), %.0f for (d), %.0f for (e)\n', seconds_a, seconds_d, seconds_e);

% ---- figure ----------------------------------------------------------------------------------------------

inches = [13 9.4];
try
  fig = figure ('visible', 'off', 'color', [1 1 1], 'units', 'pixels', 'position', [50 50 100*inches], ...
                'paperunits', 'inches', 'papersize', inches, 'paperposition', [0 0 inches], ...
                'defaultaxesfontsize', 10, 'defaulttextfontsize', 10);
catch failure
  fprintf ('\nno figure: %s\n', failure.message);
  return
end
% dark to light and no two alike in grey; marker and dashes tell them apart as well
colours = [0 0 0; 0.00 0.32 0.62; 0.80 0.10 0.10; 0.85 0.55 0.10; 0.35 0.35 0.35; 0.45 0.65 0.85];
dashes = {'-', '-', '-', '--', '--', '-'};
markers = 'osd^xv';
styled = @(ax, c, x, y) line (x, y, 'parent', ax, 'color', colours(c,:), 'linestyle', dashes{c}, ...
                              'marker', markers(c), 'markersize', 6, 'linewidth', 1.4, 'markerfacecolor', [1 1 1]);
rate = @(ax, x, y) line (x, y * sqrt (x(1) ./ x), 'parent', ax, 'color', [0 0 0], 'linestyle', ':', ...
                         'linewidth', 1.6);
place = {[0.07 0.70 0.36 0.26], [0.515 0.70 0.215 0.26], [0.805 0.70 0.175 0.26], ...
         [0.07 0.195 0.36 0.24], [0.515 0.195 0.465 0.24]};
headings = {'error of attention', 'error of the latent''s posterior mean', 'tokens in another order', ...
            sprintf('networks trained at n = %d', net_train), 'tuned on masked tokens, asked elsewhere'};
xlabels = {'tokens n', 'tokens n', 'tokens n', 'tokens n of the test sequences', ...
           'condition number of the keys'' covariance'};
ylabels = {'rms error (truth has deviation 1)', 'rms error (prior has deviation 1)', 'largest change of an output', ...
           'rms error (truth has deviation 1)', 'rms error (truth has deviation 1)'};
levels = [0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10];
ticks = {lengths(1:2:end), lengths(1:2:end), lengths(1:4:end), net_test, conditions};
for p = 1:5
  ax(p) = axes ('parent', fig, 'position', place{p}, 'xscale', 'log', 'yscale', 'log', 'box', 'on', 'layer', 'top', ...
                'xlim', ticks{p}([1 end]) .* [0.8 1.25], 'xtick', ticks{p}, 'xminortick', 'off', ...
                'xticklabel', arrayfun (@(x) sprintf ('%d', x), ticks{p}, 'UniformOutput', false));
  title (ax(p), headings{p}, 'fontweight', 'normal', 'fontsize', 10);
  xlabel (ax(p), xlabels{p});
  ylabel (ax(p), ylabels{p});
  text (-0.55 / (inches(1) * place{p}(3)), 1.08, sprintf ('(%s)', char ('a' + p - 1)), 'parent', ax(p), ...
        'units', 'normalized', 'fontweight', 'bold', 'fontsize', 12);
end
set (ax(1:2), 'xlim', lengths([1 end]) .* [0.8 1.25]);
set (ax(3), 'xlim', lengths([1 end]) .* [0.8 1.25]);
with_slope = @(name, b) sprintf ('%s: slope %.2f \\pm %.2f', name, b);

curve = zeros (1, 7);
for c = 1:6
  curve(c) = styled (ax(1), c, lengths, err_a(:,c)');
  shown{c} = with_slope (names{c}, slope(c,:));
end
curve(7) = rate (ax(1), lengths, 0.6 * err_a(1,1));
set (ax(1), 'ylim', [0.4 * err_a(1,1) * sqrt(lengths(1) / lengths(end)), 1.5]);
key{1} = legend (ax(1), curve, [shown, {'rate n^{-1/2}'}]);

curve = zeros (1, 4);
for j = 1:2
  curve(j) = styled (ax(2), j, lengths, err_b(:,j)');
  shown{j} = with_slope (latents{j}, slope_z(j,:));
  curve(3) = line (lengths, expected_b(:,j)', 'parent', ax(2), 'color', [0 0 0], 'linestyle', 'none', 'marker', '+', ...
                   'markersize', 9);
end
curve(4) = rate (ax(2), lengths, 0.6 * err_b(1,1));
set (ax(2), 'ylim', [0.4 * err_b(1,1) * sqrt(lengths(1) / lengths(end)), 1.5]);
key{2} = legend (ax(2), curve, [shown(1:2), {'the posterior''s own deviation', 'rate n^{-1/2}'}]);

curve = [styled(ax(3), 5, lengths, max (moved(:,1)', eps / 16)), ...
         styled(ax(3), 3, lengths, max (moved(:,2)', eps / 16)), ...
         line(lengths([1 end]), [eps eps], 'parent', ax(3), 'color', [0 0 0], 'linestyle', ':', 'linewidth', 1.6)];
set (ax(3), 'ylim', [eps / 32, 10 ^ ceil(log10 (8 * max (moved(:))))]);
key{3} = legend (ax(3), curve, {'softmax', 'cme, exponential kernel', 'eps of double precision'});

which_d = [5 3 1];
curve = zeros (1, 4);
for j = 1:3
  curve(j) = styled (ax(4), which_d(j), net_test, table_d(:,1,j)');
  for i = 1:numel (net_test)
    ends = max (table_d(i,1,j) + table_d(i,2,j) * [-1 1], 1e-9);
    line ([1 1] * net_test(i), ends, 'parent', ax(4), 'color', colours(which_d(j),:), 'linewidth', 1.4);
  end
end
set (ax(4), 'xlim', net_test([1 end]) .* [0.8 1.25]);
limits = [min(table_d(end,1,:)) / 2, 1.5];
curve(4) = line ([1 1] * net_train, limits, 'parent', ax(4), 'color', [0.5 0.5 0.5], 'linestyle', '-.');
set (ax(4), 'ylim', limits);
key{4} = legend (ax(4), curve, {sprintf('softmax heads, mean of %d seeds \\pm s.e.', net_seeds), 'a cme head', ...
                         'posterior mean: the best there is', 'length of training'});

curve = [styled(ax(5), 2, conditions, table_e(:,1)'), styled(ax(5), 3, conditions, table_e(:,2)'), ...
         line(conditions, table_e(:,1)' .* sqrt (bound (conditions'))', 'parent', ax(5), 'color', [0 0 0], ...
              'linestyle', ':', 'linewidth', 1.6)];
key{5} = legend (ax(5), curve, {'masked tokens (self-supervised)', 'isotropic queries (downstream)', ...
                                'bound: masked error (d \lambda_{min})^{-1/2}'});

set (ax(5), 'ylim', [min(table_e(:)) / 1.5, 1.5 * max(table_e(:,1)' .* sqrt (bound (conditions'))')]);

rows_of = [7 4 3 4 3];
for p = 1:5                      % the keys go below the axes, where they cover nothing
  set (key{p}, 'box', 'off', 'fontsize', 9);
  at = get (key{p}, 'position');
  at(4) = rows_of(p) * 0.0215;   % of the figure, when printed
  set (key{p}, 'position', [place{p}(1), place{p}(2) - 0.068 - at(4), at(3:4)]);
end
for p = [1 2 4 5]
  set (ax(p), 'ytick', levels, 'yminortick', 'off', ...
       'yticklabel', arrayfun (@(x) sprintf ('%g', x), levels, 'UniformOutput', false));
end

print (fig, fullfile (folder, 'demo_exchangeable.png'), '-dpng', '-r150');
fprintf ('\nwrote %s\n', fullfile (folder, 'demo_exchangeable.png'));
print (fig, fullfile (folder, 'demo_exchangeable.pdf'), '-dpdf');      % needs ghostscript
fprintf ('wrote %s\n', fullfile (folder, 'demo_exchangeable.pdf'));
close (fig);
end
