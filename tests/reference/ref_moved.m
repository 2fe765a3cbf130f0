function moved = ref_moved (H, U, l)
% REF_MOVED  U_1 after theta := theta + H^{-1} grad l for all U_l, (T24): l a function of U_1 alone, whose derivatives are
% central differences, H from ref_hessian, undivided. U moves by x + x U^{-1} x / 2, which stays in the cone.
n = size (U, 1);
h = eps^(1/3) * min (eig (U));
g = zeros (size (H, 1), 1);
E = {};
for b = 1:n                            % the basis of ref_hessian, of which U_1 is first
  for a = 1:b
    B = zeros (n);
    B(a,b) = 1;
    E{end+1} = (B + B') / norm (B + B', 'fro');
    g(numel (E)) = (l (U + h * E{end}) - l (U - h * E{end})) / (2 * h);
  end
end
step = H \ g;
x = zeros (n);
for k = 1:numel (E), x = x + step(k) * E{k}; end
moved = U + x + x / U * x / 2;
end
