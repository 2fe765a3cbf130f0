function order = ref_gp (net)
% REF_GP  The order parameters of the GP limit (theory.md section 4): U_l = sigma_a^2 sigma_L^2 ... sigma_l^2 I.
%   order = ref_gp (net), {U_1, ..., U_L}.
L = numel (net.H);
order = cell (1, L);
for l = 1:L
  order{l} = prod (net.variance(l+1:L+2)) * eye (prod (net.H(l:L)));
end
end
