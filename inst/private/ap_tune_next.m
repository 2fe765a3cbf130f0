function [x, how, base] = ap_tune_next (tried, f, plan, g)
%AP_TUNE_NEXT  The next point of a search for the minimum of f: a coarse grid, then quasi-Newton steps from its best.
%
%   [x, how] = AP_TUNE_NEXT (tried, f, plan)
%   [x, how, base] = AP_TUNE_NEXT (tried, f, plan, g)
%   Inputs :
%     tried   d x k points so far, in logarithms
%     f       1 x k their values, in nats; Inf where there is none
%     plan    struct of
%       grid  d x g points, tried first, in this order
%       low, high   d x 1 bounds
%       most  points in all
%       and with g: weak, @(x): d x 1, of which coordinates are a head that nearly nothing is left of;  back, @(x, k):
%             the point where coordinate k is what it was before the search, [] where that is no point
%     g       d x k derivatives of f there, NaN where they are not known yet: they take the place of differences
%   Outputs:
%     x       d x 1 point to be tried next, or [] where the search has ended
%     how     where x is []: how the search ended, in words
%     base    with g, where x is []: the point found, [] where the search did not come to its end
%
%   The search keeps no state: every call repeats it over the points tried so far, until it misses a value. The points
%   alone are enough to go on. Gradients are central differences of `apart`, at a bound one-sided; they also give the
%   diagonal of the first Hessian, which the BFGS formula then follows. A coordinate at a bound whose derivative points
%   outwards stays there. A step is at most `longest`, and is halved until f falls by `enough` of what its slope
%   promises. The search ends when a step promises less than `little`: a thousandth of a nat, far below what examples
%   can tell.
%   With derivatives the search goes on behind its end: weak heads are taken away one after the other, for good where f
%   does not grow by `nothing` in all; then each coordinate alone is put back, to know what it has gained.
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

how = '';
base = [];
if nargin < 4, g = []; end
k = size (tried, 2);
if k < size (plan.grid, 2)
  x = plan.grid(:,k+1);
else
  [x, how, at] = descend (tried, f, plan, g);
  if isempty (x) && ~isempty (g) && ~isempty (at), [x, base] = settle (at, tried, f, plan); end
end
if ~isempty (x) && k >= plan.most
  [x, base] = deal ([]);
  how = sprintf ('the limit of %d points was reached', plan.most);
end
end

function [x, how, at] = descend (tried, f, plan, known)
[longest, little, enough] = deal (1, 1e-3, 1e-4);
[at, here] = best_of (tried, f, size (plan.grid, 2));
how = 'no point has a value';
x = [];
if isinf (here)
  at = [];
  return
end
B = [];
before = [];
while true
  if isempty (known)
    [g, bend, x] = slopes (at, here, tried, f, plan);
  else
    [g, bend, x] = known_slopes (at, tried, known);
  end
  if ~isempty (x), return; end
  if isempty (B)
    B = diag (max (bend, max (abs (g) / longest, little)));    % where f bends down, a step is as long as allowed
  else
    B = bfgs (B, at - before.at, g - before.g);
  end
  free = ~((at <= plan.low & g > 0) | (at >= plan.high & g < 0));
  step = zeros (size (at));
  step(free) = -B(free,free) \ g(free);
  step = step * min (1, longest / max (abs (step)));
  step(isnan (step)) = 0;
  if -(g' * step) / 2 < little
    how = 'a further step promises less than 0.001 nats';
    return
  end
  before = struct ('at', at, 'g', g);
  share = 1;
  while true
    to = min (max (at + share * step, plan.low), plan.high);
    [there, x] = value (to, tried, f);
    if ~isempty (x), return; end
    if there < here + enough * (g' * (to - at)), break; end
    share = share / 2;
    if share < 1 / 16
      how = 'no step goes further down';
      return
    end
  end
  at = to;
  here = there;
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

function [at, here] = best_of (tried, f, count)
[here, k] = min (f(1:count));
at = tried(:,k);
end

function [there, x] = value (to, tried, f)
% The value at a point; or x, the point, where it has not been tried
x = [];
there = NaN;
k = find (max (abs (bsxfun (@minus, tried, to)), [], 1) <= 1e-9, 1);
if isempty (k)
  x = to;
else
  there = f(k);
end
end

function [g, bend, x] = known_slopes (at, tried, known)
% Or x, the point once more, where derivatives were not asked for
x = at;
bend = zeros (size (at));
g = known(:,find (max (abs (bsxfun (@minus, tried, at)), [], 1) <= 1e-9 & ~any (isnan (known), 1), 1));
if ~isempty (g), x = []; end
end

function [g, bend, x] = slopes (at, here, tried, f, plan)
% Gradient, and second derivatives; or x, a point whose value is missing. Beside a point without a value, one-sided
apart = 0.1;
[g, bend] = deal (zeros (size (at)));
x = [];
for i = 1:numel (at)
  ends = [at, at];
  ends(i,:) = [max(at(i) - apart, plan.low(i)), min(at(i) + apart, plan.high(i))];
  both = [here, here];
  for side = find (ends(i,:) ~= at(i))
    [both(side), x] = value (ends(:,side), tried, f);
    if ~isempty (x), return; end
  end
  lost = isinf (both);
  ends(i,lost) = at(i);
  both(lost) = here;
  way = ends(i,:) - at(i);
  if diff (way) == 0, continue; end
  g(i) = diff (both) / diff (way);
  if all (way), bend(i) = 2 * (diff ((both - here) ./ way)) / diff (way); end
end
end

function B = bfgs (B, s, y)
if s' * y > 1e-3 * (s' * B * s)                    % otherwise what was learned would not be definite
  B = B - (B * s) * (B * s)' / (s' * B * s) + y * y' / (s' * y);
end
end
