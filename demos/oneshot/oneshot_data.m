function d = oneshot_data (seed, plan)
%ONESHOT_DATA  The one-shot task with the attention of a trained network that comes with the demos.
%
%   d = oneshot_data (seed, plan)
%   Inputs :  seed, of the sequences;  plan, struct of settings:
%               P, Pvalid, Ptest   numbers of sequences for training, validation and test
%               network            as for oneshot_network (default 'cosine_20000_s1')
%               drawings           of each class of other images; without this field other images are not used
%   Outputs:  struct of trained, the network; net, its description; heads, of each path; train, ytrain; asked, a struct
%             array of name, paths and y: sequences of training classes for validation, of held-out classes, and of each
%             available set of other images; right, function of a model and options for attnpath_predict: the percentage
%             of right answers on each set, 1 x sets; accuracy, that of the trained network; source, texts
%   The last result is cached: cells of a sweep that differ in width or temperature share it.
%   See also image_sets, experiment_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

persistent asked kept
if ~isequal (asked, {seed, plan})
  kept = made (seed, plan);
  asked = {seed, plan};
end
d = kept;
end

function d = made (seed, plan)
if ~isfield (plan, 'network'), plan.network = 'cosine_20000_s1'; end
d.trained = oneshot_network (plan.network);
d.net = d.trained.net;
common = {'Embedding', d.trained.embedding, 'Seed', seed};
task = attnpath_task_oneshot ('P', plan.P + plan.Pvalid, 'Ptest', plan.Ptest, common{:});
d.source = task.source;
paths = attnpath_paths (d.net, task.Xtrain);
d.heads = paths.heads;
d.train = struct ('Xi', paths.Xi(:,1:plan.P,:));
d.ytrain = task.ytrain(1:plan.P);
valid = plan.P + (1:plan.Pvalid);
d.asked = struct ('name', {'training classes', 'held-out classes'}, ...
                  'paths', {struct('Xi', paths.Xi(:,valid,:)), attnpath_paths(d.net, task.Xtest)}, ...
                  'y', {task.ytrain(valid), task.ytest});
others = [];
if isfield (plan, 'drawings'), others = image_sets (plan.drawings); end
for set = others
  if isempty (set.images), continue; end
  side = size (set.images, 1);                   % as training data: the task requires test data too, which are not used
  task = attnpath_task_oneshot ('Train', set.images, 'P', plan.Ptest, 'Test', ones (side, side, 2, 2), 'Ptest', 2, ...
                                common{:});
  d.asked(end+1) = struct ('name', set.name, 'paths', attnpath_paths (d.net, task.Xtrain), 'y', task.ytrain);
end
d.right = @(model, varargin) arrayfun (@(set) percent_right (attnpath_predict (model, set.paths, varargin{:}), ...
                                                             set.y), d.asked);
d.accuracy = d.right (d.trained);
end
