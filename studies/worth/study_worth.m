function all = study_worth (files, folder, changes)
% study_worth: accuracy that trained networks lose without their heads, and the scores that predict it best
%
%   study_worth ()                  the networks of two layers that come with the one-shot demo
%   study_worth (files, folder)     files of networks like those of the demo (study_recipes trains them), a cell of
%                                   names or a pattern such as 'nets/*.mat'; the folder keeps cells of the sweep, and a
%                                   later call computes only new ones
%   all = study_worth (...)         1 x networks struct array, from oneshot_worth of demos/oneshot, with the field name
%   study_worth (files, folder, changes)
%                                   fields of changes replace those of the plan of oneshot_worth: draws of 2 and
%                                   searched of 0 for networks of 64 paths, whose searches take hours; tuned, true, for
%                                   two more scores, 'tuned scale' and 'gain of the scale' (oneshot_worth_cell), which
%                                   share a search; existing cells are not computed again
%   study_worth (all)               the tables of such a struct array
%
% It needs Omniglot's small sets (attnpath_omniglot). For each network and each of eight draws of P = 600 training
% sequences it computes the scores of attnpath_scores: those of the theory at N = 10, with the temperature of the least
% leave-one-out error, and those of the trained network itself, on the same sequences. They should predict the accuracy
% that the trained network loses without a head, measured on 20000 sequences of all classes of small set 2. A network of
% two layers of four heads takes four minutes of a quiet core. Prints
%   - right answers with standard error over sequences, the loss for each head, sorted, and the correlation of U of the
%     theory and of the trained network (mean and standard deviation over draws);
%   - Spearman's rank correlation of each score with the loss: for the mean of the draws' scores, and in brackets mean
%     and standard deviation for single draws;
%   - the mean rank correlation of two draws' scores, and in brackets the least of the mean scores divided by the
%     largest;
%   - right answers after heads are removed in the order of each score (mean of the draws), in that of the search of
%     attnpath_prune (.., 'By', 'loo') (mean over draws), and at random (mean and spread over choices).

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
addpath (genpath (fullfile (here, '..', '..', 'demos')));
if nargin < 1, files = fullfile (here, '..', '..', 'demos', 'oneshot', 'oneshot_[a-z]*_s[0-9].mat'); end
if isstruct (files)
  tables (files);
  return
end
if ischar (files), files = glob (files); end
if nargin > 1, put_back = keep_cells (folder); end
plan = oneshot_worth ();
if nargin > 2
  for name = fieldnames (changes)', plan.(name{1}) = changes.(name{1}); end
end
for k = 1:numel (files)
  one = oneshot_worth (files{k}, plan);
  [~, one.name] = fileparts (files{k});
  all(k) = one;
end
tables (all);
end

function tables (all)
header = @(words, count) fprintf ('\n| %s |\n|---%s|\n', strjoin (words, ' | '), repmat ('|--:', 1, count));
names = strrep (all(1).names, '|U|', 'sum of abs U');
header ({'network', 'right', 'lost without a head, sorted', 'U, theory and trained'}, 3);
for one = all
  fprintf ('| %s | %.1f ± %.1f |%s (± %.1f) | %.2f ± %.2f |\n', one.name, one.full, one.full_error, ...
           sprintf (' %.1f', sort (one.lost)), max (one.lost_error), mean (one.U), std (one.U));
end
header ([{'rank correlation of score and loss'}, names], numel (names));
for one = all
  r = [one.joint; mean(one.single, 1); std(one.single, 0, 1)];
  fprintf ('| %s |%s\n', one.name, sprintf (' %.2f (%.2f ± %.2f) |', r));
end
header ([{'rank correlation of two draws'' scores'}, names], numel (names));
for one = all
  score = reshape (mean (one.score, 1), [], numel (names));
  fprintf ('| %s |%s\n', one.name, sprintf (' %.2f (%.2f) |', [one.agreement; min(score) ./ max(score)]));
end
most = max (arrayfun (@(one) size (one.random, 1), all)) - 1;
counts = arrayfun (@(k) sprintf ('%d', k), 0:most, 'UniformOutput', false);
header ([{'network', 'removed in the order of'}, counts], most + 2);
for one = all
  for w = 1:numel (names), removal (one.name, names{w}, one.removed(w,:)); end
  if ~isempty (one.search)
    [m, s] = mean_error (one.search);
    removal (one.name, 'search by leave-one-out', m, s);
  end
  removal (one.name, 'chance', one.random(:,1)', one.random(:,2)');
end
end

function removal (name, order, percent, error_of)
text = sprintf (' %.1f |', percent);
if nargin > 3, text = sprintf (' %.1f ± %.1f |', [percent; error_of]); end
fprintf ('| %s | %s |%s\n', name, order, text);
end
