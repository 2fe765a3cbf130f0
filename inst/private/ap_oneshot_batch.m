function X = ap_oneshot_batch (patches, choice, embedding, positions)
%AP_ONESHOT_BATCH  The tokens of chosen sequences: patches of their images, label embeddings and positions, added up.
%
%   X = AP_ONESHOT_BATCH (patches, choice, embedding, positions)
%   Inputs :  patches, from ap_oneshot_patches;  choice, from ap_oneshot_choose;  embedding, N0 x 3, of label +1, -1 and
%             unknown, or N0 x (C+1), of labels 1 to C > 2 and unknown;  positions, N0 x T
%   Outputs:  N0 x T x P, single as the patches are. N0 is a multiple of the pixels of a patch: a pixel is repeated as
%             often, once for each channel
%   Example:  X = ap_oneshot_batch (task.images.train, choice, task.embedding, task.positions);
%   See also ap_oneshot_choose, ap_oneshot_patches.

% SPDX-License-Identifier: BSD-3-Clause

[pixels, count, drawings, ~] = size (patches);
[images, P] = size (choice.class);
N0 = size (embedding, 1);
number = choice.drawing + drawings * (choice.class - 1);
if size (embedding, 2) == 3
  column = 1 + (choice.label == -1) + 2 * (choice.label == 0);
else
  column = choice.label + (choice.label == 0) * size (embedding, 2);
end
X = reshape (patches(ceil ((1:N0) * pixels / N0),:,number(:)), N0, count, images * P);
X = bsxfun (@plus, X, reshape (embedding(:,column(:)), N0, 1, images * P));
X = bsxfun (@plus, reshape (X, N0, count * images, P), positions);
end
