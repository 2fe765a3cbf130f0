function [U, weights] = ref_outputs_prior (net, N0, C)
% REF_OUTPUTS_PRIOR  One prior draw of a network with C outputs: its weights and their order parameters.
%   [U, weights] = ref_outputs_prior (net, N0, C): weights as from ref_prior, but a is N_a x C;  U {U_1, ..., U_{L+1}}
%   with U_l (i,j) = u_i . u_j / N_l over partial paths and outputs, path slowest, output fastest (sections 3 and 12).
%   The caller seeds randn.
weights = ref_prior (net, N0);
L = numel (net.H);
weights.a = sqrt (net.variance(L+2)) * randn (net.width(L+1), C);
u = weights.a;                                              % N_a x C
U = cell (1, L + 1);
U{L+1} = u' * u / net.width(L+1);
for l = L:-1:1
  up = u;
  u = [];
  for h = 1:net.H(l)                                        % the layer's own head is the slowest index
    u = [u, weights.V{l}(:,:,h)' * up / sqrt(net.width(l+1))];
  end
  U{l} = u' * u / net.width(l);
end
end
