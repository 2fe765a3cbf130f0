function [S, grad, part] = ref_action (net, Xi, y, order)
% REF_ACTION  Action, its gradient and its parts: (T7), (T8), (T9), (T29), with u_a eliminated in closed form.
%   [S, grad, part] = ref_action (net, Xi, y, order): Xi N0 x P x Pi, y P x 1, order {U_1, ..., U_L}.
%   grad{l} is dS/dU_l, symmetric, not divided by N;  part.energy, part.entropy, part.ua.
%   If layer l has a skip connection, U_{l+1} is the leading block of U_l and order{l+1} is ignored: its derivative is
%   added to that block of grad{l}, and grad{l+1} is 0. The same holds for u_a at l = L, which is then not eliminated.
L = numel (order);  N = net.width;  Na = N(L+1);  H = net.H;  skip = ref_skip (net) > 0;
sigma2 = net.variance(2:L+1);  sigma2_a = net.variance(L+2);
U = order(:)';
for l = find (skip)
  n = prod (H(l+1:L) + skip(l+1:L));
  U{l+1} = U{l}(1:n,1:n);
end
if ~skip(L)                           % u_a, where dS/du_a = 0; it plays U_{L+1}
  b = sigma2_a * (H(L) * N(L) / Na - 1);
  g = sigma2_a * N(L) * trace (U{L}) / (Na * sigma2(L));
  U{L+1} = (-b + sqrt (b^2 + 4 * g)) / 2;
  if b > 0, U{L+1} = 2 * g / (b + sqrt (b^2 + 4 * g)); end          % the same, without cancellation
end
ua = U{L+1};

% energy (T7) and the matrix G of (T9)
C = ref_pathkernels (net, Xi, Xi);
A = ref_kernel (net, Xi, U{1}, Xi) + ref_noise (net, numel (y));
energy = logdet (A) + y' * (A \ y);
M = inv (A) - (A \ y) * (A \ y)';
G = zeros (size (U{1}));
for p = 1:numel (G)
  [i, j] = ind2sub (size (G), p);
  G(i,j) = sum (sum (M .* C(:,:,i,j))) / size (G, 1);
end

% entropy (T8), (T29) and gradient (T9)
entropy = Na * (ua / sigma2_a - log (ua));
grad = cell (1, L);
for l = 1:L
  heads = diag ([zeros(1, skip(l)), ones(1, H(l))]);       % I without the skip branch
  branches = H(l) + skip(l);
  entropy = entropy + N(l) * (trace (U{l+1} \ ref_ptr (U{l}, H(l), skip(l))) / sigma2(l) ...
                              - logdet (U{l}) + branches * logdet (U{l+1}));
  grad{l} = N(l) * (kron (heads, inv (U{l+1})) / sigma2(l) - inv (U{l}));
  if l == 1
    grad{l} = grad{l} + G;
  else
    grad{l} = grad{l} + from_below (U, l, N(l-1), sigma2(l-1), H(l-1), skip(l-1));
  end
  grad{l} = (grad{l} + grad{l}') / 2;
end
if skip(L)
  grad{L+1} = Na * (1 / sigma2_a - 1 / ua) + from_below (U, L + 1, N(L), sigma2(L), H(L), true);
end
for l = L:-1:1                        % members that are leading blocks, the last one first
  if skip(l)
    n = size (grad{l+1}, 1);
    grad{l}(1:n,1:n) = grad{l}(1:n,1:n) + grad{l+1};
    grad{l+1} = zeros (n);
  end
end
grad = grad(1:L);
S = entropy + energy;
part = struct ('energy', energy, 'entropy', entropy, 'ua', ua);
end

function g = from_below (U, l, N, sigma2, H, skip)
g = N * ((H + skip) * inv (U{l}) - inv (U{l}) * ref_ptr (U{l-1}, H, skip) * inv (U{l}) / sigma2);
end

function d = logdet (A)
d = 2 * sum (log (diag (chol (A))));
end
