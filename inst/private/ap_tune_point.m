function [point, interrupted] = ap_tune_point (at, start, what, words)
%AP_TUNE_POINT  One point of a search by the evidence and its gradient: the solution there, and its derivatives.
%
%   [point, interrupted] = AP_TUNE_POINT (at, start, what, words)
%   Inputs :
%     at      struct of what a point says of the network, from ap_tune_net
%     start   cell of order parameters {U_1, ..., U_L}, where the solution is looked for
%     what    struct of net;  solve, @(net, Name, Value, ...): its solution;  slopes, @(sol, words): its derivatives, as
%             from attnpath_gradient;  labels, how many there are
%     words   of attnpath_tune, by which derivatives are wanted; {} for none
%   Outputs: point, struct as of attnpath_tune, where leading and why alone are filled in, and
%     slope         struct of derivatives of leading by logarithms, a field for each word, [] where none is wanted
%     interrupted   Ctrl-C was pressed: the point is worth nothing
%   See also attnpath_tune, attnpath_gradient.

% SPDX-License-Identifier: BSD-3-Clause

point = struct ('order', {start}, 'width', at.width, 'mean', [], 'loo', NaN, 'accuracy', NaN, 'density', NaN, ...
                'evidence', NaN, 'leading', NaN, 'why', '', 'slope', []);
interrupted = false;
quiet = strcat ('attnpath:', {'solve:noise', 'solve:padding', 'solve:notConverged', ...
                              'solve:saddle', 'solve:rounding', 'solve:realLabels', 'gradient:padding'});
saved = cellfun (@(id) warning ('off', id), quiet);
back = onCleanup (@() warning (saved));
try
  sol = what.solve (ap_tune_net (what.net, at), 'Start', start, 'Certificate', false, 'Display', false);
  if attnpath_interrupt_mex ('seen')
    interrupted = true;
    return
  end
  if ~sol.converged
    point.why = sprintf ('the search for a solution ended without a minimum: %s', sol.reason);
    return
  end
  if ~isempty (words), point.slope = derivatives (sol, words, what); end
  [point.order, point.leading] = deal (sol.order, sol.evidence);
catch err
  point.why = ap_tune_excuse (err);
end
interrupted = attnpath_interrupt_mex ('seen');
end

function slope = derivatives (sol, words, what)
% The entropy is proportional to the widths: by their common factor the derivative of the evidence is its share
asked = setdiff (words, {'width', 'scale'});
if any (strcmp ('scale', words)), asked{end+1} = 'variance'; end
slope = struct ();
if ~isempty (asked), slope = what.slopes (sol, asked); end
if isfield (slope, 'variance'), slope.scale = slope.variance(1); end
slope.width = sol.evidence + sol.energy / 2 + what.labels / 2 * log (2 * pi);
end
