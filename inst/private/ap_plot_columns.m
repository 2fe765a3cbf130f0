function t = ap_plot_columns (ax, x, y, names)
%AP_PLOT_COLUMNS  Names below columns x of axes that end at y: tick labels while there is room, otherwise upright text.
%
%   t = AP_PLOT_COLUMNS (ax, x, y, names)      t: handles of the texts; [] of tick labels

% SPDX-License-Identifier: BSD-3-Clause

t = [];
size_of_text = get (ax, 'fontsize');
room = ap_plot_points (ax) / diff (get (ax, 'xlim')) * min ([1; diff(x(:))]);
if max (cellfun (@numel, names)) * 0.52 * size_of_text < room
  set (ax, 'xticklabel', names);
  return
end
set (ax, 'xticklabel', {});
for k = 1:numel (x)
  t(k) = text (x(k), y, [names{k} ' '], 'Parent', ax, 'fontsize', size_of_text, 'rotation', 90, ...
               'horizontalalignment', 'right', 'verticalalignment', 'middle');
end
end
