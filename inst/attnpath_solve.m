function sol = attnpath_solve (net, X, varargin)
%ATTNPATH_SOLVE  Order parameters of a trained network: the minimum of the action.
%
%   sol = ATTNPATH_SOLVE (net, X, y)
%   sol = ATTNPATH_SOLVE (net, X, y, Name, Value, ...)
%   sol = ATTNPATH_SOLVE (net, paths, y, ...)
%   sol = ATTNPATH_SOLVE (net, moments, ...)
%
%   Inputs :
%     net       network, from attnpath_net
%     X         N0 x T x P tokens, one training example per page, double or single
%     paths     instead of X: from attnpath_paths, for attention maps of your own
%     y         P x 1 labels, real numbers; or P x C for C outputs; or classes: a cell array of strings,
%               logical, an integer type, or MATLAB's categorical. The first of two classes, in sorted order,
%               is learned as -1, the second as +1. More classes are C outputs: 1 for the class, -1/(C-1) else.
%               With the readout 'all' of the net y is T x P, or T x P x C, a label for each token. NaN, or ''
%               of words, is none, as for tokens beyond 'Lengths': their number is printed
%     moments   instead of X and y: from attnpath_moments, sums over any number of examples
%   Options, by name or as one struct:
%     'Tolerance'      1e-8    the search ends when gradnorm is at most Tolerance and the relative change of
%                              the U_l predicted for the next step is at most 100 Tolerance
%     'MaxIterations'  200     Newton steps
%     'Start'          'gp'    'gp' for the GP limit, or a cell {U_1, ..., U_L}. If the labels of a linear
%                              combination of coupled outputs are zero or constant, as with classes, 'gp'
%                              first solves problems of shared outputs, which have matrices of P rows
%     'Outputs'   'coupled'    for C > 1 outputs: 'coupled' is the exact theory, with matrices of P C rows;
%                              'shared' uses one U for all outputs, with matrices of P rows, an approximation
%                              that is exact in the GP limit
%     'Starts'         0       number of starts, of which the lowest minimum is kept. The first is 'Start', the
%                              second the GP limit times more than the labels need, the others as high, and
%                              random: the GP limit times B B', B normal. 0: one, or from 'gp' 10 where
%                              several minima are likely, as a layer has one head underneath several paths
%                              (heads [1 3 2], not [2 2]) and U has more than twice its size in the GP limit.
%                              Of other networks one start missed a lower minimum in 16 of 316 random problems
%                              where U is more than 100 times that size, as the reason then says, and in 5 of
%                              1284 where it is less
%     'Seed'           0       seed of the random starts
%     'Memory'         2       GiB that stored kernels may take; less is slower, and gives the same result
%     'Certificate'    true    false: skip the computation of hessian_min, which is then NaN
%     'Display'        true    progress, in runs of more than two seconds; false or 'off' for none, 'iter'
%                              for a line for each step, 'final' for one at the end
%     'Lengths'        []      1 x P numbers of tokens, where examples are zero-padded to a common T
%     'Classes'        []      true: y contains classes, of any type; or the list of classes, in their order;
%                              false: y contains numbers, double or single, even if they look like classes
%     'Noise'          []      1 x P variances of the labels' noise in units of the temperature, one for each
%                              example and all its outputs; [] for ones. The weight of an example is 1 divided
%                              by its noise. With Inf an example is not used, and attnpath_loo predicts it.
%                              With the readout 'all' T x P, or 1 x P for all tokens of a sequence
%
%   Outputs: struct with
%     net, paths, y as given: a solution is all that attnpath_predict needs. paths.brought is true if the
%                   attention maps are yours. A solution from moments has moments instead of paths and y
%     noise         1 x P, if 'Noise' was given: functions of the solution use it
%     classes       if y contained classes: their list, of the type of y; y is then coded, see above
%     U             Pi x Pi order parameter of the paths, = order{1}
%     order, ua     {U_1, ..., U_L} and u_a. U_l of C coupled outputs is Pi_l C x Pi_l C, path slowest,
%                   output fastest; order{L+1} is the readout's C x C matrix, and ua is the same
%     outputs       with C > 1 outputs: 'coupled' or 'shared'
%     evaluations_apart  for C > 1 coupled outputs: evaluations for the shared outputs of 'Start', or 0
%     action, energy, entropy      action = energy + entropy
%     gradnorm      largest |entry of dS/dU_l|, all l, divided by max (net.width)
%     gradrel       largest |entry of F_l' dS/dU_l F_l| / N_l, U_l = F_l F_l': the gradient relative to U
%     gradrel_rounding   change of gradrel by rounding of U, if rounding ended the search; else 0
%     iterations, evaluations   Newton steps of the search that is kept, evaluations of the action of all
%     converged     true if the search reached the tolerance, or if no further descent is possible in double
%                   precision and gradrel is below the tolerance or its rounding error. reason: in words
%     hessian_min   smallest eigenvalue of the Hessian of S / max (net.width) over symmetric perturbations of
%                   all U_l: positive at a minimum
%     hessian_bound true if the budget of Hessian products ended before hessian_min converged: the smallest
%                   eigenvalue is then at most hessian_min. A negative value still proves a saddle point; a
%                   positive one proves no minimum: compare 'Starts', or solve with fewer heads
%     hessian_doubt estimated error of hessian_min. If it is larger than |hessian_min|, it is undecided whether
%                   this is a minimum
%     evidence      log p(y), to leading order in the widths; attnpath_evidence has the next order
%     evidence_doubt   bound of the rounding error of evidence; Inf if rounding ended a search that has not
%                   converged
%     diagonal      mean of K_ii / noise_i, K the GP limit's kernel without T: compare with the temperature
%     starts        if there were several: struct of columns action, gradnorm, converged; NaN for a failed one.
%                   reason tells how many of them led to other minima. That all of them miss a lower one is
%                   not detected: starts that miss it agree with each other about as much as others
%   Without an output a summary is printed instead, with U if it has no more than eight paths.
%   Warnings of an unreliable result: attnpath:solve:notConverged, attnpath:solve:saddle,
%   attnpath:solve:undecided (whether it is a minimum), attnpath:solve:noise (the temperature is too large for
%   the kernel, or the kernel cannot fit the labels), attnpath:solve:scale (labels are more than 5.5 times as
%   large as the prior's, and predictions may be worse), attnpath:solve:rounding (the form of the moments is
%   not accurate enough for this U). Labels such as 1, 2, 3 in double cause attnpath:solve:realLabels.
%
%   Equation: (T7), (T8), (T10b) of theory.md; for several outputs (T18), (T19) and the ansatz below them.
%
%   Example:
%     >> task = attnpath_task_markov ();         % MATLAB draws another task
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> sol.converged
%     ans = 1
%     >> f = attnpath_predict (sol, task.Xtest);
%     >> mean (sign (f) == task.ytest)
%     ans = 0.9620
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_net, attnpath_predict, attnpath_sample, attnpath_action, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: solve.tst, noise.tst, test_ap_solve.c   REFERENCE: ref_action.m   SOURCE: (T7), (T8), (T10b)

ap_check_call ('solve', nargin >= 3 || (nargin == 2 && ap_is_moments (X)), ...
               'sol = attnpath_solve (net, X, y, Name, Value, ...)');
[y, varargin] = ap_take_labels (X, varargin);
if iscell (y) && ~any (cellfun (@ischar, y(:)))
  ap_fail ('solve', 'badClass', ['y must be P x 1 labels, not %s; attention maps A that you bring go through ' ...
           'attnpath_paths first: attnpath_solve (net, attnpath_paths (net, X, A), y)'], {y});
end
table = {'Tolerance',     1e-8,  'number', [0 1]
         'MaxIterations', 200,   'count',  [1 1e6]
         'Start',         'gp',  'any',    []
         'Outputs',       'coupled', 'word', {'coupled', 'shared'}
         'Starts',        0,     'count',  [0 1e6]
         'Seed',          0,     'seed',   []
         'Memory',        2,     'number', [0 1e5]
         'Certificate',   true,  'flag',   []
         'Display',       true, 'display', []
         'Lengths',       [],    'any',    []
         'Classes',       [],    'any',    []
         'Noise',         [],    'any',    []};
opt = ap_options ('solve', table, varargin);
net = ap_check_net ('solve', net);
shared = strcmp (opt.Outputs, 'shared');
use = struct ('memory', opt.Memory * 2^30, 'store', false, 'evaluations', 15 * max (1, opt.Starts), 'threads', 0, ...
              'once', true, 'shared', shared);
[data, given] = ap_examples ('solve', net, X, y, opt.Lengths, use, opt.Classes, opt.Noise, opt.Display > 0);
C = ap_outputs (X, data.y);
blocks = ap_either (shared, 1, C);                 % outputs that have an index of their own in U
gp = ischar (opt.Start);
if iscell (opt.Start), opt.Starts = max (1, opt.Starts); end
opt.Start = start (opt.Start, net, blocks);
if net.temperature == 0, ap_check_cold ('solve', net, data, opt.Start{1}); end

settings = struct ('tolerance', opt.Tolerance, 'maxiterations', opt.MaxIterations, ...
                   'memory', opt.Memory * 2^30, 'certificate', opt.Certificate, 'display', double (opt.Display), ...
                   'parts', gp && blocks > 1, 'starts', opt.Starts, 'seed', opt.Seed);
best = ap_gateway ('solve', @attnpath_solve_mex, ap_without_heads (net, data), data, opt.Start, settings);
undecided = abs (best.hessian_min) <= best.hessian_doubt;
sol = with_search (given, best, [sentence(best, opt, net), others(best, gp && net.L > 1), doubts(best, undecided), ...
                                 thin(net, blocks)]);
if blocks > 1, [sol.ua, sol.evaluations_apart] = deal (sol.order{end}, best.apart); end
if C > 1, sol.outputs = opt.Outputs; end
sol.diagonal = best.diagonal;
if opt.Display == 3, fprintf ('attnpath_solve: %d steps: %s\n', sol.iterations, sol.reason); end
if size (best.starts, 1) > 1
  sol.starts = struct ('action', best.starts(:,1), 'gradnorm', best.starts(:,2), 'converged', best.starts(:,3) ~= 0);
end
if ~sol.converged || sol.hessian_min < 0 || undecided, complain (sol, undecided); end
if best.reach < 0.1
  out_of_reach (sol, best.reach);
else
  check_labels (sol, sqrt (best.labels));
end
if best.sums_rounding > 0, check_rounding (sol, best.sums_rounding); end
if nargout == 0
  summarise (sol, data.P, size (data.Xi, 2));
  clear -regexp ^sol$
end
end

function order = start (given, net, C)
% The option Start as a cell {U_1, ..., U_L}, or 'gp'
if iscell (given)
  order = ap_check_order ('solve', 'Start', given, net, C);
elseif ischar (given) && strcmpi (given, 'gp')
  order = 'gp';                                    % which the gateway understands, and the call takes less time
  if net.temperature == 0, order = ap_gp_order (net, C); end
else
  what = 'badClass';
  if ischar (given), what = 'badValue'; end
  ap_fail ('solve', what, 'Start must be ''gp'' or a cell {U_1, ..., U_L}, not %s', {given});
end
end

function sol = with_search (sol, best, reason)
% Adds the results of the search. The large fields come first: a terminal that prints the struct ends with the small
% ones
best.U = best.order{1};
if ~best.converged && strcmp (best.status, 'stalled'), best.evidence_doubt = Inf; end
best.gradrel_rounding = best.rounding;
best.reason = reason;
for name = {'U', 'order', 'ua', 'action', 'energy', 'entropy', 'gradnorm', 'gradrel', 'gradrel_rounding', ...
            'iterations', 'evaluations', 'converged', 'reason', 'hessian_min', 'hessian_bound', 'hessian_doubt', ...
            'evidence', 'evidence_doubt'}
  sol.(name{1}) = best.(name{1});
end
end

function text = sentence (best, opt, net)
if strcmp (best.status, 'ok')
  text = sprintf ('the gradient %.2g is below the tolerance %.2g', best.gradnorm, opt.Tolerance);
  return
end
gradients = sprintf ('with gradient %.2g, and %.2g relative to U, for a tolerance of %.2g', best.gradnorm, ...
                     best.gradrel, opt.Tolerance);
switch best.status
  case 'limit'
    text = sprintf ('the limit of %d iterations was reached, %s', opt.MaxIterations, gradients);
  case 'rounded'
    text = sprintf (['no further descent is possible in double precision: relative to U the gradient is %.2g, and ' ...
                     'rounding of U changes it by %.2g'], best.gradrel, best.rounding);
  case 'stalled'
    text = ['further descent is lost in the rounding of the action, ' gradients];
    if best.converged
      text = sprintf (['no further descent is possible in double precision; relative to U the gradient %.2g ' ...
                       'is below the tolerance %.2g'], best.gradrel, opt.Tolerance);
    end
  otherwise
    text = sprintf ('the search ended with the status %s, %s', best.status, gradients);
end
if ~best.converged && net.temperature == 0
  text = [text '; at temperature 0 the action need not have a minimum'];
elseif strcmp (best.status, 'limit') && ~any (net.skip)          % with skips this is not proven
  text = [text '; a minimum exists, as the temperature is above 0: try more iterations'];
end
end

function summarise (sol, P, rows)
% rows: examples that stand for the P
net = sol.net;
fprintf ('%d examples, %d paths (heads %s%s), widths %s, temperature %g\n', P, ap_path_count (net), ...
         mat2str (net.H), ap_branch_text (net, 4), mat2str (net.width, 4), net.temperature);
if isfield (sol, 'outputs')
  C = size (sol.ua, 1);
  if strcmp (sol.outputs, 'shared')
    fprintf ('outputs that share one U: an approximation, exact in the GP limit\n');
  else
    fprintf ('%d coupled outputs: matrices of %d rows, %.3g GiB each\n', C, rows * C, 8 * (rows * C) ^ 2 / 2^30);
  end
end
fprintf ('mean diagonal of the kernel at the GP limit %.3g, for a temperature of %g\n', sol.diagonal, net.temperature);
fprintf ('%d steps, %d evaluations: %s\n', sol.iterations, sol.evaluations, sol.reason);
fprintf ('action %.8g = energy %.8g + entropy %.8g, log evidence %.6g\n', sol.action, sol.energy, ...
         sol.entropy, sol.evidence);
if ~isnan (sol.hessian_min)
  sure = {'', 'at most '};
  fprintf ('smallest eigenvalue of the Hessian %s%.3g\n', sure{1 + sol.hessian_bound}, sol.hessian_min);
end
ap_say_matrix ('U', sol.U);
end

function text = others (best, alone)
% alone: whether another start may find a lower minimum than the only one
text = '';
if best.higher > 0
  text = sprintf ('; of %d starts %d led to it and %d to higher minima', size (best.starts, 1), best.reached, ...
                  best.higher);
elseif size (best.starts, 1) == 1 && alone && best.growth > ap_growth_limit ()
  text = sprintf (['; U is %.0f times its size in the GP limit, where one start may miss a lower minimum: ' ...
                   '''Starts'', 10 looks for one'], best.growth);
end
end

function text = doubts (best, undecided)
text = '';
if undecided
  text = sprintf (['; whether it is a minimum is undecided in double precision: the smallest eigenvalue of the ' ...
                   'Hessian is %.2g, with an error of %.2g'], best.hessian_min, best.hessian_doubt);
end
if best.evidence_doubt > 0.1 && best.converged
  text = sprintf ('%s; rounding may change the evidence by %.2g', text, best.evidence_doubt);
end
end

function complain (sol, undecided)
if ~sol.converged
  warning ('attnpath:solve:notConverged', 'attnpath_solve: no solution yet: %s', sol.reason);
elseif undecided
  warning ('attnpath:solve:undecided', 'attnpath_solve: %s', sol.reason);
else
  warning ('attnpath:solve:saddle', ['attnpath_solve: this is no minimum, the action bends down with curvature ' ...
           '%.3g in some direction: try several ''Starts'''], sol.hessian_min);
end
end

function text = thin (net, C)
% Where the theory's own assumption is: widths large against the number of partial paths behind them
text = '';
layers = 1:net.L + (C > 1);
paths = C * ap_path_count (net, layers);
l = find (net.width(layers) < paths, 1);
if ~isempty (l)
  named = 'paths';
  if C > 1, named = sprintf ('paths of %d outputs', C); end
  text = sprintf ('; the width %g of layer %d is below its %d %s, where attnpath_sample has the exact posterior%s', ...
                  net.width(l), l, paths(l), named, ap_sampling_needs (net));
end
end

function out_of_reach (sol, reach)
% The answer is a small part of the labels: which of kernel, labels, noise and temperature is the cause
labels = reach * sol.net.temperature;              % y'K y / y'y
if sol.diagonal == 0
  why = 'the kernel is 0: at these tokens the heads and the readout give nothing';
elseif labels <= 1e-8 * sol.diagonal
  why = sprintf (['this network cannot fit them: y''K y / y''y is %.2g, with a mean diagonal of K of %.3g at the ' ...
                  'GP limit. That takes other heads, %stokens that distinguish these examples'], labels, ...
                 sol.diagonal, ap_either (all (sol.net.skip > 0), 'or ', 'a skip connection, or '));
elseif isfield (sol, 'noise')
  why = sprintf (['the temperature %g times ''Noise'' is so large against the kernel (mean diagonal %.3g of it at ' ...
                  'the GP limit): smaller ones help, or larger tokens'], sol.net.temperature, ...
                 sol.diagonal / sol.net.temperature);
else
  why = sprintf (['the temperature %g is so large against the kernel (mean diagonal %.3g at the GP limit): a lower ' ...
                  'temperature helps, or larger tokens'], sol.net.temperature, sol.diagonal);
end
warning ('attnpath:solve:noise', 'attnpath_solve: the answer is at most %.2g of the labels: %s', reach, why);
end

function check_labels (sol, labels)
% labels: their root mean square, in units of their noise. Mean test accuracy in % of four Markov tasks, labels -s and
% s, temperature 0.01, against their mean square over that of the prior (labels of a linear teacher without noise are
% predicted the better the larger they are, since less of them is taken for noise):
%     s                    1     2     3     5     7    10    20   100
%     ratio              1.3     5    12    32    62   127   510  13e3
%     N = 10            95.9  95.5  95.3  95.0  94.8  94.6  93.1  65.8
%     N = 100           91.4  89.6  88.4  85.6  82.5  78.2  67.5  58.2
%     N = 1000          84.9  84.0  83.4  82.1  80.3  78.5  73.1  59.9
prior = sqrt (sol.diagonal + sol.net.temperature);
if labels > sqrt (30) * prior
  warning ('attnpath:solve:scale', ['attnpath_solve: labels are %.3g times as large as the prior''s (root mean ' ...
           'squares %.3g and %.3g), and predictions are often the worse for it. Compare, by attnpath_loo, a net ' ...
           'whose first variance and temperature are %.3g times as large, which is to divide the labels by %.3g; ' ...
           'or let attnpath_tune choose both'], labels / prior, labels, prior, (labels / prior) ^ 2, labels / prior);
end
end

function check_rounding (sol, rounding)
% What the rounding of square moments, known at the GP limit, has become at this U
order = ap_gp_order (sol.net, size (sol.U, 1) / ap_path_count (sol.net));
size_of = sqrt (diag (order{1}));
rounding = rounding * max (eig (sol.U ./ (size_of * size_of')));
if rounding > 1e-6
  warning ('attnpath:solve:rounding', ['attnpath_solve: at this U the rounding of moments of the form square is ' ...
           '%.2g of the temperature: gather them in the form factor'], rounding);
end
end

%!test % the solution is a point where the gradient vanishes
%! task = attnpath_task_markov ('P', 20, 'Ptest', 2, 'Features', 20, 'Tokens', 6);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! assert (sol.converged && sol.hessian_min > 0);
%! [~, grad] = attnpath_action (sol.net, sol.paths, sol.y, sol.order);
%! assert (max (abs ([grad{1}(:); grad{2}(:)])) / 10, sol.gradnorm, 1e-9);
%! assert (sol.gradnorm <= 1e-8);

%!demo
%! % the hidden Markov chain task of the paper: how a network of width 10 weighs its four attention paths
%! task = attnpath_task_markov ();
%! net = attnpath_net (task.heads, 'Width', 10);
%! attnpath_solve (net, task.Xtrain, task.ytrain)
