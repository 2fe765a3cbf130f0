function A = ref_attention (net, X, lengths)
% REF_ATTENTION  Attention maps, one query token at a time (theory.md section 1).
%   A = ref_attention (net, X, lengths): X N0 x T x P, A 1 x L cell of T x T x H_l x P, columns sum to 1.
%   Score of key s for query t: x_s' W x_t, or (K x_s)' (Q x_t) / sqrt (G).  Softmax over s of the scores divided by
%   the bandwidth (1 if the net has none), or all the mass on the largest score (the first of equals), or ref_cme with
%   bandwidth sqrt (G) times the net's.  Causal: s <= t.  Tokens beyond lengths(mu): zeros.
[~, T, P] = size (X);
if isempty (lengths), lengths = T * ones (1, P); end
gamma = 1;
if isfield (net, 'bandwidth'), gamma = net.bandwidth; end
A = cell (1, numel (net.H));
for l = 1:numel (net.H)
  A{l} = zeros (T, T, net.H(l), P);
  for mu = 1:P
    x = X(:,:,mu);
    for h = 1:net.H(l)
      if isstruct (net.heads{l})
        Q = net.heads{l}.Q(:,:,h);  K = net.heads{l}.K(:,:,h);
        score = (K * x)' * (Q * x) / sqrt (size (Q, 1));
      else
        score = x' * net.heads{l}(:,:,h) * x;
      end
      for t = 1:lengths(mu)
        keys = 1:lengths(mu);
        if net.causal, keys = 1:t; end
        if strcmp (net.attention, 'cme')
          [~, A{l}(keys,t,h,mu)] = ref_cme (Q * x(:,t), K * x(:,keys), zeros (1, numel (keys)), net.kernel, ...
                                            gamma * sqrt (size (Q, 1)), net.ridge);
        else
          A{l}(keys,t,h,mu) = weigh (score(keys,t) / gamma, net.attention);
        end
      end
    end
  end
end
end

function w = weigh (score, attention)
[top, first] = max (score);
switch attention
  case 'softmax', w = exp (score - top) / sum (exp (score - top));
  case 'hardmax', w = zeros (size (score));  w(first) = 1;
end
end
