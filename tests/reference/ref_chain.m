function U = ref_chain (net)
% REF_CHAIN  One prior draw of the chain U_1 .. U_{L+1}, by its factors R_l (T11), (T14), (T28).
%   U = ref_chain (net): 1 x (L+1) cell. The caller seeds randn. A chi variable of k degrees of freedom is the norm of k
%   normals, and a Bartlett factor the lower trapezoid of the LQ factors of a matrix of normals.
L = numel (net.H);
N = net.width;
skip = ref_skip (net);
R = cell (1, L + 1);
R{L+1} = sqrt (net.variance(L+2) / N(L+1)) * norm (randn (N(L+1), 1));
for l = L:-1:1
  m = size (R{l+1}, 2);
  q = net.H(l) * m;
  scale = sqrt (net.variance(l+1) / N(l)) * kron (eye (net.H(l)), R{l+1});
  if skip(l) > 0
    n = N(l) - m;
    B = randn (q, m);                                     % Z_l
    if n > 0, B = [B, bartlett(q, n)]; end                % B_l, if N_l - m_{l+1} > 0
    R{l} = [R{l+1}, zeros(size (R{l+1}, 1), size (B, 2) - m); scale * B];
  else
    R{l} = scale * bartlett (q, N(l));
  end
end
U = cellfun (@(r) r * r', R, 'UniformOutput', false);
end

function B = bartlett (q, n)
% q x min (q, n)
B = zeros (q, min (q, n));
for j = 1:size (B, 2)
  B(j,j) = norm (randn (n - j + 1, 1));
  B(j+1:q,j) = randn (q - j, 1);
end
end
