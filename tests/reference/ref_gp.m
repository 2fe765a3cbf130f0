function order = ref_gp (net)
% REF_GP  The order parameters of the GP limit: U_l = sigma_a^2 sigma_L^2 ... sigma_l^2 I (theory.md section 4); with
%   skip connections block diagonal, U_{l+1} in the skip's block and sigma_l^2 U_{l+1} in each head's (section 17).
%   order = ref_gp (net), {U_1, ..., U_L}.
L = numel (net.H);
skip = ref_skip (net) > 0;
order = cell (1, L);
U = net.variance(L+2);
for l = L:-1:1
  U = kron (diag ([ones(1, skip(l)), net.variance(l+1) * ones(1, net.H(l))]), U);
  order{l} = U;
end
end
