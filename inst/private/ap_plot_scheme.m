function [h, ax] = ap_plot_scheme (model, opt)
%AP_PLOT_SCHEME  A box for each head, layer by layer, and a line for each attention path from the tokens to the output.
%
%   [h, ax] = AP_PLOT_SCHEME (model, opt)
%   Inputs :  model, a network, or a model with net and U;  opt, options of attnpath_plot: Names, Paths
%   Outputs:  h, struct of graphics handles: line, one for each path shown;  box and text, column by column: the
%             tokens, the heads of each layer, its skip connection if it has one, the output;  ax, from ap_plot_begin
%   A path has its own place in every box, and leaves the box at the height at which it enters. Its line is as wide as
%   the sum of |U| over the row of the path, with the scales of heads, and the wider, the darker.
%   See also attnpath_plot, ap_path_list.

% SPDX-License-Identifier: BSD-3-Clause

if isfield (model, 'H')
  net = ap_check_net ('plot', model);
else
  [model, C] = ap_plot_model ('scheme', model, false);
  net = model.net;
end
skips = net.skip > 0;
branches = [1, net.H + skips, 1];                  % boxes of each column
heads = ap_head_list (net.H);
boxes = ap_head_list (branches);
is_head = ismember (boxes, [heads(:,1) + 1, heads(:,2)], 'rows');
names = repmat ({''}, 1, size (boxes, 1));
names(ismember (boxes, [find(skips)' + 1, net.H(skips)' + 1], 'rows')) = {'skip'};
names(is_head) = ap_plot_names ('scheme', opt.Names, heads, 'head');

count = ap_path_count (net);
shown = opt.Paths;
ap_refuse ('plot', 'manyPaths', count > 1e6 || (isempty (shown) && count > 1000), ...
           'a scheme shows up to 1000 paths of at most 1e6: choose some of these %.10g by Paths', count);
if isempty (shown), shown = 1:count; end
shown = ap_check_value ('plot', 'Paths', shown, 'counts', {'k', 1, count});
list = ap_path_list (net.H, net.skip);
list = list(shown,:) + (list(shown,:) == 0) .* (net.H + 1);        % a skip connection is below the heads of its layer
n = numel (shown);
[place, low, high] = places ([ones(n, 1), list, ones(n, 1)], boxes, branches);

[share, words, widest] = deal (0.5 * ones (n, 1), '', 2);
if ~isfield (model, 'H')
  share = sum (reshape (sum (ap_u_sizes (net, model.U, C), 2), C, []), 1)';
  share = share(shown);
  words = sprintf ('widths: sums over rows of |U| with scales, up to %.3g', max (share));
  share = share / max (max (share), realmin);
  widest = 6;                                      % points
end
ax = ap_plot_begin (opt);
columns = numel (branches);
titles = [{'tokens'}, arrayfun(@(l) sprintf ('layer %d', l), 1:net.L, 'UniformOutput', false), {'output'}];
ends = [min(low), max(high)];
ap_plot_axes (ax, {'', '', words}, 'xlim', [0.7, columns + 0.3], 'ylim', 1.03 * ends, 'visible', 'off');
pixels = ap_plot_pixels (ax);
unit = 72 / get (0, 'screenpixelsperinch') * pixels(3:4) ./ [columns - 0.4, diff(1.03 * ends)];     % in points
widest = min (widest, max (1.5, unit(2)));
middle = {'Parent', ax, 'fontsize', get(ax, 'fontsize'), 'horizontalalignment', 'center'};
x = [(1:columns-1) + 0.2; (2:columns) - 0.2; NaN(1, columns - 1)];
[~, rank] = sort (share);
for p = rank'                                      % wide lines over thin ones
  ink = interp1 ([0 1], [0.70 0.76 0.84; 0.05 0.20 0.45], share(p));
  y = [place(p,1:end-1); place(p,2:end); NaN(1, columns - 1)];
  h.line(p,1) = line (x(:), y(:), 'Parent', ax, 'color', ink, 'linewidth', max (0.4, widest * share(p)));
end
for b = 1:size (boxes, 1)
  h.box(b,1) = line (boxes(b,1) + 0.2 * [-1 1 1 -1 -1], [low(b) low(b) high(b) high(b) low(b)], 'Parent', ax, ...
                     'color', [0 0 0]);
  if strcmp (names{b}, 'skip') && ~is_head(b), set (h.box(b), 'linestyle', '--'); end
  h.text(b,1) = text (boxes(b,1), (low(b) + high(b)) / 2, names{b}, middle{:}, 'verticalalignment', 'middle');
  room = unit .* [0.38, high(b) - low(b)];         % for the name, whose size is in points where units are pixels
  set (h.text(b), 'units', 'pixels');
  need = max (1, getfield (get (h.text(b), 'extent'), {3:4}));
  set (h.text(b), 'units', 'data', 'fontsize', get (ax, 'fontsize') * min ([1, room ./ need]));
end
h.text = [h.text; text(1:columns, 1.06 * repmat (ends(1), 1, columns), titles, middle{:}, 'verticalalignment', 'top')];
end

function [place, low, high] = places (list, boxes, branches)
% Heights, in units of the distance of two paths, with 0 in the middle of each column.
% Inputs :  list, paths x columns: the box of each path in each column;  boxes, rows [column box]
% Outputs:  place, paths x columns;  low and high, boxes x 1, the ends of each box
[n, columns] = size (list);
gap = 0.3 * n / max (branches);
[place, low, high] = deal (zeros (n, columns), zeros (size (boxes, 1), 1), zeros (size (boxes, 1), 1));
for l = 1:columns
  held = max (1, accumarray (list(:,l), 1, [branches(l), 1]));             % paths through each box
  bottom = -cumsum (held + gap) + (sum (held + gap) + gap) / 2;
  [~, rank] = sortrows (list(:,[l:-1:1, l+1:columns]));                    % as they come: lines cross less
  for b = 1:branches(l)
    inside = rank(list(rank,l) == b);
    place(inside,l) = bottom(b) + held(b) - (1:numel (inside))' + 0.5;
  end
  low(boxes(:,1) == l) = bottom;
  high(boxes(:,1) == l) = bottom + held;
end
end
