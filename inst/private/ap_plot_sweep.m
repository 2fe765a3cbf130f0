function [h, ax] = ap_plot_sweep (result, opt)
%AP_PLOT_SWEEP  Fields of the results against a field of the grid.
%
%   [h, ax] = AP_PLOT_SWEEP (result, opt)
%   Inputs :  result, struct array from attnpath_sweep;  opt, options of attnpath_plot
%   Outputs:  h, struct of graphics handles;  ax, the axes, from ap_plot_begin
%   Curves that are held in the axes count: further ones take further colours, and one legend has all of them. They are
%   known by their tag, 'sweep'. The legend says what the bars are.
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

c = curves_of (result, opt);
ax = ap_plot_begin (opt);
before = flipud (findobj (ax, 'tag', 'sweep'));
kinds = flipud (findobj (ax, 'tag', 'bars'));      % what the bars show, for the legend
x = arrayfun (@(curve) get (curve, 'xdata'), before', 'UniformOutput', false);
ends = set_across (ax, unique ([c.x(isfinite (c.x)); [x{:}]']), opt.LogX);
n = size (c.m, 2);
inks = [0.00 0.32 0.62; 0.80 0.10 0.10; 0 0 0; 0.90 0.55 0.10; 0.00 0.55 0.45; 0.45 0.20 0.60; 0.60 0.60 0.60];
if c.shaded && isempty (before)
  inks = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, n)));
end
marks = 'os^dv<>';
dashes = {'-'; '--'; '-.'; ':'};
limit = isinf (c.x);
along = @(x, share) x + share * diff (ends);       % a share of the axis further on
if strcmp (get (ax, 'xscale'), 'log'), along = @(x, share) x * (ends(2) / ends(1)) ^ share; end
x = min (c.x, along (ends(2), -0.02));             % bars at infinity end within the frame
[~, wide] = ap_plot_pixels (ax);
total = numel (before) + n;
apart = min (2, 5 / max (total - 1, 1)) / wide;    % bars of several curves beside each other, within a mark of 5 points
for k = 1:n
  turn = @(list) list(mod (numel (before) + k - 1, size (list, 1)) + 1,:);
  style = {'Parent', ax, 'color', turn(inks), 'linewidth', 1.5};
  y = reshape ([c.m(:,k) - c.se(:,k), c.m(:,k) + c.se(:,k), NaN(size (x))]', [], 1);
  at = reshape (repmat (along (x, apart * (numel (before) + k - (total + 1) / 2)), 1, 3)', [], 1);
  if any (~isnan (y)), kinds = explained (kinds, ax, c.bars{k}, at, y, '-'); end
  if any (limit), kinds = explained (kinds, ax, [c.labels{1} ' = Inf'], ends, c.m([1 1] * find (limit),k), ':'); end
  h.bar(k,1) = line (at, y, style{:}, 'linewidth', 1);
  if any (limit), h.line(k,1) = line (ends, c.m([1 1] * find (limit),k), style{:}, 'linestyle', ':'); end
  if ~any (limit) || any (~isnan (c.m(~limit,k)))
    h.line(k,1) = line (x(~limit), c.m(~limit,k), style{:}, 'linestyle', char (turn (dashes)), 'marker', ...
                        turn (marks'), 'markersize', 5, 'markerfacecolor', turn (inks));
  end
  set (h.line(k), 'tag', 'sweep', 'displayname', c.names{k});
end
ap_plot_axes (ax, c.labels);
if ~isempty (before), set (get (ax, 'ylabel'), 'string', ''); end
ap_plot_fit (ax, opt, h);
if c.key || ~isempty (before), h.legend = key_of ([before; h.line; kinds]); end
end

function kinds = explained (kinds, ax, name, x, y, style)
% A grey line under the coloured ones, once for each name, by which the legend explains them
if any (strcmp (name, arrayfun (@(one) get (one, 'displayname'), kinds, 'UniformOutput', false))), return; end
kinds(end+1,1) = line (x, y, 'Parent', ax, 'color', [0.5 0.5 0.5], 'linewidth', 1, 'linestyle', style, ...
                       'tag', 'bars', 'displayname', name);
end

function key = key_of (lines)
% A legend in a free corner, or where none is free in an upper one, above the curves: gnuplot has no location 'best'. A
% long one has two columns if they fit
ax = get (lines(1), 'parent');
[across, up] = deal (get (ax, 'xlim'), get (ax, 'ylim'));
log_of = @(x) x;
if strcmp (get (ax, 'xscale'), 'log'), log_of = @log; end
names = arrayfun (@(curve) get (curve, 'displayname'), lines, 'UniformOutput', false);
[box, wide] = ap_plot_pixels (ax);                 % of the axes: width and height of the legend, in points
points = [wide, wide * box(4) / box(3)];
size_of_text = get (ax, 'fontsize');
[columns, many] = deal (1, numel (lines));
[row, key] = deal (max (13, 1.65 * size_of_text), 36);             % height of an entry, width of its line
if ap_plot_by_gnuplot (ax), [row, key] = deal (2 * size_of_text, 60); end
need = [ap_plot_longest(ax, names, 72 / get (0, 'screenpixelsperinch')) + key, row * (many + 1)] ./ points;
if need(2) > 0.65 && 2 * need(1) < 1 && ~ap_plot_by_gnuplot (ax)
  columns = 2;
  need = [2 * need(1), row * (ceil (many / 2) + 1) / points(2)];
end
need = min ([1, 0.8], need);
places = {'northeast', 'northwest', 'southeast', 'southwest'};
[top, low] = deal ([0 0], [1 1]);                  % of all lines below or above the legend, at the right and the left
for one = findobj (ax, 'type', 'line')'
  [x, y] = deal (log_of (get (one, 'xdata')), get (one, 'ydata'));
  dense = linspace (1, numel (x), 50 * numel (x));
  [x, y] = deal (interp1 ([x, NaN], dense), interp1 ([y, NaN], dense));
  x = (x - log_of (across(1))) / diff (log_of (across));
  y = (y - up(1)) / diff (up);
  inside = {y(x > 1 - need(1)), y(x < need(1))};
  top = cellfun (@(y, top) max ([y, top]), inside, num2cell (top));
  low = cellfun (@(y, low) min ([y, low]), inside, num2cell (low));
end
grow = [top, 1 - low] / (1 - need(2));             % the height of the axes that leaves it room
grow([false false, grow(3:4) > 1]) = Inf;
[grow, corner] = min (max (1, grow));
if grow > 1, set (ax, 'ylim', [up(1), up(1) + 1.03 * grow * diff(up)]); end
if ap_plot_by_gnuplot (ax), names = strrep (names, '\_', '\\_'); end
key = legend (lines, names, 'location', places{corner}, 'box', 'off', 'color', 'none', ...
              'fontsize', size_of_text);
if columns > 1 && isprop (key, 'numcolumns'), set (key, 'numcolumns', columns); end
if isprop (key, 'autoupdate'), set (key, 'autoupdate', 'off'); end
end

function ends = set_across (ax, x, logarithmic)
% The axis of x, increasing, with a twentieth of it left on either side. If it is logarithmic, it has ticks at 10, 30,
% 100 and so on, or of more than four decades at 10, 100
if isempty (logarithmic), logarithmic = x(end) >= 20 * x(1); end
if ~logarithmic || x(1) <= 0                       % as those may be that are held
  room = 0.05 * (x(end) - x(1));
  if room == 0, room = 0.5 * max (1, abs (x(1))); end
  ends = [x(1), x(end)] + room * [-1 1];
  set (ax, 'xscale', 'linear', 'xlim', ends);
  if all (x == fix (x)) && x(end) - x(1) < 10, set (ax, 'xtick', x(1):x(end)); end             % no 1.5 layers
  return
end
ends = [x(1), x(end)] .* (max (x(end) / x(1), 2)) .^ [-0.05 0.05];
ticks = bsxfun (@times, [1; 3], 10 .^ (floor (log10 (ends(1))):ceil (log10 (ends(2)))));
if diff (log10 (ends)) > 4, ticks = ticks(1,:); end
ticks = ticks(ticks >= ends(1) & ticks <= ends(2))';
if numel (ticks) < 2, ticks = x(:)'; end
set (ax, 'xscale', 'log', 'xlim', ends, 'xtick', ticks, 'xminortick', 'off', 'xticklabel', ...
     arrayfun (@(x) sprintf ('%g', x), ticks, 'UniformOutput', false));
end

function c = curves_of (result, opt)
% Inputs :  result, struct array from attnpath_sweep;  opt, options of attnpath_plot: X, Y, Errors, Curves, Over, Names
% Outputs:  struct of x (n x 1, increasing), m and se (n x curves, NaN where no cell is done, and se where one is),
%           names (of the curves), key (whether there is a legend), shaded (whether they are in an order), labels
% Errors:   attnpath:plot: badClass, badShape, missingField, badValue
[fields, errors, by] = checked (result, opt);
[c.m, c.se, c.names, c.bars] = deal ([], [], {}, {});
for k = 1:numel (fields)
  [m, se, ~, values] = ap_sweep_means ('plot', result, fields{k}, by, errors{k}, []);
  word = ap_either (isempty (errors{k}), ['bars: s.e. over ' opt.Over], 'bars: given errors');
  c.bars = [c.bars, repmat({strrep(word, '_', '\_')}, 1, size (m, 2))];
  [c.m, c.se] = deal ([c.m, m], [c.se, se]);
  names = fields(k);
  if numel (by) > 1
    names = strcat ({[opt.Curves ' ']}, ap_distinct (values{2})');
    if numel (fields) > 1, names = strcat (fields{k}, {', '}, names); end
  end
  c.names = [c.names, names];
end
[c.x, order] = sort (values{1});
[c.m, c.se] = deal (c.m(order,:), c.se(order,:));
ap_refuse ('plot', 'badValue', isequal (opt.LogX, true) && c.x(1) <= 0, 'LogX needs X, %s, above 0, not %g', opt.X, ...
           c.x(1));
ap_refuse ('plot', 'badValue', any (c.x == -Inf), 'X, %s, is -Inf in a cell', opt.X);
if ~any (isfinite (c.x)), ap_fail ('plot', 'badValue', 'X, %s, has no finite value', opt.X); end
plain = @(names) strrep (names, '_', '\_');
c.names = strrep (ap_plot_names ('sweep', opt.Names, plain (c.names), 'curve'), char (10), ' ');
c.key = numel (by) > 1 || numel (fields) > 1 || ~isempty (opt.Names) || any (isinf (c.x));
c.shaded = numel (by) > 1 && numel (fields) == 1;
c.labels = {plain(opt.X), ''};
if numel (fields) == 1, c.labels{2} = plain (fields{1}); end
end

function [fields, errors, by] = checked (result, opt)
% Fields that are drawn, those of their errors, and the fields of the grid that are their axis and their curves
f = 'plot';
if ~isstruct (result) || isempty (result) || ~all (isfield (result, {'cell', 'status', 'error'}))
  ap_fail (f, 'badClass', '''sweep'' needs results of attnpath_sweep, not %s', {result});
end
axes_of = fieldnames (result(1).cell)';
known = fieldnames (result)';
known = known(~ismember (known, {'cell', 'status', 'error'}));
check_name ('X', opt.X, axes_of);
if isempty (known), ap_fail (f, 'badValue', 'no cell of the results has a field: none is done'); end
fields = list_of ('Y', opt.Y);
errors = list_of ('Errors', opt.Errors);
if isempty (opt.Errors), errors = repmat ({''}, size (fields)); end
ap_refuse (f, 'badShape', numel (errors) ~= numel (fields), ...
           'Errors must name %d fields, one for each of Y, with '''' for none, not %d', numel (fields), numel (errors));
for k = 1:numel (fields)
  check_numbers ('Y', result, fields{k}, known);
  if ~isempty (errors{k}), check_numbers ('Errors', result, errors{k}, known); end
end
by = {opt.X};
if ~isempty (opt.Curves)
  check_name ('Curves', opt.Curves, axes_of);
  by{2} = opt.Curves;
end
if ~any (strcmp (opt.Over, {'', 'seed'})), check_name ('Over', opt.Over, axes_of); end
for name = axes_of(~ismember (axes_of, [by, {opt.Over}]))
  means = ap_sweep_means ('plot', result, fields{1}, name, '', []);
  ap_refuse (f, 'badValue', numel (means) > 1, ['the results have %d values of %s: take those of one of them, or ' ...
             'let Curves or Over be ''%s'''], numel (means), name{1}, name{1});
end
ap_refuse (f, 'badValue', ischar (result(1).cell.(opt.X)), 'X, %s, holds texts, and an axis needs numbers', opt.X);
end

function list = list_of (option, list)
if ischar (list), list = {list}; end
ap_refuse ('plot', 'badClass', ~iscellstr (list) || isempty (list) && strcmp (option, 'Y'), ...
           '%s must be a text or a cell of texts, not %s', option, {list});
list = reshape (list, 1, []);
end

function check_numbers (option, result, name, known)
check_name (option, name, known);
numbers = cellfun (@(v) isempty (v) || ((isnumeric (v) || islogical (v)) && isreal (v) && numel (v) == 1), ...
                   {result.(name)});
ap_refuse ('plot', 'badValue', ~all (numbers) || all (cellfun (@isempty, {result.(name)})), ...
           '%s, %s, must hold one real number in each cell that is done', option, name);
end

function check_name (option, name, known)
ap_refuse ('plot', 'badValue', ~any (strcmp (name, known)), '%s must be one of %s, not %s', option, ...
           strjoin (known, ', '), {name});
end
