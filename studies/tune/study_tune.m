function study_tune (what, draws, folder, kept)
% study_tune: accuracy lost if no test set chooses temperature and width, and errors of the evidence
%
%   study_tune ('markov', 5)           tables of a task, over 5 draws of the training set
%   study_tune ('oneshot', 5, folder)  on Omniglot's small sets in a folder, with the trained network of the demo
%   study_tune (what, 5, folder, kept) a task; the folder kept has one file for each draw, and an existing draw is not
%                                      computed again, except for the calibration, which is that of this version
%   study_tune ('evidence', 3)         log evidence of 3 problems by three formulas
%
% The columns, for a task at each width and over all widths together:
%   best of the grid   the best test accuracy over temperatures (and widths), half a decade apart: chosen by test labels
%   loo                attnpath_tune by leave-one-out error, temperature alone; together: temperature and width
%   density, evidence, leading    the best of the points of loo by leave-one-out density, by (T25), which requires
%                      widths of at least the number of paths, and by (T10b)
%   validation         the temperature (and width) of the grid with the least squared error on P further sequences
% and the calibration of attnpath_probability at the choice of loo: its error on 10 000 further sequences, bins of 0.1,
% root of the mean square with the bins' own noise subtracted (Kumar, Liang, Ma 2019).
% The tables are printed after every draw; the last ones are final.
% With inst, the folders of demos and studies, and the built gateways on the path, OPENBLAS_NUM_THREADS=1:
%   octave-cli --norc --eval "addpath ('inst', 'src', genpath ('demos'), genpath ('studies')); study_tune ('markov', 5)"

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4, kept = ''; end
warning ('off', 'attnpath:tune:bound');
warning ('off', 'attnpath:tune:disagree');
warning ('off', 'attnpath:solve:noise');
switch what
  case 'markov'
    task_tables (@markov, [10 30 100 300 1000], draws, fullfile (kept, 'tune_markov'));
  case 'oneshot'
    task_tables (@(d) tune_oneshot_data (d, folder), [10 50 200 1000], draws, fullfile (kept, 'tune_oneshot'));
  otherwise
    evidence_table (draws);
end
end

% ---- tasks -----------------------------------------------------------------------------------------------

function data = markov (d)
task = attnpath_task_markov ('Ptest', 10000, 'Seed', d);
data.net = attnpath_net (task.heads);
data.train = attnpath_paths (data.net, task.Xtrain);
data.y = task.ytrain;
[data.test, data.ytest] = deal (attnpath_paths (data.net, task.Xtest), task.ytest);
more = attnpath_task_markov ('Ptest', 2, 'Seed', 1000 + d);
[data.valid, data.yvalid] = deal (attnpath_paths (data.net, more.Xtrain), more.ytrain);
[data.asked, data.yasked] = deal (data.test, data.ytest);
end

function task_tables (draw, widths, draws, file)
for d = 1:draws
  data = draw (d);
  here = sprintf ('%s_%d.mat', file, d);
  stored = any (file == filesep ());
  if stored && exist (here, 'file')
    all(d) = load (here);
  else
    all(d) = one_draw (data, widths, d);
    if stored, keep_whole (here, all(d)); end
  end
  for n = 1:numel (widths) + 1
    calibration(d,n,:) = calibrated (setfield (all(d).sol{n}, 'paths', data.train), data);
  end
  print_tables (widths, all, calibration);
  fflush (stdout);
end
end

function out = one_draw (data, widths, d)
% The choices at each width, and over all widths: the last entry of each field
[cells, test] = deal ({});
list = names ();
together = numel (widths) + 1;
for n = 1:numel (widths)
  net = data.net;
  net.width(:) = widths(n);
  clock = tic ();
  [sol, info] = attnpath_tune (net, data.train, data.y, 'Tune', 'temperature', 'Tolerance', 1e-3, 'Display', false);
  out.seconds(n) = toc (clock);
  out.points(n) = numel (info.tried.loo);
  [cells{n}, test{n}] = on_grid (sol.net, info, data);
  out.best(n) = max (cells{n}.test);
  for k = 1:numel (list), [out.accuracy(n,k), out.T(n,k)] = pick (list{k}, sol, info, cells{n}, data); end
  fprintf (stderr, 'draw %d, N = %d: best %.2f, %s\n', d, widths(n), out.best(n), sprintf (' %.2f', out.accuracy(n,:)));
  out.sol{n} = without_data (sol);
end
out.best(together) = max (out.best);
clock = tic ();
[sol, info] = attnpath_tune (data.net, data.train, data.y, 'Ranges', struct ('width', widths([1 end])), ...
                             'Tolerance', 1e-3, 'Display', false);
out.seconds(together) = toc (clock);
out.points(together) = numel (info.tried.loo);
valid = cellfun (@(c) c.valid, cells, 'UniformOutput', false);
whole = struct ('test', vertcat (test{:}), 'valid', vertcat (valid{:}));
for k = 1:numel (list)
  [out.accuracy(together,k), out.T(together,k)] = pick (list{k}, sol, info, whole, data);
end
out.N = sol.net.width(1);
out.sol{together} = without_data (sol);
end

function small = without_data (sol)
small = struct ('net', sol.net, 'U', sol.U, 'y', sol.y);
small.order = sol.order;
end

function list = names ()
list = {'loo', 'density', 'evidence', 'leading', 'validation'};
end

function [cells, test] = on_grid (net, info, data)
% Test accuracy and squared error on the validation set over the first temperatures tried, which are a grid
for t = 1:11
  net.temperature = info.tried.temperature(t);
  sol = attnpath_solve (net, data.train, data.y, 'Certificate', false);
  test(t,1) = percent (attnpath_predict (sol, data.test), data.ytest);
  valid(t,1) = mean ((attnpath_predict (sol, data.valid) - data.yvalid) .^ 2);
end
cells = struct ('test', test, 'valid', valid, 'T', info.tried.temperature(1:11));
end

function [accuracy, T] = pick (name, sol, info, cells, data)
[accuracy, T] = deal (NaN);
if strcmp (name, 'validation')
  [~, t] = min (cells.valid);
  accuracy = cells.test(t);
  if isfield (cells, 'T'), T = cells.T(t); end
  return
end
words = struct ('loo', 'leave-one-out error', 'density', 'leave-one-out density', 'evidence', 'evidence', ...
                'leading', 'evidence, leading order');
k = find (strcmp (words.(name), {info.chosen.criterion}));
if isempty (k), return; end
net = sol.net;
[net.temperature, T] = deal (info.chosen(k).temperature);
net.width = info.chosen(k).width;
there = attnpath_solve (net, data.train, data.y, 'Certificate', false);
accuracy = percent (attnpath_predict (there, data.test), data.ytest);
end

function p = percent (f, y)
p = 100 * mean (sign (f) == y);
end

function errors = calibrated (sol, data)
% On further sequences of the training distribution, and on the test set
errors = [calibration_error(attnpath_probability (sol, data.asked), data.yasked), ...
          calibration_error(attnpath_probability (sol, data.test), data.ytest)];
end

function print_tables (widths, all, calibration)
list = names ();
for d = 1:numel (all)
  best(d,:) = all(d).best;
  [accuracy(d,:,:), T(d,:,:)] = deal (all(d).accuracy, all(d).T);
  N(d) = all(d).N;
  [seconds(d,:), points(d,:)] = deal (all(d).seconds, all(d).points);
end
rows = [arrayfun(@(n) sprintf ('%d', n), widths, 'UniformOutput', false), {'together'}];
fprintf ('| N | best of the grid | %s |\n|--:|%s\n', strjoin (list, ' | '), repmat ('--:|', 1, 1 + numel (list)));
for n = 1:numel (rows)
  fprintf ('| %s | %.2f |', rows{n}, mean (best(:,n)));
  for k = 1:numel (list)
    lost = best(:,n) - accuracy(:,n,k);
    if any (isnan (lost))
      fprintf (' |');
    else
      fprintf (' %.2f ± %.2f |', -mean (lost), std (lost) / sqrt (numel (lost)));
    end
  end
  fprintf ('\n');
end
fprintf (['\nTest accuracy (%%) of the best of the grid, and differences of the others: means over %d draws, ' ...
          'with\n'], size (best, 1));
fprintf ('standard errors. Widths chosen together with T: %s.\n\n', sprintf (' %.4g', N));
fprintf (['| N | T, loo | T, density | T, evidence | T, leading | T, validation | seconds | points | calibration ' ...
         '| on the test set |\n']);
fprintf ('|--:|%s\n', repmat ('--:|', 1, 9));
for n = 1:numel (rows)
  fprintf ('| %s |%s %.1f | %.0f | %.3f | %.3f |\n', rows{n}, sprintf (' %.3g |', median (T(:,n,:), 1)), ...
           median (seconds(:,n)), median (points(:,n)), mean (calibration(:,n,1)), mean (calibration(:,n,2)));
end
fprintf (['\nMedians over draws of temperatures, seconds and points of attnpath_tune; means of RMS calibration ' ...
          'errors,\ndebiased.\n']);
end

% ---- evidence --------------------------------------------------------------------------------------------

function evidence_table (problems)
% The annealed value with enough particles for a standard error of 0.05
names = {'Markov, P = 16', 'random, 2 x 2 heads, P = 12', 'random, 3 heads, P = 12'};
fprintf ('| problem | N | T | (T10b) | (T25) | annealed | (T10b) off by | (T25) off by |\n|---|%s\n', ...
         repmat ('--:|', 1, 7));
for k = 1:problems
  for N = [10 20 50 100]
    for T = [0.01 0.1 1]
      sol = problem (k, N, T);
      [logp, se] = annealed (sol);
      laplace = attnpath_evidence (sol);
      fprintf ('| %s | %d | %g | %.2f | %.2f | %.2f ± %.2f | %.2f | %.2f |\n', names{k}, N, T, sol.evidence, ...
               laplace, logp, se, sol.evidence - logp, laplace - logp);
      fflush (stdout);
    end
  end
end
end

function sol = problem (k, N, T)
if k == 1
  task = attnpath_task_markov ('P', 16, 'Ptest', 2, 'Seed', 1);
  net = attnpath_net (task.heads, 'Width', N, 'Temperature', T);
  sol = attnpath_solve (net, task.Xtrain, task.ytrain);
  return
end
randn ('twister', k);
H = {[2 2], 3}{k-1};
Xi = randn (8, 12, prod (H));
y = sign (randn (12, 1));
sol = attnpath_solve (attnpath_net (H, 'Width', N, 'Temperature', T), struct ('Xi', Xi), y);
end

function [logp, se] = annealed (sol)
particles = 200;
while true
  [logp, se, info] = attnpath_evidence (sol, 'Method', 'annealed', 'Particles', particles, ...
                                        'Display', false);
  if se <= 0.05 && info.ess >= 100, return; end
  if particles > 3e4
    fprintf (stderr, 'stopped at a standard error of %.3f, N = %g, T = %g\n', se, sol.net.width(1), ...
             sol.net.temperature);
    return
  end
  particles = max (2, 1.2 * (se / 0.05) ^ 2) * particles;
  particles = ceil (min (particles, 4e4));
end
end
