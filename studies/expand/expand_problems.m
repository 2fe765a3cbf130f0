function [problem, name] = expand_problems (what, N, seed)
% expand_problems: the problems of study_expand: 'markov' (4 paths), 'classes' (three coupled classes), 'oneshot'
% (16 paths; the attention of the one-shot demo's cosine_20000_s1, and Omniglot's images if ATTNPATH_OMNIGLOT names
% their folder) and 'oneshot600', with 600 examples instead of 200

% SPDX-License-Identifier: BSD-3-Clause

switch what
  case 'markov'
    task = attnpath_task_markov ('P', 100, 'Ptest', 200, 'Seed', seed);
    net = attnpath_net (task.heads, 'Width', N);
    y = task.ytrain;
  case 'classes'
    task = attnpath_task_markov ('P', 100, 'Ptest', 200, 'Seed', seed, 'Classes', 3);
    net = attnpath_net (task.heads, 'Width', N);
    [~, ~, number] = unique (task.ytrain);
    y = 1.5 * (number(:) == 1:3) - 0.5;
  case {'oneshot', 'oneshot600'}
    network = oneshot_network ('cosine_20000_s1');
    task = attnpath_task_oneshot ('P', 200 + 400 * strcmp (what, 'oneshot600'), 'Ptest', 200, ...
                                  'Embedding', network.embedding, 'Seed', seed);
    net = attnpath_net (network.heads, 'Readout', 'mean', 'Width', N, 'Temperature', 0.1);
    y = task.ytrain;
end
name = sprintf ('%s_%d_%d', what, N, seed);
problem = struct ('net', net, 'train', attnpath_paths (net, task.Xtrain), 'test', attnpath_paths (net, task.Xtest), ...
                  'y', y);
end
