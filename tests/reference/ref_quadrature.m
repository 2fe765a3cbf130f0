function q = ref_quadrature (net, C, y, Ct)
% REF_QUADRATURE  Exact posterior moments of a network of one head per layer, by quadrature (theory.md section 6).
%   q = ref_quadrature (net, C, y, Ct): C P x P path-path kernel of the training set (T5), Ct 1 x (P + 1) that of one
%   test example with the training set and, last, with itself.
%   The order parameters are scalars: u_a = sigma_a^2/N_a chi^2, U_l = U_{l+1} sigma_l^2/N_l chi^2, so that log U_1 is
%   a sum of independent logs of chi^2 (T11). Densities are convolved on one grid of the log, where the trapezoidal
%   rule converges faster than any power: doubling the points changes nothing. Fields of q: q.U and q.f, moments 1 to
%   4 of U_1 and f in rows; q.ua, moments 1 and 2 of u_a; q.evidence = log p (y).
P = numel (y);
step = 0.02;
L = numel (net.H);
logchi2 = cell (1, L + 1);
for l = L+1:-1:1
  N = net.width(l);
  t = (-60 / N - 12 / sqrt (N):step:12 / sqrt (N) + 4 / N)';          % log (chi^2/N): e^(N t/2) to the left, e^(-N e^t/2) right
  p = exp (N / 2 * (t - exp (t)) + N / 2 * log (N / 2) - gammaln (N / 2)) * step;
  logchi2{l} = p;
  first(l) = t(1) + log (net.variance(l+1));
end
origin = sum (first);
below = 1;                                                 % density of log (U_1 / u_a)
for l = 1:L
  below = conv (below, logchi2{l});
end
density = conv (below, logchi2{L+1});
U = exp (origin + step * (0:numel (density) - 1)');
like = zeros (size (U));
mu = like;
s2 = like;
for k = 1:numel (U)
  A = U(k) * C + ref_noise (net, P);
  R = chol (A);
  b = R' \ y;
  c = U(k) * (R' \ Ct(1:P)');
  like(k) = -sum (log (diag (R))) - b' * b / 2 - P / 2 * log (2 * pi);
  mu(k) = c' * b;
  s2(k) = U(k) * Ct(P+1) - c' * c;
end
top = max (like);
w = density .* exp (like - top);
q.evidence = top + log (sum (w));
w = w / sum (w);
q.U = w' * [U, U .^ 2, U .^ 3, U .^ 4];
q.f = w' * [mu, mu .^ 2 + s2, mu .^ 3 + 3 * mu .* s2, mu .^ 4 + 6 * mu .^ 2 .* s2 + 3 * s2 .^ 2];
ua = exp (first(L+1) + step * (0:numel (logchi2{L+1}) - 1)');
like = exp (like - top);
n = numel (below);
for k = 1:numel (ua)                                       % p (y | u_a), with U_1 = u_a times the variable of `below`
  given(k,1) = below' * like(k:k+n-1);
end
w = given .* logchi2{L+1};
q.ua = (w' * [ua, ua .^ 2]) / sum (w);
end
