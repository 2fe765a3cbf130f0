function [mu, s2, logdensity] = ref_outputs_loo (net, Xi, Y, U)
% REF_OUTPUTS_LOO  Leave-one-out at fixed U, each example left out in turn: (T23) in blocks.
%   [mu, s2, logdensity] = ref_outputs_loo (net, Xi, Y, U): mu P x C, s2 C x C x P of f, logdensity P x 1 of Y(i,:).
[P, C] = size (Y);
mu = zeros (P, C);
s2 = zeros (C, C, P);
logdensity = zeros (P, 1);
for i = 1:P
  rest = [1:i-1, i+1:P];
  [left, own] = ref_without (net, i);
  [mu(i,:), s2(:,:,i)] = ref_predict (left, Xi(:,rest,:), Y(rest,:), U, Xi(:,i,:));
  V = s2(:,:,i) + own * eye (C);
  e = Y(i,:)' - mu(i,:)';
  logdensity(i) = -(e' * (V \ e) + log (det (V)) + C * log (2 * pi)) / 2;
end
end
