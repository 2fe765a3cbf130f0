function [m, error_of_m] = mean_error (x)
%MEAN_ERROR  Mean over repetitions, and its standard error.
%
%   [m, error_of_m] = mean_error (x)
%   Inputs :  x, a repetition in each row
%   Outputs:  rows of means and of their standard errors, NaN for a single repetition

% SPDX-License-Identifier: BSD-3-Clause

m = mean (x, 1);
error_of_m = std (x, 0, 1) / sqrt (size (x, 1));
if size (x, 1) < 2, error_of_m(:) = NaN; end
end
