function bench_starts (count)
% bench_starts: how often one start misses a lower minimum where attnpath_solve makes no others
%
%   bench_starts ()           1600 problems
%   bench_starts (count)
%
% Random problems of two to four layers, none of one head below several paths, a shape for which ten starts are made.
% Path inputs are normal, of 20 features; 10 to 63 examples, labels +-1 times 1 to 50, widths 6 to 100, T 0.003 to 0.3,
% uniform in the logarithm. A lower minimum is one that ten starts find, by more than 0.002. Prints a table by what U_1
% is in the first solution, over its size in the GP limit (norms), and progress to standard error.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, count = 1600; end
warning ('off', 'attnpath:solve:notConverged');
warning ('off', 'attnpath:solve:noise');
[growth, excess] = deal (zeros (1, count));
for k = 1:count
  [growth(k), excess(k)] = tried (k);
  if mod (k, 100) == 0, fprintf (2, 'bench_starts: %d of %d problems\n', k, count); end
end
fprintf ('| U_1 over its size in the GP limit | problems | with a lower minimum | S higher by, median and most |\n');
fprintf ('|---|--:|--:|--:|\n');
edges = [0 2 10 100 Inf];
for j = 1:numel (edges) - 1
  in = growth > edges(j) & growth <= edges(j+1);
  missed = excess(in & excess > 2e-3);
  higher = '';
  if ~isempty (missed), higher = sprintf ('%.2g, %.2g', median (missed), max (missed)); end
  fprintf ('| %g to %g | %d | %d | %s |\n', edges(j:j+1), sum (in), numel (missed), higher);
end
end

function [growth, excess] = tried (k)
rand ('twister', k);
randn ('twister', k);
shapes = {[2 2], [2 2 2], [3 3], [2 4], [3 2], [4 2], [2 2 2 2], [5 5]};
H = shapes{mod (k, numel (shapes)) + 1};
width = round (10 ^ (0.8 + 1.2 * rand ()));
P = round (10 ^ (1 + 0.8 * rand ()));
net = attnpath_net (H, 'Width', width, 'Temperature', 10 ^ (-0.5 - 2 * rand ()));
labels = 10 ^ (1.7 * rand ()) * sign (randn (P, 1));
inputs = struct ('Xi', randn (20, P, prod (H)));
solve = @(starts) attnpath_solve (net, inputs, labels, 'Display', false, 'Certificate', false, 'Classes', false, ...
                                  'Starts', starts);
one = solve (1);
growth = norm (one.U, 'fro') / norm (prod (net.variance(2:end)) * eye (prod (H)), 'fro');
excess = one.action - getfield (solve (10), 'action');
end
