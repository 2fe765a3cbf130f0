function bench_worth (files, folder, widths)
% bench_worth: which score of a head foretells what a trained network loses without it
%
%   bench_worth ()                  the network that comes with the one-shot demo
%   bench_worth (files, folder)     these files, a cell of names, of networks as that of the demo (ATTNPATH_TRAIN=1
%                                   writes one); results are kept in folder, one file for each network, and what is
%                                   there is not computed again
%   bench_worth (files, folder, widths)
%                                   files may also be a pattern, such as 'nets/*.mat': call it again when there are more
%
% It needs Omniglot's small sets (attnpath_omniglot). For each network and each of four draws of P = 600 training
% sequences, at widths 20, 10 and 100, with the temperature of the least corrected leave-one-out error, it computes the
% scores of attnpath_scores, and scores that use the trained network on the same sequences (head_worth.m of
% demos/oneshot). What is foretold is the accuracy that the trained network loses without a head, on 20000 sequences of
% all classes of small set 2. Prints Spearman's rank correlations over the eight heads: for each network mean and
% standard deviation over the draws, then mean, standard deviation, smallest and largest over the networks.
%
% (T25) needs N_l >= Pi_l, so that there is no evidence at N = 10 with 16 paths.

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
addpath (genpath (fullfile (here, '..', 'demos')));
if nargin < 1, files = {fullfile(here, '..', 'demos', 'oneshot', 'oneshot_trained.mat')}; end
if ischar (files), files = glob (files); end
if nargin < 2, folder = ''; end
plan = struct ('widths', [20 10 100], 'temperatures', [0.1 0.25 0.5 1], 'draws', 4, 'P', 600, 'Ptest', 20000);
if strcmp (getenv ('ATTNPATH_QUICK'), '1')
  plan = struct ('widths', 20, 'temperatures', [0.25 1], 'draws', 2, 'P', 100, 'Ptest', 4000);
end
if nargin > 2, plan.widths = widths; end
for k = 1:numel (files)
  [~, name] = fileparts (files{k});
  kept = '';
  if ~isempty (folder), kept = fullfile (folder, ['worth_' name '.mat']); end
  all(k) = of_network (oneshot_network (files{k}), name, plan, kept);
  show (all(k), name);
end
if numel (files) > 1, summarise (all); end
end

function result = of_network (trained, name, plan, kept)
if ~isempty (kept) && exist (kept, 'file')
  result = load (kept);
else
  result = foretold (trained, name, plan);
end
task = attnpath_task_oneshot ('P', plan.draws * plan.P, 'Ptest', 2, 'Embedding', trained.embedding);
paths = attnpath_paths (trained.net, task.Xtrain);
task.Xtrain = [];
for N = [0, plan.widths]                           % 0: scores of the trained network
  if any (result.done == N), continue; end
  for d = 1:plan.draws
    say (name, sprintf ('draw %d of %d, N = %d', d, plan.draws, N));
    mine = (d - 1) * plan.P + (1:plan.P);
    y = task.ytrain(mine);
    if N == 0
      words = {'importance', 'output', 'ablation'};
      asked = {trained, struct('Xi', paths.Xi(:,mine,:), 'heads', paths.heads), y};
    else
      words = {'order', 'predictor', 'loo', 'evidence'};
      words = words(1:end - (N < prod (trained.net.H)));
      asked = {by_loo(trained.net, N, struct ('Xi', paths.Xi(:,mine,:)), y, plan.temperatures)};
    end
    for word = words
      result = put (result, sprintf ('%s, %s', word{1}, where (N)), d, head_worth (word{1}, asked{:}));
    end
  end
  result.done(end+1) = N;
  if ~isempty (kept), save (kept, '-struct', 'result'); end
end
end

function text = where (N)
text = 'trained network';
if N > 0, text = sprintf ('theory at N = %d', N); end
end

function result = foretold (trained, name, plan)
% What is lost without each head, and the score that needs no draws
H = trained.net.H;
say (name, 'test sequences');
[F, labels] = oneshot_held_out (trained, 'all', 4000, 1:plan.Ptest / 4000);
result = struct ('accuracy', oneshot_without (zeros (0, 2), F, labels, H), 'lost', [], 'done', [], ...
                 'scores', {{}}, 'values', {{}});
for l = 1:numel (H)
  for h = 1:H(l), result.lost(end+1) = result.accuracy - oneshot_without ([l h], F, labels, H); end
end
model = struct ('net', trained.net, 'U', double (trained.U));
result = put (result, 'order, trained network', 1, head_worth ('order', model));
end

function result = put (result, score, d, values)
k = find (strcmp (score, result.scores));
if isempty (k)
  k = numel (result.scores) + 1;
  result.scores{k} = score;
  result.values{k} = [];
end
result.values{k}(d,:) = values;
end

function best = by_loo (net, N, train, y, temperatures)
% The solution at the temperature of the least squared leave-one-out error (T24), from warm to cold
net.width(:) = N;
start = {};
least = Inf;
for T = sort (temperatures, 'descend')
  net.temperature = T;
  sol = attnpath_solve (net, train, y, 'Tolerance', 1e-6, 'Certificate', false, start{:});
  start = {'Start', sol.order};
  mse = getfield (attnpath_loo (sol), 'mse');
  if mse < least, [least, best] = deal (mse, sol); end
end
end

function say (name, what)
fprintf (2, 'bench_worth: %s, %s\n', name, what);
end

% ---- tables ----

function r = correlations (result)
for k = 1:numel (result.scores)
  for d = 1:size (result.values{k}, 1), r{k}(d) = rank_correlation (result.values{k}(d,:), result.lost); end
end
end

function show (result, name)
fprintf ('\n%s: %.1f %% of all classes; lost without a head: %s\n', name, result.accuracy, ...
         sprintf (' %.1f', result.lost));
r = correlations (result);
for k = 1:numel (r)
  fprintf ('  %-32s %5.2f +- %.2f\n', result.scores{k}, mean (r{k}), std (r{k}));
end
end

function summarise (all)
% The scores that every network has
fprintf ('\nrank correlation with the accuracy lost, %d networks: mean, standard deviation, least, largest\n', ...
         numel (all));
names = all(1).scores;
for j = 2:numel (all), names = names(ismember (names, all(j).scores)); end
for k = 1:numel (names)
  for j = 1:numel (all)
    each = correlations (all(j));
    r(j) = mean (each{strcmp (names{k}, all(j).scores)});
  end
  fprintf ('| %s | %.2f | %.2f | %.2f | %.2f |\n', names{k}, mean (r), std (r), min (r), max (r));
end
end
