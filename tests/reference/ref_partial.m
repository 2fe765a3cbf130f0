function u = ref_partial (net, weights)
% REF_PARTIAL  Partial effective weights of every layer, the line below (T27), one partial path at a time.
%   u = ref_partial (net, weights): 1 x (L+1) cell, u{l} N_l x Pi_l, u{L+1} = a. U_l = u{l}' u{l} / N_l.
%   weights as in ref_network.
L = numel (net.H);
skip = ref_skip (net);
u = cell (1, L + 1);
u{L+1} = weights.a;
for l = L:-1:1
  list = ref_pathlist (net.H(l:end), skip(l:end));
  n = size (u{l+1}, 2);
  for p = 1:size (list, 1)
    rho = 1 + mod (p - 1, n);
    if list(p,1) == 0
      u{l}(:,p) = u{l+1}(:,rho);
    else
      u{l}(:,p) = weights.V{l}(:,:,list(p,1))' * u{l+1}(:,rho) / sqrt (net.width(l+1));
    end
  end
end
end
