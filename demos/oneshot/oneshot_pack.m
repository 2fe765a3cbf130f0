function packed = oneshot_pack (file, packed_file)
%ONESHOT_PACK  A trained network of the one-shot task in a sixth of the space, and the same on every sequence.
%
%   packed = oneshot_pack (file, packed_file)
%   Inputs :  file, written by oneshot_train;  packed_file, to be written
%   Outputs:  what is written, in single precision: basis, N0 x r, an orthonormal basis of the span of all tokens;
%             heads, 1 x L cell of r x r x H_l bilinear matrices basis' * W * basis; w, r x Pi, basis' * w; all else as
%             it was
%   Tokens of the one-shot task are a patch in equal channels, one of three labels and a position: r of N0 dimensions,
%   88 of 192. What heads and w do outside their span nobody sees.
%   See also oneshot_network, oneshot_train.

% SPDX-License-Identifier: BSD-3-Clause

packed = load (file);
task = attnpath_task_oneshot ('Embedding', packed.embedding, 'P', 200, 'Ptest', 2);
tokens = reshape (task.Xtrain, size (task.Xtrain, 1), []);
[directions, extent, ~] = svd (tokens, 'econ');
extent = diag (extent);
basis = directions(:,extent > 1e-7 * extent(1));           % tokens are of single precision: below is their rounding
for l = 1:numel (packed.heads)
  head = packed.heads{l};
  reduced = zeros (size (basis, 2), size (basis, 2), size (head.Q, 3));
  for h = 1:size (head.Q, 3)
    reduced(:,:,h) = (double (head.K(:,:,h)) * basis)' * (double (head.Q(:,:,h)) * basis) / sqrt (size (head.Q, 1));
  end
  packed.heads{l} = single (reduced);
end
packed.w = single (basis' * double (packed.w));
packed.basis = single (basis);
save (packed_file, '-struct', 'packed', '-v6');
end
