function truth = expand_draws (folder, name, problem, wanted, draws)
% expand_draws: exact averages of a problem, batch by batch
%
%   truth = expand_draws (folder, name, problem, wanted, draws)
%
% problem: struct of net, train and test (from attnpath_paths) and y. A batch is a run of attnpath_sample with a seed of
% its own, 4 chains of `draws` draws each. folder/name_k.mat keeps it, and an existing batch is not run again. Batches
% are added until they have `wanted` effective draws; wanted = 0: existing batches only. truth has a column for each
% batch: U and its square (Pi^2), the mean of the conditional means of f, of their squares and of the conditional
% variances (outputs x test inputs), ess (the smallest of an entry of U); thin has every fourth draw of U, the draws
% over which f is averaged.

% SPDX-License-Identifier: BSD-3-Clause

truth = [];
k = 0;
while wanted == 0 || isempty (truth) || sum (truth.ess) < wanted
  k = k + 1;
  file = fullfile (folder, sprintf ('%s_%d.mat', name, k));
  if exist (file, 'file')
    batch = getfield (load (file), 'batch');
  elseif wanted == 0
    return
  else
    batch = drawn (problem, draws, k);
    keep_whole (file, struct ('batch', batch));
    fprintf (stderr, 'expand_draws: %s, batch %d, ess %.0f\n', name, k, batch.ess);
  end
  if isempty (truth), truth = batch; else, truth = joined (truth, batch); end
end
end

function truth = joined (truth, batch)
for name = fieldnames (truth)'
  along = 2 + strcmp (name{1}, 'thin');
  truth.(name{1}) = cat (along, truth.(name{1}), batch.(name{1}));
end
end

function batch = drawn (problem, draws, seed)
post = attnpath_sample (problem.net, problem.train, problem.y, 'Draws', draws, 'Chains', 4, 'Seed', seed, ...
                        'Display', false);
U = post.U(:,:,:);
n = size (U, 1);
flat = reshape (U, n ^ 2, []);
batch = struct ('U', mean (flat, 2), 'U2', mean (flat .^ 2, 2), 'ess', post.diagnostics.ess);
batch.thin = U(:,:,1:4:end);
[batch.f, batch.f2, batch.s2] = averaged (problem, batch.thin);
end

function [f, f2, s2] = averaged (problem, U)
% Kernels are linear in U: those of all pairs of paths and outputs are computed once
C = size (problem.y, 2);
P = size (problem.train.Xi, 2);
P2 = size (problem.test.Xi, 2);
paths = size (problem.train.Xi, 3);
A = reshape (attnpath_pathkernels (problem.net, problem.train), [], paths ^ 2) / paths;
k = reshape (attnpath_pathkernels (problem.net, problem.train, problem.test), [], paths ^ 2) / paths;
own = zeros (P2, paths ^ 2);
for i = 1:P2
  Xi = reshape (problem.test.Xi(:,i,:), [], paths);
  own(i,:) = reshape (Xi' * Xi, 1, []) * problem.net.variance(1) / (size (Xi, 1) * paths);
end
[f, f2, s2] = deal (0);
y = problem.y(:);
for d = 1:size (U, 3)
  W = reshape (permute (reshape (U(:,:,d), C, paths, C, paths), [2 4 1 3]), paths ^ 2, C ^ 2);
  K = unfolded (A * W, P, P, C) + problem.net.temperature * eye (P * C);
  [F, failed] = chol (K);
  if failed, error ('expand:kernel', 'a draw''s kernel is not definite'); end
  K2 = F' \ unfolded (k * W, P, P2, C);                % columns (i,c), i fastest
  m = (F' \ y)' * K2;
  v = reshape (own * W(:,1:C+1:end), 1, []) - sum (K2 .^ 2, 1);
  f = f + m(:);
  f2 = f2 + m(:) .^ 2;
  s2 = s2 + v(:);
end
[f, f2, s2] = deal (f / d, f2 / d, s2 / d);
end

function K = unfolded (K, P, P2, C)
K = reshape (permute (reshape (K, P, P2, C, C), [1 3 2 4]), P * C, P2 * C);
end
