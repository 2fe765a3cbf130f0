function C = attnpath_pathkernels (net, paths, paths2)
%ATTNPATH_PATHKERNELS  Path-path kernels: similarity of two examples, each along a path of its own.
%
%   C = ATTNPATH_PATHKERNELS (net, paths)
%   C = ATTNPATH_PATHKERNELS (net, paths, paths2)
%
%   Inputs :
%     net       network, from attnpath_net
%     paths     from attnpath_paths, for P examples (or its Xi, N0 x P x Pi)
%     paths2    like paths, for P2 examples; default: paths
%
%   Outputs:
%     C         P x P2 x Pi x Pi; C(mu,nu,p,q) compares example mu along path p with example nu along path q
%
%   Equation: (T5), C_pq(mu,nu) = sigma_0^2 / N0 xi^p_mu . xi^q_nu. These are P P2 Pi^2 numbers;
%   attnpath_kernel and attnpath_solve do not store them.
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2)});
%     >> C = attnpath_pathkernels (net, attnpath_paths (net, [1 2 3; 4 5 6]));
%     >> squeeze (C)
%     ans =
%        14.500   14.500
%        14.500   14.500
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_paths, attnpath_kernel.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: kernel.tst, test_ap_kernel.c   REFERENCE: ref_pathkernels.m   SOURCE: (T5)

ap_check_call ('pathkernels', nargin >= 2, 'C = attnpath_pathkernels (net, paths, paths2)');
net = ap_check_net ('pathkernels', net);
Xi = ap_check_inputs ('pathkernels', 'paths', paths, net);
Xi2 = Xi;
if nargin > 2
  Xi2 = ap_check_inputs ('pathkernels', 'paths2', paths2, net, size (Xi, 1));
end
C = attnpath_pathkernels_mex (ap_without_heads (net), Xi, Xi2);
end

%!test
%! net = attnpath_net ({zeros(2, 2, 2)});
%! C = attnpath_pathkernels (net, attnpath_paths (net, [1 2 3; 4 5 6]));
%! assert (squeeze (C), 14.5 * ones (2), 1e-13);
