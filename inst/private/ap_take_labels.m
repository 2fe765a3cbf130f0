function [y, rest] = ap_take_labels (X, rest)
%AP_TAKE_LABELS  The labels behind the examples in a list of arguments, and what follows them.
%
%   [y, rest] = AP_TAKE_LABELS (X, rest)
%   Inputs :  X, examples;  rest, all arguments behind them
%   Outputs:  y, [] with moments, which hold their labels, and after the last argument;  rest, without y
%   See also ap_examples, ap_labels.

% SPDX-License-Identifier: BSD-3-Clause

y = [];
if ~ap_is_moments (X) && ~isempty (rest)
  y = rest{1};
  rest = rest(2:end);
end
end
