function d = apart (a, b)
% d = apart (a, b): the largest difference of two arrays, over the largest entry of b where that is above 1.

% SPDX-License-Identifier: BSD-3-Clause

d = max (abs (a(:) - b(:))) / max (1, max (abs (b(:))));
end
