function list = ref_pathlist (H, skip)
% REF_PATHLIST  All paths (h_1, ..., h_L), one per row, lexicographic: h_1 slowest, h_L fastest.
%   list = ref_pathlist (H), H 1 x L head counts, list prod (H) x L.  theory.md, notation table.
%   list = ref_pathlist (H, skip): if skip(l) > 0, layer l has a branch 0 before its heads (section 17).
if nargin < 2, skip = zeros (size (H)); end
list = zeros (1, 0);
for l = 1:numel (H)
  longer = zeros (0, l);
  for i = 1:size (list, 1)
    for h = (1 - (skip(l) > 0)):H(l)
      longer(end+1,:) = [list(i,:), h];
    end
  end
  list = longer;
end
end
