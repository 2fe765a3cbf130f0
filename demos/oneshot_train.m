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
trained = struct ('heads', {gd.net.heads}, 'w', single (gd.w), 'U', single (gd.U), 'width', gd.net.width, ...
                  'embedding', task.embedding, 'history', gd.history, 'accuracy', gd.accuracy, 'source', task.source);
for l = 1:numel (trained.heads)
  trained.heads{l} = structfun (@single, trained.heads{l}, 'UniformOutput', false);
end
save (file, '-struct', 'trained', '-v6');
end
