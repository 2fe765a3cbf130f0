function [mu, s2] = ref_predict (net, Xi, y, U, Xit)
% REF_PREDICT  Predictor mean and variance, one test example at a time: (T10).
%   [mu, s2] = ref_predict (net, Xi, y, U, Xit): Xi N0 x P x Pi, Xit N0 x Ptest x Pi, mu and s2 Ptest x 1.
A = ref_kernel (net, Xi, U, Xi) + ref_noise (net, numel (y));
mu = zeros (size (Xit, 2), 1);
s2 = zeros (size (Xit, 2), 1);
for t = 1:size (Xit, 2)
  k = ref_kernel (net, Xi, U, Xit(:,t,:));
  kappa = ref_kernel (net, Xit(:,t,:), U, Xit(:,t,:));
  mu(t) = k' * (A \ y);
  s2(t) = kappa - k' * (A \ k);
end
end
