function removal_panel (fig, place, letter, heading, removed, names)
%REMOVAL_PANEL  Accuracy while heads are removed, in three orders: means over the tasks, with their standard errors.
%
%   removal_panel (fig, place, letter, heading, removed, names)
%   Inputs :  place, [left bottom width height] of the page;  letter, heading, as for label_axes;  removed, tasks x
%             (removals + 1) x 3, percent;  names, 1 x 3 cell, of the orders

% SPDX-License-Identifier: BSD-3-Clause

inks = {[0.00 0.32 0.62], [0.85 0.55 0.10], [0.45 0.45 0.45]};
dashes = {'-', '--', ':'};
marks = 'x^o';
most = size (removed, 2) - 1;
ax = axes ('parent', fig, 'position', place, 'box', 'on', 'xlim', [-0.3, most + 0.3]);
for k = 1:3
  [m, s] = mean_error (removed(:,:,k));
  x = (0:most) + 0.1 * (k - 2);
  error_bars (ax, x, m, s, inks{k}, 1.1);
  lines(k) = curve (ax, x, m, inks{k}, dashes{k}, 1.4, marks(k), 5);
end
limits = get (ax, 'ylim');
set (ax, 'ylim', [limits(1) - 0.35 * diff(limits), limits(2)]);
label_axes (ax, letter, heading, 'heads removed (side by side)', 'test accuracy (%)');
set (legend (lines, names, 'location', 'southwest'), 'box', 'off', 'fontsize', 8);
end
