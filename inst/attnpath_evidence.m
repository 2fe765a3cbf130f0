function [logp, se, info] = attnpath_evidence (model, varargin)
%ATTNPATH_EVIDENCE  Log evidence of a network: the log probability of the labels, beyond leading order.
%
%   logp = ATTNPATH_EVIDENCE (sol)
%   [logp, se, info] = ATTNPATH_EVIDENCE (model, 'Method', 'annealed', Name, Value, ...)
%
%   Inputs :
%     sol       solution from attnpath_solve
%     model     for 'annealed', any struct with net, paths and y, or moments, such as a solution or a sample
%   Options, by name or as one struct:
%     'Method'     'laplace'  'laplace': the solution's evidence with the determinant of its Hessian. It needs
%                             a minimum, and N_l >= Pi_l in every layer, Pi_l the number of partial paths from
%                             layer l to the readout: otherwise U_l is singular. 'annealed': a Monte Carlo
%                             estimate without systematic error, with a standard error, for all widths
%     'Probes'     []         for 'laplace': the number of random probes that estimate the determinant by
%                             products with the Hessian, if it exceeds memory (hundreds of paths).
%                             se is then the standard error, proportional to 1 / sqrt (probes). []: the Hessian
%                             itself up to 4000 unknowns, and 30 probes beyond
%     'Particles'  200        for 'annealed': independent particles; se is proportional to 1 / sqrt (particles)
%     'Overlap'    0.99       for 'annealed': fraction of the particles that remain effective after a step to
%                             the next level. Values nearer to 1: more levels, smaller se, longer runs
%     'Steps'      5          for 'annealed': gradients in a move; a particle makes one move at each level
%     'Seed'       0          of the random numbers
%     'Memory'     2          GiB that stored kernels may take
%     'Display'    true       print the progress of long runs
%
%   Outputs:
%     logp      log p(y). sol.evidence is its leading order in the widths
%     se        standard error of logp, statistical only; NaN for 'laplace' without probes. It does not include
%               the error of the expansion, of order 1/N
%     info      struct with, for 'annealed', ess, the effective number of particles: below about 20 neither
%               logp nor se is reliable; beta, the levels; step, the step at each; acceptance, of its moves;
%               logweights, 1 x Particles. For 'laplace' it has no fields
%
%   The leading order can rank widths and temperatures of narrow networks wrongly. Sets of heads differ in
%   their numbers of unknowns: compare them with the determinant only.
%   'annealed' is the free energy difference between prior and posterior, by Neal's method [1], which is
%   Jarzynski's equality. A particle is one copy of the network's random variables. It is drawn from the
%   prior, beta = 0, and moved at each level, a temperature 1 / beta of the energy E of the data, until
%   beta = 1, the posterior. The mean over particles of exp (- sum of dbeta E / 2) is the evidence. 'Overlap'
%   sets the distance of levels: weighted for the next level, 100 particles count as 99. A run of 64
%   particles finds levels and steps. Both are then fixed, so that the mean has no bias; its logarithm is low
%   by about se^2/2. The price is (192 + Particles) x levels moves, each of 'Steps' gradients: for README's
%   network of width 10, 79 levels and a minute or two on one core. The progress line counts both runs.
%
%   Equation: (T25) of theory.md; (T11), (T12), (T14) for 'annealed'.
%
%   Example:
%     >> task = attnpath_task_markov ();
%     >> net = attnpath_net (task.heads, 'Width', 30);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> sol.evidence                            % MATLAB draws another task
%     ans = -106.06
%     >> attnpath_evidence (sol)
%     ans = -109.22
%
%
%   References:
%     [1] R. M. Neal, Annealed importance sampling, Statistics and Computing 11 (2001) 125.
%
%   See also attnpath_solve, attnpath_loo, attnpath_sample.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: evidence.tst, test_ap_evidence.c, test_ap_anneal.c   REFERENCE: ref_evidence.m   SOURCE: (T25)

ap_check_call ('evidence', nargin >= 1, '[logp, se, info] = attnpath_evidence (model, Name, Value, ...)');
ap_check_is_model ('evidence', model);
table = {'Method',    'laplace', 'word',   {'laplace', 'annealed'}
         'Probes',    [],        'count',  [2 1e6]
         'Particles', 200,       'count',  [2 1e7]
         'Overlap',   0.99,      'number', [0.01 0.99999]
         'Steps',     5,         'count',  [1 1e6]
         'Seed',      0,         'seed',   []
         'Memory',    2,         'number', [0 1e5]
         'Display',   true,      'display',   []};
opt = ap_options ('evidence', table, varargin);
[net, data] = prepared (model, opt);
C = size (data.y, 2);
if strcmp (opt.Method, 'annealed')
  ap_refuse ('evidence', 'badValue', net.temperature == 0, 'the annealed evidence needs a temperature above 0');
  layers = 1:net.L + (C > 1);
  short = find (net.width(layers) < C * ap_path_count (net, layers) & fix (net.width(layers)) ~= net.width(layers), 1);
  ap_refuse ('evidence', 'badValue', ~isempty (short), ['width %g of layer %d is below its %d rows of U, where the ' ...
             'posterior exists for whole widths alone'], net.width(short), short, C * ap_path_count (net, short));
  [logp, se, info] = anneal (net, data, opt);
  return
end
remedy = ap_either (net.temperature > 0, {'''Method'', ''annealed'''}, {});
ap_check_minimum ('evidence', model, remedy{:});
ap_refuse ('evidence', 'missingField', ~isfield (model, 'order'), ['model has no field order, which ''laplace'' ' ...
           'needs: take a solution from attnpath_solve, or ''Method'', ''annealed''']);
ap_refuse ('evidence', 'badValue', ap_output_blocks (net, model.order, C) < C, ['outputs that share one U are an ' ...
           'approximation, which ''laplace'' cannot expand about: take a solution with ''Outputs'', ''coupled'', ' ...
           'or ''Method'', ''annealed''']);
order = ap_check_order ('evidence', 'model.order', model.order, net, C);
ap_check_cold ('evidence', net, data, order{1});
random = [];
if isempty (opt.Probes) && ap_unknowns (net, order) > 4000, opt.Probes = 30; end
if isempty (opt.Probes)
  ap_say_price ('evidence', net, order, size (data.Xi), C, 1, opt.Display);
else
  random = struct ('probes', opt.Probes, 'seed', opt.Seed);
end
bare = ap_without_heads (net);
[logp, se] = ap_gateway ('evidence', @attnpath_evidence_mex, bare, data, order, random, opt.Display > 0);
info = struct ();
end

function [net, data] = prepared (model, opt)
% One evaluation: stored kernels pay off only if they fit a cache
settings = struct ('memory', 2^22, 'store', true, 'reduce', true, 'evaluations', 15, 'threads', 0);
if strcmp (opt.Method, 'annealed')
  settings.memory = opt.Memory * 2^30;
  settings.evaluations = 100 * opt.Particles;      % a guess: the numbers of levels and steps are found later
end
[net, given, y, noise] = ap_training_set ('evidence', model, true);
data = ap_prepare ('evidence', net, given, y, settings, noise, model);
end

% ---- annealed importance sampling ----

function [logp, se, info] = anneal (net, data, opt)
setting = struct ('beta', 0, 'step', 0.5, 'steps', opt.Steps, 'seed', opt.Seed, 'stream', 0, 'count', 64);
call = @(x, setting) attnpath_evidence_mex (ap_without_heads (net), data, x, setting);
clock = tic ();
n = opt.Particles;
job = @(done, advance, report) struct ('name', 'evidence', 'clock', @() toc (clock), 'display', opt.Display, ...
  'goal', Inf, 'done', done, 'advance', advance, 'report', report);      % the time left is that of both runs
told = @(text, done, left, last) deal ([text, outlook(toc (clock), done, left, last)], '', []);

[x, half] = call ([], setting);                    % levels and steps
run = struct ('x', x, 'half', half, 'setting', setting, 'beta', 0, 'step', []);
ends = @(run) numel (run.beta) - 1;
plan = ap_run (job (ends, @(run, count) next_level (run, call, opt.Overlap), ...
  @(run, notes, last) told (sprintf ('phase 1 of 2, finding levels: %d, to beta = %.2g', ends (run), run.beta(end)), ...
                            3 * 64 * ends (run), ahead (run.beta, n), last)), run);

setting.stream = plan.setting.stream;              % numbers that have not been used
setting.count = n;
[x, half] = call ([], setting);
setting.stream = setting.stream + n;
levels = numel (plan.beta) - 1;
run = struct ('x', x, 'half', half, 'setting', setting, 'logw', zeros (1, n), 'done', 0, 'acceptance', []);
run = ap_run (job (@(run) run.done, @(run, count) climb (run, count, call, plan), ...
  @(run, notes, last) told (sprintf ('phase 2 of 2, level %d of %d', run.done, levels), ...
                            (3 * 64 + n * run.done / levels) * levels, n * (levels - run.done), last)), run);

top = max (run.logw);
w = exp (run.logw - top);
ess = sum (w) ^ 2 / sum (w .^ 2);
logp = top + log (mean (w)) - data.P * size (data.y, 2) / 2 * log (2 * pi);
se = sqrt (max (0, 1 / ess - 1 / n) * n / (n - 1));
info = struct ('ess', ess, 'beta', plan.beta(2:end), 'step', plan.step, 'acceptance', run.acceptance, ...
               'logweights', run.logw);
end

function text = outlook (seconds, done, left, last)
% The time left of both runs, from the moves of single particles done and left
known = ~last && done > 0 && isfinite (left);
text = ap_either (known, [', about ' ap_duration(seconds * left / done) ' left in all'], '');
end

function moves = ahead (beta, n)
% Moves of particles that are left before the first run has ended: three of 64 for each level to come, and n for each
% level of all. Levels are taken to grow as a power of beta, d = a beta^p, p from the first and the second half of those
% that are known, since the energy fluctuates by a constant times 1 / beta once the data decide (p = 1)
[moves, k] = deal (NaN, numel (beta) - 1);
if k < 6, return; end
[d, middle] = deal (diff (beta), (beta(1:end-1) + beta(2:end)) / 2);
late = ceil (k / 2):k;
fit = polyfit (log (middle(late)), log (d(late)), 1);
p = min (1.5, max (0, fit(1)));
grid = linspace (beta(end), 1, 1000);
to_come = trapz (grid, 1 ./ (d(end) * (grid / middle(end)) .^ p));
moves = (3 * 64 + n) * to_come + n * k;
end

function [run, ending] = next_level (run, call, overlap)
% The next beta keeps the fraction Overlap of the particles, and beta = 1 ends the run. They are weighted, resampled,
% and moved there three times; the step is adapted to an acceptance of 0.8
ending = '';
least = run.half - min (run.half);
left = @(d) mean (exp (-d * least)) ^ 2 / mean (exp (-2 * d * least));
d = 1 - run.beta(end);
if left (d) < overlap, d = fzero (@(d) left (d) - overlap, [0 d]); end
run.beta(end+1) = min (1, run.beta(end) + d);
if d <= eps * run.beta(end)
  ap_fail ('evidence', 'notFinite', 'no next level is found after beta = %.4g: energies reach %.4g', ...
           run.beta(end-1), 2 * max (run.half));
elseif run.beta(end) < 1
  w = cumsum (exp (-d * least));
  n = numel (w);
  [~, order] = sort ([w / w(end), ((1:n) - 0.5) / n]);
  taken = cumsum (order <= n) + 1;                 % 1 + the number of sums below each point
  run.x = run.x(:,min (n, taken(order > n)));
  run.setting.beta = run.beta(end);
  for k = 1:3
    run.setting.stream = run.setting.stream + n;
    [run.x, run.half, acceptance] = call (run.x, run.setting);
    run.setting.step = min (1.5, run.setting.step * exp (mean (acceptance) - 0.8));
  end
  run.step(end+1) = run.setting.step;
else
  run.setting.stream = run.setting.stream + numel (run.half);
  ending = 'reached';
end
end

function [run, ending] = climb (run, count, call, plan)
ending = '';
count = min (count, numel (plan.beta) - 1 - run.done);
for k = run.done + (1:count)
  run.logw = run.logw - (plan.beta(k+1) - plan.beta(k)) * run.half;
  if k < numel (plan.beta) - 1                     % the last level needs no weights
    run.setting.beta = plan.beta(k+1);
    run.setting.step = plan.step(k);
    [run.x, run.half, acceptance] = call (run.x, run.setting);
    run.setting.stream = run.setting.stream + numel (run.half);
    run.acceptance(k) = mean (acceptance);
  end
end
run.done = run.done + count;
if run.done == numel (plan.beta) - 1, ending = 'reached'; end
end

%!error id=attnpath:evidence:missingField % draws have no Hessian
%! attnpath_evidence (struct ('net', attnpath_net (1), 'paths', struct ('Xi', 2), 'y', 5, 'U', ones (1, 1, 3)));
