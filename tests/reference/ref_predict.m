function [mu, s2] = ref_predict (net, Xi, Y, U, Xit)
% REF_PREDICT  Mean and covariance of C outputs, one test example at a time: (T10) with (T18).
%   [mu, s2] = ref_predict (net, Xi, Y, U, Xit): Xi N0 x P x Pi, Xit N0 x Ptest x Pi, mu Ptest x C, U Pi C x Pi C.
%   s2 C x C x Ptest, of one output Ptest x 1.
C = size (Y, 2);
A = ref_kernel (net, Xi, U, Xi) + ref_noise (net, numel (Y));
mu = zeros (size (Xit, 2), C);
s2 = zeros (C, C, size (Xit, 2));
for t = 1:size (Xit, 2)
  k = ref_kernel (net, Xi, U, Xit(:,t,:));                  % P C x C
  kappa = ref_kernel (net, Xit(:,t,:), U, Xit(:,t,:));
  mu(t,:) = (k' * (A \ Y(:)))';
  s2(:,:,t) = kappa - k' * (A \ k);
end
if C == 1, s2 = s2(:); end
end
