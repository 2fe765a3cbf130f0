function score = class_scores (U, H, C)
%CLASS_SCORES  What each head does for each class: the sum of |U| over what has to do with both.
%
%   score = class_scores (U, H, C)
%   Inputs :  U, Pi C x Pi C, path slowest and class fastest;  H, heads of each layer;  C, classes
%   Outputs:  heads x C, layer by layer: the sum of |U| over all entries whose row or column has a path that uses the
%             head and this class, the largest 1

% SPDX-License-Identifier: BSD-3-Clause

row = 0;
for l = 1:numel (H)
  for head = 1:H(l)
    row = row + 1;
    behind = prod (H(l+1:end));                  % paths are in lexicographic order
    uses = mod (floor ((0:prod (H)-1) / behind), H(l)) == head - 1;
    for c = 1:C
      of = kron (uses, (1:C) == c) > 0;
      score(row,c) = 2 * sum (sum (abs (U(of,:)))) - sum (sum (abs (U(of,of))));
    end
  end
end
score = score / max (score(:));
end
