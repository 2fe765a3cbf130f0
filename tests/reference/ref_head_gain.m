function list = ref_head_gain (net, Xi, y, U)
% REF_HEAD_GAIN  Mean over examples of y_i f_h(x_i), with example i left out (theory.md section 16): rows
%   [layer head gain]. The weight of an example is its inverse noise.
%   f_p(x) = 1/Pi sum_q U_pq C_pq(x, .) A^{-1} y is path p's part of the predictor, f_h the sum of the paths through h.
paths = ref_pathlist (net.H);
n = size (paths, 1);
P = numel (y);
f = zeros (P, n);
for i = 1:P
  others = [1:i-1, i+1:P];
  A = ref_kernel (net, Xi(:,others,:), U, Xi(:,others,:)) + ref_noise (ref_without (net, i), P - 1);
  C = ref_pathkernels (net, Xi(:,i,:), Xi(:,others,:));
  for p = 1:n
    for q = 1:n
      f(i,p) = f(i,p) + U(p,q) / n * reshape (C(:,:,p,q), 1, P - 1) * (A \ y(others));
    end
  end
end
w = 1 ./ diag (ref_noise (net, P));
w = w / sum (w);
list = zeros (0, 3);
for l = 1:numel (net.H)
  for h = 1:net.H(l)
    list(end+1,:) = [l, h, sum(w .* y .* sum (f(:,paths(:,l) == h), 2))];
  end
end
end
