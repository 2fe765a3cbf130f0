function paper_kernels (folder)
%PAPER_KERNELS  Kernels along the good, the denoising and the adversarial paths (after Figure 1d of [1]).
%
%   paper_kernels (folder)
%   Images of kernels between 25 training examples of each label, sorted by label, as in the published script: each
%   path with itself, good with denoising, and the combined kernels of the GP limit and of N = 10. A kernel that suits
%   the task is brighter in the two blocks of equal labels.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('tasks', 5, 'width', 10), struct ('tasks', 2));
result = sweep_cells ('kernels', @(c) kernels_cell (c, plan), struct ('seed', 1:plan.tasks));
names = {'good'; 'denoising'; 'adversarial 1'; 'adversarial 2'; 'good with denoising'; 'all, GP limit'; 'all, N = 10'};
[m, s] = mean_error (vertcat (result.separation));
fprintf (['\nKernels of 100 training examples, %d tasks: mean of equal labels minus mean of different ones, ' ...
          'divided by the deviation\n'], plan.tasks);
print_rows ('  %-20s %6.3f +- %.3f\n', names, m', s');

fig = figure_page ([12 6.4]);
if isempty (fig), return; end
set (fig, 'colormap', gray (64));
K = result(1).kernels;
half = size (K, 1) / 2;
shown = [1:25, half+(1:25)];
for k = 1:7
  column = mod (k - 1, 4);
  row = floor ((k - 1) / 4);
  ax = axes ('parent', fig, 'position', [0.055 + 0.24 * column, 0.575 - 0.49 * row, 0.16, 0.16 * 12 / 6.4]);
  image_of = K(shown,shown,k);
  aside = image_of(~eye (50));
  image ('CData', image_of, 'CDataMapping', 'scaled', 'parent', ax);
  set (ax, 'xlim', [0.5 50.5], 'ylim', [0.5 50.5], 'ydir', 'reverse', 'clim', [min(aside) max(aside)], 'box', 'on', ...
       'layer', 'top', 'xtick', [13 38], 'ytick', [13 38], 'xticklabel', {'+1', '-1'}, 'yticklabel', {'+1', '-1'});
  line ([25.5 25.5], [0.5 50.5], 'parent', ax, 'color', [0.80 0.10 0.10]);
  line ([0.5 50.5], [25.5 25.5], 'parent', ax, 'color', [0.80 0.10 0.10]);
  heading = strrep (sprintf ('%s: %.2f \\pm %.2f', names{k}, m(k), s(k)), '-0.00', '0.00');
  label_axes (ax, char ('a' + k - 1), heading, 'examples, by label', '');
  grey_bar (fig, get (ax, 'position') .* [1 1 0 1] + [0.165 0 0.01 0], [min(aside) max(aside)]);
end
ax = axes ('parent', fig, 'position', [0.775 0.085 0.2 0.3], 'visible', 'off');
text (0, 0.75, {'Titles: difference between mean', 'entries of equal and of different', ...
                'labels, over the deviation of all', ...
                sprintf('entries; means of %d tasks \\pm s.e.', plan.tasks), '', 'Greys span the entries off the', ...
                'diagonal, of the first task.'}, 'parent', ax, 'fontsize', 10);
save_figure (fig, fullfile (folder, 'figure_kernels'));
end
