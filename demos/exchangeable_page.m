function exchangeable_page (a, d, e, plan, folder)
%EXCHANGEABLE_PAGE  The figure of experiment_exchangeable, demo_exchangeable.png and .pdf.
%
%   exchangeable_page (a, d, e, plan, folder)
%   Inputs :  a, d, e, from exchangeable_means;  plan, struct of settings;  folder

% SPDX-License-Identifier: BSD-3-Clause

fig = figure_page ([13 9.4]);
if isempty (fig), return; end
draw_attention (fig, a, plan);
draw_latent (fig, a, plan);
draw_order (fig, a, plan);
draw_networks (fig, d, plan);
draw_masked (fig, e, plan);
save_figure (fig, folder, 'demo_exchangeable');
end

function ax = panel (fig, place, letter, heading, ticks, ends, x, y)
ax = log_axes (fig, place, ends([1 end]) .* [0.8 1.25], ticks);
set (ax, 'yscale', 'log');
label_axes (ax, letter, heading, x, y, 1.08);
end

function c = styled (ax, style, x, y)
% Dark to light and no two alike in grey; marker and dashes tell them apart as well
colours = [0 0 0; 0.00 0.32 0.62; 0.80 0.10 0.10; 0.85 0.55 0.10; 0.35 0.35 0.35; 0.45 0.65 0.85];
dashes = {'-', '-', '-', '--', '--', '-'};
markers = 'osd^xv';
c = curve (ax, x, y, colours(style,:), dashes{style}, 1.4, markers(style), 6);
end

function finish (ax, curves, names, limits)
% The key goes below the axes, where it covers nothing
key = legend (ax, curves, names);
set (key, 'box', 'off', 'fontsize', 9);
place = get (ax, 'position');
at = get (key, 'position');
at(4) = numel (curves) * 0.0215;                 % of the figure, when printed
set (key, 'position', [place(1), place(2) - 0.068 - at(4), at(3:4)]);
set (ax, 'ylim', limits);
if limits(2) < 1e4 * limits(1)
  levels = [0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10];
  set (ax, 'ytick', levels, 'yminortick', 'off', ...
       'yticklabel', arrayfun (@(x) sprintf ('%g', x), levels, 'UniformOutput', false));
end
end

function names = with_slopes (names, slope)
for k = 1:numel (names)
  names{k} = sprintf ('%s: slope %.2f \\pm %.2f', names{k}, slope(k,:));
end
end

function draw_attention (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.07 0.70 0.36 0.26], 'a', 'error of attention', n(1:2:end), n, 'tokens n', ...
            'rms error (truth has deviation 1)');
for c = 1:6
  curves(c) = styled (ax, c, n, a.err(:,c)');
end
curves(7) = curve (ax, n, 0.6 * a.err(1,1) * sqrt (n(1) ./ n), [0 0 0], ':', 1.6);
finish (ax, curves, [with_slopes(a.names, a.slope), {'rate n^{-1/2}'}], ...
        [0.4 * a.err(1,1) * sqrt(n(1) / n(end)), 1.5]);
end

function draw_latent (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.515 0.70 0.215 0.26], 'b', 'error of the latent''s posterior mean', n(1:2:end), n, 'tokens n', ...
            'rms error (prior has deviation 1)');
for j = 1:2
  curves(j) = styled (ax, j, n, a.err_z(:,j)');
  curves(3) = curve (ax, n, a.known_z(:,j)', [0 0 0], 'none', 0.5, '+', 9);
end
curves(4) = curve (ax, n, 0.6 * a.err_z(1,1) * sqrt (n(1) ./ n), [0 0 0], ':', 1.6);
finish (ax, curves, [with_slopes(a.latents, a.slope_z), {'the posterior''s own deviation', 'rate n^{-1/2}'}], ...
        [0.4 * a.err_z(1,1) * sqrt(n(1) / n(end)), 1.5]);
end

function draw_order (fig, a, plan)
n = plan.lengths;
ax = panel (fig, [0.805 0.70 0.175 0.26], 'c', 'tokens in another order', n(1:4:end), n, 'tokens n', ...
            'largest change of an output');
moved = max (a.moved, eps / 16);                 % 0 has no logarithm
curves = [styled(ax, 5, n, moved(:,1)'), styled(ax, 3, n, moved(:,2)'), ...
          curve(ax, n([1 end]), [eps eps], [0 0 0], ':', 1.6)];
finish (ax, curves, {'softmax', 'cme, exponential kernel', 'eps of double precision'}, ...
        [eps / 32, 10 ^ ceil(log10 (8 * max (a.moved(:))))]);
end

function draw_networks (fig, d, plan)
n = plan.net_test;
ax = panel (fig, [0.07 0.195 0.36 0.24], 'd', sprintf ('networks trained at n = %d', plan.net_train), n, n, ...
            'tokens n of the test sequences', 'rms error (truth has deviation 1)');
styles = [5 3 1];
for j = 1:3
  curves(j) = styled (ax, styles(j), n, d.mean(:,j)');
  error_bars (ax, n, d.mean(:,j), d.error(:,j), get (curves(j), 'color'), 1.4);
end
limits = [min(d.mean(end,:)) / 2, 1.5];
curves(4) = curve (ax, [1 1] * plan.net_train, limits, [0.5 0.5 0.5], '-.', 0.5);
finish (ax, curves, {sprintf('softmax heads, mean of %d seeds \\pm s.e.', plan.net_seeds), 'a cme head', ...
                     'posterior mean: the best there is', 'length of training'}, limits);
end

function draw_masked (fig, e, plan)
c = plan.conditions;
ax = panel (fig, [0.515 0.195 0.465 0.24], 'e', 'tuned on masked tokens, asked elsewhere', c, c, ...
            'condition number of the keys'' covariance', 'rms error (truth has deviation 1)');
curves = [styled(ax, 2, c, e.err(:,1)'), styled(ax, 3, c, e.err(:,2)'), curve(ax, c, e.bound', [0 0 0], ':', 1.6)];
finish (ax, curves, {'masked tokens (self-supervised)', 'isotropic queries (downstream)', ...
                     'bound: masked error (d \lambda_{min})^{-1/2}'}, [min(e.err(:)) / 1.5, 1.5 * max(e.bound)]);
end
