function [h, ax] = ap_plot_contributions (f, opt)
%AP_PLOT_CONTRIBUTIONS  A bar for what each attention path adds to the mean of one output at one input.
%
%   [h, ax] = AP_PLOT_CONTRIBUTIONS (f, opt)
%   Inputs :  f, P2 x C x Pi, or T x P2 x C x Pi, from attnpath_predict with 'ByPath';  opt, options of attnpath_plot:
%             Entry, Names
%   Outputs:  h, struct of graphics handles;  ax, the axes, from ap_plot_begin
%   Of more than 24 paths the largest have bars, the rest has one for their sum.
%   See also attnpath_plot, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

if isfloat (f) && ndims (f) == 4, f = reshape (f, [], size (f, 3), size (f, 4)); end             % token by token
f = ap_check_array ('plot', 'the first argument, from attnpath_predict with ''ByPath'',', f, {'P2', 'C', 'Pi'});
if isempty (opt.Entry), opt.Entry = [1 1]; end
at = ap_check_value ('plot', 'Entry', opt.Entry, 'counts', {2, 1, [size(f, 1), size(f, 2)]});
f = reshape (f(at(1),at(2),:), [], 1);
names = strsplit (num2str (1:numel (f)));
names = reshape (ap_plot_names ('contributions', opt.Names, names, 'path'), 1, []);
total = sum (f);
most = 24;
if numel (f) > most
  [~, rank] = sort (abs (f), 'descend');
  [shown, rest] = deal (sort (rank(1:most-1)), rank(most:end));
  names = [names(shown), {sprintf('%d others', numel (rest))}];
  f = [f(shown); sum(f(rest))];
end
n = numel (f);
ends = [min([0; f; total]), max([0; f; total])];
if diff (ends) == 0, ends = [-1 1]; end              % no path adds anything
ends = ends + 0.05 * diff (ends) * [-1 1];
ax = ap_plot_begin (opt);
h.bar = ap_plot_bars (ax, (1:n)' - 0.4, 0.8, f, ones (n, 1), [0.20 0.40 0.65]);
h.line = [line([0.3, n + 0.7], [0 0], 'Parent', ax, 'color', [0 0 0]); ...
          line([0.3, n + 0.7], total * [1 1], 'Parent', ax, 'color', [0.80 0.10 0.10], 'linestyle', '--', ...
               'linewidth', 1.5)];
ap_plot_axes (ax, {'', sprintf('contribution to output %d of input %d', at([2 1])), ...
                   sprintf('sum over paths (dashed) %.3g', total)}, ...
              'xlim', [0.3, n + 0.7], 'ylim', ends, 'xtick', 1:n, 'ticklength', [0 0], 'layer', 'top');
h.text = ap_plot_labels (ax, names, 1:n, ends(1), false, opt.Parent, 'path');
end
