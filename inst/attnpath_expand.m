function ex = attnpath_expand (sol, varargin)
%ATTNPATH_EXPAND  A solution to the next order in 1/N, with standard deviations of order parameters and scores.
%
%   ex = ATTNPATH_EXPAND (sol)
%   ex = ATTNPATH_EXPAND (sol, Name, Value, ...)
%
%   Inputs :
%     sol       solution from attnpath_solve: converged, a minimum, and of widths N_l >= Pi_l in every layer,
%               Pi_l the number of partial paths from layer l to the readout (Pi_l C of C coupled outputs).
%               Narrower networks have no expansion: attnpath_sample draws from their posterior
%   Options, by name or as one struct:
%     'Draws'    2000   draws from the Gaussian of U, for scores, which are not differentiable in U
%     'Seed'     0      of these draws
%     'Hours'    1      limit of the estimated time. An expansion above it is refused, with the estimate in the
%                       message
%     'Memory'   2      GiB that stored kernels may take
%     'Display'  true   print the progress of long runs
%
%   Outputs: struct with
%     U, order, ua             posterior means to first order in 1/N; sol has the saddle point's
%     U_sd, order_sd, ua_sd    standard deviations over the posterior, of each entry
%     size      1 x 2: the largest correction of an entry divided by its standard deviation; and the largest
%               relative correction of an order parameter (Frobenius norms)
%     gauge     1 x 2: an estimate of the truncation error from one term of the next order (the Jacobian of
%               the coordinates): divided by the standard deviation of an entry; and by the correction
%     least     heads x 1, in the order of attnpath_scores (ex): the probability that the head has the least
%               score by 'share'
%     worth     struct of score, largest and classes, as from attnpath_scores (ex), by 'share', the covariance
%               of scores, and order, the same struct for the score 'order'
%     reason    a sentence on the reliability of the expansion
%     doubtful  true if it is unreliable, with the warning attnpath:expand:unreliable
%     evaluations   of the action: for each unknown two with gradients and one without, and a few more
%     lines     for attnpath_predict: directions of U in which the posterior is flat or steep
%     sol       as given
%   Without an output a summary is printed instead, with U if it has no more than eight rows.
%   An expansion is a third kind of model, after solutions and samples:
%     [mu, s2] = attnpath_predict (ex, X)    corrected mean, and the whole variance: the corrected mean of the
%                                            variance at fixed U, and the variance of the mean over U
%     score = attnpath_scores (ex)           by 'share', with the standard deviation as a fourth column
%     attnpath_probability, attnpath_kernel, attnpath_align and attnpath_plot take ex too. The other functions,
%     such as attnpath_loo, use the saddle point: pass ex.sol
%   ex.U is the mean of U, not the order parameter of a network: use its entries one by one, or in functions
%   linear in U. Any other function of U has a correction of its own.
%
%   Purpose: the saddle point is the limit of large widths, with an error of order 1/N. The expansion adds the
%   next order, from first derivatives of the action on lines through the solution: milliseconds for 4
%   paths, seconds for 16. The remaining error falls as 1/N^2. From N_l = Pi_l to about 2 Pi_l the correction
%   can make U worse: gauge shows this. See doc/sampling.md, "Before you draw".
%   For outputs that share one U ('Outputs', 'shared'), the expansion is that of the posterior of this ansatz.
%
%   Equation: (T30)-(T32) of theory.md.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> ex = attnpath_expand (sol);
%     >> [sol.U(1), ex.U(1), ex.U_sd(1)]         % 12.0 by draws
%     ans =
%       10.9889   11.9637    2.6561
%     >> [mu, s2] = attnpath_predict (ex, task.Xtest);
%     >> mean (s2)
%     ans = 0.2257
%
%
%   References:
%     [1] L. Tierney, J. B. Kadane, Accurate approximations for posterior moments and marginal densities,
%         J. Amer. Statist. Assoc. 81 (1986) 82.
%
%   See also attnpath_solve, attnpath_sample, attnpath_evidence, attnpath_scores, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: expand.tst, test_ap_expand.c   REFERENCE: ref_expand.m   SOURCE: (T30), (T31), (T32)

ap_check_call ('expand', nargin >= 1, 'ex = attnpath_expand (sol, Name, Value, ...)');
ap_check_is_model ('expand', sol);
table = {'Draws',   2000, 'count',   [100 1e6]
         'Seed',    0,    'seed',    []
         'Hours',   1,    'number',  [0 1e5]
         'Memory',  2,    'number',  [0 1e5]
         'Display', true, 'display', []};
opt = ap_options ('expand', table, varargin);
[net, given, y, noise, order, blocks] = checked (sol);
n = afford (net, given, order, opt);
use = struct ('memory', opt.Memory * 2^30, 'store', true, 'evaluations', 3 * n, 'threads', 0, 'reduce', true, ...
              'shared', blocks < ap_outputs (given, y));
data = ap_prepare ('expand', net, given, y, use, noise, sol);
ap_check_cold ('expand', net, data, order{1});
call = @(varargin) ap_gateway ('expand', @attnpath_expand_mex, ap_without_heads (net), data, order, varargin{:});
next = call (opt.Display > 0);
[worth, least] = drawn (call, next, net, blocks, opt);
if blocks > 1, [next.ua, next.ua_sd] = deal (next.order{end}, next.sd{end}); end
lines = directions (next, order{1}, ap_outputs (given, y) / blocks);
ex = struct ('sol', sol, 'lines', lines, 'worth', worth, 'U', next.order{1}, 'order', {next.order}, ...
             'ua', next.ua, 'U_sd', next.sd{1}, 'order_sd', {next.sd}, 'ua_sd', next.ua_sd);
ex = judged (ex, order, next, net);
ex.least = least;
ex.evaluations = 3 * n + 2 + ceil (opt.Draws * numel (ex.U) / 2^22);
if ex.doubtful
  warning ('attnpath:expand:unreliable', 'attnpath_expand: unreliable: %s', ex.reason);
end
if nargout == 0
  summarise (ex);
  clear -regexp ^ex$
end
end

function summarise (ex)
fprintf ('to the next order in 1/N, from %d evaluations: %s\n', ex.evaluations, ex.reason);
ap_say_matrix ('U', ex.U);
ap_say_matrix ('standard deviations of its entries', ex.U_sd);
fprintf ('least ''share'' of |U|: head %d of layer %d, with probability %.2g\n', ex.worth.score(1,[2 1]), ex.least(1));
end

function [net, given, y, noise, order, blocks] = checked (sol)
% blocks: number of outputs with an index of their own in U
ap_refuse ('expand', 'badValue', ap_is_expansion (sol), ...
           'this is an expansion already: sol must be a solution from attnpath_solve');
[net, given, y, noise] = ap_training_set ('expand', sol, true);
ap_check_fields ('expand', 'sol', sol, {'order', 'converged', 'reason'}, 'attnpath_solve');
ap_check_minimum ('expand', sol);
blocks = ap_output_blocks (net, sol.order, ap_outputs (given, y));
order = ap_check_order ('expand', 'sol.order', sol.order, net, blocks);
for l = 1:numel (order)
  ap_refuse ('expand', 'badValue', net.width(l) < size (order{l}, 1), ['the width %g of layer %d is below the %d ' ...
             'rows of its order parameter, which is then singular and has no expansion: attnpath_sample has the ' ...
             'exact posterior%s'], net.width(l), l, size (order{l}, 1), ap_sampling_needs (net));
end
end

function n = afford (net, given, order, opt)
% The number of unknowns, unless they take too long: flops of an evaluation with gradient, and first of the Hessian and
% its eigenvectors, at 1e10 a second
n = ap_unknowns (net, order);
if isstruct (given)
  [P, N0] = deal (given.P, given.N0);
else
  [N0, P, ~] = size (given);
end
P = min (P, N0 * ap_path_count (net));             % so many stand for any number
q = size (order{1}, 1);
P = P * q / ap_path_count (net);
q = q * (q + 1) / 2;
each = P ^ 3 + min (4 * P ^ 2 * N0 * ap_path_count (net), 4 * P ^ 2 * q);
first = min (3 * P ^ 3 * q, P ^ 2 * q ^ 2 / 2) + 4 * n ^ 3;
hours = (2.5 * n * each + first) / 1e10 / 3600;
if hours > opt.Hours
  ap_fail ('expand', 'tooLarge', ['the expansion takes %d unknowns, a Hessian of %.3g GiB and %d evaluations of ' ...
           '%.2g flops with their gradients: about %.2g hours, more than ''Hours'', %g. attnpath_prune makes it ' ...
           'cheaper, attnpath_sample may be'], n, 8 * n ^ 2 / 2^30, 2 * n, each, hours, opt.Hours);
elseif opt.Display && first > 5e10
  waits = '';
  if n > 1024, waits = sprintf ('. Ctrl-C waits for the eigenvectors, some %.0f s of that', 2 * n ^ 3 / 1e10); end
  ap_say ('expand', true, '%d unknowns; their Hessian and its directions first, about %.0f s%s', n, first / 1e10, ...
          waits);
end
end

function lines = directions (next, U, share)
% All for U_1 alone: its frame; a square root of its part of H^{-1}, so that no line belongs to other order parameters;
% the shift; and the move along a line for differences. share: outputs that share U
q = size (U, 1) * (size (U, 1) + 1) / 2;
[~, root] = qr (next.h(1:q,:)', 0);
lines = struct ('F', chol (U)', 'root', root' / sqrt (share), 'shift', next.shift(1:q), ...
                'step', min (0.1, sqrt (12 * next.rounding)));
end

% ---- scores, by draws ----

function [worth, least] = drawn (call, next, net, C, opt)
% Scores of the mean of U, with their standard deviations over draws of U
U = next.order{1};
n = size (U, 1);
list = ap_head_list (net.H);
[share, order] = deal (zeros (size (list, 1), opt.Draws));
chunk = max (1, floor (2^22 / n ^ 2));
for first = 1:chunk:opt.Draws
  part = first:min (opt.Draws, first + chunk - 1);
  U_drawn = call (next.h, next.shift, struct ('count', numel (part), 'seed', opt.Seed, 'stream', first - 1));
  share(:,part) = ap_u_scores (net, U_drawn, C, true);
  order(:,part) = ap_u_scores (net, U_drawn, C, false);
end
[worth, rank] = scored (net, U, C, list, share, true);
worth.order = scored (net, U, C, list, order, false);
[~, last] = min (share, [], 1);
least = accumarray (last(:), 1, [size(list, 1), 1]) / opt.Draws;
least = least(rank);
end

function [worth, rank] = scored (net, U, C, list, values, both)
[value, classes] = ap_u_scores (net, U, C, both);
V = cov (values');
[score, rank] = sortrows ([list, value, sqrt(diag (V))], 3);
largest = score(end,3);
score(:,3:4) = score(:,3:4) / largest;
worth = struct ('score', score, 'largest', largest, 'classes', [], 'covariance', V(rank,rank) / largest ^ 2);
if C > 1, worth.classes = classes(rank,:) / max (classes(:)); end
end

% ---- reliability ----

function ex = judged (ex, order, next, net)
% The thresholds are a choice. In 30 small problems of 4 and 6 paths, N from Pi to 4 Pi, with 24 000 or 40 000 draws
% each, the remaining error was 0.1 to 1.0 of the saddle point's, and 0.5 to 0.8 of it where gauge(2) was above 1
[ex.size, ex.gauge] = deal ([0 0]);
indefinite = false;
for l = 1:numel (order)
  moved = ex.order{l} - order{l};
  sd = max (ex.order_sd{l}, realmin);
  ex.size = max (ex.size, [max(abs (moved(:)) ./ sd(:)), norm(moved, 'fro') / norm(order{l}, 'fro')]);
  ex.gauge = max (ex.gauge, [max(abs (next.gauge{l}(:)) ./ sd(:)), ...
                             norm(next.gauge{l}, 'fro') / max(norm (moved, 'fro'), realmin)]);
  indefinite = indefinite || min (eig ((ex.order{l} + ex.order{l}') / 2)) <= 0;
end
open = sqrt (2) * max (ex.lines.step ./ next.step);      % steps are that long, but where the action is stiff
far = max (abs (next.rest));
rows = cellfun (@(U) size (U, 1), order);
[thin, l] = min (net.width(1:numel (order)) ./ rows);
ex.reason = sprintf (['entries move by %.2g of their standard deviation at most; the neglected terms are about ' ...
                      '%.2g of that, and %.2g of the correction'], ex.size(1), ex.gauge);
if thin < 2
  ex.reason = sprintf ('%s; the width %g of layer %d is less than twice the %d rows of its order parameter', ...
                       ex.reason, net.width(l), l, rows(l));
end
doubts = {ex.gauge(1) > 0.1 && ex.gauge(2) > 0.5, 'the neglected terms may be as large as the correction'
          ex.size(1) > 1, 'a correction exceeds its standard deviation'
          ex.size(2) > 0.5, sprintf('the correction is %.2g of the value', ex.size(2))
          indefinite, 'a corrected order parameter is not positive definite'
          open > 3, sprintf('the Hessian is nearly singular: the logarithm of U varies by %.2g in one direction', open)
          far > 0.5, sprintf('at one standard deviation the action deviates by %.2g from its parabola', far)
          next.rounding > 0.01, sprintf('rounding may change third derivatives by %.2g of them', next.rounding)};
ex.doubtful = any ([doubts{:,1}]);
for k = find ([doubts{:,1}]), ex.reason = [ex.reason, '; ', doubts{k,2}]; end
end

%!test % no correction without data, which at fixed P move U by O(1/N): the correction is O(1/N^2)
%! solve = @(N) attnpath_solve (attnpath_net (1, 'Width', N), struct ('Xi', [1 2]), [1; -1]);
%! correction = @(sol) attnpath_expand (sol).U - sol.U;
%! assert (correction (solve (1000)) / correction (solve (2000)), 4, 0.02);
