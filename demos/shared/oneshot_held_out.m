function [F, labels] = oneshot_held_out (trained, which, count, seeds)
%ONESHOT_HELD_OUT  Outputs, path by path, of a trained network on sequences of the test data.
%
%   [F, labels] = oneshot_held_out (trained, which, count, seeds)
%   Inputs :  trained, struct of net, w and embedding;  which, 'all' for sequences of all classes of the test data, or
%             'new' for those of classes that are not in the training data (50 of the 156 classes of Omniglot's small
%             set 2 are also in small set 1);  count, sequences for each of seeds, numbers. 4000 take 0.3 GB
%   Outputs:  F, sequences x Pi: contribution of each path to the output, which is the sum of a row;  labels

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_oneshot ('P', 2, 'Ptest', 2);
train = attnpath_omniglot (task.settings.Train, 'Seed', 1);
test = attnpath_omniglot (task.settings.Test, 'Seed', 2);
F = [];
labels = [];
for seed = seeds
  common = {'Embedding', trained.embedding, 'Seed', seed};
  task = [];                                       % releases the previous task's memory
  if strcmp (which, 'all')                         % as training data: shared classes are excluded from test data only
    task = attnpath_task_oneshot ('Train', test, 'P', count, 'Test', train, 'Ptest', 2, common{:});
    [X, y] = deal (task.Xtrain, task.ytrain);
  else
    task = attnpath_task_oneshot ('Train', train, 'P', 2, 'Test', test, 'Ptest', count, common{:});
    [X, y] = deal (task.Xtest, task.ytest);
  end
  F = [F; by_path(trained, attnpath_paths (trained.net, X, 'Many', true))];
  labels = [labels; y];
end
end

function F = by_path (trained, paths)
[~, P, count] = size (paths.Xi);
F = zeros (P, count);
for p = 1:count
  alone = struct ('net', attnpath_net (1), 'w', trained.w(:,p));
  F(:,p) = attnpath_predict (alone, struct ('Xi', paths.Xi(:,:,p))) / sqrt (count);
end
end
