function K = ref_kernel (net, Xi, U, Xi2)
% REF_KERNEL  Kernel of the network, path pair by path pair: (T6), without the temperature.
%   K = ref_kernel (net, Xi, U, Xi2), P x P2.  Xi N0 x P x Pi, Xi2 N0 x P2 x Pi, U Pi x Pi.
C = ref_pathkernels (net, Xi, Xi2);
K = zeros (size (C, 1), size (C, 2));
for p = 1:size (U, 1)
  for q = 1:size (U, 1)
    K = K + U(p,q) * C(:,:,p,q) / size (U, 1);
  end
end
end
