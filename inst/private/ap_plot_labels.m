function t = ap_plot_labels (ax, names, x, low, rows, parent, of)
%AP_PLOT_LABELS  Names below columns of axes, and optionally next to rows, with room for their full lengths.
%
%   t = AP_PLOT_LABELS (ax, names, x, low, rows, parent, of)
%   Inputs :  x, places of the columns;  low, y where the axes end below;  rows, true: the same names at rows y = x;
%             parent, option Parent: such axes stay where they are; others, alone in their figure, leave room
%             for names;  of, what is named: label of the axis where all names are tick labels, '' for none
%   Outputs:  t, handles of texts; [] where all names are tick labels
%   Names of columns are tick labels while there is room side by side, otherwise upright text. Where the room left is
%   too small for the longest name, all are set in smaller type.
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

t = [];
usual = get (ax, 'fontsize');
on_screen = 72 / get (0, 'screenpixelsperinch');   % points of a pixel
points = on_screen;
fig = ancestor (ax, 'figure');
if strcmp (get (fig, 'paperunits'), 'inches')      % type keeps its size when printed, whatever the figure's becomes
  points = min (points, 72 * getfield (get (fig, 'paperposition'), {3}) / getfield (ap_plot_pixels (fig), {3}));
end
longest = ap_plot_longest (ax, names, points);
across = diff (get (ax, 'xlim'));
[~, column] = ap_plot_pixels (ax);
column = column * points / on_screen * min ([1; diff(x(:)) / across]);
upright = 1.1 * longest >= column;
need = (longest + usual) * [rows, upright];        % left and below
room = make_room (ax, need, points, ~isempty (parent));
small = usual;
share = min ([1, room(need > 0) ./ need(need > 0)]);
if share < 1, small = 0.9 * share * usual; end     % letters of small type are as wide as whole points
if rows && small == usual
  set (ax, 'yticklabel', names);
elseif rows
  set (ax, 'yticklabel', {});
  ends = get (ax, 'xlim');
  for k = 1:numel (x)
    t(end+1) = text (ends(1), x(k), [names{k} ' '], 'Parent', ax, 'fontsize', small, ...
                     'horizontalalignment', 'right', 'verticalalignment', 'middle');
  end
end
if ~upright
  set (ax, 'xticklabel', names);
  if isempty (t), ap_plot_axes (ax, {of}); end
  return
end
set (ax, 'xticklabel', {});
for k = 1:numel (x)
  t(end+1) = text (x(k), low, [names{k} ' '], 'Parent', ax, 'fontsize', small, 'rotation', 90, ...
                   'horizontalalignment', 'right', 'verticalalignment', 'middle');
end
end

function room = make_room (ax, need, points, fixed)
% Points left of and below the drawing area: of axes that may move and are alone in their figure after they were made
% smaller, by half at most; of others among several, to the edge of their outer position.
% need: in points;  points: of a pixel
figure_of = ancestor (ax, 'figure');
whole = ap_plot_pixels (figure_of);
box = ap_plot_pixels (ax);
edge = [0 0];
alone = numel (setdiff (findobj (figure_of, 'type', 'axes'), findobj (figure_of, 'tag', 'colorbar', '-or', 'tag', ...
                                                                 'legend'))) == 1;
if ~fixed && strcmp (get (ax, 'units'), 'normalized') && get (ax, 'parent') == figure_of
  if ~alone
    edge = max (0, getfield (get (ax, 'outerposition'), {1:2})) .* whole(3:4);
  else
    corner = max (box(1:2), min (need / points, (box(1:2) + box(3:4)) / 2));
    box = [corner, box(1:2) + box(3:4) - corner];
    set (ax, 'position', box ./ whole([3 4 3 4]));
  end
end
spare = [0 0];
if strcmp (get (ax, 'dataaspectratiomode'), 'manual'), spare = (box(3:4) - min (box(3:4))) / 2; end
room = max (1, box(1:2) + spare - edge) * points;
end
