function K = attnpath_kernel (net, paths, U, paths2)
%ATTNPATH_KERNEL  Kernel of the network: path-path kernels, weighted by the order parameter U.
%
%   K = ATTNPATH_KERNEL (net, paths, U)
%   K = ATTNPATH_KERNEL (net, paths, U, paths2)
%
%   Inputs :
%     net       network, from attnpath_net
%     paths     from attnpath_paths, for P examples (or its Xi, N0 x P x Pi)
%     U         Pi x Pi symmetric, positive semidefinite: sol.U of a solution, or
%               prod (net.variance(2:end)) * eye (Pi) for the GP limit. With C coupled outputs Pi C x Pi C,
%               output fastest. Or an expansion from attnpath_expand, for the posterior mean of the kernel to
%               the next order in 1/N
%     paths2    like paths, for P2 examples; default: paths
%
%   Outputs:
%     K         P x P2, without the temperature on its diagonal. With C coupled outputs P C x P2 C, example
%               fastest: a block of P x P2 for each pair of outputs
%
%   Equation: (T6), K(mu,nu) = 1/Pi sum_pq U_pq C_pq(mu,nu), with C from attnpath_pathkernels. No C is stored.
%   Several outputs: (T18).
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2)});
%     >> paths = attnpath_paths (net, [1 2 3; 4 5 6]);
%     >> attnpath_kernel (net, paths, [2 -1; -1 2])
%     ans = 14.500
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_pathkernels, attnpath_align, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: kernel.tst, test_ap_kernel.c   REFERENCE: ref_kernel.m
% SOURCE: (T6), (T18)

ap_check_call ('kernel', nargin >= 3, 'K = attnpath_kernel (net, paths, U, paths2)');
net = ap_check_net ('kernel', net);
Xi = ap_check_inputs ('kernel', 'paths', paths, net);
if ap_is_expansion (U)
  ap_check_expansion ('kernel', U);
  parts = of_both_signs (ap_check_blocks ('kernel', 'U.U', U.U, net, 'any'));
else
  parts = {ap_check_blocks('kernel', 'U', U, net, 'semidefinite')};
end
Xi2 = Xi;
if nargin > 3
  Xi2 = ap_check_inputs ('kernel', 'paths2', paths2, net, size (Xi, 1));
end
K = attnpath_kernel_mex (ap_without_heads (net), Xi, Xi2, parts{1});
if numel (parts) > 1, K = K - attnpath_kernel_mex (ap_without_heads (net), Xi, Xi2, parts{2}); end
end

function parts = of_both_signs (U)
% Positive semidefinite {V} or {V, W}, U = V or V - W: the kernel is linear in U, and a corrected U need not be definite
[V, D] = eig ((U + U') / 2);
d = diag (D)';
parts = {U};
if any (d < 0)
  part = @(d) V * diag (d) * V';
  parts = cellfun (@(A) (A + A') / 2, {part(max (d, 0)), part(max (-d, 0))}, 'UniformOutput', false);
end
end

%!test
%! net = attnpath_net ({zeros(2, 2, 2)});
%! assert (attnpath_kernel (net, attnpath_paths (net, [1 2 3; 4 5 6]), [2 -1; -1 2]), 14.5, 1e-13);
