function texts = percent_text (x)
%PERCENT_TEXT  Mean and standard error of percentages, as texts of equal length.
%
%   texts = percent_text (x)
%   Inputs :  x, a repetition in each row
%   Outputs:  cell column, one text for each column of x; without an error for a single repetition

% SPDX-License-Identifier: BSD-3-Clause

[m, error_of_m] = mean_error (x);
if size (x, 1) == 1
  texts = arrayfun (@(a) sprintf ('%5.1f %%       ', a), m', 'UniformOutput', false);
else
  texts = arrayfun (@(a, b) sprintf ('%5.1f +- %3.1f %%', a, b), m', error_of_m', 'UniformOutput', false);
end
end
