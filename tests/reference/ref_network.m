function f = ref_network (net, weights, X, A, lengths)
% REF_NETWORK  The network itself, token by token: (T1), (T26); scales of heads (T34).
%   f = ref_network (net, weights, X, A, lengths), P x 1, or P x C.  weights: struct with V0 N_1 x N0,
%   V 1 x L cell of N_{l+1} x N_l x H_l, a N_a x 1, or N_a x C.  X N0 x T x P, A from ref_attention.
[N0, T, P] = size (X);
L = numel (net.H);
skip = ref_skip (net);
scale = ref_head_scales (net);
if isempty (lengths), lengths = T * ones (1, P); end
f = zeros (P, size (weights.a, 2));
for mu = 1:P
  z = weights.V0 * X(:,:,mu) / sqrt (N0);
  for l = 1:L
    sum_h = 0;
    for h = 1:net.H(l)
      sum_h = sum_h + weights.V{l}(:,:,h) * z * A{l}(:,:,h,mu) * scale{l}(h);
    end
    before = z;
    z = sum_h / sqrt (net.H(l) * net.width(l));
    if skip(l) > 0, z = skip(l) * before + z; end
  end
  f(mu,:) = weights.a' * z * ref_readout (net, T, lengths(mu)) / sqrt (net.width(L+1));
end
end
