function [S, grad, part] = ref_action (net, Xi, y, order)
% REF_ACTION  Action, its gradient and its parts: (T7), (T8), (T9), with u_a eliminated in closed form.
%   [S, grad, part] = ref_action (net, Xi, y, order): Xi N0 x P x Pi, y P x 1, order {U_1, ..., U_L}.
%   grad{l} is dS/dU_l, symmetric, not divided by N;  part.energy, part.entropy, part.ua.
L = numel (order);  N = net.width;  Na = N(L+1);  H = net.H;
sigma2 = net.variance(2:L+1);  sigma2_a = net.variance(L+2);

% u_a, where dS/du_a = 0; it plays U_{L+1}
b = sigma2_a * (H(L) * N(L) / Na - 1);
g = sigma2_a * N(L) * trace (order{L}) / (Na * sigma2(L));
ua = (-b + sqrt (b^2 + 4 * g)) / 2;
U = [order(:)', {ua}];

% energy (T7) and the matrix G of (T9)
C = ref_pathkernels (net, Xi, Xi);
A = ref_kernel (net, Xi, U{1}, Xi) + net.temperature * eye (numel (y));
energy = logdet (A) + y' * (A \ y);
M = inv (A) - (A \ y) * (A \ y)';
G = zeros (size (U{1}));
for p = 1:numel (G)
  [i, j] = ind2sub (size (G), p);
  G(i,j) = sum (sum (M .* C(:,:,i,j))) / size (G, 1);
end

% entropy (T8) and gradient (T9)
entropy = Na * (ua / sigma2_a - log (ua));
grad = cell (1, L);
for l = 1:L
  entropy = entropy + N(l) * (trace (U{l+1} \ ptr (U{l}, H(l))) / sigma2(l) ...
                              - logdet (U{l}) + H(l) * logdet (U{l+1}));
  grad{l} = N(l) * (kron (eye (H(l)), inv (U{l+1})) / sigma2(l) - inv (U{l}));
  if l == 1
    grad{l} = grad{l} + G;
  else
    grad{l} = grad{l} + N(l-1) * (H(l-1) * inv (U{l}) ...
              - inv (U{l}) * ptr (U{l-1}, H(l-1)) * inv (U{l}) / sigma2(l-1));
  end
  grad{l} = (grad{l} + grad{l}') / 2;
end
S = entropy + energy;
part = struct ('energy', energy, 'entropy', entropy, 'ua', ua);
end

function B = ptr (U, H)               % partial trace over the slowest index, which has H values
n = size (U, 1) / H;
B = zeros (n);
for h = 1:H
  B = B + U((h-1)*n+(1:n),(h-1)*n+(1:n));
end
end

function d = logdet (A)
d = 2 * sum (log (diag (chol (A))));
end
