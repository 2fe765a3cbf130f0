function bench_expand_mean ()
% bench_expand_mean: mean predictions of an expansion by products, and by differences along each line, as before 0.4.0
% Prints processor seconds, medians of three in turns, for 4 paths, 100 and 1000 training examples, and 16 paths, 100
% examples; 1000 inputs, path inputs given, beside those of the solution. Use one BLAS thread (OPENBLAS_NUM_THREADS=1)
% for comparable figures.

% SPDX-License-Identifier: BSD-3-Clause

fprintf ('| paths | P | solution (s) | differences (s) | products (s) | ratio | means apart |\n|--:|--:|--:|--:|--:|--:|--:|\n');
for row = [2 2 4; 100 1000 100]
  [heads, P] = deal (row(1), row(2));
  task = attnpath_task_markov ('P', P, 'Ptest', 1000, 'Features', 100, 'Tokens', 12);
  N0 = size (task.Xtrain, 1);
  randn ('twister', 1);
  net = attnpath_net ({randn(N0, N0, heads) / N0, randn(N0, N0, heads) / N0}, 'Width', 100);
  test = attnpath_paths (net, task.Xtest);
  sol = attnpath_solve (net, task.Xtrain, task.ytrain);
  ex = attnpath_expand (sol, 'Display', false);
  for k = 1:3
    from = cputime ();  attnpath_predict (sol, test);          took(k,1) = cputime () - from;
    from = cputime ();  f{1} = by_differences (sol, ex, test); took(k,2) = cputime () - from;
    from = cputime ();  f{2} = attnpath_predict (ex, test);    took(k,3) = cputime () - from;
  end
  t = median (took);
  fprintf ('| %d | %d | %.3f | %.2f | %.3f | %.0f | %.1g |\n', heads ^ 2, P, t, t(2) / t(3), max (abs (f{1} - f{2})));
end
end

function mu = by_differences (sol, ex, test)
l = ex.lines;
n = size (l.F, 1);
mu = attnpath_predict (sol, test);
here = mu;
for k = 1:size (l.root, 2) + 1
  both = [l.root, l.shift];
  d = zeros (n);
  d(triu (true (n))) = both(:,k);
  d = d + triu (d, 1)';
  e = min (0.1, l.step / max (norm (d, 'fro'), realmin));
  for side = [1 -1]
    U = l.F * (eye (n) + side * e * d + e ^ 2 / 2 * (d * d)) * l.F';
    f{(3 - side) / 2} = attnpath_predict (sol, test, 'U', (U + U') / 2);
  end
  if k <= size (l.root, 2), mu = mu + (f{1} + f{2} - 2 * here) / e ^ 2; else, mu = mu + (f{1} - f{2}) / (2 * e); end
end
end
