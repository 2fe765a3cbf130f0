function d = ref_diagnose (x)
% REF_DIAGNOSE  Convergence diagnostics of one quantity, x draws x chains, n x m, from the sums that define them.
%   Vehtari, Gelman, Simpson, Carpenter, Buerkner, Bayesian Analysis 16 (2021): R-hat (3.1)-(3.4), effective sample
%   size (3.10)-(3.13) with the even-lag term and bound of the text after it, rank normalisation (4.1) with
%   Blom's denominator S + 1/4 (misprinted there as S - 1/4), folding (4.2), tails (4.3).
%   d.rhat (the larger of d.rhat_bulk and d.rhat_folded), ess_bulk, ess_tail, mcse, mean, sd, ess_mean.
n = size (x, 1);
N = floor (n / 2);
half = @(v) [v(1:N,:), v(n-N+1:n,:)];
d.rhat_bulk = potential_scale (normal_scores (half (x)));
d.rhat_folded = potential_scale (normal_scores (half (folded (x))));
d.rhat = max (d.rhat_bulk, d.rhat_folded);
d.ess_bulk = effective_size (normal_scores (half (x)));
d.ess_tail = min (effective_size (half (x <= quantile7 (x, 5))), effective_size (half (x <= quantile7 (x, 95))));
d.ess_mean = effective_size (half (x));
d.mean = sum (x(:)) / numel (x);
d.sd = sqrt (sum ((x(:) - d.mean) .^ 2) / (numel (x) - 1));
d.mcse = d.sd / sqrt (d.ess_mean);
end

function y = folded (x)               % |x - median|, the mean of two middle draws, which must tie in spite of rounding
s = sort (x(:));
y = abs ((x - s(ceil (numel (s) / 2))) + (x - s(floor (numel (s) / 2) + 1))) / 2;
end

function z = normal_scores (x)
z = zeros (size (x));
for s = 1:numel (x)
  rank = sum (x(:) < x(s)) + (sum (x(:) == x(s)) + 1) / 2;
  z(s) = -sqrt (2) * erfcinv (2 * (rank - 3/8) / (numel (x) + 1/4));
end
end

function q = quantile7 (x, percent)   % linear between the order statistics, the k-th being at (k - 1) / (S - 1)
x = sort (x(:));
h = (numel (x) - 1) * percent / 100;
k = min (floor (h), numel (x) - 2);
q = x(k+1) + (h - k) * (x(k+2) - x(k+1));
end

function [R, W, V] = potential_scale (x)
[N, M] = size (x);
W = 0;
B = 0;
for m = 1:M
  chain(m) = sum (x(:,m)) / N;
end
for m = 1:M
  B = B + N / (M - 1) * (chain(m) - sum (chain) / M) ^ 2;
  W = W + sum ((x(:,m) - chain(m)) .^ 2) / (N - 1) / M;
end
V = (N - 1) / N * W + B / N;
R = sqrt (V / W);
end

function ess = effective_size (x)
x = double (x);
[N, M] = size (x);
[~, W, V] = potential_scale (x);
if V == 0
  ess = NaN;
  return
end
K = max (1, floor ((N - 4) / 2));     % the last pair of lags, 2K and 2K+1: after N - 5, as in Stan; lags from N on: 0
rho(1) = 1;                           % rho(t+1) is that of lag t
for t = 1:2*K+1
  a = 0;
  for m = 1:M
    c = x(:,m) - sum (x(:,m)) / N;
    for s = 1:N-t
      a = a + c(s) * c(s+t) / N / M;  % divisor N, not N - 1 as in s_m^2 rho_tm: as in Stan
    end
  end
  rho(t+1) = 1 - (W - a) / V;
end
tau = -1 + 2 * (rho(1) + rho(2));
previous = rho(1) + rho(2);
for k = 1:K
  pair = rho(2*k+1) + rho(2*k+2);
  if pair <= 0 || k == K
    tau = tau + max (rho(2*k+1), 0);
    break
  end
  previous = min (pair, previous);
  tau = tau + 2 * previous;
end
ess = M * N / max (tau, 1 / log10 (M * N));
end
