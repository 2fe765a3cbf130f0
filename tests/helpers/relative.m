function d = relative (a, b)
% d = relative (a, b): the largest difference of two arrays over the largest entry of b.

% SPDX-License-Identifier: BSD-3-Clause

d = max (abs (a(:) - b(:))) / max (abs (b(:)));
end
