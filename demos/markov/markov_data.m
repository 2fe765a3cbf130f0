function d = markov_data (varargin)
%MARKOV_DATA  The Markov task: labels and path inputs, which depend on the heads alone.
%
%   d = markov_data (Name, Value, ...)
%   Inputs :  options of attnpath_task_markov
%   Outputs:  struct of net (temperature 0.01), train, test (path inputs), ytrain, ytest and path_names
%   The last result is cached: cells of a sweep that differ in width or temperature share their task.

% SPDX-License-Identifier: BSD-3-Clause

persistent asked kept
if ~isequal (asked, varargin)
  task = attnpath_task_markov (varargin{:});
  kept.net = attnpath_net (task.heads, 'Temperature', 0.01);
  kept.train = attnpath_paths (kept.net, task.Xtrain);
  kept.test = attnpath_paths (kept.net, task.Xtest);
  kept.ytrain = task.ytrain;
  kept.ytest = task.ytest;
  kept.path_names = strrep (task.path_names, 'adversarial', 'adv.');
  asked = varargin;
end
d = kept;
end
