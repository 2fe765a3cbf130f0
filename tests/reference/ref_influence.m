function [dU, df] = ref_influence (net, Xi, y, order, Xit, groups)
% REF_INFLUENCE  (T37): change of U_1, and of the mean at path inputs Xit, when each group of examples is left out.
%   theta_{-G} = theta + H^{-1} grad l_G for all U_l, l_G = b_G' c_G^{-1} b_G - log det c_G, b = A^{-1} y and c_G the
%   block of A^{-1}; U_1 moves by x + x U^{-1} x / 2, and f_{-G} is (T10) of the other examples there. Derivatives
%   are central differences. dU [Pi x Pi x n], df [n x P2].
U = order{1};
H = ref_hessian (net, Xi, y, order) * max (net.width);
f = ref_predict (net, Xi, y, U, Xit);
for j = 1:max (groups)
  moved = ref_moved (H, U, @(U) loss (net, Xi, y, U, groups == j));
  dU(:,:,j) = moved - U;
  others = find (groups ~= j);
  df(j,:) = ref_predict (net, Xi(:,others,:), y(others), moved, Xit) - f;
end
end

function l = loss (net, Xi, y, U, in)
B = inv (ref_kernel (net, Xi, U, Xi) + ref_noise (net, numel (y)));
b = B * y;
l = b(in)' / B(in,in) * b(in) - log (det (B(in,in)));
end
