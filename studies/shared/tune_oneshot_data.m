function data = tune_oneshot_data (d, folder)
% tune_oneshot_data: sequences of Omniglot's small sets, with the attention of the demo's trained network
%
%   data = tune_oneshot_data (d, folder)
%   Inputs :  d, number of the draw;  folder, of the Omniglot files
%   Outputs:  struct of net; train, y, and class, 3 x P, of the images; valid, yvalid; asked, yasked, 10 000 further
%             sequences of the training classes; test, ytest, of new classes

% SPDX-License-Identifier: BSD-3-Clause

P = 400;
trained = oneshot_network ('cosine_20000_s1');
data.net = attnpath_net (trained.heads, 'Readout', 'mean');
make = @(varargin) attnpath_task_oneshot ('Embedding', trained.embedding, 'Folder', folder, 'Train', 'small1', ...
                                          'Test', 'small2', 'Ptest', 2, varargin{:});
task = make ('P', 2 * P, 'Ptest', 2000, 'Seed', d);
all = attnpath_paths (data.net, task.Xtrain);
[data.train, data.y] = deal (struct ('Xi', all.Xi(:,1:P,:)), task.ytrain(1:P));
data.class = task.train.class(:,1:P);
[data.valid, data.yvalid] = deal (struct ('Xi', all.Xi(:,P+1:end,:)), task.ytrain(P+1:end));
[data.test, data.ytest] = deal (attnpath_paths (data.net, task.Xtest), task.ytest);
Xi = cell (1, 5);
data.yasked = [];
for k = 1:5                                        % further sequences of the training classes
  more = make ('P', 2000, 'Seed', 1000 * d + k);
  Xi{k} = getfield (attnpath_paths (data.net, more.Xtrain), 'Xi');
  data.yasked = [data.yasked; more.ytrain];
end
data.asked = struct ('Xi', cat (2, Xi{:}));
end
