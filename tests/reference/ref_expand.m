function out = ref_expand (net, Xi, y, order, Xi2)
% REF_EXPAND  Posterior means and standard deviations to the next order in 1/N, (T30) and (T31), by differences.
%   out = ref_expand (net, Xi, y, order, Xi2): at the solution order, whose member L+1 is u_a, or the readout's matrix
%   for C coupled outputs. mean and sd have one number each for all entries of U_1, .., U_{L+1}, then mean and variance
%   of f at the inputs Xi2. Coordinates are those of (T25), d_ij, i <= j, of all free order parameters and log u_a,
%   U_l = F_l exp (d_l) F_l'; after a layer with a skip connection, U_{l+1} is a leading block (section 17).
%   H(d) has differences of S of steps h and 2 h, extrapolated (truncation h^4, rounding 1e-16 |S| / h^2 = 1e-9); g has
%   those of log det H, steps k and 2 k (1e-7). Derivatives of the observables are computed as H.
[h, k] = deal (5e-3, 3e-2);
if ~isfield (net, 'skip'), net.skip = zeros (1, net.L); end
U = order([true, net.skip == 0]);
[place, moved] = ref_geodesic (U);
n = size (place, 1);
S = @(d) action (net, Xi, y, chain (net, moved (d)));
O = @(d) observables (net, Xi, y, Xi2, chain (net, moved (d)));
H = bends (S, zeros (n, 1), h);
g = zeros (n, 1);
for a = 1:n
  at = @(t) log (det (bends (S, t * ((1:n)' == a), h)));
  g(a) = (8 * (at (k) - at (-k)) - at (2 * k) + at (-2 * k)) / (12 * k);
end
here = O (zeros (n, 1));
[out.mean, out.sd] = deal (here, zeros (size (here)));
D = zeros (numel (here), n);
for a = 1:n
  at = @(t) O (t * ((1:n)' == a));
  D(:,a) = (8 * (at (h) - at (-h)) - at (2 * h) + at (-2 * h)) / (12 * h);
end
C = inv (H);
B = bends (O, zeros (n, 1), h);
for i = 1:numel (here)
  out.mean(i) = here(i) + trace (C * B(:,:,i)) - D(i,:) * C * g;
  out.sd(i) = sqrt (2 * D(i,:) * C * D(i,:)');
end
end

function o = observables (net, Xi, y, Xi2, U)
[mu, s2] = ref_predict (net, Xi, y, U{1}, Xi2);
o = [cell2mat(cellfun (@(A) A(:), U(:), 'UniformOutput', false)); mu(:); s2(:)];
end

function V = chain (net, U)                        % all members from the free ones
V = U(1);
for l = 1:net.L
  n = size (V{l}, 1) / (net.H(l) + (net.skip(l) > 0));
  if net.skip(l) > 0
    V{l+1} = V{l}(1:n,1:n);
  else
    U = U(2:end);
    V{l+1} = U{1};
  end
end
end

function S = action (net, Xi, y, U)                % (T7), (T29) with u_a = U{L+1}; (T18), (T19) of C outputs
C = size (y, 2);
A = ref_kernel (net, Xi, U{1}, Xi) + ref_noise (net, numel (y));
S = log (det (A)) + y(:)' * (A \ y(:));
U{end+1} = 1;                                      % the readout: a layer of C heads
skips = [net.skip > 0, 0];
branches = [net.H, C] + skips;
for l = 1:numel (branches)
  ptr = ref_ptr (U{l}, branches(l) - skips(l), skips(l));
  S = S + net.width(l) * (trace (U{l+1} \ ptr) / net.variance(l+1) - log (det (U{l})) ...
                          + branches(l) * log (det (U{l+1})));
end
end

function B = bends (f, d, h)                       % n x n x numbers of f: second derivatives at d
B = (4 * ref_bends (f, d, h) - ref_bends (f, d, 2 * h)) / 3;
end
