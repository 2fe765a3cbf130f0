function experiment_exchangeable ()
%EXPERIMENT_EXCHANGEABLE  Attention as a conditional mean: errors against the length of sequences (after [1])
%
%   Tokens are pairs of a key and a value, i.i.d. given a latent vector z of the sequence. Attention estimates
%   E[v | k = q, z], for which there is a closed form. Panels:
%     (a) error of attention against length n: the conditional mean embedding ('cme') with the right kernel, with a
%         general one and with a wrong one, and softmax, against the truth and against its own limit
%     (b) error of the posterior mean of z against n
%     (c) change of the outputs when the tokens are permuted
%     (d) error of Bayesian networks of finite width, trained at one length and tested at others
%     (e) self-supervised learning: error of attention that was tuned to predict masked tokens, at queries in
%         directions where keys are rare, against the condition number of the keys' covariance
%   Slopes of log error against log n come with 95 % confidence intervals over the seeds. All curves are measured
%   here; only the rate n^(-1/2) is from [1], not its constants. Prints these numbers and writes
%   demo_exchangeable.png and demo_exchangeable.pdf into the current directory or the folder in the environment
%   variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/run_demo.m exchangeable
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

grid = struct ('seed', 1:plan.seeds, 'part', {{'lengths', 'networks', 'masked'}});
result = sweep_cells ('demo_exchangeable', @(c) exchangeable_cell (c, plan), grid);
[a, d, e] = means_of (result, plan);
print_tables (a, d, e, plan);
fprintf ('Seconds: %.0f for (a) to (c), %.0f for (d), %.0f for (e)\n', ...
         sum (reshape ([result.seconds], size (result)), 1));
draw_page (a, d, e, plan, folder);
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
plan.cost = 2048;                % cost / n sequences, at least one, for the kernels with n x n matrices
plan.softmax_bandwidth = 0.3;    % fixed: its bias does not vanish
plan.grid = [0.25 0.5 1 2 4];    % bandwidths of the exponential kernel; the evidence chooses one
plan.wrong_to = 1024;            % at this length the error of the wrong kernel has reached its limit

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
% without noise. As the covariance of a Gaussian process that kernel requires the ridge noise^2, so the exponential
% requires exp (1 / gamma) noise^2. Gamma maximises the evidence of pilot sequences, of a seed not used again.
pilot = attnpath_task_exchangeable ('Map', 'cosine', 'Features', plan.features, 'Dimension', plan.dimension, ...
                                    'Noise', plan.noise, 'P', 50, 'Ptest', 1, 'Seed', 0);
energy = zeros (size (plan.grid));
for g = 1:numel (plan.grid)
  for mu = 1:50
    [k, v] = keys_and_values (pilot.Xtrain(:,1:end-1,mu), plan.dimension);
    energy(g) = energy(g) + gp_energy (exp ((k' * k - 1) / plan.grid(g)), plan.noise ^ 2, v');
  end
end
[~, g] = min (energy);           % evidence is -energy / 2, up to a constant
gamma = plan.grid(g);
end

function energy = gp_energy (G, T, v)
% log det A + v' A^{-1} v (T7) of a Gaussian process, A = G + T I: a network of one path, whose inputs have overlaps G
[V, D] = eig ((G + G') / 2);
Xi = sqrt (numel (v) * max (D, 0)) * V';
[~, ~, part] = attnpath_action (attnpath_net (1, 'Temperature', T), struct ('Xi', Xi), v, {1});
energy = part.energy;
end

% ---- means over the seeds ---------------------------------------------------------------------------------

function [a, d, e] = means_of (result, plan)
% The results of experiment_exchangeable: root mean squares, slopes and medians over the seeds.
% Inputs :  result, of the sweep, seeds x parts;  plan, struct of settings
% Outputs:  structs of panels (a) to (c), of (d) and of (e)
late = plan.lengths >= plan.fitted;
a.names = {'cme, right kernel, linear values', 'cme, right kernel, cosine values', 'cme, exponential kernel', ...
           'cme, linear kernel (wrong)', 'softmax, against the truth', 'softmax, against its limit'};
a.latents = {'linear map', 'cosine map'};
err = by_seed (result(:,1), 'square');                     % lengths x seeds x 6
wrong_z = by_seed (result(:,1), 'wrong_z');
for k = 1:6
  a.slope(k,:) = slope_with_interval (plan.lengths, err(:,:,k), late & isfinite (err(:,1,k)'));
end
for j = 1:2
  a.slope_z(j,:) = slope_with_interval (plan.lengths, wrong_z(:,:,j), late);
end
a.err = root_mean (err);
a.err_z = root_mean (wrong_z);
a.known_z = root_mean (by_seed (result(:,1), 'known_z'));
a.moved = result(1,1).moved;
a.same = result(1,1).same;

[m, error_of_m] = mean_error (permute (sqrt (by_seed (result(1:plan.net_seeds,2), 'square')), [2 1 3]));
d.mean = reshape (m, [], 3);
d.error = reshape (error_of_m, [], 3);

err = by_seed (result(:,3), 'square');                     % conditions x seeds x 3
e.err = root_mean (err(:,:,1:2));
e.wrong_signs = mean (err(:,:,3), 2);
e.number = reshape (median (by_seed (result(:,3), 'number'), 2), [], 2);
e.ridge = median ([result(:,3).tuned], 2);
% Let e be the error of the estimate of z. E (k'e)^2 is e' C e for keys of covariance C, and |e|^2 / d for isotropic
% keys: at most 1 / (d smallest eigenvalue of C) times as large
c = plan.conditions';
n = plan.masked_dimension;
e.bound = e.err(:,1) .* sqrt (1 ./ (n * (c .^ -1) ./ sum (c .^ (-(0:n-1) / (n - 1)), 2)));
end

function x = by_seed (cells, field)
% rows x seeds x columns, from rows x columns in each cell
x = permute (cat (3, cells.(field)), [1 3 2]);
end

function b = slope_with_interval (lengths, squares, used)
% Slope of log error against log length, seed by seed: mean, and half of the 95 % confidence interval. The quantile of
% Student's distribution follows from that of a beta distribution
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

% ---- tables -----------------------------------------------------------------------------------------------

function print_tables (a, d, e, plan)
% Print the results of experiment_exchangeable.
% Inputs :  a, d, e, from means_of;  plan, struct of settings
print_lengths (a, plan);
print_networks (d, plan);
print_masked (e, plan);
fprintf ('\nMeasured here: all errors, slopes and condition numbers. In closed form: the posterior of z, the limit\n');
fprintf ('of softmax in (a), the bound in (e). Cited from arXiv:2212.14852, without its constants: errors decrease\n');
fprintf ('like n^(-1/2) if the model is right; the error of trained attention does not grow with the length; a\n');
fprintf ('condition number determines how well masked training transfers to downstream tasks.\n');
end

function print_lengths (a, plan)
fprintf ('\nExchangeable tokens: keys uniform on the sphere in %d dimensions, noise %g, %d seeds\n', ...
         plan.dimension, plan.noise, plan.seeds);
fprintf ('Values: z''k (linear), or z''phi(k) with %d random cosines (all but the first column)\n', plan.features);
fprintf ('Right kernels: ridge noise^2, which gives the posterior mean. Exponential kernel: bandwidth %g, of the\n', ...
         plan.gamma);
fprintf ('largest evidence of %s on pilot sequences, ridge noise^2 exp (1/%g) = %.3f.\n', mat2str (plan.grid), ...
         plan.gamma, plan.ridge);
fprintf ('Softmax: bandwidth %g at every length: its bias does not vanish\n', plan.softmax_bandwidth);
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
fprintf ('  none: a bias remains, of a kernel whose space lacks the function, or of a fixed bandwidth\n');
fprintf ('  right kernels: computed as the posterior mean at the query; attention differs from it by up to %.0e\n', ...
         max (a.same));
fprintf ('\n(b) rms error of the posterior mean of z, per component; the posterior''s own standard deviation\n');
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
fprintf ('  errors are against the conditional mean, also at the masked token: they do not contain its noise\n');
fprintf ('  bound: masked error times (d smallest eigenvalue of the keys'' covariance)^(-1/2)\n');
end

% ---- the page ---------------------------------------------------------------------------------------------

function draw_page (a, d, e, plan, folder)
% The figure of experiment_exchangeable, demo_exchangeable.png and .pdf.
% Inputs :  a, d, e, from means_of;  plan, struct of settings;  folder
fig = figure_page ([13 9.4]);
if isempty (fig), return; end
draw_attention (fig, a, plan);
draw_latent (fig, a, plan);
draw_order (fig, a, plan);
draw_networks (fig, d, plan);
draw_masked (fig, e, plan);
save_figure (fig, fullfile (folder, 'demo_exchangeable'));
end

function ax = panel (fig, place, letter, heading, ticks, ends, x, y)
ax = log_axes (fig, place, ends([1 end]) .* [0.8 1.25], ticks);
set (ax, 'yscale', 'log');
label_axes (ax, letter, heading, x, y, 1.08);
end

function c = styled (ax, style, x, y)
% Colours from dark to light differ in grey too, and in marker and dashes
colours = [0 0 0; 0.00 0.32 0.62; 0.80 0.10 0.10; 0.85 0.55 0.10; 0.35 0.35 0.35; 0.45 0.65 0.85];
dashes = {'-', '-', '-', '--', '--', '-'};
markers = 'osd^xv';
c = curve (ax, x, y, colours(style,:), dashes{style}, 1.4, markers(style), 6);
end

function finish (ax, curves, names, limits)
% The legend is below the axes, where it covers nothing
place = get (ax, 'position');
height = numel (curves) * 0.0215;                % of the figure, when printed
key_beside (get (ax, 'parent'), [place(1), place(2) - 0.068 - height, place(3), height], curves, names);
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
