function [X, y] = ref_train_ways (task, batch, stream)
% REF_TRAIN_WAYS  The sequences of one step of training with C > 2 ways, one image of each, assembled one token at a
% time (theory.md section 10).  stream: as for ref_train_batch.  y: the numbers of the queries' labels.
before = {rand("twister"), randn("twister")};
rand ("twister", [stream(:); 1]);
randn ("twister", [stream(:); 2]);
[patch, count, drawings, classes] = size (task.images.train);
C = task.settings.Ways;
u = rand (classes + C * drawings + C, batch);
rand ("twister", before{1});
randn ("twister", before{2});
for mu = 1:batch
  y(mu,1) = 1 + mod (mu - 1, C);
  [~, class] = sort (u(1:classes,mu));
  labels = [y(mu), setdiff(1:C, y(mu))];                   % of class(1), which is asked for, and of the others
  shown = zeros (0, 3);
  for k = 1:C
    [~, d] = sort (u(classes + (k - 1) * drawings + (1:drawings),mu));
    shown(k,:) = [class(k), d(1), labels(k)];
    if k == 1, asked = d(2); end
  end
  [~, order] = sort (u(end-C+1:end,mu));
  shown = [shown(order,:); class(1), asked, C + 1];        % the last column of the embedding is "unknown"
  for k = 1:C+1
    for c = 1:count
      t = (k - 1) * count + c;
      pixels = double (task.images.train(:,c,shown(k,2),shown(k,1)));
      X(:,t,mu) = kron (pixels, ones (rows (task.embedding) / patch, 1)) + task.embedding(:,shown(k,3)) ...
                  + task.positions(:,t);
    end
  end
end
end
