function [h, ax] = ap_plot_scores (model, opt)
%AP_PLOT_SCORES  A bar for each head, layer by layer, and a second for its cost in the user's own model.
%
%   [h, ax] = AP_PLOT_SCORES (model, opt)
%   Inputs :  model, which attnpath_scores takes, rows [layer head score], [layer head score error] or [layer head score
%             error group size] that it returned, or the name of a file of costs, which are then the scores;  opt,
%             options of attnpath_plot
%   Outputs:  h, struct of graphics handles;  ax, the axes, from ap_plot_begin
%   See also attnpath_plot, ap_head_costs, ap_plot_labels.

% SPDX-License-Identifier: BSD-3-Clause

own = struct ('values', [], 'se', [], 'text', '');
[by, word] = deal ({}, '');
if ~isempty (opt.By), by = {'By', opt.By}; end
if ischar (model)
  score = of_file (model, opt.By);
  own = beside (score(:,1:min (end, 4)), '');
  score(:,3) = NaN;
elseif isnumeric (model)
  score = rows_of ('model', model);
else
  ap_plot_model ('scores', model, false);
  [score, ~, ~, word] = ap_gateway ('plot', @attnpath_scores, model, by{:});
  [score, word] = deal (sortrows (score, [1 2]), sprintf (' by ''%s''', word));
end
if ~isempty (opt.Costs), own = costs (opt.Costs, score); end
names = ap_plot_names ('scores', opt.Names, score, 'head');
ax = ap_plot_begin (opt);
h = draw_scores (ax, score, own, names, opt.Parent, word);
end

function rows = of_file (file, by)
if isempty (by), by = 'ablation'; end
[rows, se] = ap_head_costs ('plot', file, ap_check_value ('plot', 'By', by, 'word', ...
                       {'ablation', 'mean', 'resampled', 'importance', 'norm'}));
rows = [rows(:,1:3), se, rows(:,4:end*(size (se, 2) > 0))];
end

function [rows, group] = rows_of (name, given)
% rows: [layer head score] or [layer head score error];  group: of each head, itself where there are no groups
columns = max (3, min (6, size (given, 2)));
none = columns > 4 && isnumeric (given) && all (isnan (given(:,4)));        % a score of groups without errors
if none, given(:,4) = 0; end
rows = sortrows (ap_check_array ('plot', name, given, {'heads', columns}), [1 2]);
bad = find (any (rows(:,1:2) < 1 | rows(:,1:2) ~= fix (rows(:,1:2)), 2) | any (rows(:,4:end) < 0, 2), 1);
ap_refuse ('plot', 'badValue', ~isempty (bad), ['%s must have rows [layer head score] or [layer head score error], ' ...
           'layers and heads from 1 and no negative error, but a row is [%s]'], name, ...
           strtrim (sprintf ('%g ', rows(bad,:))));
ap_refuse ('plot', 'badValue', size (unique (rows(:,1:2), 'rows'), 1) < size (rows, 1), ...
           '%s has two rows for one head', name);
group = rows(:,[1 ap_either(columns > 4, 5, 2)]);
rows = rows(:,1:min (columns, 4 - none));
end

function own = costs (given, score)
if ischar (given), given = of_file (given, ''); end
[rows, group] = rows_of ('Costs', given);
ap_refuse ('plot', 'badShape', ~isequal (rows(:,1:2), score(:,1:2)), ...
           ['Costs must have a row [layer head cost] for each head of the model, %s in its layers, not %s: ' ...
           'modules= of head_costs selects layers, and Costs may be such rows. Files of costs by groups= ' ...
           'that do not hold the groups have a row for each group: measure them again'], counts (score), counts (rows));
[~, ~, of] = unique (group, 'rows');
mean_of = @(values) accumarray (of, values) ./ accumarray (of, 1);           % heads of a group are one observation
[r, r_se] = rank_correlation (mean_of (score(:,3)), mean_of (rows(:,3)));
own = beside (rows, sprintf ('rank correlation %.2f +- %.2f', r, r_se));
end

function text = counts (rows)
% Heads of each layer, as 4 + 3
number = @(l) sprintf ('%d', sum (rows(:,1) == l));
text = strjoin (arrayfun (number, unique (rows(:,1))', 'UniformOutput', false), ' + ');
end

function own = beside (rows, words)
% Costs over the largest, where one is above 0
scale = max (rows(:,3));
if scale <= 0, scale = max (max (abs (rows(:,3))), realmin); end
own = struct ('values', rows(:,3) / scale, 'se', rows(:,4:end) / scale, 'text', words);
end

function h = draw_scores (ax, score, own, names, parent, word)
% score: rows [layer head score error], layer by layer; a gap between the layers, and shades that alternate
x = (1:size (score, 1))' + 0.6 * (score(:,1) - 1);
[h.bar, h.cost, h.error] = deal ([]);
ends = [0 1];
shown = ~isnan (score(1,3));
priced = ~isempty (own.values);
wide = 0.8 / (shown + priced);
if shown
  h.bar = ap_plot_bars (ax, x - 0.4, wide, score(:,3), score(:,1), [0.20 0.40 0.65; 0.72 0.80 0.90]);
  [line_of, ends] = errors (ax, x - 0.4 + wide / 2, score(:,3), score(:,4:end), ends);
  if size (score, 2) > 3, h.line = line_of; end
end
if priced
  h.cost = ap_plot_bars (ax, x + 0.4 - wide, wide, own.values, score(:,1), [0.80 0.45 0.15; 0.95 0.82 0.68]);
  [h.error, ends] = errors (ax, x + 0.4 - wide / 2, own.values, own.se, ends);
end
words = {['head score' word], 'cost without the head, of the largest', ...
         ['score' word ' (left), cost to the model (right)']};
ap_plot_axes (ax, {'', words{1 + priced + (shown && priced)}, own.text}, 'xlim', [x(1)-0.7, x(end)+0.7], ...
              'ylim', 1.05 * ends, 'xtick', x, 'ticklength', [0 0], 'layer', 'top');
if ~priced, set (ax, 'ytick', 0:0.2:1); end
h.text = ap_plot_labels (ax, names, x, 1.05 * ends(1), false, parent, 'head (layer.head)');
end

function [h, ends] = errors (ax, x, middle, reach, ends)
% Lines of reach to both sides of the middle, none where reach is empty, and the ends of an axis for both
h = [];
none = NaN (numel (x), 1);
if isempty (reach)
  reach = 0 * middle;
else
  h = line ('XData', reshape ([x, x, none]', [], 1), 'YData', ...
            reshape ([middle - reach, middle + reach, none]', [], 1), 'color', [0 0 0], 'Parent', ax);
end
ends = [min([ends(1); middle - reach]), max([ends(2); middle + reach])];
end

function [r, se] = rank_correlation (a, b)
% Spearman's rank correlation of two vectors, and its standard error.
% Outputs:  r, equal values share their ranks; NaN where all of one vector are equal;  se, with the pairs as a sample:
%           1 - r^2 times that of atanh (r), which is sqrt ((1 + r^2/2) / (n - 3)) (Bonett, Wright, Psychometrika 65
%           (2000) 23); NaN for fewer than four pairs
ranks = @(x) arrayfun (@(v) sum (x(:) < v) + (sum (x(:) == v) + 1) / 2, x(:));
a = ranks (a) - (numel (a) + 1) / 2;
b = ranks (b) - (numel (b) + 1) / 2;
r = NaN;
if any (a) && any (b), r = (a' * b) / (norm (a) * norm (b)); end
se = NaN;
if numel (a) > 3, se = (1 - r ^ 2) * sqrt ((1 + r ^ 2 / 2) / (numel (a) - 3)); end
end
