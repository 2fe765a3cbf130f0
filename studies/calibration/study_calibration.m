function study_calibration (counts, draws, kept)
% study_calibration: calibration error of attnpath_probability, and its sources
%
%   study_calibration ([100 300 1000], [10 8 2], folder)
%
% Markov task: numbers of training examples, and draws of the training set for each; widths 10, 100, 1000, the
% temperature of attnpath_tune; 10 000 further sequences. The folder keeps one file for each draw. Columns:
% RMS calibration error, debiased (root mean square of mean p - share of +1 in bins of 0.1, the bins' own noise
% subtracted: Kumar, Liang, Ma 2019), and log loss of
%   regression     Phi (mu / sqrt (s2 + T)), which does not use classes
%   probability    attnpath_probability
%   P others       the same link, learnt from P of the 10 000 sequences instead of from examples left out, and tested on
%                  the rest; means over ten choices: the remaining error is the noise of P examples, for any method
%   5000 others    the same, learnt from every other pair of sequences and tested on the rest: the remaining error is
%                  that of the link's form
% With inst, studies and the built gateways on the path, by full names, OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'attnpath:tune:bound');
warning ('off', 'attnpath:tune:disagree');
warning ('off', 'attnpath:solve:noise');
if nargin < 3, kept = ''; end
widths = [10 100 1000];
fprintf ('| P | N | draws | accuracy | regression | probability | P others | 5000 others | log loss, four times |\n');
fprintf ('|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n');
for k = 1:numel (counts)
  [errors, losses, right] = deal ([]);
  for d = 1:draws(k)
    data = outputs (counts(k), d, widths, kept);
    for n = 1:numel (widths)
      [errors(d,n,:), losses(d,n,:)] = judged (data(n));
      right(d,n) = 100 * mean (sign (data(n).mu) == data(n).label);
    end
  end
  for n = 1:numel (widths)
    fprintf ('| %d | %d | %d | %.1f |%s%s |\n', counts(k), widths(n), draws(k), mean (right(:,n)), ...
             sprintf (' %.3f |', mean (errors(:,n,:), 1)), sprintf (' %.3f', mean (losses(:,n,:), 1)));
  end
  fflush (stdout);
end
end

function data = outputs (P, d, widths, kept)
file = fullfile (kept, sprintf ('calibration_P%d_%d.mat', P, d));
if ~isempty (kept) && exist (file, 'file')
  data = getfield (load (file), 'data');
  return
end
task = attnpath_task_markov ('P', P, 'Ptest', 10000, 'Seed', d);
net = attnpath_net (task.heads);
train = attnpath_paths (net, task.Xtrain);
test = attnpath_paths (net, task.Xtest);
for n = 1:numel (widths)
  net.width(:) = widths(n);
  sol = attnpath_tune (net, train, task.ytrain, 'Tune', 'temperature', 'Tolerance', 1e-3, 'Display', false);
  loo = attnpath_loo (sol);
  [mu, s2] = attnpath_predict (sol, test);
  data(n) = struct ('y', task.ytrain, 'loo', loo.mean, 'loo_s2', loo.variance, 'T', sol.net.temperature, 'mu', mu, ...
                    's2', s2, 'label', task.ytest);
  fprintf (stderr, 'study_calibration: P = %d, draw %d, N = %d\n', P, d, widths(n));
end
if ~isempty (kept), keep_whole (file, struct ('data', data)); end
end

function [errors, losses] = judged (data)
P = numel (data.y);
all = 1:numel (data.label);
[errors(1), losses(1)] = worth (erfc (-data.mu ./ sqrt (2 * (data.s2 + data.T))) / 2, data.label);
[errors(2), losses(2)] = worth (learnt_probability (data.loo, data.loo_s2, data.y, data.mu, data.s2), data.label);
for t = 1:12
  if t <= 10                                       % labels take turns: pairs
    some = all(mod (ceil (all / 2), 10) == t - 1);
    some = some(1:P);
  else
    some = all(mod (ceil (all / 2), 2) == t - 11);
  end
  rest = setdiff (all, some);
  p = learnt_probability (data.mu(some), data.s2(some), data.label(some), data.mu(rest), data.s2(rest));
  [e(t), l(t)] = worth (p, data.label(rest));
end
errors(3:4) = [mean(e(1:10)), mean(e(11:12))];
losses(3:4) = [mean(l(1:10)), mean(l(11:12))];
end

function [e, loss] = worth (p, y)
loss = -mean (log (max (realmin, abs ((y < 0) - p))));
e = calibration_error (p, y);
end
