function exchangeable_lengths (folder)
%EXCHANGEABLE_LENGTHS  The gap between test and training error does not grow with the length (claim (c) of [1]).
%
%   exchangeable_lengths (folder)
%   Networks of one softmax head and of one cme head are trained at 8 to 256 tokens, with their bandwidth or ridge. For
%   each: the gap against the number P of training sequences, with P^(-1/2), the shape of bounds by uniform
%   convergence, and 1/P, that of least squares; and against the length, on which the bound of [1] does not depend.
%   Slopes are those of the logarithm of the mean over seeds, with jackknife errors.
%
%   [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent Variable
%       Models, arXiv:2212.14852.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('seeds', 20, 'tokens', 2 .^ (3:8), 'P', [25 50 100 200 400], 'tested', 300, 'noise', 0.5, ...
                           'width', 50, 'bandwidths', [0.05 0.1 0.2 0.4], 'ridges', 0.25 * [0.25 1 4]), ...
                   struct ('seeds', 4, 'tokens', [8 16], 'P', [25 100], 'tested', 50));
kinds = {'softmax', 'cme'};
grid = struct ('seed', 1:plan.seeds, 'tokens', plan.tokens, 'attention', {kinds});
result = sweep_cells ('lengths', @(c) lengths_cell (c, plan), grid);
gap = reshape (vertcat (result.gap), [size(result), numel(plan.P)]);             % seeds x tokens x kinds x P
excess = reshape (vertcat (result.excess), size (gap));
fprintf ('\nGap between test and training error, %d seeds; the noise of the labels has variance %g\n', plan.seeds, ...
         plan.noise ^ 2);
for e = 1:2
  [m(:,:,e), s(:,:,e)] = of_kind (gap(:,:,e,:));
  fprintf ('\n%s      P = %s   slope with P    test error beyond noise, P = %d\n', kinds{e}, ...
           sprintf ('%-17d', plan.P), plan.P(end));
  [last, error_of_last] = of_kind (excess(:,:,e,end));
  with_P = slopes (permute (gap(:,:,e,:), [1 4 2 3]), plan.P);
  both = reshape ([m(:,:,e); s(:,:,e)], numel (plan.tokens), []);
  print_rows (['  n = %4d ' repmat('  %7.4f +- %.4f', 1, numel (plan.P)) '   %5.2f +- %.2f   %.4f +- %.4f\n'], ...
              plan.tokens', both, with_P, [last, error_of_last]);
  fprintf ('  slope with n%s\n', sprintf ('    %5.2f +- %.2f  ', slopes (gap(:,:,e,:), plan.tokens)'));
end

fig = figure_page ([12 8]);
if isempty (fig), return; end
for e = 1:2
  low = 0.57 - 0.49 * (e - 1);
  draw_panel (fig, [0.07 low 0.30 0.36], 2 * e - 1, m(:,:,e)', s(:,:,e)', plan.P, plan.tokens, 'n = %d', ...
              {[kinds{e} ': against the training sequences'], 'training sequences P'}, [-0.5 -1]);
  draw_panel (fig, [0.57 low 0.30 0.36], 2 * e, m(:,:,e), s(:,:,e), plan.tokens, plan.P, 'P = %d', ...
              {[kinds{e} ': against the length'], 'tokens n of all sequences'}, 0);
end
save_figure (fig, fullfile (folder, 'figure_lengths'));
end

function [m, s] = of_kind (x)
% seeds x tokens x 1 x P: means and errors, tokens x P
[m, s] = mean_error (x);
[m, s] = deal (permute (m, [2 4 1 3]), permute (s, [2 4 1 3]));
end

function b = slopes (x, at)
% seeds x numel (at) x ..: slope of log (mean over seeds) against log (at), and its jackknife error, in rows
n = size (x, 1);
x = reshape (x, n, numel (at), []);
means = [mean(x, 1); (sum (x, 1) - x) / (n - 1)];
t = log (at) - mean (log (at));
means(means <= 0) = NaN;                            % no slope of such
slope = reshape (sum (log (means) .* t, 2), n + 1, []) / sum (t .^ 2);
b = [slope(1,:); sqrt((n - 1) * mean ((slope(2:end,:) - mean (slope(2:end,:), 1)) .^ 2, 1))]';
end

function draw_panel (fig, place, number, m, s, x, curves, form, labels, powers)
% m, s: x x curves;  powers: of the dotted shapes
ax = log_axes (fig, place, x([1 end]) .* [0.8 1.25], x);
set (ax, 'yscale', 'log');
n = numel (curves);
marks = 'osd^vx';
for k = 1:n
  ink = interp1 ([0 0.5 1], [0.90 0.55 0.15; 0.20 0.60 0.75; 0.05 0.14 0.38], (k - 1) / max (1, n - 1));
  shown = m(:,k) > 0;                              % a mean below 0 has no logarithm
  for j = find (shown)'                            % nor has such an end
    curve (ax, x([j j]), [max(m(j,k) - s(j,k), m(j,k) / 4), m(j,k) + s(j,k)], ink, '-', 1);
  end
  lines(k) = curve (ax, x(shown), m(shown,k)', ink, '-', 1.3, marks(k), 6);
end
names = arrayfun (@(value) sprintf (form, value), curves, 'UniformOutput', false);
shapes = {'bound (shape)', '1/P'};
dashes = {'--', ':'};
for k = 1:numel (powers)
  lines(n+k) = curve (ax, x, 1.5 * max (m(1,:)) * (x / x(1)) .^ powers(k), [0 0 0], dashes{k}, 1.4);
end
label_axes (ax, char ('a' + number - 1), labels{1}, labels{2}, 'test minus training error');
key_beside (fig, place .* [1 1 0 1] + [place(3) 0 0.13 0], lines, [names, shapes(1:numel (powers))]);
end
