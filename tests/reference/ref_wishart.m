function [mu, v] = ref_wishart (net)
% REF_WISHART  Mean and variance of every entry of U_1 under the prior, the chain of Wishart matrices of (T11).
%   [mu, v] = ref_wishart (net), Pi x Pi.  For W ~ Wishart (n, S/n), of any n >= 1,
%     E W_ii W_jj = S_ii S_jj + 2 S_ij^2 / n,   E W_ij^2 = S_ij^2 + (S_ii S_jj + S_ij^2) / n,
%   and S = sigma_l^2 I (x) U_{l+1} has the entries of U_{l+1} within a head and zeros between heads. The two moments,
%   matrices D and Q, follow from those of layer l+1.
L = numel (net.H);
s2 = net.variance(L+2) ^ 2;
D = s2 * (1 + 2 / net.width(L+1));
Q = D;
mu = net.variance(L+2);
for l = L:-1:1
  same = eye (net.H(l));
  s2 = net.variance(l+1) ^ 2;
  above = s2 * kron (ones (net.H(l)), D);
  within = s2 * kron (same, Q);
  D = above + 2 * within / net.width(l);
  Q = within + (above + within) / net.width(l);
  mu = net.variance(l+1) * kron (same, mu);
end
v = Q - mu .^ 2;
end
