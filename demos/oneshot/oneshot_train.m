function trained = oneshot_train (file, turned, varargin)
%ONESHOT_TRAIN  Train the network of the one-shot task, and write it for the demo.
%
%   trained = oneshot_train (file, turned, Name, Value, ...)
%   Inputs :  file, to be written, in single precision: 0.3 MB for two layers of four heads;  turned, option 'Augment'
%             of attnpath_task_oneshot;  Name, Value, options of attnpath_train
%   Outputs:  struct as in the file: basis, N0 x r, an orthonormal basis of the span of all tokens; heads, 1 x L cell of
%             r x r x H_l bilinear matrices basis' * W * basis; w, r x Pi, basis' * w; U, width, embedding, history,
%             accuracy and source
%   Tokens of the one-shot task consist of a patch in equal channels, one of three labels and a position. They span
%   r = 88 of N0 = 192 dimensions, and heads and w act on this span alone: the file takes a sixth of their size.
%   See also oneshot_network.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_oneshot ('Augment', turned);
gd = attnpath_train (task, 'Evaluate', 250, varargin{:});
basis = span_of_tokens (task.embedding);
for l = 1:numel (gd.net.heads), gd.net.heads{l} = packed (gd.net.heads{l}, basis); end
gd.w = basis' * double (gd.w);
trained = save_trained (file, gd, task, struct ('basis', single (basis)));
end

function basis = span_of_tokens (embedding)
task = attnpath_task_oneshot ('Embedding', embedding, 'P', 200, 'Ptest', 2);
tokens = reshape (task.Xtrain, size (task.Xtrain, 1), []);
[directions, extent, ~] = svd (tokens, 'econ');
extent = diag (extent);
basis = double (directions(:,extent > 1e-7 * extent(1)));  % smaller ones are rounding errors of single precision
end

function reduced = packed (head, basis)
for h = 1:size (head.Q, 3)
  reduced(:,:,h) = (double (head.K(:,:,h)) * basis)' * (double (head.Q(:,:,h)) * basis) / sqrt (size (head.Q, 1));
end
end
