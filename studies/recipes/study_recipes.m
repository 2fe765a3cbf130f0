function study_recipes (folder, names)
% study_recipes: ways to train the one-shot network, and the accuracy of their networks on new classes
%
%   study_recipes (folder)          all recipes
%   study_recipes (folder, names)   some of them, a cell of the names below
%
% Trains each recipe with each of its seeds (a step takes 0.06 s of a quiet core), and keeps the networks in folder,
% NAME_sSEED.mat, as those of demos/oneshot; existing networks are not trained again, and an interrupted run resumes
% from its checkpoint. Then each is tested on 20000 sequences of all 156 classes of small set 2, and on 20000 of the 106
% classes that are not in its training set 1. Prints the table of doc/training.md: rows of recipe, number of networks,
% and means of the two percentages. It needs Omniglot's small sets (attnpath_omniglot).

% SPDX-License-Identifier: BSD-3-Clause

here = fileparts (mfilename ('fullpath'));
addpath (genpath (fullfile (here, '..', '..', 'demos')));
cosine = {'Rate', 2.5e-4, 'Schedule', 'cosine'};
recipes = {'published',       {'Paired', false},                                false, 1:4
           'published_41000', {'Paired', false, 'Steps', 41000},                true,  0:3
           'plain_20000',     [cosine, {'Steps', 20000}],                       false, 1
           'cosine_20000',    [cosine, {'Steps', 20000}],                       true,  1:3
           'cosine_12000',    [cosine, {'Steps', 12000}],                       true,  1:2
           'unpaired_20000',  [cosine, {'Steps', 20000, 'Paired', false}],      true,  1:2
           'unpaired_15000',  [cosine, {'Steps', 15000, 'Paired', false}],      true,  0:1
           'paired_5e4_15000', {'Rate', 5e-4, 'Schedule', 'cosine', 'Steps', 15000}, true, 0:1
           '3x3_published_41000', {'Paired', false, 'Steps', 41000, 'Heads', [3 3 3]}, true, 0:1   % does not learn
           '2x8_published_41000', {'Paired', false, 'Steps', 41000, 'Heads', [8 8]},   true, 0:1};
if nargin > 1, recipes = recipes(ismember (recipes(:,1), names),:); end
for k = 1:size (recipes, 1)
  [name, options, turned, seeds] = recipes{k,:};
  percent = zeros (0, 2);
  for seed = seeds
    file = fullfile (folder, sprintf ('%s_s%d.mat', name, seed));
    if ~exist (file, 'file')
      oneshot_train (file, turned, options{:}, 'Seed', seed, 'Checkpoint', [file '.checkpoint']);
    end
    percent(end+1,:) = tested (file);
    fprintf (2, 'study_recipes: %s, seed %d: %.1f %% right on all classes, %.1f %% on new classes\n', name, seed, ...
             percent(end,:));
  end
  augment = {'', '`''Augment'', true`'};
  fprintf ('| `%s` | %s | %d | %.1f | %.1f |\n', disp_options (options), augment{1 + turned}, numel (seeds), ...
           mean (percent, 1));
end
end

function percent = tested (file)
trained = oneshot_network (file);
kinds = {'all', 'new'};
for s = 1:2
  [F, labels] = oneshot_held_out (trained, kinds{s}, 4000, 1:5);
  percent(s) = oneshot_without (zeros (0, 2), F, labels, trained.net.H);
end
end

function text = disp_options (options)
parts = cell (1, numel (options));
for k = 1:numel (options)
  if ischar (options{k}), parts{k} = ['''' options{k} '''']; else, parts{k} = mat2str (options{k}); end
end
text = strjoin (parts, ', ');
end
