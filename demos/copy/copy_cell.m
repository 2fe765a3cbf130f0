function out = copy_cell (c, plan)
%COPY_CELL  One cell of the sweeps of experiment_copy: how well heads learn to copy.
%
%   out = copy_cell (c, plan)
%   Inputs :  c, struct of seed; P, training sequences; width, Inf for the GP limit; and where, number of a row of
%             plan.where: tokens, symbols, AttentionScale, and 1 where outputs are the binary digits of symbols, -1 or
%             +1, otherwise each symbol has an output;  plan, struct of settings
%   Outputs:  struct of accuracy, in percent of test tokens with an answer, and weight, on the token that has the
%             answer, mean over test tokens, both 1 x 5: posterior from starts in the prior and at the copying head,
%             maximum of the evidence, even attention, copying head;  rhat, of the log posterior and of the mean output
%             of the right symbol between chains from both starts;  map, T x T, mean attention from the first start
%   See also experiment_copy, attnpath_task_copy.

% SPDX-License-Identifier: BSD-3-Clause

where = plan.where(c.where,:);
task = attnpath_task_copy ('P', c.P, 'Ptest', plan.Ptest, 'Tokens', where(1), 'Symbols', where(2), 'Heads', 1, ...
                           'Seed', c.seed);
net = attnpath_net (task.heads, 'Temperature', 0.1, 'Readout', 'all');
gp = isinf (c.width);
if ~gp, net.width(:) = c.width; end
out = struct ('accuracy', NaN (1, 5), 'weight', NaN (1, 5), 'rhat', NaN, 'map', []);
[y, code] = labels (task, where(4));
starts = {'prior', 'given'};
for k = 1:plan.starts
  options = [plan.sampler, {'Method', 'attention', 'Probe', task.Xtest, 'StartHeads', starts{k}, 'Seed', ...
                            c.seed, 'AttentionScale', where(3), 'KeepHeads', 10}];
  if gp, options = [options, {'Limit', 'gp'}]; end
  saved = warning ('off', 'attnpath:sample:notConverged');
  back = onCleanup (@() warning (saved));
  post = attnpath_sample (net, task.Xtrain, y, options{:});
  back = [];
  f = reshape (post.f, size (post.f, 1), size (post.f, 2), []);
  out.accuracy(k) = right (mean (f, 3), task, code);
  A = attnpath_attention (post, task.Xtest, 'Display', false);
  out.weight(k) = weight (A, 1);
  if k == 1, out.map = mean (A{1}(:,:,1,:), 4); end
  level{k} = [post.logpost, fitted(post.f, task, code)];
end
if plan.starts > 1
  m = size (post.logpost, 2);
  rhat = @(part) attnpath_diagnose ([level{1}(:,part), level{2}(:,part)]).rhat;
  out.rhat = max (rhat (1:m), rhat (m+1:2*m));
end
heads = {[], zeros(size (net.heads{1})), task.heads{1}};
if plan.beside && gp, heads{1} = most_probable (net, task, plan); end
for k = 1:3
  if isempty (heads{k}) || ~plan.beside, continue; end
  net.heads = heads(k);
  sol = attnpath_solve (net, task.Xtrain, y, plan.fixed{:});
  limit = {};
  if gp, limit = {'Limit', 'gp'}; end
  mu = attnpath_predict (sol, task.Xtest, limit{:});
  mu = reshape (mu, [], size (mu, 3));
  out.accuracy(2+k) = right (mu, task, code);
  out.weight(2+k) = weight (attnpath_attention (net, task.Xtest), 1);
end
end

function [y, code] = labels (task, digits)
% code: symbols x outputs, what each symbol stands for
C = task.settings.Symbols;
code = eye (C) - 1 / C;
if digits, code = 2 * (dec2bin (0:C-1) - '0') - 1; end
y = NaN ([size(task.ytrain), size(code, 2)]);
there = ~isnan (task.ytrain);
for k = 1:size (code, 2)
  one = NaN (size (there));
  one(there) = code(task.ytrain(there),k);
  y(:,:,k) = one;
end
end

function percent = right (f, task, code)
% The symbol whose code is nearest
there = ~isnan (task.ytest(:));
[~, symbol] = min (bsxfun (@minus, sum (code .^ 2, 2)', 2 * f(there,:) * code'), [], 2);
percent = 100 * mean (symbol == task.ytest(there));
end

function each = fitted (f, task, code)
% draws x chains: mean over test tokens of the output along the code of the right symbol
there = find (~isnan (task.ytest(:)));
each = zeros (size (f, 3), size (f, 4));
for k = 1:size (code, 2)
  each = each + reshape (mean (bsxfun (@times, code(task.ytest(there),k), f(there,k,:,:)), 1), size (each));
end
end

function w = weight (A, back)
T = size (A{1}, 1);
at = sub2ind ([T T], 1:T-back, 1+back:T);
flat = reshape (A{1}, T ^ 2, []);
w = mean (mean (flat(at,:)));
end

function W = most_probable (net, task, plan)
% The matrix of the largest evidence, along its gradient from a small one, at a width near the GP limit
net.width(:) = 1e4;
W = 0.3 * randn (size (net.heads{1}));
[logp, slope] = evidence (W, net, task, plan);
step = 1;
for k = 1:plan.climb
  [more, next] = evidence (W + step * slope / norm (slope(:)), net, task, plan);
  if more > logp
    W = W + step * slope / norm (slope(:));
    [logp, slope, step] = deal (more, next, 1.5 * step);
  else
    step = step / 3;
  end
end
end

function [logp, slope] = evidence (W, net, task, plan)
net.heads = {W};
sol = attnpath_solve (net, task.Xtrain, task.ytrain, 'Classes', true, 'Outputs', 'shared', plan.fixed{:});
g = attnpath_gradient (sol, task.Xtrain, 'With', 'W');
[logp, slope] = deal (g.logp, g.W{1});
end
