function [overlap, lambda] = attnpath_align (K, y)
%ATTNPATH_ALIGN  Kernel-task alignment: how much of the labels lies along each eigenvector of the kernel.
%
%   [overlap, lambda] = ATTNPATH_ALIGN (K, y)
%
%   A kernel that suits the task has its largest overlaps first.
%
%   Inputs :
%     K         P x P symmetric kernel, from attnpath_kernel (without temperature)
%     y         P x 1 labels
%
%   Outputs:
%     overlap   P x 1, |v_k . y| / |y| for the eigenvectors v_k of K; its squares sum to 1
%     lambda    P x 1 eigenvalues, largest first
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
%
%   TESTING: scores.tst   SOURCE: theory.md section 8

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2
  ap_fail ('align', 'usage', 'the call is [overlap, lambda] = attnpath_align (K, y)');
end
K = ap_check_symmetric ('align', 'K', K, size (K, 1), 'any');
y = ap_labels ('align', 'y', y, size (K, 1));
if ~any (y)
  ap_fail ('align', 'badValue', 'y is all zero: it has no direction');
end
[V, D] = eig (K);
[lambda, order] = sort (diag (D), 'descend');
overlap = abs (V(:,order)' * y) / norm (y);
end

%!test
%! [overlap, lambda] = attnpath_align ([2 1; 1 2], [1; 1]);
%! assert ([overlap, lambda], [1 3; 0 1], 1e-14);
