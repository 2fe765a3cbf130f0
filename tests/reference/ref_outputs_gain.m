function [gain, each] = ref_outputs_gain (net, Xi, Y, U)
% REF_OUTPUTS_GAIN  Mean over examples of sum_c Y_ic f_hc(x_i), each example left out with all its labels (theory.md
% sections 12 and 16), its weight one over its noise. gain: one for each head, layer by layer; each: a column for each
% output.
%   f_{p,c}(x) = 1/Pi sum_{q,d} U_{(p,c),(q,d)} C_pq(x, .) [A^{-1} vec Y]_d is path p's part of output c.
paths = ref_pathlist (net.H);
n = size (paths, 1);
[P, C] = size (Y);
f = zeros (P, n, C);
for i = 1:P
  others = [1:i-1, i+1:P];
  A = ref_outputs_kernel (net, Xi(:,others,:), U, Xi(:,others,:)) + ref_noise (ref_without (net, i), (P - 1) * C);
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
w = 1 ./ diag (ref_noise (net, P));
w = w / sum (w);
each = zeros (0, C);
for l = 1:numel (net.H)
  for h = 1:net.H(l)
    each(end+1,:) = w' * (Y .* reshape (sum (f(:,paths(:,l) == h,:), 2), P, C));
  end
end
gain = sum (each, 2);
end
