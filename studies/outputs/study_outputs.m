function study_outputs (kinds, outputs, widths, tasks)
% study_outputs: evaluations of coupled outputs, from the GP point and from the solutions of small problems
%
%   study_outputs ({'classes', 'one-hot', 'random'}, [2 3 5 10], [10 30 100], 3)        medians over three tasks
%
% Labels:
%   classes   hidden Markov chains of C classes, about 100 in all, coded by 1 for the class and -1/(C-1) for each other
%             one: labels span C - 1 of C directions; 4, 8, 12 or 22 paths for C = 2, 3, 5, 10. T = 0.01
%   one-hot   the same chains, coded by 1 for the class and 0 for each other one: labels span all directions and are
%             constant in one
%   random    100 examples of 4 paths and 231 features, Gaussian; each column of labels is a feature of a path with
%             noise. Labels have no such direction, and the search always starts at the GP point. T = 0.1
% Columns:
%   alone     evaluations of the first column of labels as one output, on the same task
%   GP point, small problems      evaluations of the coupled outputs from either start, matrices of P C rows; in
%             brackets their ratio to `alone`
%   before it       evaluations of the small problems, matrices of P rows; and their equivalent in coupled evaluations
%             if the cost is the cube of the rows
%   time      seconds of the whole search from small problems divided by those from the GP point, all tasks, in turns
%   apart     the largest difference of the two solutions: of S, and of U divided by its largest entry
% After make all, with OPENBLAS_NUM_THREADS=1:
%   octave-cli --norc --eval "addpath inst src studies/outputs; study_outputs ({'classes'}, 2:3, [10 100], 3)"

% SPDX-License-Identifier: BSD-3-Clause

fprintf (['| labels | C | N | alone | GP point | small problems | before it | time | apart, S | apart, U |\n' ...
          '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n']);
for kind = kinds
  for C = outputs
    for N = widths
      for k = 1:tasks, r(k) = one_task (kind{1}, C, N, k); end
      m = median ([r.alone; r.gp; r.parts; r.small], 2);
      fprintf ('| %s | %d | %d | %d | %d (%.2f) | %d (%.2f) | %d = %.2f | %.2f | %.0e | %.0e |\n', kind{1}, C, N, ...
               m(1), m(2), m(2) / m(1), m(3), m(3) / m(1), m(4), m(4) / C ^ 3, ...
               sum ([r.seconds_parts]) / sum ([r.seconds_gp]), max ([r.apart_S]), max ([r.apart_U]));
      fflush (stdout);
    end
  end
end
end

function r = one_task (kind, C, N, seed)
if strcmp (kind, 'random')
  [net, paths, Y] = random (C, seed);
else
  [net, paths, Y] = classes (C, seed, strcmp (kind, 'one-hot'));
end
net.width(:) = N;
opt = {'Certificate', false, 'Classes', false, 'Display', false};
gp = cell (1, net.L + 1);
for l = 1:net.L + 1, gp{l} = prod (net.variance(l+1:end)) * eye (prod (net.H(l:end)) * C); end
one = attnpath_solve (net, paths, Y(:,1), opt{:});
begun = tic ();
usual = attnpath_solve (net, paths, Y, 'Start', gp, opt{:});
r.seconds_gp = toc (begun);
begun = tic ();
parts = attnpath_solve (net, paths, Y, opt{:});
r.seconds_parts = toc (begun);
if ~(one.converged && usual.converged && parts.converged), error ('study_outputs: a search found no solution'); end
[r.alone, r.gp, r.parts, r.small] = deal (one.evaluations, usual.evaluations, parts.evaluations, ...
                                          parts.evaluations_apart);
r.apart_S = abs (parts.action - usual.action);
r.apart_U = max (abs (parts.U(:) - usual.U(:))) / max (abs (usual.U(:)));
end

function [net, paths, Y] = classes (C, seed, bare)
P = 100 - mod (100, C);
task = attnpath_task_markov ('Classes', C, 'P', P, 'Ptest', 2 * C, 'Stay', (1 + 0.4 * (C - 1)) / C, 'Seed', seed);
net = attnpath_net (task.heads, 'Temperature', 0.01);
paths = attnpath_paths (net, task.Xtrain);
[~, ~, number] = unique (task.ytrain);
Y = double (bsxfun (@eq, number(:), 1:C));
if ~bare, Y = (C * Y - 1) / (C - 1); end
end

function [net, paths, Y] = random (C, seed)
randn ('twister', seed);
net = attnpath_net ([2 2], 'Temperature', 0.1);
paths = struct ('Xi', randn (231, 100, 4));
Y = 0.3 * randn (100, C);
for c = 1:C, Y(:,c) = Y(:,c) + paths.Xi(c,:,mod (c - 1, 4) + 1)'; end
end
