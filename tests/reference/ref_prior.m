function weights = ref_prior (net, N0)
% REF_PRIOR  Weights drawn from the prior of section 1, one entry at a time: N(0, variance of its layer).
%   weights = ref_prior (net, N0): struct with V0 N_1 x N0, V 1 x L cell of N_{l+1} x N_l x H_l, a N_a x 1, as for
%   ref_network.  The caller seeds randn.
N = net.width;
L = numel (net.H);
weights.V0 = sqrt (net.variance(1)) * randn (N(1), N0);
weights.V = cell (1, L);
for l = 1:L
  weights.V{l} = sqrt (net.variance(l+1)) * randn (N(l+1), N(l), net.H(l));
end
weights.a = sqrt (net.variance(L+2)) * randn (N(L+1), 1);
end
