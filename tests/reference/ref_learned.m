function [logp, energy] = ref_learned (net, X, y, lengths, scale, heads, U)
% REF_LEARNED  Log posterior density of heads at fixed order parameters, up to a constant: (T39) without the chain.
%   [logp, energy] = ref_learned (net, X, y, lengths, scale, heads, U): y n x C, a row for each path input; scale, prior
%   standard deviation of a score between tokens of the mean square length; heads as net.heads; U Pi x Pi, the same
%   for all outputs, which are independent given it.
count = size (X, 2) * size (X, 3);
if ~isempty (lengths), count = sum (lengths); end
square = sum (X(:) .^ 2) / count;
net.heads = heads;
Xi = ref_paths (net, X, ref_attention (net, X, lengths), lengths);
A = ref_kernel (net, Xi, U, Xi) + net.temperature * eye (size (y, 1));
energy = size (y, 2) * log (det (A)) + trace (y' * (A \ y));
logp = -energy / 2;
for l = 1:numel (heads)
  if isstruct (heads{l})
    logp = logp - (sum (heads{l}.Q(:) .^ 2) + sum (heads{l}.K(:) .^ 2)) / (2 * scale / square);
  else
    logp = logp - sum (heads{l}(:) .^ 2) / (2 * (scale / square) ^ 2);
  end
end
end
