function d = classes_data (seed, plan)
%CLASSES_DATA  The task of several classes of hidden Markov chains: labels and path inputs of a fixed attention.
%
%   d = classes_data (seed, plan)
%   Inputs :  seed, of the task;  plan, struct of settings classes, P, Ptest, lead and temperature, where lead is the
%             probability of a class's own step minus that of each other step
%   Outputs:  struct of net, train, test (path inputs, which depend on the heads alone), ytrain, ytest and path_names
%   The last result is cached: cells of a sweep that differ in width share their task.
%   See also attnpath_task_markov, experiment_classes.

% SPDX-License-Identifier: BSD-3-Clause

persistent asked kept
now_asked = {seed, plan.classes, plan.P, plan.Ptest, plan.lead, plan.temperature};
if ~isequal (asked, now_asked)
  C = plan.classes;
  task = attnpath_task_markov ('Classes', C, 'P', plan.P, 'Ptest', plan.Ptest, ...
                               'Stay', (1 + plan.lead * (C - 1)) / C, 'Seed', seed);
  kept.net = attnpath_net (task.heads, 'Temperature', plan.temperature);
  kept.train = attnpath_paths (kept.net, task.Xtrain);
  kept.test = attnpath_paths (kept.net, task.Xtest);
  [kept.ytrain, kept.ytest, kept.path_names] = deal (task.ytrain, task.ytest, task.path_names);
  asked = now_asked;
end
d = kept;
end
