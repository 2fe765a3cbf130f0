function study_draws (what, warmup, draws, seed)
% study_draws: processor time until draws of the image task's posterior converge
%   study_draws ('paths', warmup, draws, seed)   the demo's network, 16 paths, P = 600, N = 10, T = 0.5; images of
%                                                    Omniglot, whose folder ATTNPATH_OMNIGLOT names
%   study_draws ('heads', warmup, draws, seed)   12 random heads of one layer, P = 300, N = 10, T = 0.5; made-up
%                                                    images
% Four chains of attnpath_sample, one BLAS thread each (option 'Seed' has the reason); defaults: warmup 200, draws 640,
% seed 0. Prints the processor seconds of all chains, with preparation and outputs at new sequences (100, or 20 for 12
% heads), and R-hat and effective sample sizes (bulk, tail) of the first half, three quarters and all of the draws: the
% worst entry of U, the worst output, and the log posterior.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, warmup = 200; end
if nargin < 3, draws = 640; end
if nargin < 4, seed = 0; end
[net, task, probes] = feval (what);
from = cputime ();
paths = attnpath_paths (net, task.Xtrain);
test = attnpath_paths (net, task.Xtest(:,:,1:probes));
state = warning ('off', 'attnpath:sample:notConverged');
back = onCleanup (@() warning (state));
post = attnpath_sample (net, paths, task.ytrain, 'Probe', test, 'Warmup', warmup, 'Draws', draws, 'Seed', seed);
fprintf ('%s: 4 chains of %d + %d, seed %d: %.0f s of processor, gradients a draw %s\n\n', what, warmup, draws, ...
         seed, cputime () - from, mat2str (post.steps));
fprintf ('| draws | R-hat: U | f | log posterior | ESS: U | f | log posterior | tail: U | f | log posterior |\n');
fprintf ('|--:|%s\n', repmat ('--:|', 1, 9));
for n = round (draws * [0.5, 0.75, 1]), row (post, n); end
end

function row (post, n)
d = attnpath_diagnose (struct ('U', post.U(:,:,1:n,:), 'f', post.f(:,1:n,:), 'logpost', post.logpost(1:n,:), ...
                               'hamiltonian', post.hamiltonian(1:n,:)));
all_of = @(field, pick) [pick(d.U.(field)(:)), pick(d.f.(field)(:)), d.logpost.(field)];
fprintf ('| %d | %.4f | %.4f | %.4f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n', n, all_of ('rhat', @max), ...
         all_of ('ess_bulk', @min), all_of ('ess_tail', @min));
end

function [net, task, probes] = paths ()
addpath (genpath (fullfile (fileparts (mfilename ('fullpath')), '..', '..', 'demos')));
trained = oneshot_network ('cosine_20000_s1');
probes = 100;
task = attnpath_task_oneshot ('P', 600, 'Ptest', probes, 'Embedding', trained.embedding);
net = attnpath_net (trained.heads, 'Width', 10, 'Temperature', 0.5, 'Readout', 'mean');
end

function [net, task, probes] = heads ()
randn ('twister', 1);
rand ('twister', 1);
probes = 20;
task = attnpath_task_oneshot ('P', 300, 'Ptest', 40, 'Train', 'generator', 'Test', 'generator');
N0 = size (task.Xtrain, 1);
net = attnpath_net ({4 * randn(N0, N0, 12) / N0}, 'Width', 10, 'Temperature', 0.5, 'Readout', 'mean');
end
