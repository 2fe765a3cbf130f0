function share = label_share (model, counts)
%LABEL_SHARE  The share of |y|^2 in the first principal components of the kernel.
%
%   share = label_share (model, counts)
%   Inputs :  model, struct of net, paths, y and U, as from attnpath_solve;  counts, of components
%   Outputs:  share, as counts: 1 is all of the labels

% SPDX-License-Identifier: BSD-3-Clause

overlap = attnpath_align (attnpath_kernel (model.net, model.paths, model.U), model.y);
share = arrayfun (@(n) sum (overlap(1:min (n, end)) .^ 2), counts);
end
