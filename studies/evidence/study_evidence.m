function study_evidence (what, draws, folder)
% study_evidence: maxima of the evidence over bandwidth and scales of heads, by its gradient, and their cost
%
%   study_evidence ('planted', 10)   does the search recover a planted bandwidth and scales of heads? Labels are those
%                                    of 10 networks drawn from the prior; errors are compared with the standard errors
%                                    from the curvature of the evidence
%   study_evidence ('markov', 10)    hidden Markov chains at N = 100: heads that the evidence switches off, and test
%                                    accuracy before and after tuning
%   study_evidence ('oneshot', 5, folder)   one-shot sequences on the attention of the demo's network, with Omniglot's
%                                    small sets in a folder: test accuracy at the temperature of the least leave-one-out
%                                    error, and with scales of heads tuned there
%   study_evidence ('cost', 3)       evaluations and seconds, by the number of heads
% With inst, the folders of demos and studies, tests/reference and the built gateways on the path,
% OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'attnpath:tune:bound');
warning ('off', 'attnpath:tune:disagree');
warning ('off', 'attnpath:solve:noise');
switch what
  case 'planted', planted (draws);
  case 'markov',  markov (draws);
  case 'oneshot', oneshot (draws, folder);
  case 'cost',    cost (draws);
end
end

% ---- planted -----------------------------------------------------------------------------------------------------

function planted (draws)
truth = [log(0.5), log(1.3 / sqrt (2 - 1.3 ^ 2)), 0];
fprintf ('| draw | log bandwidth | error / s.e. | log ratio of scales, layer 1 | | layer 2 | |\n');
for d = 1:draws
  [net, X, y] = from_prior (d, truth);
  sol = attnpath_tune (net, X, y, 'Tune', {'bandwidth', 'heads'}, 'Scale', 'net', 'Display', false);
  x = coordinates (sol.net);
  H = zeros (3);
  for k = 1:3
    step = 0.05 * ((1:3) == k);
    H(:,k) = (slope (sol.net, x - step, X, y) - slope (sol.net, x + step, X, y)) / 0.1;
  end
  se = sqrt (diag (inv ((H + H') / 2)))';
  z(d,:) = (x - truth) ./ se;
  row = [x; z(d,:)];
  fprintf ('| %d |%s\n', d, sprintf (' %.3f | %.2f |', row(:)));
  fflush (stdout);
end
fprintf ('| planted | %.3f | | %.3f | | %.3f | |\n', truth);
fprintf ('| median | | %.2f | | %.2f | | %.2f |\n', median (z));
fprintf ('| root mean square | | %.2f | | %.2f | | %.2f |\n', sqrt (mean (z .^ 2, 1)));
end

function [net, X, y] = from_prior (seed, truth)
% Noisy labels of a network drawn from the prior; net is the network with a bandwidth of 1 and equal scales
randn ('twister', seed);
[N0, T, P, G] = deal (20, 8, 150, 6);
pair = @(H) struct ('Q', randn (G, N0, H) / 3, 'K', randn (G, N0, H) / 3);
net = attnpath_net ({pair(2), pair(2)}, 'Width', 100, 'Temperature', 0.05);
X = randn (N0, T, P);
weights = ref_prior (net, N0);
there = at (net, truth);
A = attnpath_attention (there, X);
y = ref_network (there, weights, X, A, []) + sqrt (net.temperature) * randn (P, 1);
end

function x = coordinates (net)
x = [log(net.bandwidth), cellfun(@(s) log (s(1) / s(2)), net.headscale)];
end

function net = at (net, x)
net.bandwidth = exp (x(1));
for l = 1:2, net.headscale{l} = sqrt (2) * exp ([x(l+1), 0]) / norm (exp ([x(l+1), 0])); end
end

function g = slope (net, x, X, y)
% The derivative of the evidence with respect to these coordinates
net = at (net, x);
sol = attnpath_solve (net, X, y, 'Certificate', false, 'Display', false);
found = attnpath_gradient (sol, X, 'With', {'bandwidth', 'heads'});
g = found.bandwidth;
for l = 1:2
  by = found.heads{l} - sum (found.heads{l}) * net.headscale{l} .^ 2 / 2;
  g(l+1,1) = (by(1) - by(2)) / 2;
end
end

% ---- hidden Markov chains ----------------------------------------------------------------------------------------

function markov (draws)
ways = {'as it was', {}, ''
        'temperature, leave-one-out', {'temperature'}, 'loo'
        'temperature', {'temperature'}, 'evidence'
        'heads', {'heads'}, 'evidence'
        'heads, temperature', {'heads', 'temperature'}, 'evidence'
        'heads, bandwidth', {'heads', 'bandwidth'}, 'evidence'
        'heads, bandwidth, temperature', {'heads', 'bandwidth', 'temperature'}, 'evidence'};
n = size (ways, 1);
for noise = [1 5]
  [right, leading, loo, points] = deal (NaN (n, draws));
  scales = NaN (4, draws, n);
  [T, bandwidth] = deal (NaN (n, draws));
  for d = 1:draws
    task = attnpath_task_markov ('Ptest', 2000, 'Seed', d, 'Perpendicular', noise);
    net = attnpath_net (task.heads, 'Width', 100);
    [train, test] = deal (attnpath_paths (net, task.Xtrain), attnpath_paths (net, task.Xtest));
    for k = 1:n
      [X, Xtest] = deal (train, test);
      if any (strcmp (ways{k,2}, 'bandwidth')), [X, Xtest] = deal (task.Xtrain, task.Xtest); end
      [sol, points(k,d)] = one_way (net, X, task.ytrain, ways{k,2:3});
      right(k,d) = 100 * mean (sign (attnpath_predict (sol, Xtest)) == task.ytest);
      leading(k,d) = sol.evidence;
      loo(k,d) = getfield (attnpath_loo (sol), 'mse');
      scales(:,d,k) = [sol.net.headscale{:}];
      [T(k,d), bandwidth(k,d)] = deal (sol.net.temperature, sol.net.bandwidth);
    end
    fprintf (stderr, 'noise %g, draw %d:%s\n', noise, d, sprintf (' %.2f', right(:,d)));
  end
  fprintf ('\nperpendicular noise %g, N = 100, P = 100, %d draws: means\n', noise, draws);
  fprintf (['| tuned | test accuracy | less as it was, s.e. | evidence (T10b) | leave-one-out error | ' ...
            'temperature | bandwidth | scale: 1.1 | 1.2 | 2.1 | 2.2 | switched off: 1.1 | 1.2 | 2.1 | 2.2 | ' ...
            'evaluations |\n']);
  for k = 1:n
    gain = right(k,:) - right(1,:);
    s = scales(:,:,k);
    fprintf ('| %s | %.2f | %+.2f, %.2f | %.2f | %.3f | %.3g | %.3g |%s%s %.0f |\n', ways{k,1}, mean (right(k,:)), ...
             mean (gain), std (gain) / sqrt (draws), mean (leading(k,:)), mean (loo(k,:)), ...
             exp (mean (log (T(k,:)))), exp (mean (log (bandwidth(k,:)))), sprintf (' %.2f |', mean (s, 2)), ...
             sprintf (' %d |', sum (s == 0, 2)), mean (points(k,:)));
  end
  fflush (stdout);
end
end

function [sol, points] = one_way (net, X, y, tuned, by)
points = 1;
if isempty (tuned)
  sol = attnpath_solve (net, X, y, 'Certificate', false);
  return
end
[sol, info] = attnpath_tune (net, X, y, 'Tune', tuned, 'By', by, 'Scale', 'net', 'Tolerance', 1e-3, 'Display', false);
points = numel (info.tried.leading);
end

% ---- one-shot sequences ------------------------------------------------------------------------------------------

function oneshot (draws, folder)
fprintf (['| N | draw | temperature | test accuracy | with tuned heads | leave-one-out error | with tuned heads | ' ...
          'nats gained | scales |\n']);
for d = 1:draws
  data = tune_oneshot_data (d, folder);
  for N = [50 200]
    net = data.net;
    net.width(:) = N;
    sol = attnpath_tune (net, data.train, data.y, 'Tune', 'temperature', 'Tolerance', 1e-3, 'Display', false);
    more = {'Tune', 'heads', 'Scale', 'net', 'Display', false};
    [best, info] = attnpath_tune (sol.net, data.train, data.y, more{:});
    right = 100 * [mean(sign (attnpath_predict (sol, data.test)) == data.ytest), ...
                   mean(sign (attnpath_predict (best, data.test)) == data.ytest)];
    fprintf ('| %d | %d | %.3g | %.2f | %.2f | %.3f | %.3f | %.1f | %s |\n', N, d, sol.net.temperature, right, ...
             info.before.loo, info.chosen.loo, info.chosen.leading - info.before.leading, ...
             sprintf (' %.2f', [best.net.headscale{:}]));
    fflush (stdout);
  end
end
end

% ---- cost --------------------------------------------------------------------------------------------------------

function cost (draws)
fprintf (['| heads | paths | tuned | evaluations of the search | to know what each gained | nats gained | ' ...
          'seconds | seconds of one solution from the GP limit |\n']);
rows = {2, {'heads'}; 4, {'heads'}; 8, {'heads'}; 2, {'heads', 'bandwidth'}; 2, {'heads', 'temperature', 'width'}};
for row = rows'
  [H, tuned] = row{:};
  [points, back, nats, seconds, one] = deal (NaN (1, draws));
  for d = 1:draws
    task = attnpath_task_markov ('Ptest', 2, 'Seed', d, 'Heads', [H H]);
    net = attnpath_net (task.heads, 'Width', 100);
    clock = tic ();
    first = attnpath_solve (net, task.Xtrain, task.ytrain, 'Certificate', false);
    one(d) = toc (clock);
    clock = tic ();
    [sol, info] = attnpath_tune (net, task.Xtrain, task.ytrain, 'Tune', tuned, 'Scale', 'net', 'Display', false);
    seconds(d) = toc (clock);
    gained = info.gained;
    gained.heads = [gained.heads{:}];
    back(d) = sum (~isnan (cell2mat (struct2cell (gained)')));
    points(d) = numel (info.tried.leading) - back(d);
    nats(d) = info.chosen.leading - first.evidence;
  end
  fprintf ('| %d + %d | %d | %s | %.0f | %.0f | %.1f | %.1f | %.2f |\n', H, H, H ^ 2, strjoin (tuned, ', '), ...
           mean (points), mean (back), mean (nats), mean (seconds), mean (one));
  fflush (stdout);
end
end
