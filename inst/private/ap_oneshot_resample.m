function W = ap_oneshot_resample (n, m)
%AP_ONESHOT_RESAMPLE  From n pixels to m: the matrix of bilinear resampling with antialiasing.
%
%   W = AP_ONESHOT_RESAMPLE (n, m)
%   Outputs:  W, m x n, rows with sum 1: an image becomes W * image * W'
%   A triangle around each new pixel's centre, as wide as the distance of two new pixels to either side where the
%   image shrinks (so that every old pixel counts), and of two old ones where it grows: what deep-learning libraries
%   call bilinear with antialiasing. At the margin the triangle is cut off, and its weights are raised to sum 1.
%   Example:  ap_oneshot_resample (4, 2)      % [3 3 1 0; 0 1 3 3] / 7 (wherever rounding allows)
%   See also ap_oneshot_patches.

% SPDX-License-Identifier: BSD-3-Clause

step = n / m;
centre = ((1:m)' - 0.5) * step + 0.5;
W = max (0, 1 - abs (bsxfun (@minus, 1:n, centre)) / max (step, 1));
W = bsxfun (@rdivide, W, sum (W, 2));
end
