function out = oneshot_outputs_cell (c, plan)
%ONESHOT_OUTPUTS_CELL  What a trained network answers to test sequences of all classes, path by path.
%
%   out = oneshot_outputs_cell (c, plan)
%   Inputs :  c, struct of seed;  plan, struct of network, as for oneshot_network, and together, how many sequences
%   Outputs:  struct of F, together x Pi, and labels, together x 1, from oneshot_held_out
%   Heads are removed from these numbers, in oneshot_worth: that takes seconds.

% SPDX-License-Identifier: BSD-3-Clause

[out.F, out.labels] = oneshot_held_out (oneshot_network (plan.network), 'all', plan.together, c.seed);
end
