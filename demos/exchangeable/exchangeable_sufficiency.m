function exchangeable_sufficiency (folder)
%EXCHANGEABLE_SUFFICIENCY  Labels depend on the tokens through the latent's posterior alone (claim (a) of [1]).
%
%   exchangeable_sufficiency (folder)
%   The label of a sequence is z'q, of its latent z at its query q. Its conditional mean given a statistic of the tokens
%   is known, from the whole posterior of z down to nothing. Panels: (a) share of the variance of the residual, and of
%   its square, that a regression on the tokens explains beyond permuted residuals: 0 if the statistic is sufficient;
%   (b) mean square of the residual: the smallest if the statistic is sufficient.
%
%   [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent Variable
%       Models, arXiv:2212.14852.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('seeds', 20, 'P', 3000, 'tokens', 8, 'dimension', 3, 'noise', 0.5, 'permutations', 200), ...
                   struct ('seeds', 3, 'P', 1500, 'tokens', 4, 'permutations', 50));
names = {'posterior: mean, covariance'; 'its mean'; 'two coordinates of it'; 'one coordinate of it'; ...
         'its direction'; 'its signs'; 'mean from half the tokens'; 'sum of key times value'; 'nothing'};
result = sweep_cells ('sufficiency', @(c) sufficiency_cell (c, plan), struct ('seed', 1:plan.seeds));
explained = permute (cat (3, result.explained), [3 2 1]);            % seeds x statistics x residual and its square
few = sum (permute (cat (3, result.p), [3 2 1]) < 0.05, 1);
surprise = vertcat (result.surprise);
values = {explained(:,:,1), explained(:,:,2), vertcat(result.square), surprise - surprise(:,1)};
[m, s] = cellfun (@mean_error, values, 'UniformOutput', false);

fprintf (['\nLabels of sequences of %d tokens, given a statistic of them; %d seeds of %d sequences\n' ...
          '  explained: by the tokens, of the residual and of its square; seeds with p < 0.05 (%d permutations)\n' ...
          '  -log p: of Gaussians, beyond that of the posterior; all but the posterior have one variance\n'], ...
         plan.tokens, plan.seeds, plan.P, plan.permutations);
fprintf ('  %-28s  explained         p      its square       p    mean square          -log p\n', 'statistic');
columns = cellfun (@(m, s) [m', s'], m, s, 'UniformOutput', false);
print_rows ('  %-28s %6.3f +- %.3f %4d   %6.3f +- %.3f %4d   %.4f +- %.4f   %.4f +- %.4f\n', names, columns{1}, ...
            few(1,:,1)', columns{2}, few(1,:,2)', columns{3:4});

fig = figure_page ([12 4]);
if isempty (fig), return; end
set (fig, 'defaultaxesylim', [0.4, 9.6], 'defaultaxesytick', 1:9, 'defaultaxesbox', 'on');
ax = axes ('parent', fig, 'position', [0.23 0.15 0.32 0.74], 'xlim', [-0.05 1], 'yticklabel', flipud (names));
curve (ax, [0 0], [0.4 9.6], [0.5 0.5 0.5], ':', 1);
both = [of_statistics(ax, m{1}, s{1}, [0.00 0.32 0.62], 'o'), of_statistics(ax, m{2}, s{2}, [0.80 0.10 0.10], '^')];
label_axes (ax, 'a', 'what the tokens add to the statistic', 'explained share of the variance', '');
set (legend (both, {'of the residual', 'of its square'}, 'location', 'northeast'), 'box', 'off', 'fontsize', 9);
ax = axes ('parent', fig, 'position', [0.64 0.15 0.32 0.74], 'xlim', [0 1.1 * max(m{3})], 'yticklabel', {});
curve (ax, m{3}([1 1]), [0.4 9.6], [0.5 0.5 0.5], ':', 1);
of_statistics (ax, m{3}, s{3}, [0 0 0], 's');
label_axes (ax, 'b', sprintf ('loss with the statistic alone, means of %d seeds \\pm s.e.', plan.seeds), ...
            'mean square of the residual', '');
save_figure (fig, fullfile (folder, 'figure_sufficiency'));
end

function c = of_statistics (ax, m, s, ink, mark)
y = numel (m):-1:1;
for k = 1:numel (m), curve (ax, m(k) + s(k) * [-1 1], y([k k]), ink, '-', 1.4); end
c = curve (ax, m, y, ink, 'none', 1.4, mark, 6);
end
