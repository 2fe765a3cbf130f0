function [u1, order] = ref_one_head (net, Xi, y)
% REF_ONE_HEAD  The T -> 0 solution of one head per layer, in closed form: theory.md section 4, [LS21].
%   [u1, order] = ref_one_head (net, Xi, y): u1 = U_1, a number; order {U_1, ..., U_L}.
%   Write u_a = v_a sigma_a^2 and U_l = v_l sigma_l^2 U_{l+1}.  Then S = sum_l N_l (v_l - log v_l) +
%   P log u1 + P r / u1 + const, u1 = prod (sigma^2) prod (v), r = y' K_1^{-1} y / P, and at its minimum
%   N_l (1 - v_l) = P (1 - r / u1) =: lambda for every l.  Equal widths, sigma = 1: the formula of section 4.
assert (all (net.H == 1));
P = numel (y);
K1 = ref_kernel (net, Xi, 1, Xi);
r = y' * (K1 \ y) / P;
N = net.width;
of_lambda = @(lambda) prod (net.variance(2:end)) * prod (1 - lambda ./ N);
% lambda - P (1 - r / u1(lambda)) increases with lambda from -Inf to +Inf at the smallest width: bisection
low = -1;
while low > P * (1 - r / of_lambda (low)), low = 2 * low; end
high = min (N);
for i = 1:200
  lambda = (low + high) / 2;
  if lambda > P * (1 - r / of_lambda (lambda)), high = lambda; else, low = lambda; end
end
u1 = of_lambda (lambda);
L = numel (net.H);
order = cell (1, L);
for l = 1:L
  order{l} = prod (net.variance(l+1:end)) * prod (1 - lambda ./ N(l:end));
end
end
