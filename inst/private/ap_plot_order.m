function draw = ap_plot_order (model, opt)
%AP_PLOT_ORDER  Order parameter: path against path, of several outputs in blocks.
%
%   draw = AP_PLOT_ORDER (model, opt)
%   Inputs :  model, struct of net and U;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

[model, C] = ap_plot_model ('order', model, false);
model.spread = [];
if isfield (model, 'expansion'), [model.U, model.spread] = deal (model.expansion.U, model.expansion.U_sd); end
paths = ap_path_count (model.net);
list = ap_path_list (model.net.H, model.net.skip);
names = cellfun (@path_name, num2cell (list, 2), 'UniformOutput', false);
opt.Names = ap_plot_names ('order', opt.Names, names, 'path');
if isempty (opt.Paths)
  opt.Paths = 1:paths;
else
  opt.Paths = ap_check_value ('plot', 'Paths', opt.Paths, 'row', {'k'});
  for k = opt.Paths
    ap_check_value ('plot', 'Paths (each of them)', k, 'count', [1 paths]);
  end
end
if isempty (opt.Numbers), opt.Numbers = numel (opt.Paths) * C <= 8; end
draw = @(ax) draw_order (ax, model, C, opt);
end

function name = path_name (path)
% (2,-,1): head 2 of layer 1, by the skip connection of layer 2, head 1 of layer 3
names = cellfun (@num2str, num2cell (path), 'UniformOutput', false);
names(path == 0) = {'-'};
name = ['(' strjoin(names, ',') ')'];
end

function h = draw_order (ax, model, C, opt)
n = numel (opt.Paths) * C;
at = reshape (bsxfun (@plus, (1:C)', C * (opt.Paths(:)' - 1)), 1, n);      % a path slowly, a class fast
inner = C;
names = opt.Names(opt.Paths);
if C > 1 && strcmp (opt.Blocks, 'classes')
  at = reshape (reshape (at, C, [])', 1, n);
  inner = n / C;
  names = class_names (model, C);
end
U = model.U(at,at);
scale = opt.Scale;
if isempty (scale), scale = max (abs (U(:))); end
if scale == 0, scale = 1; end
h = ap_plot_image (ax, U, 'diverging', [-scale scale], 'dataaspectratio', [1 1 1], 'ticklength', [0 0]);
ap_plot_axes (ax, {'', '', ['U, ' ap_plot_width(model.net)]});
places = (inner + 1) / 2:inner:n;
some = 1:ceil (numel (names) / 24):numel (names);  % more cannot be read
set (ax, 'xtick', places(some), 'ytick', places(some));
h.text = ap_plot_labels (ax, names(some), places(some), n + 0.5, true, ~isempty (opt.Parent));
if C > 1, h.line = ap_plot_blocks (ax, 0.5 + inner:inner:n, n); end
if opt.Numbers
  form = '%.2f';
  if scale < 0.1 || scale >= 100, form = '%.2g'; end
  number = @(value) number_text (form, value);
  words = arrayfun (number, U, 'UniformOutput', false);
  if ~isempty (model.spread)
    words = strcat (words, {[char(10) '+-']}, arrayfun (number, model.spread(at,at), 'UniformOutput', false));
  end
  h.text = [h.text, ap_plot_numbers(ax, words, abs (U) > 0.6 * scale)];
else
  h.colorbar = colorbar (ax);
  ap_plot_cells (findobj (h.colorbar, 'type', 'image'));
end
end

function names = class_names (model, C)
classes = (1:C)';
if isfield (model, 'classes'), classes = model.classes; end
names = ap_class_names (classes);
end

function text = number_text (form, value)
text = sprintf (form, value);
if str2double (text) == 0, text = sprintf (form, 0); end           % no -0.00
end
