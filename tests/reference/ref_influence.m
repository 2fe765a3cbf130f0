function [dU, df] = ref_influence (net, Xi, y, order, Xit, groups)
% REF_INFLUENCE  (T37): change of U_1, and of the mean at path inputs Xit, were each group of examples left out.
%   theta_{-G} = theta + H^{-1} grad l_G for all U_l, l_G = b_G' c_G^{-1} b_G - log det c_G, b = A^{-1} y and c_G the
%   block of A^{-1}; U_1 moves by x + x U^{-1} x / 2, and f_{-G} is (T10) of the other examples there. Derivatives
%   are central differences. dU [Pi x Pi x n], df [n x P2].
U = order{1};
n = size (U, 1);
H = ref_hessian (net, Xi, y, order) * max (net.width);
h = eps^(1/3) * min (eig (U));
f = ref_predict (net, Xi, y, U, Xit);
for j = 1:max (groups)
  g = zeros (size (H, 1), 1);
  E = {};
  for b = 1:n                          % the basis of ref_hessian, of which U_1 is first
    for a = 1:b
      B = zeros (n);
      B(a,b) = 1;
      E{end+1} = (B + B') / norm (B + B', 'fro');
      up = loss (net, Xi, y, U + h * E{end}, groups == j);
      g(numel (E)) = (up - loss (net, Xi, y, U - h * E{end}, groups == j)) / (2 * h);
    end
  end
  step = H \ g;
  x = zeros (n);
  for k = 1:numel (E), x = x + step(k) * E{k}; end
  dU(:,:,j) = x + x / U * x / 2;
  others = find (groups ~= j);
  df(j,:) = ref_predict (net, Xi(:,others,:), y(others), U + dU(:,:,j), Xit) - f;
end
end

function l = loss (net, Xi, y, U, in)
B = inv (ref_kernel (net, Xi, U, Xi) + ref_noise (net, numel (y)));
b = B * y;
l = b(in)' / B(in,in) * b(in) - log (det (B(in,in)));
end
