function [mu, s2, mu24, s224] = ref_loo (net, Xi, y, order)
% REF_LOO  Mean and variance of f for each example when it is left out: (T23), and (T24) in outputs 3 and 4.
%   [mu, s2] = ref_loo (net, Xi, y, order): at order{1} itself, by leaving the example out of (T10), one by one.
%   [~, ~, mu24, s224]: theta_{-i} = theta + H^{-1} grad l_i for all U_l, with H and the gradient of
%   l_i = log s^2_{-i} + (y_i - mu_{-i})^2 / s^2_{-i} (variances of y_i) by central differences, then U_1 moved by
%   U + x + x U^{-1} x / 2, which stays in the cone, and the example left out there.
P = numel (y);
for i = 1:P
  [mu(i,1), s2(i,1)] = left_out (net, Xi, y, order{1}, i);
end
if nargout < 3, return; end
H = ref_hessian (net, Xi, y, order) * max (net.width);
for i = 1:P
  moved = ref_moved (H, order{1}, @(U) loss (net, Xi, y, U, i));
  [mu24(i,1), s224(i,1)] = left_out (net, Xi, y, moved, i);
end
end

function [mu, s2] = left_out (net, Xi, y, U, i)
others = [1:i-1, i+1:numel(y)];
[mu, s2] = ref_predict (ref_without (net, i), Xi(:,others,:), y(others), U, Xi(:,i,:));
end

function l = loss (net, Xi, y, U, i)
[mu, s2] = left_out (net, Xi, y, U, i);
[~, own] = ref_without (net, i);
l = log (s2 + own) + (y(i) - mu) ^ 2 / (s2 + own);
end
