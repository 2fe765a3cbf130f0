function x = field_of (cells, field)
%FIELD_OF  One number of each cell of a sweep over an axis and seeds: a seed in each row, as mean_error requires.
%
%   x = field_of (cells, field)
%   Inputs :  cells, n x seeds struct array;  field, the name of a scalar field       Outputs:  x, seeds x n

% SPDX-License-Identifier: BSD-3-Clause

x = reshape ([cells.(field)], size (cells))';
end
