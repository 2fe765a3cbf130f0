function [mu, s2] = ap_predict_heads (post, X, lengths, spread, display)
%AP_PREDICT_HEADS  Mean and variance of f at new tokens over the draws of heads and order parameters.
%
%   [mu, s2] = AP_PREDICT_HEADS (post, X, lengths, spread, display)
%   Inputs :  post, from attnpath_sample with Method 'attention';  X, N0 x T x P tokens;  lengths, the option 'Lengths';
%             spread, false where s2 is not wanted;  display, true for progress after two seconds
%   Outputs:  mu, n x C, a row for each path input of X;  s2, n x C^2: mean of the covariances given heads and U, and
%             covariance of the means
%   Errors:   attnpath:predict: those of the functions called
%   See also attnpath_predict, ap_draw_of_heads.

% SPDX-License-Identifier: BSD-3-Clause

count = ap_draw_of_heads ('predict', post, []);
net = ap_check_net ('predict', post.net);
X = ap_check_array ('predict', 'X', X, {size(post.X, 1), 'T', 'Ptest'});
post.Lengths = ap_check_lengths ('predict', post.Lengths, size (post.X, 1), size (post.X, 2), size (post.X, 3));
many = ap_tokens ('predict', 'post.X', net, post.X, size (post.X, 3), post.Lengths);
y = ap_labels ('predict', 'post.y', post.y, many, true);
noise = ap_check_noise ('predict', 'post.noise', ap_field (post, 'noise', []), many, y);
C = size (y, 2);
paths = ap_path_count (net);
shared = C > 1 && size (post.U, 1) == paths;
use = struct ('memory', 0, 'store', false, 'reduce', false, 'evaluations', 0, 'threads', 0, 'shared', shared);
draws = reshape (post.U(:,:,post.kept,:), size (post.U, 1), size (post.U, 2), []);
[mu, s2, square] = deal (0);
told = ap_progress_line ();
for k = 1:count
  told = ap_progress_line (told, display, 'attnpath_predict: %d of %d draws of heads', k - 1, count);
  here = ap_draw_of_heads ('predict', post, k);
  data = ap_prepare ('predict', here, ap_inputs ('predict', here, post.X, post.Lengths, []), y, use, noise);
  out = cell (1, 1 + spread);
  [out{:}] = ap_gateway ('predict', @attnpath_predict_mex, ap_without_heads (here), data, draws(:,:,k), ...
                         ap_inputs ('predict', here, X, lengths, []), []);
  m = out{1};
  step = (m - mu) / k;                             % Welford: of means, and of squares of their changes
  mu = mu + step;
  if ~spread, continue; end
  v = out{2};
  if C > 1 && shared, v = v * reshape (eye (C), 1, []); elseif C > 1, v = reshape (v, C ^ 2, [])'; end
  s2 = s2 + (v - s2) / k;
  square = square + k * (k - 1) * step(:,repmat (1:C, 1, C)) .* step(:,kron (1:C, ones (1, C)));
end
s2 = s2 + square / count;
end
