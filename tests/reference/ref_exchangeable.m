function [m, S, path] = ref_exchangeable (phi, v, s)
% REF_EXCHANGEABLE  Posterior of a latent z ~ N(0, I) given values v_t = phi_t' z + noise, token by token.
%   [m, S, path] = ref_exchangeable (phi, v, s): phi D x n, v 1 x n, s the standard deviation of the noise; path D x n
%   are the means after 1, 2, .. n tokens.  The posterior after a token is the prior of the next one, and a Gaussian is
%   updated by
%     g = S phi / (phi' S phi + s^2),   m + g (v - phi' m),   S - g phi' S.
D = rows (phi);
m = zeros (D, 1);
S = eye (D);
path = zeros (D, columns (phi));
for t = 1:columns (phi)
  p = phi(:,t);
  g = S * p / (p' * S * p + s ^ 2);
  m = m + g * (v(t) - p' * m);
  S = S - g * (p' * S);
  path(:,t) = m;
end
end
