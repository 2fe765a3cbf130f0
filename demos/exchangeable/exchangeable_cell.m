function out = exchangeable_cell (c, plan)
%EXCHANGEABLE_CELL  One cell of the sweep of experiment_exchangeable: one of its parts, for one seed.
%
%   out = exchangeable_cell (c, plan)
%   Inputs :  c, struct of part ('lengths', 'networks', 'masked') and seed;  plan, struct of settings
%   Outputs:  struct of seconds and the measurements of the part; fields of other parts are []:
%     lengths    square, lengths x 6, mean squares over queries and sequences; wrong_z and known_z, lengths x 2, square
%                error and posterior variance of the latent; at seed 1 moved, lengths x 2, and same, lengths x 1
%     networks   square, lengths x 3: softmax, cme, posterior mean; for the first net_seeds seeds
%     masked     square, conditions x 3: masked, elsewhere, wrong signs elsewhere; number, conditions x 2, condition
%                numbers of K K' and K K' + ridge I; tuned, conditions x 1, ridges

% SPDX-License-Identifier: BSD-3-Clause

started = tic ();
out = struct ('square', [], 'wrong_z', [], 'known_z', [], 'moved', [], 'same', [], 'number', [], 'tuned', []);
switch c.part
  case 'lengths'
    out = errors_against_length (out, c.seed, plan);
  case 'networks'
    if c.seed <= plan.net_seeds, out.square = networks_at_other_lengths (c.seed, plan); end
  case 'masked'
    out = masked_tokens (out, c.seed, plan);
end
out.seconds = toc (started);
end

% ---- (a), (b), (c): errors against length ----------------------------------------------------------------

function out = errors_against_length (out, s, plan)
for i = 1:numel (plan.lengths)
  common = {'Dimension', plan.dimension, 'Noise', plan.noise, 'Tokens', plan.lengths(i), 'TestTokens', 1, ...
            'P', plan.sequences, 'Ptest', plan.queries, 'Seed', s};
  lin = attnpath_task_exchangeable (common{:});            % the same keys as in cosine
  cosine = attnpath_task_exchangeable (common{:}, 'Map', 'cosine', 'Features', plan.features);
  few = max (1, min (plan.sequences, floor (plan.cost / plan.lengths(i))));
  square = NaN (plan.sequences, 6);
  for mu = 1:plan.sequences
    square(mu,:) = errors_of_sequence (lin, cosine, mu, mu <= few, plan);
  end
  for k = 1:6
    out.square(i,k) = mean (square(isfinite (square(:,k)),k));
  end
  [out.wrong_z(i,1), out.known_z(i,1)] = errors_of_latent (lin);
  [out.wrong_z(i,2), out.known_z(i,2)] = errors_of_latent (cosine);
  if s == 1
    [out.moved(i,:), out.same(i)] = first_sequence (lin, cosine, plan);
  end
end
end

function q = queries_of (task, d)
q = reshape (task.Xtest(d+2:2*d+1,end,:), d, []);
end

function square = errors_of_sequence (lin, cosine, mu, all_kernels, plan)
% Mean squares over queries of sequence mu. With the right kernel and ridge, attention is the posterior mean at the
% query, for which the tasks have a closed form
square = NaN (1, 6);
q = queries_of (lin, plan.dimension);
phi = cosine.phi (q);
[k, v] = keys_and_values (cosine.Xtrain(:,1:end-1,mu), plan.dimension);
z = cosine.latent.train(:,mu);
soft = attnpath_attend (q, k, v, plan.softmax{:});
square(1) = mean ((lin.posterior.train.mean(:,mu)' * q - lin.latent.train(:,mu)' * q) .^ 2);
square(2) = mean ((cosine.posterior.train.mean(:,mu)' * phi - z' * phi) .^ 2);
square(5) = mean ((soft - z' * phi) .^ 2);
square(6) = mean ((soft - z' * softmax_limit (cosine.map, q, plan.softmax_bandwidth)) .^ 2);
if all_kernels
  square(3) = mean ((attnpath_attend (q, k, v, plan.exponential{:}) - z' * phi) .^ 2);
end
if all_kernels && size (k, 2) <= plan.wrong_to
  square(4) = mean ((attnpath_attend (q, k, v, plan.linear{:}) - z' * phi) .^ 2);
end
end

function phi = softmax_limit (map, q, bandwidth)
% Keys are uniform on the sphere, and the exponential tilts them towards q. With kappa = 1 / bandwidth, the mean of
% exp (a'k) over the sphere in three dimensions is sinh (r) / r, r = sqrt (a'a), also for a = kappa q + i w, which gives
% the mean of cos (w'k + b)
sinhc = @(r) sinh (r) ./ r;
kappa = 1 / bandwidth;
phi = sqrt (2 / numel (map.b)) * real (exp (1i * map.b) ...
      .* sinhc (sqrt (kappa ^ 2 - sum (map.W .^ 2, 2) + 2i * kappa * map.W * q))) / sinhc (kappa);
end

function [wrong, known] = errors_of_latent (task)
% Mean square error of the posterior mean of z, and the mean of the posterior's own variances
wrong = mean (mean ((task.posterior.train.mean - task.latent.train) .^ 2));
[D, sequences] = size (task.latent.train);
S = reshape (task.posterior.train.cov, D * D, sequences);
known = mean (mean (S(1:D+1:end,:)));
end

function [change, largest] = first_sequence (lin, cosine, plan)
% Largest change of an output when the tokens are permuted, for softmax and for the exponential kernel; and the
% largest difference between attention with the right kernel and the posterior mean
q = queries_of (lin, plan.dimension);
phi = cosine.phi (q);
[k, v] = keys_and_values (cosine.Xtrain(:,1:end-1,1), plan.dimension);
[~, v_lin] = keys_and_values (lin.Xtrain(:,1:end-1,1), plan.dimension);
n = size (k, 2);
order = 1 + mod (7 * (n:-1:1), n);               % a permutation: 7 does not divide n
moved = @(kind) max (abs (attnpath_attend (q, k(:,order), v(order), kind{:}) - attnpath_attend (q, k, v, kind{:})));
change = [moved(plan.softmax), moved(plan.exponential)];
largest = 0;
if n <= plan.wrong_to
  f = attnpath_attend (phi, cosine.phi (k), v, plan.linear{:});
  f_lin = attnpath_attend (q, k, v_lin, plan.linear{:});
  largest = max ([abs(f - cosine.posterior.train.mean(:,1)' * phi), abs(f_lin - lin.posterior.train.mean(:,1)' * q)]);
end
end

% ---- (d): networks tested at other lengths ---------------------------------------------------------------

function square = networks_at_other_lengths (s, plan)
bayes = {'Width', plan.net_width, 'Temperature', plan.net_temperature};
draw = @(n, bandwidths) attnpath_task_exchangeable ('Map', 'cosine', 'Features', plan.features, ...
          'Dimension', plan.dimension, 'Noise', plan.noise, 'P', plan.net_P(1), 'Tokens', plan.net_train, ...
          'Ptest', plan.net_P(2), 'TestTokens', n, 'Bandwidth', bandwidths, 'Seed', s);
task = draw (plan.net_test(1), plan.net_bandwidths);
other = draw (plan.net_test(1), plan.gamma);
soft = attnpath_net (task.heads, bayes{:});
cme = attnpath_net (other.heads, bayes{:}, 'Attention', 'cme', 'Kernel', 'exponential', 'Bandwidth', 1, ...
                    'Ridge', plan.ridge);
sol = {attnpath_solve(soft, task.Xtrain, task.ytrain), attnpath_solve(cme, task.Xtrain, task.ytrain)};
for i = 1:numel (plan.net_test)
  task = draw (plan.net_test(i), plan.net_bandwidths);
  for j = 1:2
    square(i,j) = mean ((attnpath_predict (sol{j}, task.Xtest) - task.truth.test) .^ 2);
  end
  square(i,3) = mean ((task.posterior.test.prediction - task.truth.test) .^ 2);
end
end

% ---- (e): masked tokens, and isotropic queries -----------------------------------------------------------

function out = masked_tokens (out, s, plan)
% The ridge is tuned on masked values, without labels, and frozen. Then the same attention is evaluated at queries of
% equal variance in all directions; errors and wrong signs of the conditional mean are counted there
d = plan.masked_dimension;
angle = linspace (0, 2 * pi, plan.elsewhere + 1);          % on a torus in the sphere: isotropic and deterministic
iso = [cos(angle); sin(angle); cos(7 * angle); sin(7 * angle)] / sqrt (2);
iso = iso(:,1:plan.elsewhere);
for i = 1:numel (plan.conditions)
  task = attnpath_task_exchangeable ('Keys', 'gaussian', 'Condition', plan.conditions(i), 'Dimension', d, ...
           'Noise', plan.noise, 'Tokens', plan.masked_tokens, 'P', plan.masked_P(1), 'Ptest', plan.masked_P(2), ...
           'Label', 'masked', 'Seed', s);
  out.tuned(i,1) = best_ridge (task, plan.ridges, d);
  [square, numbers] = errors_elsewhere (task, out.tuned(i), iso, d);
  out.square(i,:) = mean (square, 1);
  out.number(i,:) = median (numbers, 1);
end
end

function ridge = best_ridge (task, ridges, d)
loss = zeros (size (ridges));
for mu = 1:size (task.Xtrain, 3)
  [k, v] = keys_and_values (task.Xtrain(:,1:end-1,mu), d);
  for r = 1:numel (ridges)
    f = attend_linear (task.Xtrain(d+2:2*d+1,end,mu), k, v, ridges(r));
    loss(r) = loss(r) + (f - task.ytrain(mu)) ^ 2;
  end
end
[~, r] = min (loss);
ridge = ridges(r);
end

function f = attend_linear (q, k, v, ridge)
f = attnpath_attend (q, k, v, 'Attention', 'cme', 'Kernel', 'linear', 'Bandwidth', 1, 'Ridge', ridge);
end

function [square, numbers] = errors_elsewhere (task, ridge, iso, d)
% A row for each test sequence: errors at the masked token and at isotropic queries, wrong signs; condition numbers
for mu = 1:size (task.Xtest, 3)
  [k, v] = keys_and_values (task.Xtest(:,1:end-1,mu), d);
  f = attend_linear ([task.Xtest(d+2:2*d+1,end,mu), iso], k, v, ridge);
  truth = task.latent.test(:,mu)' * iso;
  square(mu,:) = [(f(1) - task.truth.test(mu)) ^ 2, mean((f(2:end) - truth) .^ 2), ...
                  mean(sign (f(2:end)) ~= sign (truth))];
  numbers(mu,:) = [cond(k * k'), cond(k * k' + ridge * eye (d))];
end
end
