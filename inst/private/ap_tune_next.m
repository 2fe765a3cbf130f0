function [x, how, base] = ap_tune_next (tried, f, plan, known, each)
%AP_TUNE_NEXT  The next point of a search for the minimum of f: a coarse grid, then quasi-Newton steps from its best.
%
%   [x, how, base] = AP_TUNE_NEXT (tried, f, plan, known, each)
%   Inputs :  tried, d x k points so far;  f, 1 x k, their values, in nats, Inf if there is none;  plan, struct of
%               grid  d x g points, tried first;  low, high  d x 1 bounds;  most  points in all
%               tolerance   nats that a step must promise; [] for its standard error over examples, 0.001 at least
%               and with derivatives: weak, @(x): d x 1, which coordinates are heads that nearly nothing is left of;
%               back, @(x, k): the point with coordinate k as before the search, [] if that is no point
%             known, d x k derivatives of f, NaN where they are not known yet, or [] for differences;  each, 1 x k cell
%             of n x 1, what each example contributes to f: NaN, or n = 0, if unknown
%   Outputs:  x, d x 1, the next point, [] at the end;  how, then, the search ended, in words;  base, the point found,
%             [] if the search was not completed
%
%   No state is kept: every call repeats the search over the points tried so far, until it misses a value. Gradients
%   are central differences of `apart`, at a bound one-sided; they also give the diagonal of the first Hessian, which
%   the BFGS formula then follows. A coordinate at a bound whose derivative points outwards stays there. A step is at
%   most `longest`, and is halved until f falls by `enough` of what its slope promises. The search ends when a step
%   promises less than the standard error of the difference that it makes, example by example: what is gained beyond
%   could be the other way round with other examples.
%   With derivatives, weak heads are then removed one after the other, for good if f does not grow by `nothing` in all;
%   then each coordinate alone is put back, to measure its gain.
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

[how, base] = deal ('', []);
k = size (tried, 2);
if k < size (plan.grid, 2)
  x = plan.grid(:,k+1);
else
  [x, how, base] = descend (tried, f, plan, known, each);
  if isempty (x) && ~isempty (known) && ~isempty (base), [x, base] = settle (base, tried, f, plan); end
end
if ~isempty (x) && k >= plan.most
  [x, base] = deal ([]);
  how = sprintf ('the limit of %d points was reached', plan.most);
end
end

function [x, how, at] = descend (tried, f, plan, known, each)
[longest, little, enough] = deal (1, 1e-3, 1e-4);
[here, k] = min (f(1:size (plan.grid, 2)));
[x, how, at, B] = deal ([], 'no point has a value', [], []);
if isinf (here), return; end
at = tried(:,k);
while true
  [g, bend, of_each, x] = slopes (at, tried, f, plan, known, each);
  if ~isempty (x), return; end
  if isempty (B)
    B = diag (max (bend, max (abs (g) / longest, little)));    % where f bends down, a step is as long as allowed
  elseif moved' * (g - before) > 1e-3 * (moved' * B * moved)   % else B would become indefinite
    turned = g - before;
    B = B - (B * moved) * (B * moved)' / (moved' * B * moved) + turned * turned' / (moved' * turned);
  end
  free = ~((at <= plan.low & g > 0) | (at >= plan.high & g < 0));
  step = zeros (size (at));
  step(free) = -B(free,free) \ g(free);
  step = step * min (1, longest / max (abs (step)));
  step(isnan (step)) = 0;
  least = plan.tolerance;
  if isempty (least)
    change = of_each * step;                       % its standard error, NaN if the terms are unknown
    least = max (little, sqrt (numel (change)) * std (change));
  end
  if -(g' * step) / 2 < least
    how = sprintf ('a further step would gain less than %.3g nats', least);
    if isempty (plan.tolerance) && least > little, how = [how ', its standard error over examples']; end
    return
  end
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
  [moved, before] = deal (to - at, g);
  [at, here] = deal (to, there);
end
end

function [x, base] = settle (base, tried, f, plan)
% Weak heads, the coordinates of -Inf, are removed; then each coordinate is put back by itself
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
  if ~isempty (to), [~, x] = value (to, tried, f); end
  if ~isempty (x), return; end
end
end

function [there, x, k] = value (to, tried, f)
% The value at a point, and its places; or x, the point, where it has not been tried
[there, x] = deal (NaN, []);
k = find (max (abs (bsxfun (@minus, tried, to)), [], 1) <= 1e-9);
if isempty (k), x = to; else, there = f(k(1)); end
end

function [g, bend, of_each, x] = slopes (at, tried, f, plan, known, each)
% Gradient, of f and, n x d, of each example's share in it, and second derivatives; or x, a point whose value is
% missing, or its derivatives. Beside a point without a value, one-sided
apart = 0.1;
[g, bend, of_each] = deal (zeros (size (at)), zeros (size (at)), zeros (0, numel (at)));
[~, x, middle] = value (at, tried, f);
if ~isempty (known)
  middle = middle(~any (isnan (known(:,middle)), 1));
  if isempty (middle), x = at; else, g = known(:,middle(1)); end
  return
end
middle = middle(1);
of_each = zeros (numel (each{middle}), numel (at));
for i = 1:numel (at)
  [k, way] = deal ([middle, middle], [0, 0]);
  for side = 1:2
    to = at;
    to(i) = min (max (at(i) + apart * (2 * side - 3), plan.low(i)), plan.high(i));
    [there, x, places] = value (to, tried, f);
    if ~isempty (x), return; end
    if isfinite (there), [k(side), way(side)] = deal (places(1), to(i) - at(i)); end
  end
  if ~any (way), continue; end
  g(i) = diff (f(k)) / diff (way);
  of_each(:,i) = (each{k(2)} - each{k(1)}) / diff (way);
  if all (way), bend(i) = 2 * diff ((f(k) - f(middle)) ./ way) / diff (way); end
end
end
