function [x, how, base] = ap_tune_next (tried, f, plan, g, each)
%AP_TUNE_NEXT  The next point of a search for the minimum of f: a coarse grid, then quasi-Newton steps from its best.
%
%   [x, how, base] = AP_TUNE_NEXT (tried, f, plan, g, each)
%   Inputs :
%     tried   d x k points so far, in logarithms
%     f       1 x k their values, in nats; Inf if there is none
%     plan    struct of
%       grid  d x g points, tried first, in this order
%       low, high   d x 1 bounds
%       most  points in all
%       tolerance   nats that a further step must promise; [] for its standard error over examples, 0.001 at least
%       and with g: weak, @(x): d x 1, of which coordinates are a head that nearly nothing is left of;  back, @(x, k):
%             the point with coordinate k as before the search, [] if that is no point
%     g       [], or d x k derivatives of f there, NaN where they are not known yet: they take the place of differences
%     each    1 x k cell of n x 1, what each example contributes to f; NaN, or n = 0, where that is not known
%   Outputs:
%     x       d x 1 point to be tried next, or [] where the search has ended
%     how     where x is []: how the search ended, in words
%     base    the point found, [] where the search did not come to its end
%
%   The search keeps no state: every call repeats it over the points tried so far, until it misses a value. The points
%   alone are enough to go on. Gradients are central differences of `apart`, at a bound one-sided; they also give the
%   diagonal of the first Hessian, which the BFGS formula then follows. A coordinate at a bound whose derivative points
%   outwards stays there. A step is at most `longest`, and is halved until f falls by `enough` of what its slope
%   promises. The search ends when a step promises less than the standard error of the difference that it makes, example
%   by example: what is gained beyond could be the other way round with other examples.
%   With derivatives the search goes on behind its end: weak heads are taken away one after the other, for good where f
%   does not grow by `nothing` in all; then each coordinate alone is put back, to measure its gain.
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

[how, base] = deal ('', []);
k = size (tried, 2);
if k < size (plan.grid, 2)
  x = plan.grid(:,k+1);
else
  [x, how, base] = descend (tried, f, plan, g, each);
  if isempty (x) && ~isempty (g) && ~isempty (base), [x, base] = settle (base, tried, f, plan); end
end
if ~isempty (x) && k >= plan.most
  [x, base] = deal ([]);
  how = sprintf ('the limit of %d points was reached', plan.most);
end
end

function [x, how, at] = descend (tried, f, plan, known, each)
[longest, little, enough] = deal (1, 1e-3, 1e-4);
[here, k] = min (f(1:size (plan.grid, 2)));
at = tried(:,k);
[how, x] = deal ('no point has a value', []);
if isinf (here)
  at = [];
  return
end
before = [];
while true
  if isempty (known)
    [g, bend, of_each, x] = slopes (at, here, tried, f, plan, each);
  else
    [g, bend, of_each, x] = known_slopes (at, tried, known);
  end
  if ~isempty (x), return; end
  if isempty (before)
    B = diag (max (bend, max (abs (g) / longest, little)));    % where f bends down, a step is as long as allowed
  else
    B = bfgs (B, at - before.at, g - before.g);
  end
  free = ~((at <= plan.low & g > 0) | (at >= plan.high & g < 0));
  step = zeros (size (at));
  step(free) = -B(free,free) \ g(free);
  step = step * min (1, longest / max (abs (step)));
  step(isnan (step)) = 0;
  least = plan.tolerance;
  if isempty (least), least = max (little, standard_error (of_each * step)); end      % not NaN
  if -(g' * step) / 2 < least
    how = sprintf ('a further step promises less than %.3g nats', least);
    if isempty (plan.tolerance) && least > little, how = [how ', its standard error over examples']; end
    return
  end
  before = struct ('at', at, 'g', g);
  [to, there, share] = deal (at, Inf, 2);
  while ~(there < here + enough * (g' * (to - at)))
    share = share / 2;
    if share < 1 / 16
      how = 'no step goes further down';
      return
    end
    to = min (max (at + share * step, plan.low), plan.high);
    [there, x] = value (to, tried, f);
    if ~isempty (x), return; end
  end
  [at, here] = deal (to, there);
end
end

function [x, base] = settle (base, tried, f, plan)
% Weak heads, the coordinates of -Inf, are taken away; then each coordinate is put back by itself
nothing = 0.01;
[here, x] = value (base, tried, f);
[~, order] = sort (base);
weak = plan.weak (base);
for k = order(weak(order))'
  less = base;
  less(k) = -Inf;
  [there, x] = value (less, tried, f);
  if ~isempty (x), return; end
  if there < here + nothing, base = less; end
end
for k = 1:numel (base)
  to = plan.back (base, k);
  if isempty (to), continue; end
  [~, x] = value (to, tried, f);
  if ~isempty (x), return; end
end
end

function k = places (to, tried)
k = find (max (abs (bsxfun (@minus, tried, to)), [], 1) <= 1e-9);
end

function [there, x, k] = value (to, tried, f)
% The value at a point, and its place; or x, the point, where it has not been tried
[there, x] = deal (NaN, []);
k = places (to, tried);
if isempty (k)
  x = to;
else
  k = k(1);
  there = f(k);
end
end

function [g, bend, of_each, x] = known_slopes (at, tried, known)
% Or x again, if the call returned no derivatives
[bend, of_each, x] = deal (zeros (size (at)), zeros (0, numel (at)), []);
k = places (at, tried);
g = known(:,k(~any (isnan (known(:,k)), 1)));
if isempty (g), x = at; else, g = g(:,1); end
end

function [g, bend, of_each, x] = slopes (at, here, tried, f, plan, each)
% Gradient, of f and, n x d, of each example's share in it, and second derivatives; or x, a point whose value is
% missing. Beside a point without a value, one-sided
apart = 0.1;
[g, bend] = deal (zeros (size (at)));
[~, ~, middle] = value (at, tried, f);
of_each = zeros (numel (each{middle}), numel (at));
for i = 1:numel (at)
  ends = [at, at];
  ends(i,:) = [max(at(i) - apart, plan.low(i)), min(at(i) + apart, plan.high(i))];
  both = [here, here];
  k = [middle, middle];
  for side = find (ends(i,:) ~= at(i))
    [both(side), x, place] = value (ends(:,side), tried, f);
    if ~isempty (x), return; end
    k(side) = place;
  end
  lost = isinf (both);
  ends(i,lost) = at(i);
  both(lost) = here;
  k(lost) = middle;
  way = ends(i,:) - at(i);
  if diff (way) == 0, continue; end
  g(i) = diff (both) / diff (way);
  of_each(:,i) = (each{k(2)} - each{k(1)}) / diff (way);
  if all (way), bend(i) = 2 * (diff ((both - here) ./ way)) / diff (way); end
end
x = [];
end

function s = standard_error (d)
% Standard error of a sum over n examples; NaN if their terms are unknown
s = NaN;
if numel (d) > 1, s = sqrt (numel (d)) * std (d); end
end

function B = bfgs (B, s, y)
if s' * y > 1e-3 * (s' * B * s)                    % otherwise what was learned would not be definite
  B = B - (B * s) * (B * s)' / (s' * B * s) + y * y' / (s' * y);
end
end
