function K = ref_kernel (net, Xi, U, Xi2)
% REF_KERNEL  Kernel of a network with C outputs, path pair by path pair: (T6), (T18), without the temperature.
%   K = ref_kernel (net, Xi, U, Xi2), P C x P2 C: rows and columns are (example, output), the example fastest.
%   Xi N0 x P x Pi, Xi2 N0 x P2 x Pi;  U Pi C x Pi C, rows and columns (path, output), the output fastest.
kernels = ref_pathkernels (net, Xi, Xi2);
[P, P2, Pi, ~] = size (kernels);
C = size (U, 1) / Pi;
K = zeros (P * C, P2 * C);
for c = 1:C
  for d = 1:C
    for p = 1:Pi
      for q = 1:Pi
        u = U((p - 1) * C + c, (q - 1) * C + d);
        K((c - 1) * P + (1:P), (d - 1) * P2 + (1:P2)) = K((c - 1) * P + (1:P), (d - 1) * P2 + (1:P2)) ...
                                                        + u * kernels(:,:,p,q) / Pi;
      end
    end
  end
end
end
