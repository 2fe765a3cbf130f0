function out = tokens_cell (c, plan)
%TOKENS_CELL  One cell of experiment_tokens: the state behind each token, by the theory or by posterior draws.
%
%   out = tokens_cell (c, plan)
%   Inputs :  c, struct of seed and part ('theory' or 'draws');  plan, struct of settings
%   Outputs:  struct of right, positions x methods: the fraction of test tokens that are right, of theory at each of
%             plan.widths, the GP limit, and the posterior of the hidden states given a whole sequence; of draws at each
%             of plan.sampled;  and of theory loss, widths x 3: mean square on the test set, leaving out sequences,
%             leaving out tokens;  accuracy, likewise;  reason, of draws
%   See also experiment_tokens.

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('Labels', 'tokens', 'P', plan.P, 'Ptest', plan.Ptest, 'Features', plan.features, ...
                             'Tokens', plan.tokens, 'Seed', c.seed);
out = struct ('right', [], 'loss', [], 'accuracy', [], 'reason', {{}});
truth = task.ytest(2:end,:);
right = @(f) mean (sign (f(2:end,:)) == truth, 2);
if strcmp (c.part, 'draws')
  for k = 1:numel (plan.sampled)
    post = attnpath_sample (net_of (task, plan, plan.sampled(k)), task.Xtrain, task.ytrain, plan.sampler{:});
    some = post.U(:,:,round (linspace (1, size (post.U(:,:,:), 3), plan.averaged)));
    out.right(:,k) = right (attnpath_predict (post, task.Xtest, 'U', some, 'Display', false));
    out.reason{k} = post.reason;
  end
  return
end
for k = 1:numel (plan.widths)
  sol = attnpath_solve (net_of (task, plan, plan.widths(k)), task.Xtrain, task.ytrain, 'Display', false);
  f = attnpath_predict (sol, task.Xtest);
  out.right(:,k) = right (f);
  sequence = attnpath_loo (sol, 'Display', false);
  token = attnpath_loo (sol, 'Leave', 'token', 'Display', false);
  out.loss(k,:) = [mean(mean ((f(2:end,:) - truth) .^ 2)), sequence.mse, token.mse];
  out.accuracy(k,:) = [mean(out.right(:,k)), sequence.accuracy, token.accuracy];
end
out.right(:,end+1) = right (attnpath_predict (sol, task.Xtest, 'Limit', 'gp'));
out.right(:,end+1) = right ([zeros(1, plan.Ptest); smoothed(task)]);
end

function net = net_of (task, plan, width)
net = attnpath_net (task.heads, 'Width', width, 'Temperature', plan.temperature, 'Readout', 'all');
end

function odds = smoothed (task)
% Log odds of the states given all tokens of a sequence and the true parameters, by forward and backward sums
opt = task.settings;
F = opt.Features;
half = ones (F / 2, 1) / sqrt (F);
along = reshape ([half; -half]' * reshape (task.Xtest(1:F,2:end,:), F, []), opt.Tokens, []);
seen = 2 * along * sqrt (F / 2) / opt.Parallel(1) ^ 2;           % of each token alone
step = @(l) log ((opt.Stay * exp (l) + 1 - opt.Stay) ./ (opt.Stay + (1 - opt.Stay) * exp (l)));
[before, after] = deal (zeros (size (seen)));
for t = 2:opt.Tokens
  before(t,:) = step (before(t-1,:) + seen(t-1,:));
  after(end-t+1,:) = step (after(end-t+2,:) + seen(end-t+2,:));
end
odds = before + seen + after;
end
