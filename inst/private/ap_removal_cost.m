function [value, each] = ap_removal_cost (sol, by)
%AP_REMOVAL_COST  Criterion of a network without some of its heads: smaller is better.
%
%   [value, each] = AP_REMOVAL_COST (sol, by)
%   Inputs :  sol, solution from attnpath_solve;  by, 'loo' for the squared leave-one-out error (T24), 'evidence' for
%             minus the log evidence (T25)
%   Outputs:  value, NaN where Ctrl-C is held back and was pressed: what was cut short is worth nothing;  each, the
%             squared error of each example, mean over outputs; [] for the evidence
%   See also attnpath_prune, ap_solve_without, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

each = zeros (0, 1);
if strcmp (by, 'loo')
  saved = warning ('off', 'attnpath:loo:seen');    % which the whole network says once
  back = onCleanup (@() warning (saved));
  loo = attnpath_loo (sol, 'Display', false);
  [value, each] = deal (loo.mse, mean ((loo.mean - sol.y) .^ 2, 2));
else
  value = -attnpath_evidence (sol);
end
if attnpath_interrupt_mex ('seen'), value = NaN; end
end
