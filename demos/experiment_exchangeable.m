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

grid = struct ('seed', 1:plan.seeds, 'part', {{'lengths', 'networks', 'masked'}});
result = sweep_cells ('demo_exchangeable', @(c) exchangeable_cell (c, plan), grid);
[a, d, e] = exchangeable_means (result, plan);
exchangeable_tables (a, d, e, plan);
fprintf ('Seconds: %.0f for (a) to (c), %.0f for (d), %.0f for (e)\n', ...
         sum (reshape ([result.seconds], size (result)), 1));
exchangeable_page (a, d, e, plan, folder);
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
