function trained = oneshot_train (file, turned, varargin)
%ONESHOT_TRAIN  Train the network of the one-shot task, and write what the demo needs of it.
%
%   trained = oneshot_train (file, turned, Name, Value, ...)
%   Inputs :  file, to be written, in single precision: 1.6 MB;  turned, option 'Augment' of attnpath_task_oneshot;
%             what follows, options of attnpath_train
%   Outputs:  struct of heads, w, U, width, embedding, history, accuracy and source, as in the file

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_oneshot ('Augment', turned);
gd = attnpath_train (task, 'Evaluate', 250, varargin{:});
trained = save_trained (file, gd, task, struct ());
end
