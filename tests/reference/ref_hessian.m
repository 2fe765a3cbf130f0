function Hess = ref_hessian (net, Xi, y, order)
% REF_HESSIAN  Hessian of S / max (N) over symmetric perturbations of all U_l that are unknowns, u_a eliminated.
%   In the orthonormal basis (Frobenius product) E_jj and (E_ij + E_ji)/sqrt (2), i < j, of every U_l in
%   turn, l = 1 first.  Central differences of (T9): truncation h^2 and rounding eps/h, h = eps^(1/3),
%   both relative to the smallest eigenvalue of the U_l, which sets the scale of the curvature of S.
basis = {};
smallest = Inf;
skip = ref_skip (net);
for l = 1:numel (order)
  if l > 1 && skip(l-1) > 0, continue; end      % the leading block of U_{l-1}, not an unknown
  n = size (order{l}, 1);
  smallest = min (smallest, min (eig (order{l})));
  for j = 1:n
    for i = 1:j
      E = zeros (n);
      E(i,j) = 1;
      E = (E + E') / norm (E + E', 'fro');
      basis(end+1,:) = {l, E};
    end
  end
end
h = eps^(1/3) * smallest;
D = size (basis, 1);
Hess = zeros (D);
for k = 1:D
  [l, E] = basis{k,:};
  up = order;  up{l} = up{l} + h * E;  [~, gup] = ref_action (net, Xi, y, up);
  dn = order;  dn{l} = dn{l} - h * E;  [~, gdn] = ref_action (net, Xi, y, dn);
  for m = 1:D
    [l, E] = basis{m,:};
    Hess(m,k) = sum (sum (E .* (gup{l} - gdn{l}))) / (2 * h * max (net.width));
  end
end
Hess = (Hess + Hess') / 2;
end
