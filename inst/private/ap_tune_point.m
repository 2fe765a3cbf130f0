function [point, interrupted, slope, each] = ap_tune_point (at, start, what, words, all_of_it)
%AP_TUNE_POINT  One point of a search for hyperparameters: its solution, the value of each criterion, derivatives.
%
%   [point, interrupted, slope, each] = AP_TUNE_POINT (at, start, what, words, all_of_it)
%   Inputs :  at, struct of temperature, width, 1 x (L+1), and scale, the factor on the first prior variance; and
%             perhaps of bandwidth, ridge, headscale;  start, cell of order parameters {U_1, ..., U_L}
%             what, struct of
%               net         network, except for the values in `at`;  scale, one more factor on its first variance
%               made        @(net, all_of_it): [data, given, examples]: the training set for solutions, as from
%                           ap_examples, and, from ap_prepare, examples that can be left out one by one, or []
%               gradient    @(sol, words): as attnpath_gradient
%               blocks      outputs that have an index of their own in U: 1, or all of C outputs that are coupled
%               paths       1 x (L+1), the numbers of paths, times blocks, below which widths have no (T25)
%               corrected, memory   as the options of attnpath_tune;  by, of which criterion each example's share is
%                           wanted;  count, of these shares
%             words, of 'Tune', by which derivatives of leading are wanted;  all_of_it, false: leading alone is wanted
%   Outputs:  point, struct of width, as in `at`;  order, as found;  mean, P x C leave-one-out means;  loo, accuracy,
%             density, evidence, leading: leave-one-out squared error, accuracy and log density; (T25), NaN where
%             outputs share U or a width is too small; (T10b). NaN without a minimum;  why, '' or why there are NaN
%             interrupted, true after Ctrl-C: the point is worth nothing;  slope, struct of derivatives of leading by
%             logarithms, a field for each word, [] if none;  each, count x 1, what each example contributes, or NaN
%   Kernels times s with temperature T and labels y are the same problem as kernels as they are with temperature T/s and
%   labels y / sqrt (s): the matrix of the predictor is s times as large, and the labels' term and U are the same. So
%   kernels are made once for all scales.
%   See also attnpath_tune, attnpath_gradient.

% SPDX-License-Identifier: BSD-3-Clause

point = struct ('order', {start}, 'width', at.width, 'mean', [], 'loo', NaN, 'accuracy', NaN, 'density', NaN, ...
                'evidence', NaN, 'leading', NaN, 'why', '');
[slope, each] = deal ([], NaN (what.count, 1));
s = at.scale * what.scale;
net = what.net;
for name = fieldnames (rmfield (at, 'scale'))', net.(name{1}) = at.(name{1}); end
in_units = net;
in_units.temperature = net.temperature / s;
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', what.memory, 'certificate', false, 'display', 0);
try
  [data, given, examples] = what.made (net, all_of_it);
  data = scaled (data, s);
  sol = attnpath_solve_mex (ap_headless (in_units), data, start, settings);
  point.order = sol.order;
  if sol.converged
    labels = data.P * size (data.y, 2);
    point.leading = sol.evidence - labels / 2 * log (s);
    if ~isempty (words) && ~attnpath_interrupt_mex ('seen')
      net.variance(1) = net.variance(1) * s;
      slope = derivatives (sol, setfield (given, 'net', net), words, what, labels);
    end
    if all_of_it, [point, each] = others (point, each, in_units, data, examples, s, what); end
  else
    point.why = sprintf ('the search for a solution ended (%s) with a gradient of %.2g', sol.status, sol.gradrel);
  end
catch err                                          % what numbers at one point of a search can bring about
  known = any (strcmp (regexprep (err.identifier, '.*:', ''), {'notPositiveDefinite', 'notFinite'}));
  if ~known && ~attnpath_interrupt_mex ('seen'), ap_rethrow ('tune', err); end
  point.why = regexprep (err.message, '^attnpath_\w+: ', '');
  [point.loo, point.density, point.accuracy, point.evidence, point.leading] = deal (NaN);
end
interrupted = attnpath_interrupt_mex ('seen');     % a gateway that was interrupted has returned anything
end

function data = scaled (data, s)
data.y = data.y / sqrt (s);
data.rest = data.rest / s;
end

function [point, each] = others (point, each, net, data, examples, s, what)
short = find (net.width < what.paths, 1);
C = size (data.y, 2);
if isempty (short) && what.blocks == C             % outputs that share U have no (T25)
  point.evidence = attnpath_evidence_mex (ap_headless (net), data, point.order, [], false) - data.P * C / 2 * log (s);
elseif what.blocks == C && isempty (examples)      % nothing else is left to choose by
  point.why = sprintf ('the width %.4g of layer %d is below its %d paths', net.width(short), short, what.paths(short));
end
if isempty (examples), return; end
order = point.order;
if ~what.corrected, order = order{1}; end
[mu, ~, density] = ap_left_out (net, scaled (examples, s), order, s);
[point.mean, y, noise] = deal (sqrt (s) * mu, examples.y, examples.noise);
if ~isempty (noise), y = bsxfun (@times, y, sqrt (noise)); end
[point.loo, point.accuracy] = ap_judge (point.mean, y, noise);
point.density = sum (density);
if strcmp (what.by, 'density'), each = -density; end
if ~strcmp (what.by, 'loo'), return; end
square = mean ((point.mean - y) .^ 2, 2);          % of numel (y) / 2 log (loo), by the mean square's influence
if ~isempty (noise), square = square ./ noise / mean (1 ./ noise); end
each = C / 2 * (log (point.loo) + square / point.loo - 1);
end

function slope = derivatives (sol, model, words, what, labels)
% The entropy is proportional to the widths: by their common factor the derivative of the evidence is its share
asked = setdiff (words, {'width', 'scale'});
if any (strcmp ('scale', words)), asked{end+1} = 'variance'; end
slope = struct ();
if ~isempty (asked)
  for name = {'order', 'evidence', 'converged', 'gradrel'}, model.(name{1}) = sol.(name{1}); end
  model.gradrel_rounding = sol.rounding;
  model.reason = sol.status;
  slope = what.gradient (model, asked);
end
if isfield (slope, 'variance'), slope.scale = slope.variance(1); end
slope.width = sol.evidence + sol.energy / 2 + labels / 2 * log (2 * pi);
end
