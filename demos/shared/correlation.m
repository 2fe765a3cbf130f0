function r = correlation (a, b)
%CORRELATION  Correlation coefficient of the entries of two arrays of equal shape.
%
%   r = correlation (a, b)

% SPDX-License-Identifier: BSD-3-Clause

both = corrcoef (a(:), b(:));
r = both(1,2);
end
