function w = ref_effective (net, weights)
% REF_EFFECTIVE  Effective weight of every path: the line below (T4).
%   w = ref_effective (net, weights), N0 x Pi, so that f(mu) = sum_p w(:,p)' Xi(:,mu,p) / sqrt (N0 Pi).
%   weights as in ref_network.
list = ref_pathlist (net.H, ref_skip (net));
w = zeros (size (weights.V0, 2), size (list, 1));
for p = 1:size (list, 1)
  u = weights.a;
  for l = numel (net.H):-1:1
    if list(p,l) > 0, u = weights.V{l}(:,:,list(p,l))' * u / sqrt (net.width(l+1)); end      % else u^{(l)} = u^{(l+1)}
  end
  w(:,p) = weights.V0' * u / sqrt (net.width(1));
end
end
