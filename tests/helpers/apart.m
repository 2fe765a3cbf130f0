function d = apart (a, b)
% d = apart (a, b): the largest difference of two arrays, over the largest entry of b where that is above 1; of two
% cells of arrays the largest of all pairs. NaN where one is NaN.

% SPDX-License-Identifier: BSD-3-Clause

if iscell (b)
  each = cellfun (@apart, a(:), b(:));
else
  each = abs (a(:) - b(:)) / max (1, max (abs (b(:))));
end
d = max (each);
if any (isnan (each)), d = NaN; end
end
