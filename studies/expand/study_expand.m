function study_expand (folder, what)
% study_expand: errors of attnpath_expand against the exact posterior, and its cost
%
%   study_expand (folder, 'draw')    exact averages, batch by batch, into the folder: hours; an interrupted run resumes
%   study_expand (folder, 'table')   tables, from the existing batches
%   study_expand ('', 'cost')        seconds and evaluations
%   study_expand (folder, 'order')   errors against N for a small problem, by quadrature: a table, and expand_order.png
%                                    in the folder; with tests/reference on the path
%
% Problems (expand_problems): the Markov task at N = 10, 30, 100, 300, three draws of the task; 16 paths of the one-shot
% task, N = 50; three coupled classes of the Markov task, N = 100. 200 test inputs each. Errors of the saddle point and
% of the expansion against the means of draws; se is the Monte-Carlo error of these means, sd / sqrt (ess), with the
% smallest ess of an entry of U, or the number of draws over which f is averaged. Columns:
%   U          root mean square over the entries; and how many of the entries are off by at most a fifth of the saddle
%              point's error, or by three se
%   f          the same of the mean of f, over inputs, and a third
%   variance   mean over inputs of the variance of f divided by the exact one: saddle point at fixed U, and expansion
%   sd of U    (T31) divided by the exact one: least and largest entry
%   scores     share of the draws whose score is in mean +- 1.645 sd: least and largest head
% With inst, the folders of demos and studies, and the built gateways on the path, by full names,
% OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

list = {};
for N = [10 30 100 300]
  for seed = 1:3, list(end+1,:) = {'markov', N, seed, 1e5, 5000}; end
end
list = [list; {'oneshot', 50, 1, 2000, 750; 'classes', 100, 1, 2000, 1000}];
switch what
  case 'draw'
    warning ('off', 'attnpath:sample:notConverged');
    for k = 1:size (list, 1)
      [problem, name] = expand_problems (list{k,1:3});
      expand_draws (folder, name, problem, list{k,[4 5]});
    end
  case 'table'
    fprintf ('| problem | N | task | ess | U: saddle, expansion, se | f: saddle, expansion, se | variance | ');
    fprintf ('sd of U | scores |\n|---|--:|--:|--:|---|---|---|---|---|\n');
    for k = 1:size (list, 1), row (folder, list{k,1:3}); end
  case 'cost'
    cost ();
  case 'order'
    order (folder);
end
end

function order (folder)
% One head in each of two layers, P = 6, T = 0.1: columns mean of f, whole variance, U, of saddle point and expansion
randn ('twister', 8);
[Xi, y, Xi2] = deal (randn (4, 6), randn (6, 1), randn (4, 1));
N = [25 50 100 200 400];
off = zeros (numel (N), 6);
for k = 1:numel (N)
  net = attnpath_net ([1 1], 'Width', N(k), 'Temperature', 0.1);
  sol = attnpath_solve (net, struct ('Xi', Xi), y, 'Tolerance', 1e-12);
  ex = attnpath_expand (sol);
  q = ref_quadrature (net, ref_pathkernels (net, Xi, Xi), y, ref_pathkernels (net, Xi2, [Xi, Xi2]));
  [mu0, s0] = attnpath_predict (sol, struct ('Xi', Xi2));
  [mu, s2] = attnpath_predict (ex, struct ('Xi', Xi2));
  off(k,:) = abs ([mu0, mu, s0, s2, sol.U, ex.U] - [q.f([1 1]), (q.f(2) - q.f(1) ^ 2) * [1 1], q.U([1 1])]);
end
fprintf ('| %d |%s\n', [num2cell(N); cellstr(num2str (off, ' %.1e |'))']{:});
fig = figure ('visible', 'off', 'paperunits', 'inches', 'paperposition', [0 0 6 4], 'papersize', [6 4]);
names = {'mean of f, saddle point', 'mean of f, expansion', 'variance of f, saddle point', 'variance of f, expansion'};
loglog (N, off(:,1), 'bo--', N, off(:,2), 'bo-', N, off(:,3), 'rs--', N, off(:,4), 'rs-', ...
        N, off(1,1) * N(1) ./ N, 'k:', ...
        N, off(1,4) * (N(1) ./ N) .^ 2, 'k:');
legend (names{:}, 'location', 'southwest');
xlabel ('width N');
ylabel ('error');
title ('dotted: 1/N and 1/N^2');
print (fig, fullfile (folder, 'expand_order.png'), '-dpng', '-r120');
end

function row (folder, what, N, seed)
[problem, name] = expand_problems (what, N, seed);
truth = expand_draws (folder, name, problem, 0, 0);
if isempty (truth), return; end
ess = sum (truth.ess);
some = size (truth.thin, 3);
sol = attnpath_solve (problem.net, problem.train, problem.y);
ex = attnpath_expand (sol, 'Display', false);
U = mean (truth.U, 2);
sd = sqrt (mean (truth.U2, 2) - U .^ 2);
upper = triu (true (size (sol.U)));
[mu0, v0] = attnpath_predict (sol, problem.test);
[mu, v] = attnpath_predict (ex, problem.test);
f = mean (truth.f, 2);
means = mean (truth.f2, 2) - f .^ 2;
whole = mean (truth.s2, 2) + means;
C = size (problem.y, 2);
own = @(v) mean (mean (reshape (v, C ^ 2, [])(1:C+1:end,:)));
fprintf ('| %s | %d | %d | %.0f | %s | %s | %.3f, %.3f | %.2f to %.2f | %s |\n', what, N, seed, ess, ...
         errors (sol.U(upper), ex.U(upper), U(upper), sd(upper) / sqrt (ess), 5), ...
         errors (mu0(:), mu(:), f, sqrt (means / min (ess, some)), 3), ...
         own (v0) / mean (whole), own (v) / mean (whole), ...
         min (ex.U_sd(:) ./ sd), max (ex.U_sd(:) ./ sd), covered (ex, truth.thin, C));
fflush (stdout);
end

function text = errors (saddle, next, exact, se, factor)
off = [saddle, next] - exact;
good = abs (off(:,2)) <= max (abs (off(:,1)) / factor, 3 * se);
text = sprintf ('%.4f, %.4f, %.4f; %d of %d', sqrt (mean (off .^ 2)), sqrt (mean (se .^ 2)), sum (good), numel (good));
end

function text = covered (ex, U, C)
[score, largest] = attnpath_scores (ex);
paths = ex.sol.paths.heads;
values = zeros (size (score, 1), size (U, 3));
for k = 1:size (score, 1)
  uses = kron (paths(:,score(k,1)) == score(k,2), ones (C, 1)) > 0;
  through = uses | uses';
  flat = abs (reshape (U, [], size (U, 3)));
  values(k,:) = sum (flat(through(:),:), 1) / largest;
end
inside = mean (abs (values - score(:,3)) <= 1.645 * score(:,4), 2);
text = sprintf ('%.3f to %.3f', min (inside), max (inside));
end

function cost ()
fprintf ('| problem | unknowns | evaluations | at most | expansion (s) | 200 predictions (s) | solution (s) |\n');
fprintf ('|---|--:|--:|--:|--:|--:|--:|\n');
problem = expand_problems ('markov', 30, 1);
measure ('Markov, P = 100, 4 paths', problem, 9);
measure ('one-shot, P = 600, 16 paths', expand_problems ('oneshot600', 50, 1), 1);
measure ('three classes, P = 100, 8 paths', expand_problems ('classes', 100, 1), 1);
end

function measure (name, problem, times)            % processor seconds: they depend little on other load
for k = 1:times
  begun = cputime ();
  sol = attnpath_solve (problem.net, problem.train, problem.y, 'Display', false);
  t(k,3) = cputime () - begun;
  begun = cputime ();
  ex = attnpath_expand (sol, 'Display', false);
  t(k,1) = cputime () - begun;
  begun = cputime ();
  attnpath_predict (ex, problem.test);
  t(k,2) = cputime () - begun;
end
rows = cellfun (@(U) size (U, 1), sol.order);
n = sum (rows .* (rows + 1)) / 2;
fprintf ('| %s | %d | %d | %d |%s |\n', name, n, ex.evaluations, 3 * n + 20, ...
         sprintf (' %.3g |', median (t, 1))(1:end-2));
fflush (stdout);
end
