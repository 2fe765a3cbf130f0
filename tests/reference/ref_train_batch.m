function [X, y] = ref_train_batch (task, batch, stream)
% REF_TRAIN_BATCH  The sequences of one step of training, assembled one token at a time (theory.md section 10).
%   stream: seed of the generator of a step in attnpath_train, [Seed 4 step].
before = {rand("twister"), randn("twister")};
rand ("twister", [stream(:); 1]);
randn ("twister", [stream(:); 2]);
[patch, count, drawings, classes] = size (task.images.train);
u = rand (2 + 2 * drawings + 2, batch);
rand ("twister", before{1});
randn ("twister", before{2});
for mu = 1:batch
  y(mu,1) = 1 - 2 * mod (mu - 1, 2);
  own = 1 + floor (classes * u(1,mu));
  other = 1 + floor ((classes - 1) * u(2,mu));
  if other >= own, other = other + 1; end
  [~, d1] = sort (u(3:2+drawings,mu));
  [~, d2] = sort (u(3+drawings:2+2*drawings,mu));
  shown = [own, d1(1), y(mu); other, d2(1), -y(mu)];
  [~, order] = sort (u(end-1:end,mu));
  shown = [shown(order,:); own, d1(2), 0];
  for k = 1:3
    label = find (shown(k,3) == [1 -1 0]);
    for c = 1:count
      t = (k - 1) * count + c;
      pixels = double (task.images.train(:,c,shown(k,2),shown(k,1)));
      X(:,t,mu) = kron (pixels, ones (rows (task.embedding) / patch, 1)) + task.embedding(:,label) ...
                  + task.positions(:,t);
    end
  end
end
end
