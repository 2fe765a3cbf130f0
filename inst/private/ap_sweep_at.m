function [at, label] = ap_sweep_at (plan, k)
%AP_SWEEP_AT  The values of one cell of a sweep.
%   [at, label] = AP_SWEEP_AT (plan, k)
%   Inputs :  plan, from attnpath_sweep;  k, number of the cell in the order of the grid
%   Outputs:  at, struct with a value for each field of the grid;  label, the same in words, for messages

% SPDX-License-Identifier: BSD-3-Clause

subs = cell (1, numel (plan.names));
[subs{:}] = ind2sub (plan.shape, k);
words = cell (1, numel (subs));
for j = 1:numel (subs)
  at.(plan.names{j}) = plan.values{j}{subs{j}};
  if nargout > 1, words{j} = [plan.names{j} ' = ' ap_describe(at.(plan.names{j}))]; end
end
if nargout > 1, label = strjoin (words, ', '); end
end
