function out = classes_cell (c, plan)
%CLASSES_CELL  Theory of the task of several classes at one width, with outputs treated in each of three ways.
%
%   out = classes_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit, where all ways are the same) and seed;  plan, struct of settings
%             of classes_data and of
%               fits    cell of 'coupled' or 'shared' outputs, or 'rest', one class against the rest
%               kept    the seed at which U and the predicted classes are kept
%   Outputs:  struct of accuracy, gradnorm and seconds, 1 x fits (in the GP limit accuracy is one number, and the
%             others are NaN); class, Ptest x fits, and U, a cell of Pi C x Pi C for each fit: [] and {} for other seeds
%   See also classes_draws_cell, classes_data.

% SPDX-License-Identifier: BSD-3-Clause

d = classes_data (c.seed, plan);
out = struct ('accuracy', [], 'gradnorm', NaN, 'seconds', NaN, 'class', [], 'U', {{}});
if c.width == Inf
  class = against_rest (d, plan.classes, true);
  out.accuracy = 100 * mean (class == d.ytest);
  if c.seed == plan.kept, out.class = class; end
  return
end
d.net.width(:) = c.width;
for m = 1:numel (plan.fits)
  started = tic ();
  [class, U, out.gradnorm(m)] = fit (plan.fits{m}, d, plan.classes);
  out.seconds(m) = toc (started);
  out.accuracy(m) = 100 * mean (class == d.ytest);
  if c.seed == plan.kept
    out.class(:,m) = class;
    out.U{m} = U;
  end
end
end

function [class, U, gradnorm] = fit (kind, d, C)
if strcmp (kind, 'rest')
  [class, U, gradnorm] = against_rest (d, C, false);
  return
end
sol = attnpath_solve (d.net, d.train, d.ytrain, 'Outputs', kind, 'Certificate', false, 'Display', false);
[~, ~, class] = attnpath_predict (sol, d.test);
gradnorm = sol.gradnorm;
U = sol.U;
if strcmp (kind, 'shared'), U = kron (U, eye (C)); end            % the same for every class
end

function [class, U, gradnorm] = against_rest (d, C, gp)
% C fits of one output, each on one column of the labels that code the classes, 1 and -1/(C-1). U has the layout of
% all outputs together, path slowest and class fastest: blocks of two classes are zero
[U, gradnorm] = deal ([]);
for c = 1:C
  label = (C * (d.ytrain == c) - 1) / (C - 1);
  if gp
    mu(:,c) = attnpath_predict (struct ('net', d.net, 'paths', d.train, 'y', label), d.test, 'Limit', 'gp');
  else
    sol = attnpath_solve (d.net, d.train, label, 'Classes', false, 'Certificate', false, 'Display', false);
    mu(:,c) = attnpath_predict (sol, d.test);
    U(c:C:C * size (sol.U, 1),c:C:C * size (sol.U, 1)) = sol.U;
    gradnorm = max ([gradnorm, sol.gradnorm]);
  end
end
[~, best] = max (mu, [], 2);
class = int32 (best);
end
