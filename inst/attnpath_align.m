function [overlap, lambda] = attnpath_align (K, y)
%ATTNPATH_ALIGN  Kernel-task alignment: the overlap of the labels with each eigenvector of the kernel.
%
%   [overlap, lambda] = ATTNPATH_ALIGN (K, y)
%   [overlap, lambda] = ATTNPATH_ALIGN (model)
%
%   A kernel that suits the task has its largest overlaps first.
%
%   Inputs :
%     K         P x P symmetric kernel, from attnpath_kernel (without temperature)
%     y         P x 1 labels, P x C for C outputs, or classes. With C coupled outputs K is P C x P C, as from
%               attnpath_kernel. If all outputs have the same kernel, as in the GP limit, K is P x P.
%               Rows of y are examples: with K of size P C x P C, y' would count as C examples of P outputs
%     model     instead of K and y: solution, sample or expansion that holds its examples, of which those with
%               noise Inf are left out. For a sample, K is the mean of the draws' kernels
%
%   Outputs:
%     overlap   P x 1, |v_k . y| / |y| for the eigenvectors v_k of K; its squares sum to 1. For coupled outputs
%               P C x 1, with y(:) in place of y. For outputs with a common kernel P x 1, the norm of the C
%               overlaps divided by the norm of all labels
%     lambda    as many eigenvalues, largest first. For an expansion, v_k are the eigenvectors of the
%               solution's kernel, and lambda is v_k' <K> v_k, with the mean kernel <K> to the next order in
%               1/N
%
%   Equation: theory.md section 8.
%
%   Example:
%     >> [overlap, lambda] = attnpath_align ([2 1; 1 2], [1; 1]);
%     >> round (1e6 * overlap') / 1e6            % the first direction is that of (1, 1)
%     ans =
%        1   0
%     >> lambda'
%     ans =
%        3   1
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_kernel, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: scores.tst   SOURCE: theory.md section 8

mean_kernel = [];
if nargin == 1 && ap_is_expansion (K)
  ex = K;
  ap_check_expansion ('align', ex);
  [net, Xi, y] = learned (ex.sol);
  K = attnpath_kernel (net, Xi, ex.sol.U);
  K = (K + K') / 2;
  mean_kernel = attnpath_kernel (net, Xi, ex);
elseif nargin == 1 && isstruct (K) && isfield (K, 'U')
  [net, Xi, y] = learned (K);
  K = attnpath_kernel (net, struct ('Xi', Xi), mean (K.U(:,:,:), 3));      % linear in U: the mean of the draws' kernels
elseif nargin < 2
  ap_fail ('align', 'usage', ['the call is [overlap, lambda] = attnpath_align (K, y), or attnpath_align (model) ' ...
           'with a solution, a sample or an expansion']);
end
K = ap_check_symmetric ('align', 'K', K, size (K, 1), 'any');
n = size (K, 1);
y = ap_labels ('align', 'y', y, examples (n, y), true);
if ~any (n == [size(y, 1), numel(y)])
  ap_fail ('align', 'badShape', 'K is %d x %d: y must have %d rows, or so many labels of coupled outputs, not %s', ...
           n, n, n, {y});
elseif size (y, 1) ~= n
  y = y(:);
end
ap_refuse ('align', 'badValue', ~any (y(:)), 'y is all zero: it has no direction');
[V, D] = eig (K);
[lambda, order] = sort (diag (D), 'descend');
if ~isempty (mean_kernel), lambda = sum (V(:,order) .* (mean_kernel * V(:,order)), 1)'; end
overlap = abs (V(:,order)' * y) / norm (y, 'fro');
if size (y, 2) > 1, overlap = sqrt (sum (overlap .^ 2, 2)); end
end

function [net, Xi, y] = learned (model)
[net, Xi, y, noise] = ap_training_set ('align', model);
left = ap_used_examples (noise, size (Xi, 2));
[Xi, y] = deal (Xi(:,left,:), y(left,:));
end

function P = examples (n, y)
% The number of examples of a kernel with n rows: n, or n/C where each example has C labels or one of C classes
P = n;
if isfloat (y) && ndims (y) == 2 && all (size (y) > 1) && numel (y) == n
  P = size (y, 1);
elseif ~isfloat (y) && numel (y) < n && mod (n, max (1, numel (y))) == 0
  P = numel (y);
end
end

%!test % a diagonal kernel has the axes as its directions
%! [overlap, lambda] = attnpath_align (diag ([1 4]), [3; 4]);
%! assert ([overlap, lambda], [0.8 4; 0.6 1], 1e-14);
