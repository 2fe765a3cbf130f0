function patches = ap_oneshot_patches (images, side, patch)
%AP_ONESHOT_PATCHES  Every image once: resampled, standardised, cut into patches, each patch layer-normalised.
%
%   patches = AP_ONESHOT_PATCHES (images, side, patch)
%   Inputs :  images, n x n x D x C in [0, 1];  side, pixels that an image is brought to;  patch, pixels of a patch's
%             side, a divisor of side
%   Outputs:  single, patch^2 x (side / patch)^2 x D x C: one channel, since all are equal
%   Patches in reading order, and so the pixels in a patch. Layer norm is (x - mean) / sqrt (variance + 1e-5).
%   Equation: theory.md section 10.
%   See also ap_oneshot_batch, ap_oneshot_resample.

% SPDX-License-Identifier: BSD-3-Clause

n = size (images, 1);
D = size (images, 3);
C = size (images, 4);
grid = side / patch;
W = ap_oneshot_resample (n, side);
patches = zeros (patch ^ 2, grid ^ 2, D, C, 'single');
for c = 1:C                                        % an image as a whole set in double would be many times larger
  x = W * reshape (double (images(:,:,:,c)), n, n * D);
  x = W * reshape (permute (reshape (x, side, n, D), [2 1 3]), n, side * D);       % column, row, drawing
  x = (x - 0.922) / 0.084;
  x = permute (reshape (x, patch, grid, patch, grid, D), [1 3 2 4 5]);
  x = reshape (x, patch ^ 2, []);
  x = bsxfun (@minus, x, mean (x, 1));
  x = bsxfun (@rdivide, x, sqrt (mean (x .^ 2, 1) + 1e-5));
  patches(:,:,:,c) = reshape (x, patch ^ 2, grid ^ 2, D);
end
end
