function f = ref_left_out (net, Xi, Y, U)
% REF_LEFT_OUT  P x Pi x C: contribution of each path to each output at each example, which is left out with all its
% labels (theory.md section 16).
%   f_{p,c}(x) = 1/Pi sum_{q,d} U_{(p,c),(q,d)} C_pq(x, .) [A^{-1} vec Y]_d is path p's part of output c.
paths = ref_pathlist (net.H);
n = size (paths, 1);
[P, C] = size (Y);
f = zeros (P, n, C);
for i = 1:P
  others = [1:i-1, i+1:P];
  A = ref_kernel (net, Xi(:,others,:), U, Xi(:,others,:)) + ref_noise (ref_without (net, i), (P - 1) * C);
  b = reshape (A \ reshape (Y(others,:), [], 1), P - 1, C);
  kernels = ref_pathkernels (net, Xi(:,i,:), Xi(:,others,:));
  for p = 1:n
    for c = 1:C
      for q = 1:n
        for d = 1:C
          u = U((p - 1) * C + c,(q - 1) * C + d);
          f(i,p,c) = f(i,p,c) + u / n * reshape (kernels(:,:,p,q), 1, P - 1) * b(:,d);
        end
      end
    end
  end
end
end
