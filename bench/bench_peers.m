function bench_peers (python, P)
% bench_peers: one evaluation of evidence and gradient beside scikit-learn's dense Gaussian process on the same kernel
%   bench_peers (python, P): python, an interpreter that has scikit-learn and scipy ('python3'); P examples (2000).
% Prints a table of processor seconds, one thread, and how far the two evidences are apart. The peer is peers.py.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, python = 'python3'; end
if nargin < 2, P = 2000; end
randn ('twister', 1);
[N0, paths, T] = deal (71, 4, 0.01);
net = attnpath_net ([2 2], 'Width', 30, 'Temperature', T);
Xi = randn (N0, P, paths);
y = sign (randn (P, 1));
U = eye (paths) + 0.2 * ones (paths);
order = {U, eye(2)};
scale = net.variance(1) / (N0 * paths);
file = [tempname() '.mat'];
remove = onCleanup (@() delete (file));
save ('-v7', file, 'Xi', 'U', 'y', 'T', 'scale');
here = fileparts (mfilename ('fullpath'));
[status, text] = system (sprintf ('OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 %s %s %s', python, ...
                                  fullfile (here, 'peers.py'), file));
peer = sscanf (text, '%g');
if status ~= 0 || numel (peer) ~= 3
  fprintf ('the peer does not run here: %s\n', strtrim (text));
  peer = NaN (3, 1);
end
inputs = struct ('Xi', Xi);
m = attnpath_moments (net, inputs, y, 'Form', 'factor');
few = struct ('memory', 0, 'store', false, 'reduce', true, 'evaluations', 0, 'threads', 1);
data = attnpath_prepare_mex (net, m, [], few);
[each, E, g] = timed (@() by_action (net, inputs, y, order));
[reduced, E2] = timed (@() by_moments (net, data, order));
fprintf ('| evidence and gradient, P = %d, N0 = %d, %d paths | s |\n|---|--:|\n', P, N0, paths);
fprintf ('| scikit-learn, kernel derivatives stored | %.3g |\n', peer(3));
fprintf ('| attnpath, examples as they are | %.3g |\n', each);
fprintf ('| attnpath, once gathered | %.3g |\n\n', reduced);
mine = -(E + P * log (2 * pi)) / 2;
slope = -triu (g + triu (g, 1)) / 2;               % an entry above the diagonal stands for two
fprintf ('log evidence apart by %.2g, the norm of its gradient by %.2g, relatively; gathered: energy by %.2g\n', ...
         abs (peer(1) / mine - 1), abs (peer(2) / norm (slope(:)) - 1), abs (E2 / E - 1));
end

function [seconds, E, g] = timed (call)
t = zeros (1, 3);
for k = 1:3
  from = cputime ();
  [E, g] = call ();
  t(k) = cputime () - from;
end
seconds = median (t);
end

function [E, g] = by_action (net, inputs, y, order)
[~, grad, part] = attnpath_action (net, inputs, y, order);
E = part.energy;
g = grad{1} - net.width(1) * (kron (eye (2), inv (order{2})) - inv (order{1}));      % less the entropy's (T9)
end

function [E, g] = by_moments (net, data, order)
[~, grad, E] = attnpath_action_mex (net, data, order, 0);
g = grad{1};
end
