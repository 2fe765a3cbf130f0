function [U, ua] = ref_order (net, weights)
% REF_ORDER  Order parameters of given weights: overlaps of the partial effective weights (theory.md section 3).
%   [U, ua] = ref_order (net, weights): U Pi x Pi, U(p,q) = u_p' u_q / N_1 with u_p = V_1^{h_1}' ... V_L^{h_L}' a /
%   sqrt (N_2 ... N_L N_a), and ua = a' a / N_a.  weights as in ref_network.
list = ref_pathlist (net.H);
u = zeros (net.width(1), size (list, 1));
for p = 1:size (list, 1)
  v = weights.a;
  for l = numel (net.H):-1:1
    v = weights.V{l}(:,:,list(p,l))' * v;
  end
  u(:,p) = v / sqrt (prod (net.width(2:end)));
end
U = u' * u / net.width(1);
ua = weights.a' * weights.a / net.width(end);
end
