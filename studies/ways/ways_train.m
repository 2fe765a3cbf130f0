function trained = ways_train (kind, file, checkpoint, varargin)
%WAYS_TRAIN  Train a network on one-shot sequences of five ways, and write it for theory and tests.
%
%   trained = ways_train (kind, file, checkpoint, Name, Value, ...)
%   Inputs :  kind of tokens and network, see below;  file, to be written, in single precision: 0.2 or 0.3 MB;
%             checkpoint, a file from which the run resumes, or '';  Name, Value, other options of attnpath_train
%   Outputs:  struct of heads, w, U, width, readout, classes, embedding, history, accuracy, source, and task, options of
%             attnpath_task_oneshot for such sequences; as in the file
%
%   kind         a token is           tokens   heads    readout
%   'patches'    8 x 8 of 16 x 16     24       [4 4]    'mean'
%   'image'      16 x 16, all of it   6        [2 2]    'last'
%
%   The paper's task has 16 patches in an image. A sequence of five ways would then have 96 tokens, and a step would
%   take about four times as long as with 4 patches.

% SPDX-License-Identifier: BSD-3-Clause

kinds = {'patches', 8,  [4 4], 'mean', 3000
         'image',   16, [2 2], 'last', 6000};
row = find (strcmp (kind, kinds(:,1)));
[~, patch, heads, readout, steps] = kinds{row,:};
settings = {'Ways', 5, 'Size', 16, 'Patch', patch, 'Channels', 1};
task = attnpath_task_oneshot (settings{:}, 'P', 100, 'Augment', true);
gd = attnpath_train (task, 'Heads', heads, 'Width', 128, 'Keys', 32, 'Readout', readout, 'Batch', 100, ...
                     'Rate', 1e-3, 'Schedule', 'cosine', 'Steps', steps, 'Evaluate', 250, ...
                     'Checkpoint', checkpoint, varargin{:});
trained = save_trained (file, gd, task, struct ('readout', gd.net.readout, 'classes', gd.classes, ...
                                                'task', {settings}));
end
