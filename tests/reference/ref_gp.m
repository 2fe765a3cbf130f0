function order = ref_gp (net)
% REF_GP  The order parameters of the GP limit (theory.md sections 4 and 17): diagonal. A partial path's entry is
%   sigma_a^2 times sigma_k^2 of the layers that it does not skip; without skip connections sigma_a^2 .. sigma_l^2 I.
%   order = ref_gp (net), {U_1, ..., U_L}.
L = numel (net.H);
skip = ref_skip (net);
order = cell (1, L);
for l = 1:L
  list = ref_pathlist (net.H(l:L), skip(l:L));
  order{l} = zeros (size (list, 1));
  for p = 1:size (list, 1)
    order{l}(p,p) = prod ([net.variance(find (list(p,:) > 0) + l), net.variance(L+2)]);
  end
end
end
