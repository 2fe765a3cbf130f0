function [point, interrupted] = ap_tune_judge (at, start, what)
%AP_TUNE_JUDGE  One point of a search for hyperparameters: its solution, and what each criterion says of it.
%
%   [point, interrupted] = AP_TUNE_JUDGE (at, start, what)
%   Inputs :
%     at      struct of temperature, width, 1 x (L+1), and scale, the factor on the prior variance of the outputs
%     start   cell of order parameters {U_1, ..., U_L}, where the solution is looked for
%     what    struct of
%       net         network, but for what is in `at`, without its heads' weights
%       data        examples for solutions, from ap_prepare
%       examples    those that can be left out one by one, from ap_prepare; [] where there are none
%       blocks      outputs that have an index of their own in U: 1, or all of C outputs that are coupled
%       corrected   true: (T24), false: (T23)
%       memory      bytes that stored kernels may take where data has none
%   Outputs: point, struct of
%     width         as in `at`;  order, as found;  mean, P x C leave-one-out means
%     loo, accuracy, density, evidence, leading    leave-one-out squared error, accuracy and log density; (T25), NaN
%                   where a width is below its number of paths, times outputs where they are coupled, and where
%                   they share U; (T10b). NaN where the search found no minimum
%     why           '' or why there are NaN, in words
%     interrupted   Ctrl-C was pressed: the point is worth nothing
%
%   Kernels times s with temperature T and labels y are the same problem as kernels as they are with temperature T/s and
%   labels y / sqrt (s): the matrix of the predictor is s times as large, and the labels' term and U are the same. So
%   kernels are made once.
%   See also attnpath_tune, attnpath_solve, attnpath_loo, attnpath_evidence.

% SPDX-License-Identifier: BSD-3-Clause

s = at.scale;
net = what.net;
net.temperature = at.temperature / s;
net.width = at.width;
data = scaled (what.data, s);
[point, interrupted] = solved (net, data, start, what);
point.width = at.width;
if interrupted || ~isempty (point.why), return; end
P = data.P * size (data.y, 2);
point.leading = point.leading - P / 2 * log (s);
paths = what.blocks * ap_path_count (net, 1:net.L + (what.blocks > 1));
try
  short = find (net.width(1:numel (paths)) < paths, 1);
  if what.blocks < size (data.y, 2)
    % outputs that share U are an approximation, which (T25) cannot expand about
  elseif ~isempty (short)
    if isempty (what.examples)                     % nothing else is left to choose by
      point.why = sprintf ('the width %.4g of layer %d is below its %d paths', net.width(short), short, paths(short));
    end
  else
    point.evidence = attnpath_evidence_mex (net, data, point.order, []) - P / 2 * log (s);
  end
  if ~isempty (what.examples)
    point = left_out (point, net, scaled (what.examples, s), s, what.corrected);
  end
catch err
  point.why = ap_tune_excuse (err);
  [point.loo, point.density, point.accuracy, point.evidence, point.leading] = deal (NaN);
end
interrupted = attnpath_interrupt_mex ('seen');     % a gateway that was interrupted has returned anything
end

function data = scaled (data, s)
data.y = data.y / sqrt (s);
data.rest = data.rest / s;
end

function [point, interrupted] = solved (net, data, start, what)
point = struct ('order', {start}, 'width', [], 'mean', [], 'loo', NaN, 'accuracy', NaN, 'density', NaN, ...
                'evidence', NaN, 'leading', NaN, 'why', '');
settings = struct ('tolerance', 1e-8, 'maxiterations', 200, 'memory', what.memory, 'certificate', false, ...
                   'display', 0);
interrupted = false;
try
  sol = attnpath_solve_mex (net, data, start, settings);
catch err
  interrupted = attnpath_interrupt_mex ('seen');
  point.why = ap_tune_excuse (err);
  return
end
interrupted = attnpath_interrupt_mex ('seen');
point.order = sol.order;
if ~sol.converged
  point.why = sprintf ('the search for a solution ended (%s) with a gradient of %.2g', sol.status, sol.gradrel);
else
  point.leading = sol.evidence;
end
end

function point = left_out (point, net, examples, s, corrected)
at = point.order;
if ~corrected, at = at{1}; end
[mu, ~, density] = ap_left_out (net, examples, at, s);
y = examples.y;
if ~isempty (examples.noise), y = bsxfun (@times, y, sqrt (examples.noise)); end
point.mean = sqrt (s) * mu;
point.loo = s * ap_mean_square (mu - y, examples.noise);
point.density = sum (density);
if size (y, 2) > 1
  point.accuracy = ap_share_right (y, mu);
else
  point.accuracy = mean (sign (mu) == sign (y));
end
end
