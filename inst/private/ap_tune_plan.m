function plan = ap_tune_plan (net, unit, opt, C, own)
%AP_TUNE_PLAN  What a search for hyperparameters goes through: coordinates, bounds, grid, and the value of a point.
%
%   plan = AP_TUNE_PLAN (net, unit, opt, C, own)
%   Inputs :  net, unit, from data_of in attnpath_tune;  opt, its options, with Tune as a cell of words in order;
%             C, number of outputs;  own, the network as it was given
%   Outputs:  plan, struct of what ap_tune_next needs, and
%               names   of the coordinates;  words, of 'Tune', that each belongs to;  head, d x 2, [layer head] or 0
%               width   the place of 'width' among them, or []
%               by      criterion in words;  key, the field of a point that it is
%               read    @(x): struct of temperature, width, scale at a point, and of bandwidth, ridge, headscale where
%                       they are tuned
%               slopes  whether derivatives are known;  slope, @(s, x): d x 1, of the value, s from ap_tune_point
%               value   @(point): what is made small, in nats: half the examples times the logarithm of the squared
%                       error, which does not depend on units, or minus a log probability; Inf for NaN
%               weak, back  for ap_tune_next;  own, the point where the network as it was given is
%               over    what a bound is of, where that is not plain;  least, 1 x (L+1), what widths must not fall below
%               range   of the largest width
%               variance  the first prior variance at scale 1
%   Heads begin at their scales in the network, divided such that each layer has a mean square of 1, which read does
%   again at every point: the derivative of the evidence along what is divided out is 0. Heads of scale 0, and such as
%   are alone in their layer with one that is not, have no coordinate.
%   Coordinates are logarithms. That of temperature is of temperature over scale where both are tuned: squared errors
%   see little else, so that the search has a coordinate for it.
%   See also attnpath_tune, ap_tune_next.

% SPDX-License-Identifier: BSD-3-Clause

[names, words, head] = coordinates (net, opt.Tune);
slopes = any (ismember (words, {'bandwidth', 'ridge', 'heads'}));
d = numel (names);
of_grid = sum (ismember (words, {'temperature', 'width', 'scale'}));
ranges = struct ('temperature', opt.TemperatureRange * unit, 'width', opt.WidthRange, 'scale', opt.ScaleRange);
paths = zeros (1, net.L + 1);                      % what widths must not fall below for the evidence
coupled = C > 1 && strcmp (opt.Outputs, 'coupled');
paths(1:net.L) = ap_path_count (net, 1:net.L);
if coupled, paths = C * ap_path_count (net, 1:net.L + 1); end
for l = find (net.skip > 0), paths(l+1) = max (paths(l:l+1)); end          % widths stay equal there
[by, key, ranges.width] = criterion (net, opt, ranges.width, paths, (C == 1 || coupled) && ~slopes);
decades = struct ('temperature', 0.5 + 0.5 * (of_grid == 3), 'width', 1, 'scale', 1 + (of_grid == 3));
ticks = cell (1, d);
begin = own_point (own, words, head);
for k = 1:d                                        % decades are from point to point
  switch words{k}
    case {'temperature', 'width', 'scale'}
      range = log (ranges.(words{k}));
      ticks{k} = linspace (range(2), range(1), 1 + max (1, round (diff (range) / (decades.(words{k}) * log (10)))));
    case 'heads'
      [range, ticks{k}] = deal ([-Inf, Inf], begin(k));
    otherwise
      range = log (opt.([upper(words{k}(1)), words{k}(2:end), 'Range'])) + begin(k);
      ticks{k} = min (max (begin(k), range(1)), range(2));
  end
  bounds(k,:) = range;
end
plan = struct ('names', {names}, 'words', {words}, 'head', head, 'width', find (strcmp (words, 'width')), ...
               'by', by, 'key', key, ...
               'grid', mesh (ticks), 'low', bounds(:,1), 'high', bounds(:,2), 'most', opt.MaxPoints, ...
               'value', @(point) value (point, key), ...
               'variance', net.variance(1), 'over', {repmat({''}, 1, d)}, 'least', zeros (1, net.L + 1), ...
               'range', ranges.width, 'slopes', slopes);
ratio = all (ismember ({'temperature', 'scale'}, words));
if ratio, plan.over{1} = ' (of temperature over scale)'; end
if strcmp (key, 'evidence'), plan.least = paths; end
plan.read = @(x) hyperparameters (x, plan, net, ratio);
plan.slope = @(s, x) slope_of (s, plan.read (x), plan, ratio);
plan.weak = @(x) weak (plan.read (x), head);
plan.own = begin;
plan.back = @(x, k) put_back (x, k, begin, words, head, net.H, ratio);
end

function [names, words, head] = coordinates (net, tuned)
[names, words] = deal (tuned(~strcmp (tuned, 'heads')));
head = zeros (numel (names), 2);
if numel (names) == numel (tuned), return; end
scale = net.headscale;
for l = 1:net.L
  on = find (scale{l} > 0);
  for h = on(1:end * (numel (on) > 1))
    names{end+1} = sprintf ('scale of head %d of layer %d', h, l);
    words{end+1} = 'heads';
    head(end+1,:) = [l, h];
  end
end
end

function x = own_point (net, words, head)
% Where the network as it was given is; that of temperature is not yet over the scale
x = zeros (numel (words), 1);
scale = even (net.headscale);
for k = 1:numel (words)
  switch words{k}
    case 'temperature', x(k) = log (net.temperature);
    case 'width',       x(k) = log (max (net.width));
    case 'bandwidth',   x(k) = log (net.bandwidth);
    case 'ridge',       x(k) = log (net.ridge);
    case 'heads',       x(k) = log (scale{head(k,1)}(head(k,2)));
  end
end
end

function scale = even (scale)
for l = find (cellfun (@any, scale)), scale{l} = scale{l} / sqrt (mean (scale{l} .^ 2)); end
end

function x = put_back (x, k, own, words, head, H, ratio)
% A head gets its own scale back, and the others of its layer keep their proportions. [] where that is no point
t = find (strcmp (words, 'temperature'));
if strcmp (words{k}, 'heads')
  others = head(:,1) == head(k,1);
  others(k) = false;
  share = exp (2 * own(k)) / H(head(k,1));         % of the layer's sum of squares
  x(k) = log (sum (exp (2 * x(others))) * share / (1 - share)) / 2;
elseif ratio && strcmp (words{k}, 'scale')
  x(t) = x(t) + x(k) - own(k);                     % the temperature stays
  x(k) = own(k);
elseif ratio && k == t
  x(k) = own(k) - x(strcmp (words, 'scale'));
else
  x(k) = own(k);
end
if ~isreal (x) || ~isfinite (x(k)), x = []; end
end

function yes = weak (at, head)
yes = false (size (head, 1), 1);
for k = find (head(:,1) > 0)', yes(k) = at.headscale{head(k,1)}(head(k,2)) < 0.1; end
end

function g = slope_of (s, at, plan, ratio)
% The derivative of minus the evidence. A layer's scales are x_h less half the log of the mean square of exp (x_h)
g = zeros (numel (plan.words), 1);
for k = 1:numel (g)
  [l, h] = deal (plan.head(k,1), plan.head(k,2));
  if l > 0
    g(k) = s.heads{l}(h) - sum (s.heads{l}) * at.headscale{l}(h) ^ 2 / numel (at.headscale{l});
  else
    g(k) = s.(plan.words{k});
  end
end
if ratio
  k = strcmp (plan.words, 'scale');
  g(k) = g(k) + g(strcmp (plan.words, 'temperature'));
end
g = -g;
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

function at = hyperparameters (x, plan, net, ratio)
% Widths exactly in their range: exp (log (5)) is below 5, and a width below its number of paths has no evidence
at = struct ('temperature', net.temperature, 'width', net.width, 'scale', 1);
if any (strcmp (plan.words, 'heads')), at.headscale = even (net.headscale); end
for k = 1:numel (x)
  v = exp (x(k));
  switch plan.words{k}
    case 'width'
      within = min (max (v, plan.range(1)), plan.range(2));
      at.width = max (net.width * (within / max (net.width)), plan.least);
    case 'heads'
      at.headscale{plan.head(k,1)}(plan.head(k,2)) = v;
    otherwise
      at.(plan.words{k}) = v;
  end
end
if any (strcmp (plan.words, 'heads')), at.headscale = even (at.headscale); end
if ratio, at.temperature = at.temperature * at.scale; end
end

function f = value (point, key)
f = -point.(key);
if strcmp (key, 'loo'), f = numel (point.mean) / 2 * log (point.loo); end
if isnan (f), f = Inf; end
end
