function Xi = ref_paths (net, X, A, lengths)
% REF_PATHS  Path inputs, with the product of attention maps written out: (T3), (T27); scales of heads (T34).
%   Xi = ref_paths (net, X, A, lengths), N0 x P x Pi.  X N0 x T x P, A from ref_attention.
%   With the readout 'all' (T38): N0 x n x Pi of the n tokens that are no padding, example by example.
[N0, T, P] = size (X);
if isempty (lengths), lengths = T * ones (1, P); end
skip = ref_skip (net);
scale = ref_head_scales (net);
list = ref_pathlist (net.H, skip);
Xi = zeros (N0, P, size (list, 1));
if strcmp (net.readout, 'all')
  Xi = [];
  for mu = 1:P
    for t = 1:lengths(mu)
      net.readout = t;
      one = ref_paths (net, X(:,:,mu), cellfun (@(a) a(:,:,:,mu), A, 'UniformOutput', false), lengths(mu));
      Xi = cat (2, Xi, one);
    end
  end
  return
end
for mu = 1:P
  e = ref_readout (net, T, lengths(mu));
  for p = 1:size (list, 1)
    Omega = eye (T);
    c = sqrt (size (list, 1));
    for l = 1:numel (net.H)
      if list(p,l) == 0
        c = c * skip(l);                   % Omega^{l,0} = I
      else
        c = c / sqrt (net.H(l));
        Omega = Omega * A{l}(:,:,list(p,l),mu) * scale{l}(list(p,l));
      end
    end
    Xi(:,mu,p) = X(:,:,mu) * Omega * e;
    if any (skip), Xi(:,mu,p) = c * Xi(:,mu,p); end       % without any, c is 1
  end
end
end
