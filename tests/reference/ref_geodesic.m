function [place, moved] = ref_geodesic (U)
% REF_GEODESIC  Coordinates d_ij, i <= j, of order parameters: U_l = F_l exp (d_l) F_l' with U_l = F_l F_l' at d = 0 (T25).
%   [place, moved] = ref_geodesic (U): place, a row [l i j] for each;  moved, function handle of all, d -> cell like U
place = zeros (0, 3);
for l = 1:numel (U)
  for j = 1:size (U{l}, 1)
    for i = 1:j, place(end+1,:) = [l i j]; end
  end
end
moved = @(d) at (U, place, d);
end

function V = at (U, place, d)
for l = 1:numel (U)
  D = zeros (size (U{l}));
  for a = find (place(:,1) == l)'
    D(place(a,2),place(a,3)) = d(a);
    D(place(a,3),place(a,2)) = d(a);
  end
  F = chol (U{l})';
  V{l} = F * expm (D) * F';
  V{l} = (V{l} + V{l}') / 2;
end
end
