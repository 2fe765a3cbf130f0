function draw = ap_plot_alignment (model, opt)
%AP_PLOT_ALIGNMENT  Overlap of principal components of the kernel with the labels, at finite width and in the GP limit.
%
%   draw = AP_PLOT_ALIGNMENT (model, opt)
%   Inputs :  model, struct of net, U, paths and y;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

model = ap_plot_model ('alignment', model, true);
if ~any (model.y(:))
  ap_fail ('plot', 'badValue', 'model.y is all zero: nothing can be aligned with it');
end
gp = ap_gp_order (model.net);
overlap = {attnpath_align(attnpath_kernel (model.net, model.paths, model.U), model.y), ...
           attnpath_align(attnpath_kernel (model.net, model.paths, gp{1}), model.y)};     % one kernel for all outputs
draw = @(ax) draw_alignment (ax, model, overlap, opt);
end

function h = draw_alignment (ax, model, overlap, opt)
k = 1:min (opt.Components, numel (overlap{1}));
gp = 1:min (opt.Components, numel (overlap{2}));
h.axes = ax;
h.line = [ap_plot_curve(ax, k, overlap{1}(k)); ...
          ap_plot_curve(ax, gp, overlap{2}(gp), 'color', [0.90 0.45 0.05], 'linestyle', '--', 'marker', 's', ...
                        'markerfacecolor', [1 1 1])];
if ap_plot_by_gnuplot (ax), set (h.line(2), 'markerfacecolor', 'none'); end   % whose legends lose a mark of two colours
highest = max ([overlap{1}(k); overlap{2}(gp)]);
words = {'principal component k of the kernel, largest first', 'overlap with the labels, |v_k^T y| / |y|'};
ap_plot_axes (ax, words, 'xlim', [0, numel(k) + 1], 'ylim', [0, 1.2 * highest]);            % the legend goes on top
h.legend = legend (h.line, {ap_plot_width(model.net), 'GP limit'}, 'location', 'northeast', ...
                   'orientation', 'horizontal', 'box', 'off');
end
