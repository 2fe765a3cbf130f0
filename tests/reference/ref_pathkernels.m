function C = ref_pathkernels (net, Xi, Xi2)
% REF_PATHKERNELS  Path-path kernels: (T5).
%   C = ref_pathkernels (net, Xi, Xi2), P x P2 x Pi x Pi with C(mu,nu,p,q) = sigma_0^2/N0 xi^p_mu . xi2^q_nu.
[N0, P, paths] = size (Xi);
C = zeros (P, size (Xi2, 2), paths, paths);
for p = 1:paths
  for q = 1:paths
    C(:,:,p,q) = net.variance(1) / N0 * (Xi(:,:,p)' * Xi2(:,:,q));
  end
end
end
