function [out, Omega] = ref_cme (q, K, V, kernel, gamma, lambda)
% REF_CME  Kernel conditional mean embedding, one query at a time (theory.md section 11).
%   [out, Omega] = ref_cme (q, K, V, kernel, gamma, lambda): q d x m, K d x n, V dv x n, out dv x m, Omega n x m.
%   Omega(:,j) = (G + lambda I)^{-1} k (K, q_j), G_ij = k (k_i, k_j), and out = V Omega.
n = size (K, 2);
G = zeros (n);
for i = 1:n
  for j = 1:n
    G(i,j) = similar (K(:,i), K(:,j), kernel, gamma);
  end
end
Omega = zeros (n, size (q, 2));
for j = 1:size (q, 2)
  k = zeros (n, 1);
  for i = 1:n
    k(i) = similar (K(:,i), q(:,j), kernel, gamma);
  end
  Omega(:,j) = (G + lambda * eye (n)) \ k;
end
out = V * Omega;
end

function value = similar (k, q, kernel, gamma)
switch kernel
  case 'exponential', value = exp (k' * q / gamma);
  case 'gaussian', value = exp (-sum ((k - q) .^ 2) / (2 * gamma));
  case 'linear', value = k' * q / gamma;
end
end
