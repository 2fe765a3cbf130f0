function problems (directory)
% problems: writes the problems that the benchmark programs solve into a directory
%
%   markov.bin, markov1.bin .. markov9.bin   hidden Markov chain task, P = 100, 4 paths, seeds 0 .. 9
%   markov_tokens.bin                        the tokens and attention maps of markov.bin
%   oneshot.bin                              16 paths, L = 2, H = 4, P = 600, N0 = 192
%   trained.bin                              the same sizes: Omniglot images, and the attention of a network trained
%                                            on them (oneshot_cosine_20000_s1.mat of demos/oneshot); only if
%                                            ATTNPATH_OMNIGLOT names the images' folder
%
% The 16-path problem is synthetic and similar to the one-shot image task: a sequence shows a labelled image of
% each of two classes, and a third image of one of them. An image has 16 patches of 192 values: a random class
% prototype plus noise, sinusoidal positions and random label embeddings. Queries and keys are random; in half of
% the heads keys resemble queries, so that similar tokens attend to each other.
%
% File format: problem.h. Called by bench/report, with inst and src on the path.

% SPDX-License-Identifier: BSD-3-Clause

for seed = 0:9
  name = 'markov.bin';
  if seed > 0, name = sprintf ('markov%d.bin', seed); end
  [net, X] = markov (fullfile (directory, name), seed);
  if seed == 0, put_tokens (fullfile (directory, 'markov_tokens.bin'), net, X); end
end
oneshot (fullfile (directory, 'oneshot.bin'));
if ~isempty (getenv ('ATTNPATH_OMNIGLOT'))
  trained (fullfile (directory, 'trained.bin'));
end
end

function put (name, net, Xi, y)
file = fopen (name, 'w');
fwrite (file, [size(Xi, 1), numel(y), net.L, net.H], 'double');
fwrite (file, Xi, 'double');
fwrite (file, y, 'double');
fclose (file);
end

function put_tokens (name, net, X)
file = fopen (name, 'w');
fwrite (file, size (X, 2), 'double');
fwrite (file, X, 'double');
cellfun (@(A) fwrite (file, A, 'double'), attnpath_attention (net, X));
fclose (file);
end

function [net, X] = markov (name, seed)
task = attnpath_task_markov ('P', 100, 'Ptest', 2, 'Seed', seed);
net = attnpath_net (task.heads);
X = task.Xtrain;
paths = attnpath_paths (net, X);
put (name, net, paths.Xi, task.ytrain);
end

function heads = random_heads (layers, H, G, N0)
heads = cell (1, layers);
for l = 1:layers
  Q = 4 * randn (G, N0, H) / sqrt (N0);
  K = 4 * randn (G, N0, H) / sqrt (N0);
  K(:,:,1:H/2) = Q(:,:,1:H/2) + 0.3 * K(:,:,1:H/2);
  heads{l} = struct ('Q', Q, 'K', K);
end
end

function code = positions (T, N0)
angle = (0:T-1) ./ 10000.^((0:2:N0-2)' / N0);
code = zeros (N0, T);
code(1:2:end,:) = sin (angle);
code(2:2:end,:) = cos (angle);
code = (code - mean (code(:))) / std (code(:));
end

function [X, y] = sequences (P, N0, patches, classes)
prototype = 0.5 * randn (N0, patches, classes) + 0.7 * randn (N0, patches);
label = randn (N0, 3);                         % class A, class B, unknown
code = positions (3 * patches, N0);
X = zeros (N0, 3 * patches, P);
y = zeros (P, 1);
for mu = 1:P
  shown = randperm (classes, 2);
  asked = 1 + (rand () < 0.5);
  named = randperm (2);
  images = prototype(:,:,[shown, shown(asked)]) + 0.6 * randn (N0, patches, 3);
  images = (images - mean (images)) ./ std (images);
  images = images + reshape (label(:,[named, 3]), [N0, 1, 3]);
  X(:,:,mu) = reshape (images, N0, 3 * patches) + code;
  y(mu) = 2 * named(asked) - 3;
end
end

function oneshot (name)
rand ('twister', 1);
randn ('twister', 1);
net = attnpath_net (random_heads (2, 4, 32, 192), 'Readout', 'mean');
[X, y] = sequences (600, 192, 16, 40);
paths = attnpath_paths (net, X);
put (name, net, paths.Xi, y);
end

function trained (name)
here = fileparts (fileparts (mfilename ('fullpath')));
addpath (fullfile (here, 'demos', 'oneshot'));
network = oneshot_network ('cosine_20000_s1');
net = attnpath_net (network.heads, 'Readout', 'mean');
task = attnpath_task_oneshot ('P', 600, 'Ptest', 2, 'Embedding', network.embedding);
paths = attnpath_paths (net, task.Xtrain);
put (name, net, paths.Xi, task.ytrain);
end
