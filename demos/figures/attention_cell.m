function out = attention_cell (c, plan)
%ATTENTION_CELL  Attention maps of the heads of the four-path Markov task, and means of them.
%
%   out = attention_cell (c, plan)
%   Inputs :  c, struct of seed;  plan, struct of P, sequences of the means
%   Outputs:  struct of mass, 1 x 4: mean attention of the good head to the previous token where both are in the same
%             state, and where not; to the empty token in the two cases; uniform, largest difference of the uniform head
%             from 1 / tokens; effective, 1 x 4, mean of exp (entropy) of each head: its effective number of tokens;
%             and at seed 1 state, maps and path_weights of the first sequence

% SPDX-License-Identifier: BSD-3-Clause

task = attnpath_task_markov ('P', plan.P, 'Ptest', 2, 'Seed', c.seed);
A = attnpath_attention (attnpath_net (task.heads), task.Xtrain);
F = task.settings.Features;
odd = [ones(F / 2, 1); -ones(F / 2, 1)] * sqrt (2) / F;
T = size (task.Xtrain, 2);
state = sign (reshape (odd' * reshape (task.Xtrain(1:F,:,:), F, []), T, []));        % of the empty token: 0
same = state(3:T,:) == state(2:T-1,:);           % queries from the second token on
good = A{1}(:,:,1,:);
for t = 3:T
  previous(t-2,:) = reshape (good(t-1,t,1,:), 1, []);
  empty(t-2,:) = reshape (good(1,t,1,:), 1, []);
end
out.mass = [mean(previous(same)), mean(previous(~same)), mean(empty(same)), mean(empty(~same))];
uniform = A{2}(:,:,1,:);
out.uniform = max (abs (uniform(:) - 1 / T));
for k = 1:4
  maps = A{ceil (k / 2)}(:,:,2-mod(k, 2),:);
  out.effective(k) = mean (exp (-sum (maps(:,:) .* log (max (maps(:,:), realmin)), 1)));
end
out.state = [];
out.maps = {};
out.path_weights = [];
if c.seed > 1, return; end
out.state = state(:,1)';
for k = 1:4
  out.maps{k} = A{ceil (k / 2)}(:,:,2-mod(k, 2),1);
end
for p = 1:4                                      % weight of each token in each path, at the last token
  out.path_weights(:,p) = out.maps{ceil(p / 2)} * out.maps{4-mod(p, 2)}(:,T);
end
end
