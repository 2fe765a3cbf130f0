function logp = ref_evidence (net, Xi, y, order)
% REF_EVIDENCE  Log evidence beyond leading order (T25), with u_a among the unknowns, unless layer L has a skip
%   connection. logp = ref_evidence (net, Xi, y, order): at the solution order. Second derivatives are differences along
%   geodesics U_l = F_l exp (d_l) F_l', of step h: truncation h^2, rounding eps |S| / h^2.
%   logp = ref_evidence (net, Xi, y, draws), a number: the mean of p(y | U) over that many draws of the prior (T11),
%   from randn; logp is then [log of the mean, its standard error].
if isnumeric (order)
  logp = by_draws (net, Xi, y, order);
  return
end
L = numel (order);
[~, ~, part] = ref_action (net, Xi, y, order);
gp = ref_gp (net);
[~, ~, gp_part] = ref_action (net, Xi, y, gp);
here = [order(:)', {part.ua}];
none = [gp(:)', {gp_part.ua}];
energy = @(U) part_of (net, Xi, y, U{1});
free = [true, ~(ref_skip (net) > 0)];     % the others are leading blocks of previous ones
H = bends (@(U) entropy (net, U) + energy (U), here, free);
H0 = bends (@(U) entropy (net, U), none, free);
S = entropy (net, here) + energy (here);
logp = -(S - entropy (net, none)) / 2 - (log (det (H)) - log (det (H0))) / 2 - numel (y) / 2 * log (2 * pi);
end

function E = part_of (net, Xi, y, U)   % (T7)
A = ref_kernel (net, Xi, U, Xi) + ref_noise (net, numel (y));
E = log (det (A)) + y' * (A \ y);
end

function s = entropy (net, U)          % (T8), (T29) with u_a = U{L+1} free
L = net.L;
skip = ref_skip (net) > 0;
s = net.width(L+1) * (U{L+1} / net.variance(L+2) - log (U{L+1}));
for l = 1:L
  s = s + net.width(l) * (trace (U{l+1} \ ref_ptr (U{l}, net.H(l), skip(l))) / net.variance(l+1) - log (det (U{l})) ...
                          + (net.H(l) + skip(l)) * log (det (U{l+1})));
end
end

function H = bends (S, U, free)
[place, moved] = ref_geodesic (U(free));
H = ref_bends (@(d) S (whole (U, moved (d), free)), zeros (size (place, 1), 1), 2e-3);
end

function U = whole (U, moved, free)    % with members that are leading blocks of those before
U(free) = moved;
for l = find (~free)
  n = size (U{l}, 1);
  U{l} = U{l-1}(1:n,1:n);
end
end

function out = by_draws (net, Xi, y, draws)
L = net.L;
C = ref_pathkernels (net, Xi, Xi);
[P, n] = deal (numel (y), size (C, 3));
C = reshape (C, P ^ 2, n ^ 2) / n;
l = zeros (draws, 1);
for k = 1:draws
  U = net.variance(L+2) / net.width(L+1) * sum (randn (1, net.width(L+1)) .^ 2);
  for layer = L:-1:1
    R = kron (eye (net.H(layer)), chol (U)');
    G = R * randn (size (R, 1), net.width(layer));
    U = net.variance(layer+1) / net.width(layer) * (G * G');
  end
  F = chol (reshape (C * U(:), P, P) + ref_noise (net, P))';
  b = F \ y;
  l(k) = -sum (log (diag (F))) - b' * b / 2 - P / 2 * log (2 * pi);
end
w = exp (l - max (l));
out = [max(l) + log(mean(w)), std(w) / mean(w) / sqrt(draws)];
end
