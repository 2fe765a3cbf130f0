function out = oneshot_outputs_cell (c, plan)
%ONESHOT_OUTPUTS_CELL  What a trained network answers to test sequences, path by path.
%
%   out = oneshot_outputs_cell (c, plan)
%   Inputs :  c, struct of which, 'all' or 'new' classes, and seed;  plan, struct of network, as for oneshot_network,
%             and together, how many sequences
%   Outputs:  struct of F, together x Pi, and labels, together x 1, from oneshot_held_out
%   Heads are removed from these numbers, in experiment_oneshot: that takes seconds.

% SPDX-License-Identifier: BSD-3-Clause

[out.F, out.labels] = oneshot_held_out (oneshot_network (plan.network), c.which, plan.together, c.seed);
end
