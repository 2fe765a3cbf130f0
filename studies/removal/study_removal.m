function study_removal (folder, names)
% study_removal: what the theory's network loses without a head, after solving again, and the scores that predict it
%
%   study_removal (folder)           all tasks; the folder keeps a file for each case, and a later call continues
%   study_removal (folder, names)    these tasks, a cell of 'recall', 'recall 4', 'markov', 'one layer', 'two layers',
%                                    'three layers', 'oneshot'
%
% A case is a task, a width, a temperature and a seed. Heads are shuffled within their layers, so that no order of ties
% counts. A head is necessary if the accuracy on the test sequences falls without it, the network being solved again
% without the head, by more than two standard errors of the difference, sequence by sequence. 'oneshot' are the two
% networks of two layers of four heads that come with the demo, on Omniglot's small sets. Each table has, for each score
% of attnpath_scores,
%   first k    the number of cases in which a necessary head is among the k heads of the lowest scores, for k = 1 to
%              half of the heads
%   3 points   the number of cases in which the first head costs more than 3 points of accuracy
%   points     mean loss without the first head, in points of accuracy
%   rank       mean Spearman correlation of scores and losses over all heads
%   times      median of the score's time, in units of the time of the solution
% and the same for heads at random, for the order of the layers, the first one first or last (means over orders within
% layers), and for the loss itself, the best possible.
% With inst, the folders of demos and studies, and the built gateways on the path, OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

%        name            makes a case    settings               seeds  widths         temperatures
table = {'recall',       @recall_case,   {2},                   4,     [10 30 100],   [0.01 0.05]
         'recall 4',     @recall_case,   {4},                   4,     [10 30 100],   [0.01 0.05]
         'markov',       @markov_case,   {[]},                  4,     [10 100 1000], [0.01 0.1]
         'one layer',    @hops_case,     {'one'},               4,     [10 30 100],   [0.01 0.05]
         'two layers',   @hops_case,     {'two'},               4,     [10 30 100],   [0.01 0.05]
         'three layers', @hops_case,     {'three'},             4,     [10 30 100],   [0.01 0.05]
         'oneshot',      @oneshot_case,  {'published_41000_s0', 'cosine_20000_s1'}, 3, [10 100], [0.01 0.1]};
if nargin > 1, table = table(ismember (table(:,1), names),:); end
warning ('off', 'attnpath:solve:noise');
all = {};
for k = 1:size (table, 1)
  [name, make, settings, seeds, widths, temperatures] = table{k,:};
  cases = {};
  for s = 1:numel (settings)
    for seed = 1:seeds
      task = [];
      for N = widths
        for T = temperatures
          file = fullfile (folder, sprintf ('removal_%s_%d_%d_%d_%g.mat', strrep (name, ' ', '_'), s, seed, N, T));
          if ~exist (file, 'file')
            if isempty (task), task = make (settings{s}, seed); end
            keep_whole (file, one_case (task, N, T));
          end
          cases{end+1} = load (file);
        end
      end
    end
  end
  print_table (name, cases);
  all = [all, cases];
end
if size (table, 1) > 1, print_table ('all', all); end
end

% ---- tasks -----------------------------------------------------------------------------------------------

function task = recall_case (H, seed)
task = shuffled (recall_task (H, seed, 120, 1000), seed, 'last');
end

function task = hops_case (name, seed)
task = shuffled (hops_task (name, seed, 200, 1000), seed, 'last');
end

function task = markov_case (~, seed)
task = shuffled (attnpath_task_markov ('Seed', seed, 'Ptest', 1000), seed, 'last');
end

function task = shuffled (task, seed, readout)
rand ('twister', 5000 + seed);
for l = 1:numel (task.heads), task.heads{l} = task.heads{l}(:,:,randperm (size (task.heads{l}, 3))); end
task = in_paths (attnpath_net (task.heads, 'Readout', readout), task);
end

function task = oneshot_case (name, seed)
trained = oneshot_network (name);
of = attnpath_task_oneshot ('Embedding', trained.embedding, 'Train', 'small1', 'Test', 'small2', 'P', 300, ...
                            'Ptest', 1000, 'Seed', seed);
task = in_paths (trained.net, of);
end

function task = in_paths (net, of)
task = struct ('net', net, 'train', attnpath_paths (net, of.Xtrain), 'y', of.ytrain, ...
               'test', attnpath_paths (net, of.Xtest), 'ytest', of.ytest);
end

% ---- one case --------------------------------------------------------------------------------------------

function out = one_case (task, N, T)
words = {'loo', 'ablation', 'evidence', 'predictor', 'share', 'order'};
net = task.net;
net.width(:) = N;
net.temperature = T;
clock = tic ();
sol = attnpath_solve (net, task.train, task.y, 'Display', false);
out = struct ('H', net.H, 'words', {words}, 'seconds', toc (clock), 'converged', sol.converged, ...
              'times', NaN (size (words)));
out.score = NaN (numel (words), sum (net.H));
for k = 1:numel (words)
  if strcmp (words{k}, 'evidence') && any (N < cumprod (net.H(end:-1:1))), continue; end        % (T25) needs N >= Pi
  clock = tic ();
  out.score(k,:) = head_worth (words{k}, sol);
  out.times(k) = toc (clock) / out.seconds;
end
right = sign (attnpath_predict (sol, task.test)) == task.ytest;
out.accuracy = mean (right);
list = heads_of (net.H);
for k = 1:size (list, 1)
  [less, paths] = attnpath_prune (net, list(k,:), task.train);
  [~, test] = attnpath_prune (net, list(k,:), task.test);
  less = attnpath_solve (less, paths, task.y, 'Certificate', false, 'Display', false);
  cost = right - (sign (attnpath_predict (less, test)) == task.ytest);
  out.solved(k) = less.converged;
  [out.lost(k), out.error(k)] = deal (mean (cost), std (cost) / sqrt (numel (cost)));
end
end

% ---- tables ----------------------------------------------------------------------------------------------

function print_table (name, cases)
cases = [cases{:}];
half = floor (max (arrayfun (@(c) sum (c.H), cases)) / 2);
words = [cases(1).words, {'at random', 'first layer first', 'last layer first', 'the loss itself'}];
n = numel (words);
[among, tried] = deal (zeros (n, half));
[points, many, rank] = deal (NaN (n, numel (cases)));
for c = 1:numel (cases)
  one = cases(c);
  need = one.lost > 2 * one.error;
  layer = heads_of (one.H)(:,1)';
  for j = 1:n
    switch words{j}
      case 'at random', value = 0 * layer;
      case 'first layer first', value = layer;
      case 'last layer first', value = -layer;
      case 'the loss itself', value = one.lost;
      otherwise, value = one.score(j,:);
    end
    if any (isnan (value)), continue; end
    [points(j,c), many(j,c)] = deal (0);
    if any (diff (value)) && any (diff (one.lost)), rank(j,c) = rank_correlation (value, one.lost); end
    orders = 1 + 99 * (numel (unique (value)) < numel (value));
    rand ('twister', 1);
    for o = 1:orders
      [~, order] = sortrows ([value', rand(numel (value), 1)]);
      points(j,c) = points(j,c) + 100 * one.lost(order(1)) / orders;
      many(j,c) = many(j,c) + (one.lost(order(1)) > 0.03) / orders;
      for k = 1:floor (numel (layer) / 2), among(j,k) = among(j,k) + any (need(order(1:k))) / orders; end
    end
    tried(j,:) = tried(j,:) + ((1:half) <= numel (layer) / 2);
  end
end
fprintf ('\n%s: %d cases, accuracy %.1f to %.1f %%, %.1f of %.1f heads necessary; %d of %d solutions converged\n\n', ...
         name, numel (cases), 100 * min ([cases.accuracy]), 100 * max ([cases.accuracy]), ...
         mean (arrayfun (@(c) sum (c.lost > 2 * c.error), cases)), mean (arrayfun (@(c) sum (c.H), cases)), ...
         sum ([cases.converged]) + sum ([cases.solved]), numel (cases) + numel ([cases.solved]));
fprintf ('| score |%s 3 points | points | rank | times |\n|---|%s\n', ...
         sprintf (' first %d |', 1:half), repmat ('--:|', 1, half + 4));
mean_of = @(values) mean (values(~isnan (values)));
for j = 1:n
  text = '';
  times = [];
  if j <= numel (cases(1).words), times = arrayfun (@(c) c.times(j), cases); end
  if ~all (isnan (times)), text = sprintf ('%.2g', median (times(~isnan (times)))); end
  fprintf ('| %s |%s %.3g of %d | %.1f | %.2f | %s |\n', words{j}, ...
           sprintf (' %.3g of %d |', [among(j,:); tried(j,:)]), sum (many(j,~isnan (many(j,:)))), tried(j,1), ...
           mean_of (points(j,:)), mean_of (rank(j,:)), text);
end
end
