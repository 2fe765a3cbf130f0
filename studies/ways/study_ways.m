function study_ways (draws, P, N, folder, file)
% study_ways: one-shot sequences of five ways, narrow networks against the Gaussian-process (GP) limit
%
%   study_ways (5, 300, 10, folder)
%                       five draws of 300 training sequences, N = 10, with Omniglot's small sets (help
%                       attnpath_omniglot). The folder keeps each draw, which is not computed again; '' keeps nothing
%   study_ways (5, 300, 10, folder, file)
%                       the same with another network, in a file of ways_train
%
% A sequence shows one image of each of five classes, and a query. The attention is that of a network of two layers of
% two heads, oneshot_ways.mat, which ways_train trained on such sequences by gradient descent. Training sequences are of
% its training classes, the 1000 test sequences of the 106 classes that are new to both. Columns, in percent of the test
% sequences:
%   coupled     coupled outputs, the theory of one network
%   shared      one U for all outputs
%   rest        a network of one output for each class against the rest
%   GP          the limit of infinite width, where these three are equal
%   trained     the network itself, of width 128
% Temperatures are those of the least leave-one-out error on the training sequences, of outputs that share U: at N for
% the first three, at a width of 10^5 for the GP limit. The last lines are means with standard errors over draws, also
% of differences draw by draw. After make all, with OPENBLAS_NUM_THREADS=1:
%   octave-cli --norc --eval "addpath ('inst', 'src', 'studies/ways', genpath ('demos')); study_ways (5, 300, 10, 'build')"

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'attnpath:tune:bound');
warning ('off', 'attnpath:tune:disagree');
if nargin < 5, file = fullfile (fileparts (mfilename ('fullpath')), 'oneshot_ways.mat'); end
trained = oneshot_network (file);
[~, name] = fileparts (file);
fprintf (['| draw | T | T of the GP limit | coupled | shared | rest | GP | trained | steps | seconds, coupled |\n' ...
          '|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n']);
for d = 1:draws
  r = kept (fullfile (folder, sprintf ('%s_P%d_N%d_%d.mat', name, P, N, d)), ~isempty (folder), ...
            @() one_draw (trained, P, N, d));
  right(d,:) = r.right;
  fprintf ('| %d | %.3g | %.3g | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %.0f |\n', d, r.T, r.T_gp, r.right, ...
           r.iterations, r.seconds);
  fflush (stdout);
end
[m, e] = mean_error (right);
fprintf ('| mean | | |%s | |\n', sprintf (' %.1f ± %.1f |', [m; e]));
[m, e] = mean_error (right(:,1) - right(:,2:4));
fprintf ('coupled - shared %.1f ± %.1f, coupled - rest %.1f ± %.1f, coupled - GP %.1f ± %.1f\n', [m; e]);
end

function r = kept (file, keep, make)
if keep && exist (file, 'file')
  r = load (file);
  return
end
r = make ();
if keep, save ('-v6', file, '-struct', 'r'); end
end

function r = one_draw (trained, P, N, seed)
task = attnpath_task_oneshot (trained.task{:}, 'P', P, 'Ptest', 1000, 'Embedding', trained.embedding, 'Seed', seed);
net = attnpath_net (trained.heads, 'Width', N, 'Readout', trained.readout);
train = attnpath_paths (net, task.Xtrain);
test = attnpath_paths (net, task.Xtest);
y = task.ytrain;
shared = tuned (net, train, y);
coupled_at = tic ();
coupled = attnpath_solve (shared.net, train, y, 'Certificate', false, 'Display', false);
r.seconds = toc (coupled_at);
r.iterations = coupled.iterations;
net.width(:) = 1e5;
wide = tuned (net, train, y);
share = @(class) 100 * mean (class == task.ytest);
r.right = [share(said (coupled, test)), share(said (shared, test)), ...
           share(against_rest (shared.net, train, y, test)), share(said (wide, test, 'Limit', 'gp')), ...
           share(said (trained, test))];
r.T = shared.net.temperature;
r.T_gp = wide.net.temperature;
r.gradnorm = coupled.gradnorm;
end

function sol = tuned (net, train, y)
sol = attnpath_tune (net, train, y, 'Tune', 'temperature', 'Outputs', 'shared', 'Scale', 'net', 'Tolerance', 1e-3, ...
                     'Display', false);
end

function class = said (sol, test, varargin)
[~, ~, class] = attnpath_predict (sol, test, varargin{:});
end

function class = against_rest (net, train, y, test)
C = double (max (y));
for c = 1:C
  sol = attnpath_solve (net, train, (C * (y == c) - 1) / (C - 1), 'Classes', false, 'Certificate', false, ...
                        'Display', false);
  mu(:,c) = attnpath_predict (sol, test);
end
[~, class] = max (mu, [], 2);
end
