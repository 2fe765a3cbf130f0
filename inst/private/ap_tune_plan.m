function plan = ap_tune_plan (net, unit, opt, C)
%AP_TUNE_PLAN  What a search for hyperparameters goes through: coordinates, bounds, grid, and the value of a point.
%
%   plan = AP_TUNE_PLAN (net, unit, opt, C)
%   Inputs :  net, unit, from data_of in attnpath_tune;  opt, its options, with Tune as a cell of words in order;
%             C, number of outputs
%   Outputs:  plan, struct of what ap_tune_next needs, and
%               names   of the coordinates;  width, the place of 'width' among them, or []
%               by      criterion in words;  key, the field of a point that it is
%               read    @(x): struct of temperature, width, scale at a point
%               value   @(point): what is made small, in nats: half the examples times the logarithm of the squared
%                       error, which does not depend on units, or minus a log probability; Inf for NaN
%               over    what a bound is of, where that is not plain;  least, 1 x (L+1), what widths must not fall below
%               range   of the largest width
%               variance  the first prior variance at scale 1
%   Coordinates are logarithms. That of temperature is of temperature over scale where both are tuned: squared errors
%   see little else, so that the search has a coordinate for it.
%   See also attnpath_tune, ap_tune_next.

% SPDX-License-Identifier: BSD-3-Clause

names = opt.Tune;
d = numel (names);
ranges = struct ('temperature', opt.TemperatureRange * unit, 'width', opt.WidthRange, 'scale', opt.ScaleRange);
paths = zeros (1, net.L + 1);                      % what widths must not fall below for the evidence
coupled = C > 1 && strcmp (opt.Outputs, 'coupled');
paths(1:net.L) = ap_path_count (net, 1:net.L);
if coupled, paths = C * ap_path_count (net, 1:net.L + 1); end
for l = find (ap_skips (net) > 0), paths(l+1) = max (paths(l:l+1)); end          % widths stay equal there
[by, key, ranges.width] = criterion (net, opt, ranges.width, paths, C == 1 || coupled);
decades = struct ('temperature', 0.5 + 0.5 * (d == 3), 'width', 1, 'scale', 1 + (d == 3));    % from point to point
ticks = cell (1, d);
for k = 1:d
  range = log (ranges.(names{k}));
  ticks{k} = linspace (range(2), range(1), 1 + max (1, round (diff (range) / (decades.(names{k}) * log (10)))));
  bounds(k,:) = range;
end
plan = struct ('names', {names}, 'width', find (strcmp (names, 'width')), 'by', by, 'key', key, ...
               'grid', mesh (ticks), 'low', bounds(:,1), 'high', bounds(:,2), 'most', opt.MaxPoints, ...
               'value', @(point) value (point, key), ...
               'variance', net.variance(1), 'over', {repmat({''}, 1, d)}, 'least', zeros (1, net.L + 1), ...
               'range', ranges.width);
if all (ismember ({'temperature', 'scale'}, names)), plan.over{1} = ' (of temperature over scale)'; end
if strcmp (key, 'evidence'), plan.least = paths; end
plan.read = @(x) hyperparameters (x, names, net, plan.least, ranges.width);
end

function [by, key, range] = criterion (net, opt, range, paths, exact)
% exact: outputs do not share U, which has an evidence to leading order only
words = struct ('loo', 'leave-one-out error', 'density', 'leave-one-out density', 'evidence', 'evidence');
by = words.(opt.By);
key = opt.By;
if ~strcmp (key, 'evidence'), return; end
least = max (net.width) * max (paths ./ net.width);              % the largest width where no U_l is singular
if exact && any (strcmp (opt.Tune, 'width')) && least < range(2)
  range(1) = max (range(1), least);
elseif ~exact || any (strcmp (opt.Tune, 'width')) || least > max (net.width)
  by = 'evidence, leading order';
  key = 'leading';
end
end

function grid = mesh (ticks)
% Columns are points; the first coordinate, temperature if it is tuned, runs fastest, from high to low
grid = zeros (0, 1);
for k = numel (ticks):-1:1
  grid = [repmat(ticks{k}, 1, size (grid, 2)); kron(grid, ones (1, numel (ticks{k})))];
end
end

function at = hyperparameters (x, names, net, least, range)
% Widths exactly in their range: exp (log (5)) is below 5, and a width below its number of paths has no evidence
at = struct ('temperature', net.temperature, 'width', net.width, 'scale', 1);
for k = 1:numel (names)
  v = exp (x(k));
  switch names{k}
    case 'temperature', at.temperature = v;
    case 'width',       at.width = max (net.width * (min (max (v, range(1)), range(2)) / max (net.width)), least);
    case 'scale',       at.scale = v;
  end
end
if all (ismember ({'temperature', 'scale'}, names)), at.temperature = at.temperature * at.scale; end
end

function f = value (point, key)
f = -point.(key);
if strcmp (key, 'loo'), f = numel (point.mean) / 2 * log (point.loo); end
if isnan (f), f = Inf; end
end
