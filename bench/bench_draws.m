function bench_draws (draws)
% bench_draws: predictions from README's draws, by attnpath_predict and by ten lines of Octave
%   bench_draws (draws)   draws of each chain (default 1000)
% Prints processor seconds, medians of five in turns, of the mean at README's 1000 test examples, whose path inputs are
% given, and of mean and variance. bench_draws.c compares these with a compiled loop. Use one BLAS thread
% (OPENBLAS_NUM_THREADS=1) for comparable figures.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, draws = 1000; end
task = attnpath_task_markov ();
net = attnpath_net (task.heads, 'Width', 10);
post = attnpath_sample (net, task.Xtrain, task.ytrain, 'Draws', draws, 'Display', false);
test = attnpath_paths (net, task.Xtest);
[took, f] = deal (zeros (5, 3), cell (1, 3));
for k = 1:5
  from = cputime ();  f{1} = ten_lines (post, test.Xi);                                 took(k,1) = cputime () - from;
  from = cputime ();  f{2} = attnpath_predict (post, test);                             took(k,2) = cputime () - from;
  from = cputime ();  [f{3}, s2] = attnpath_predict (post, test, 'Display', false);     took(k,3) = cputime () - from;
end
fprintf ('| draws | ten lines (s) | attnpath_predict, mean (s) | ratio | mean and variance (s) | means apart |\n');
fprintf ('|--:|--:|--:|--:|--:|--:|\n| %d | %.2f | %.2f | %.2f | %.2f | %.1g |\n', 4 * draws, median (took(:,1)), ...
         median (took(:,2)), median (took(:,2)) / median (took(:,1)), median (took(:,3)), max (abs (f{1} - f{2})));
end

function f = ten_lines (post, Xit)
[N0, P, paths] = size (post.paths.Xi);
C = reshape (attnpath_pathkernels (post.net, post.paths) / paths, P ^ 2, paths ^ 2);
Xi = reshape (permute (post.paths.Xi, [1 3 2]), N0 * paths, P);
U = post.U(:,:,:);
w = zeros (N0, paths);
for k = 1:size (U, 3)
  b = (reshape (C * reshape (U(:,:,k), [], 1), P, P) + post.net.temperature * eye (P)) \ post.y;
  w = w + reshape (Xi * b, N0, paths) * U(:,:,k);
end
f = reshape (permute (Xit, [2 1 3]), [], N0 * paths) * w(:) * post.net.variance(1) / (N0 * paths * size (U, 3));
end
