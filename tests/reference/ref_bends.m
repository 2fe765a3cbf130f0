function B = ref_bends (f, d, h)
% REF_BENDS  Second derivatives at d of a function of n numbers, by central differences of step h: n x n x numbers of f.
n = numel (d);
e = h * eye (n);
for a = 1:n
  for b = 1:a
    B(a,b,:) = (f (d + e(:,a) + e(:,b)) - f (d + e(:,a) - e(:,b)) - f (d - e(:,a) + e(:,b)) ...
                + f (d - e(:,a) - e(:,b))) / (4 * h^2);
    B(b,a,:) = B(a,b,:);
  end
end
end
