function study_influence (digits)
% study_influence: are planted wrong labels among the most influential examples? The table of doc/influence.md.
%
%   study_influence ()         the Markov task, P = 200, N = 10, 30, 100
%   study_influence (digits)   also 300 digits: the name of a file with 65 numbers a line, 8 x 8 pixels and the digit,
%                          such as python3 -c "from sklearn.datasets import load_digits as d; import numpy as n;
%                          n.savetxt ('digits.txt', n.c_[d ().data, d ().target])"
%   5 % of the labels are inverted. Prints their share among the first 5 % of examples by |dlogp|, by lowest logp (both
%   of attnpath_influence), by norm, and by distance in the kernel: that to the mean of the examples with the same label
%   minus that to the mean of the others. Mean and standard error over ten draws of labels and examples.

% SPDX-License-Identifier: BSD-3-Clause

fprintf ('%-8s %4s  %-16s %-16s %-16s %-16s\n', 'task', 'N', '|dlogp|', '-logp', 'norm', 'distance');
for N = [10 30 100]
  report ('Markov', N, @markov);
  if nargin > 0, report ('digits', N, @(seed) images (load (digits), seed)); end
end
end

function report (name, N, make)
for seed = 1:10
  [net, paths, y] = make (seed);
  P = numel (y);
  wrong = randperm (P, P / 20);
  y(wrong) = -y(wrong);
  sol = attnpath_solve (attnpath_net (net.heads, 'Width', N, 'Temperature', net.temperature, 'Readout', net.readout), ...
                        paths, y);
  in = attnpath_influence (sol);
  K = attnpath_kernel (sol.net, sol.paths, sol.U);
  by = [abs(in.dlogp), -in.logp, in.norm, far(K, y, 1) - far(K, y, -1)];
  for k = 1:4
    [~, rank] = sort (by(:,k), 'descend');
    share(seed,k) = 100 * mean (ismember (wrong, rank(1:P/20)));
  end
end
fprintf ('%-8s %4d', name, N);
fprintf ('  %5.1f +- %4.1f   ', [mean(share); std(share) / sqrt(10)]);
fprintf ('\n');
end

function d = far (K, y, sign)
% Squared distance to the mean of the examples of the same label (sign 1) or the other (-1), without the example itself
P = numel (y);
for i = 1:P
  of = setdiff (find (y == sign * y(i)), i);
  d(i,1) = K(i,i) - 2 * mean (K(i,of)) + mean (mean (K(of,of)));
end
end

function [net, paths, y] = markov (seed)
task = attnpath_task_markov ('P', 200, 'Ptest', 2, 'Seed', seed);
net = attnpath_net (task.heads);
paths = attnpath_paths (net, task.Xtrain);
y = task.ytrain;
end

function [net, paths, y] = images (all, seed)
% Odd against even digits, 300 images whose rows are tokens; two layers of two random heads each
randn ('twister', seed);
rand ('twister', seed);
some = randperm (size (all, 1), 300);
X = permute (reshape (all(some,1:64)', 8, 8, []), [1 2 3]) / 16;
X(9:16,:,:) = repmat (eye (8), [1 1 300]);         % position of a row
net = attnpath_net ({randn(16, 16, 2), randn(16, 16, 2)}, 'Readout', 'mean', 'Temperature', 0.1);
paths = attnpath_paths (net, X);
y = 2 * mod (all(some,65), 2) - 1;
end
