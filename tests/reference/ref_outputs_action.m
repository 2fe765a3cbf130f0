function [S, grad, part] = ref_outputs_action (net, Xi, Y, order)
% REF_OUTPUTS_ACTION  Action of C outputs, its gradient and its parts: (T18), (T19), with all order parameters free.
%   [S, grad, part] = ref_outputs_action (net, Xi, Y, order): Xi N0 x P x Pi, Y P x C, order {U_1, ..., U_{L+1}}, U_l of
%   size Pi_l C, path slowest, output fastest.  grad{l} is dS/dU_l, symmetric;  part.energy, part.entropy.
L = numel (net.H);  N = net.width;  H = net.H;
[P, C] = size (Y);
sigma2 = net.variance(2:L+2);                    % of layers 1 .. L, and of the readout
U = order;

% energy: vec Y ~ N (0, A), and the matrix G of section 12
kernels = ref_pathkernels (net, Xi, Xi);
Pi = size (Xi, 3);
A = ref_kernel (net, Xi, U{1}, Xi) + ref_noise (net, P * C);
y = Y(:);
energy = logdet (A) + y' * (A \ y);
M = inv (A) - (A \ y) * (A \ y)';
G = zeros (Pi * C);
for p = 1:Pi
  for q = 1:Pi
    for c = 1:C
      for d = 1:C
        block = M((c - 1) * P + (1:P), (d - 1) * P + (1:P));
        G((p - 1) * C + c, (q - 1) * C + d) = sum (sum (block .* kernels(:,:,p,q))) / Pi;
      end
    end
  end
end

% entropy (T19), and its gradient term by term
entropy = N(L+1) * (trace (U{L+1}) / sigma2(L+1) - logdet (U{L+1}));
grad = cell (1, L + 1);
grad{L+1} = N(L+1) * (eye (C) / sigma2(L+1) - inv (U{L+1}));
for l = L:-1:1
  Y1 = inv (U{l+1});
  entropy = entropy + N(l) * (trace (Y1 * ref_ptr (U{l}, H(l))) / sigma2(l) - logdet (U{l}) + H(l) * logdet (U{l+1}));
  grad{l} = N(l) * (kron (eye (H(l)), Y1) / sigma2(l) - inv (U{l}));
  grad{l+1} = grad{l+1} + N(l) * (H(l) * Y1 - Y1 * ref_ptr (U{l}, H(l)) * Y1 / sigma2(l));
end
grad{1} = grad{1} + G;
for l = 1:L+1, grad{l} = (grad{l} + grad{l}') / 2; end
S = entropy + energy;
part = struct ('energy', energy, 'entropy', entropy);
end

function d = logdet (A)
d = 2 * sum (log (diag (chol (A))));
end
