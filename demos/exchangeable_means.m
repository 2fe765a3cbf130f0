function [a, d, e] = exchangeable_means (result, plan)
%EXCHANGEABLE_MEANS  What experiment_exchangeable shows: root mean squares, slopes and medians over the seeds.
%
%   [a, d, e] = exchangeable_means (result, plan)
%   Inputs :  result, of the sweep, seeds x parts;  plan, struct of settings
%   Outputs:  structs of panels (a) to (c), of (d) and of (e)

% SPDX-License-Identifier: BSD-3-Clause

late = plan.lengths >= plan.fitted;
a.names = {'cme, right kernel, linear values', 'cme, right kernel, cosine values', 'cme, exponential kernel', ...
           'cme, linear kernel (wrong)', 'softmax, against the truth', 'softmax, against its limit'};
a.latents = {'linear map', 'cosine map'};
err = by_seed (result(:,1), 'square');                     % lengths x seeds x 6
wrong_z = by_seed (result(:,1), 'wrong_z');
for k = 1:6
  a.slope(k,:) = slope_with_interval (plan.lengths, err(:,:,k), late & isfinite (err(:,1,k)'));
end
for j = 1:2
  a.slope_z(j,:) = slope_with_interval (plan.lengths, wrong_z(:,:,j), late);
end
a.err = root_mean (err);
a.err_z = root_mean (wrong_z);
a.known_z = root_mean (by_seed (result(:,1), 'known_z'));
a.moved = result(1,1).moved;
a.same = result(1,1).same;

[m, error_of_m] = mean_error (permute (sqrt (by_seed (result(1:plan.net_seeds,2), 'square')), [2 1 3]));
d.mean = reshape (m, [], 3);
d.error = reshape (error_of_m, [], 3);

err = by_seed (result(:,3), 'square');                     % conditions x seeds x 3
e.err = root_mean (err(:,:,1:2));
e.wrong_signs = mean (err(:,:,3), 2);
e.number = reshape (median (by_seed (result(:,3), 'number'), 2), [], 2);
e.ridge = median ([result(:,3).tuned], 2);
% If e = estimate of z minus z, E (k'e)^2 = e' C e for keys of covariance C, and |e|^2 / d for isotropic ones: at most
% 1 / (d smallest eigenvalue of C) times as large
c = plan.conditions';
n = plan.masked_dimension;
e.bound = e.err(:,1) .* sqrt (1 ./ (n * (c .^ -1) ./ sum (c .^ (-(0:n-1) / (n - 1)), 2)));
end

function x = by_seed (cells, field)
% rows x seeds x columns, of what each cell has as rows x columns
x = permute (cat (3, cells.(field)), [1 3 2]);
end

function b = slope_with_interval (lengths, squares, used)
% Slope of log error against log length, seed by seed: mean, and half of the 95 % confidence interval. The quantile of
% Student's distribution is that of a beta distribution in disguise
x = log (lengths(used))';
y = log (squares(used,:)) / 2;
seeds = size (y, 2);
slopes = sum ((x - mean (x)) .* (y - mean (y, 1)), 1) / sum ((x - mean (x)) .^ 2);
quantile = betaincinv (0.05, (seeds - 1) / 2, 0.5);
student = sqrt ((seeds - 1) * (1 - quantile) / quantile);
b = [mean(slopes), student * std(slopes) / sqrt(seeds)];
end

function r = root_mean (squares)
% lengths x seeds x k mean squares: lengths x k
r = reshape (sqrt (mean (squares, 2)), size (squares, 1), size (squares, 3));
end
