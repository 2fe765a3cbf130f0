function [x, how, base] = ap_tune_next (run, plan)
%AP_TUNE_NEXT  The next point of a search for the minimum of f: a coarse grid, then quasi-Newton steps from its best.
%
%   [x, how, base] = AP_TUNE_NEXT (run, plan)
%   Inputs :  run, struct of the k points so far: at, d x k;  f, 1 x k, their values, in nats, Inf if there is none;
%             each, 1 x k cell of n x 1, what each example contributes to f: NaN, or n = 0, if unknown;  slope, d x k,
%             derivatives, NaN where they are not known yet, if plan.slopes
%             plan, struct of grid, d x g points, tried first;  low, high, d x 1 bounds;  most, points in all
%               tolerance   nats that a step must promise; [] for its standard error over examples, 0.001 at least
%               slopes      true: by derivatives, and not by differences. Then weak, @(x): d x 1, true for coordinates
%                           that are heads of nearly no scale;  back, @(x, k): x with coordinate k as in the given
%                           network, NaN if that is no point
%   Outputs:  x, d x 1, the next point, [] at the end;  how, a sentence on why the search ended, if it did;  base, the
%             point found, [] if the search was not completed
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
k = size (run.at, 2);
if k < size (plan.grid, 2)
  x = plan.grid(:,k+1);
else
  [x, how, base] = descend (run, plan);
  if isempty (x) && plan.slopes && ~isempty (base), [x, base] = settle (base, run, plan); end
end
if ~isempty (x) && k >= plan.most
  [x, base] = deal ([]);
  how = sprintf ('the limit of %d points was reached', plan.most);
end
end

function [x, how, at] = descend (run, plan)
[longest, little, enough] = deal (1, 1e-3, 1e-4);
[here, k] = min (run.f(1:size (plan.grid, 2)));
[x, how, at, B] = deal ([], 'no point has a value', [], []);
if isinf (here), return; end
at = run.at(:,k);
while true
  [g, bend, of_each, x] = slopes (at, run, plan);
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
    [there, x] = value (to, run);
    if ~isempty (x), return; end
  end
  [moved, before] = deal (to - at, g);
  [at, here] = deal (to, there);
end
end

function [x, base] = settle (base, run, plan)
% Weak heads are removed, which puts their coordinates to -Inf; then each coordinate is put back by itself
nothing = 0.01;
[here, x] = value (base, run);
[~, order] = sort (base);
weak = plan.weak (base);
for k = order(weak(order))'
  less = base;
  less(k) = -Inf;
  [there, x] = value (less, run);
  if ~isempty (x), return; end
  if there < here + nothing, base = less; end
end
for k = 1:numel (base)
  to = plan.back (base, k);
  if ~any (isnan (to)), [~, x] = value (to, run); end
  if ~isempty (x), return; end
end
end

function [there, x, k] = value (to, run)
% The value at a point, and its places; or x, the point, where it has not been tried
[there, x] = deal (NaN, []);
k = find (max (abs (bsxfun (@minus, run.at, to)), [], 1) <= 1e-9);
if isempty (k), x = to; else, there = run.f(k(1)); end
end

function [g, bend, of_each, x] = slopes (at, run, plan)
% Gradient, of f and, n x d, of each example's share in it, and second derivatives; or x, a point whose value is
% missing, or its derivatives. Beside a point without a value, one-sided
apart = 0.1;
[g, bend, of_each] = deal (zeros (size (at)), zeros (size (at)), zeros (0, numel (at)));
[~, x, middle] = value (at, run);
if plan.slopes
  known = middle(~any (isnan (run.slope(:,middle)), 1));
  if ~isempty (known), g = run.slope(:,known(1)); elseif any (isinf (run.f(middle))), g(:) = NaN; else, x = at; end
  return
end
middle = middle(1);
of_each = zeros (numel (run.each{middle}), numel (at));
for i = 1:numel (at)
  [k, way] = deal ([middle, middle], [0, 0]);
  for side = 1:2
    to = at;
    to(i) = min (max (at(i) + apart * (2 * side - 3), plan.low(i)), plan.high(i));
    [there, x, places] = value (to, run);
    if ~isempty (x), return; end
    if isfinite (there), [k(side), way(side)] = deal (places(1), to(i) - at(i)); end
  end
  if ~any (way), continue; end
  g(i) = diff (run.f(k)) / diff (way);
  of_each(:,i) = (run.each{k(2)} - run.each{k(1)}) / diff (way);
  if all (way), bend(i) = 2 * diff ((run.f(k) - run.f(middle)) ./ way) / diff (way); end
end
end
