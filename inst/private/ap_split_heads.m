function [heads, sizes] = ap_split_heads (net, values, scale)
%AP_SPLIT_HEADS  Draws of heads, as the sampler has them, in the shape of net.heads.
%
%   [heads, sizes] = AP_SPLIT_HEADS (net, values, scale)
%   Inputs :  values, numbers x draws x chains, layer by layer W, or Q and then K;  scale, prior standard deviation of
%             W's entries, and the square of that of Q's and K's
%   Outputs:  heads, 1 x L cell of arrays N0 x N0 x H_l x draws x chains, or structs with Q and K of such;  sizes, L x
%             draws x chains, mean squares of a layer's entries over their prior variance
%   See also ap_split_weights.

% SPDX-License-Identifier: BSD-3-Clause

draws = [size(values, 2), size(values, 3)];
heads = cell (1, net.L);
sizes = zeros ([net.L, draws]);
last = 0;
for l = 1:net.L
  pair = isstruct (net.heads{l});
  like = net.heads{l};
  if pair, like = like.Q; end
  part = last + (1:numel (like) * (1 + pair));
  last = part(end);
  variance = double (scale) ^ (2 - pair);
  sizes(l,:) = reshape (mean (double (values(part,:,:)) .^ 2, 1), 1, []) / variance;
  shape = [size(like, 1), size(like, 2), size(like, 3), draws];
  if pair
    half = numel (like);
    heads{l} = struct ('Q', reshape (values(part(1:half),:,:), shape), 'K', ...
                       reshape (values(part(half+1:end),:,:), shape));
  else
    heads{l} = reshape (values(part,:,:), shape);
  end
end
end
