function study_certificate (kept, count)
% study_certificate: is the sign of sol.hessian_min right? The table of README.md.
%
%   study_certificate (kept, count)    kept: a folder for the problems;  count: of the random ones (200)
%   Solves small problems, most of which stand at the end of double precision, and writes their path inputs, labels,
%   networks and order parameters, bit for bit, to kept/certificate.csv. definition.py computes the smallest eigenvalue
%   of the Hessian from them with 80 digits (Python with mpmath; the interpreter in PYTHON, or python3) and prints for
%   each group: problems, signs that agree, signs that are wrong, those that hessian_doubt leaves undecided, and values
%   that are off by more than hessian_doubt and a thousandth.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, count = 200; end
name = fullfile (kept, 'certificate.csv');
out = fopen (name, 'w');
state = warning ('off', 'all');
for T = 10 .^ [-2 -6 -8 -9 -10]
  for seed = 1:2
    task = attnpath_task_markov ('P', 10, 'Ptest', 2, 'Features', 6, 'Tokens', 5, 'Seed', seed);
    net = attnpath_net (task.heads, 'Width', 10, 'Temperature', T);
    twice = cat (3, task.Xtrain, task.Xtrain(:,:,1:4));
    put (out, 'Markov task, examples given twice', attnpath_solve (net, twice, task.ytrain([1:end, 1:4])));
    put (out, 'Markov task, noise 1/2', attnpath_solve (net, task.Xtrain, task.ytrain, 'Noise', 1 ./ [2 2 2 2 ones(1, 6)]));
  end
end
for seed = 1:20
  randn ('state', seed);
  X = round (30000 * randn (6, 3, 8));
  y = sign (randn (8, 1));
  net = attnpath_net ({1e-8 * randn(6, 6, 2)}, 'Width', 20);
  put (out, 'tokens of size 30000, examples given twice', attnpath_solve (net, X(:,:,[1:8, 1:3]), y([1:8, 1:3])));
end
rand ('state', 3);
randn ('state', 3);
for k = 1:count
  H = shapes (){ceil (rand () * numel (shapes ()))};
  sizes = [2, 1, 3] + floor ([5, 4, 8] .* rand (1, 3));
  X = randn (sizes);
  y = 10 ^ (3 * rand ()) * randn (sizes(3), 1);
  heads = arrayfun (@(h) randn (sizes(1), sizes(1), h), H, 'UniformOutput', false);
  net = attnpath_net (heads, 'Width', 10 .^ (4 * rand (1, numel (H) + 1)), 'Temperature', 10 ^ (-12 * rand ()));
  some = [1:sizes(3), 1:round(rand () * sizes(3) / 2)];
  put (out, 'random, T from 1e-12 to 1', attnpath_solve (net, X(:,:,some), y(some)));
end
warning (state);
fclose (out);
python = getenv ('PYTHON');
if isempty (python), python = 'python3'; end
[status, table] = system (sprintf ('"%s" "%s" "%s"', python, fullfile (fileparts (mfilename ('fullpath')), ...
                                                                       'definition.py'), name));
if status ~= 0, error ('study_certificate: %s', table); end
fputs (stdout, table);
end

function H = shapes ()
H = {2, 3, 4, [1 2], [2 1], [2 2], [1 3], [1 1 2], [2 1 1], [2 1 2]};
end

function put (out, group, sol)
% One line: the group, then numbers that double reads back as they are, each array after its size
net = sol.net;
noise = ones (size (sol.y));
if isfield (sol, 'noise'), noise = sol.noise; end
fields = [{net.H, net.width, net.variance, net.temperature * noise, permute(sol.paths.Xi, [3 2 1]), sol.y, ...
           [sol.hessian_min, sol.hessian_doubt]}, sol.order];
fprintf (out, '%s', group);
for k = 1:numel (fields)
  fprintf (out, ';%d', numel (fields{k}));
  fprintf (out, ' %.17g', fields{k});
end
fprintf (out, '\n');
end
