function trained = ways_train (file, checkpoint, varargin)
%WAYS_TRAIN  Train a network on one-shot sequences of five ways, and write what theory and tests need of it.
%
%   trained = ways_train (file, checkpoint, Name, Value, ...)
%   Inputs :  file, to be written, in single precision: 0.3 MB;  checkpoint, a file by which the run resumes, or '';
%             what follows, options of attnpath_train that are not those below
%   Outputs:  struct of heads, w, U, width, readout, classes, embedding, history, accuracy, source, and task, options of
%             attnpath_task_oneshot that make such sequences again; as in the file
%
%   An image is one token of 16 x 16 pixels, so that a sequence has six tokens, and the last one, the query, is read
%   out. With 16 patches to an image the task is that of the paper, but there are 96 tokens to a sequence, and a step
%   takes some ten times as long.

% SPDX-License-Identifier: BSD-3-Clause

settings = {'Ways', 5, 'Size', 16, 'Patch', 16, 'Channels', 1};
task = attnpath_task_oneshot (settings{:}, 'P', 5, 'Augment', true);
gd = attnpath_train (task, 'Heads', [2 2], 'Width', 128, 'Keys', 32, 'Readout', 'last', 'Batch', 100, 'Rate', 1e-3, ...
                     'Schedule', 'cosine', 'Steps', 6000, 'Evaluate', 250, 'Checkpoint', checkpoint, varargin{:});
trained = struct ('heads', {gd.net.heads}, 'w', single (gd.w), 'U', single (gd.U), 'width', gd.net.width, ...
                  'readout', gd.net.readout, 'classes', gd.classes, 'embedding', task.embedding, ...
                  'history', gd.history, 'accuracy', gd.accuracy, 'source', task.source, 'task', {settings});
for l = 1:numel (trained.heads)
  trained.heads{l} = structfun (@single, trained.heads{l}, 'UniformOutput', false);
end
save (file, '-struct', 'trained', '-v6');
end
