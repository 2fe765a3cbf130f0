function trained = save_trained (file, gd, task, more)
%SAVE_TRAINED  Write a network trained on the one-shot task, in single precision, for demos and tests.
%
%   trained = save_trained (file, gd, task, more)
%   Inputs :  file, to be written;  gd, from attnpath_train;  task, from attnpath_task_oneshot;  more, struct of further
%             fields
%   Outputs:  struct of heads, w, U, width, embedding, history, accuracy, source and those of more, as in the file
%   See also oneshot_network, oneshot_train.

% SPDX-License-Identifier: BSD-3-Clause

trained = struct ('heads', {gd.net.heads}, 'w', single (gd.w), 'U', single (gd.U), 'width', gd.net.width, ...
                  'embedding', task.embedding, 'history', gd.history, 'accuracy', gd.accuracy, 'source', task.source);
for l = 1:numel (trained.heads)
  if isstruct (trained.heads{l})
    trained.heads{l} = structfun (@single, trained.heads{l}, 'UniformOutput', false);
  else
    trained.heads{l} = single (trained.heads{l});
  end
end
for name = fieldnames (more)', trained.(name{1}) = more.(name{1}); end
save (file, '-struct', 'trained', '-v6');
end
