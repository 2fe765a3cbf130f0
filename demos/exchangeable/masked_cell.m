function out = masked_cell (c, plan)
%MASKED_CELL  Attention that predicts masked tokens, and labels of a few sequences learned from its outputs.
%
%   out = masked_cell (c, plan)
%   Inputs :  c, struct of seed;  plan, struct of dimension, features, noise, tokens, queries, labels, labelled,
%             tested, bandwidths, ridges and temperatures
%   Outputs:  struct of masked, downstream and number, each bandwidths x ridges; known and best, numbers
%     masked      mean square error of the conditional mean at a masked token, for Gaussian kernels
%     downstream  mean square error of labels w'z of test sequences, w unknown, z the latent of the sequence; mean over
%                 as many w as labels says
%     number      condition number of k(K,K) + ridge I, the median over sequences
%     known       downstream error if the posterior mean of z is read out instead, and best, the one if w is known too
%   What is read out are the outputs of attention at some queries, the same for all sequences: path inputs of a network
%   with a head for each query, in the GP limit, at the temperature of the smallest leave-one-out error.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_exchangeable ('Map', 'cosine', 'Features', plan.features, 'Dimension', plan.dimension, 'Noise', ...
          plan.noise, 'Tokens', plan.tokens, 'P', plan.labelled, 'Ptest', plan.tested, 'Seed', c.seed);
w = randn (plan.features, plan.labels);            % from the random stream of this cell
w = w ./ sqrt (sum (w .^ 2, 1));
queries = randn (plan.dimension, plan.queries);
queries = queries ./ sqrt (sum (queries .^ 2, 1));
y = {task.latent.train' * w, task.latent.test' * w};
for g = 1:numel (plan.bandwidths)
  for r = 1:numel (plan.ridges)
    head = {'Attention', 'cme', 'Kernel', 'gaussian', 'Bandwidth', plan.bandwidths(g), 'Ridge', plan.ridges(r)};
    [train, ~, out.number(g,r)] = outputs_of (task.Xtrain, queries, head);
    [test, masked] = outputs_of (task.Xtest, queries, head);
    out.masked(g,r) = mean ((masked - task.truth.test) .^ 2);
    out.downstream(g,r) = read_out (train, test, y, plan.temperatures);
  end
end
out.known = read_out (task.posterior.train.mean, task.posterior.test.mean, y, plan.temperatures);
out.best = mean (mean ((task.posterior.test.mean' * w - y{2}) .^ 2));
end

function [f, masked, number] = outputs_of (X, queries, head)
% f: queries x P;  masked: P x 1, at the query of each sequence;  number: condition number, the median
d = size (queries, 1);
for mu = 1:size (X, 3)
  [k, v] = keys_and_values (X(:,1:end-1,mu), d);
  both = attnpath_attend ([X(d+2:2*d+1,end,mu), queries], k, v, head{:});
  masked(mu,1) = both(1);
  f(:,mu) = both(2:end)';
  if nargout > 2
    G = exp (-max (0, sum (k .^ 2, 1)' + sum (k .^ 2, 1) - 2 * k' * k) / (2 * head{6}));
    number(mu) = cond (G + head{8} * eye (size (k, 2)));
  end
end
if nargout > 2, number = median (number); end
end

function square = read_out (train, test, y, temperatures)
% Error at test sequences of networks that have learned each label y{1} from train, heads x P. Path inputs have mean
% square 1, so that temperatures mean the same for all
scale = sqrt (mean (train(:) .^ 2));
[M, P] = size (train);
model = struct ('paths', struct ('Xi', reshape (train' / scale, 1, P, M)), 'U', eye (M));
for k = 1:size (y{1}, 2)
  model.y = y{1}(:,k);
  for t = 1:numel (temperatures)
    model.net = attnpath_net (M, 'Temperature', temperatures(t));
    error_of(t) = getfield (attnpath_loo (model, 'Corrected', false), 'mse');
  end
  [~, t] = min (error_of);
  model.net.temperature = temperatures(t);
  f(:,k) = attnpath_predict (model, struct ('Xi', reshape (test' / scale, 1, [], M)), 'Limit', 'gp');
end
square = mean (mean ((f - y{2}) .^ 2));
end
