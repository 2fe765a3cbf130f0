function [X, y] = ref_train_ways (task, batch, stream, paired)
% REF_TRAIN_WAYS  The sequences of one step of training with C > 2 ways, one image of each, assembled one token at a
% time (theory.md section 10).  stream: as for ref_train_batch.  y: the numbers of the queries' labels.
% paired: each of batch / C^2 draws of images gives C^2 sequences: for a query of each of the C classes, the labels as
% drawn and their C - 1 cyclic shifts 1 -> 2 -> .. C -> 1.
before = {rand("twister"), randn("twister")};
rand ("twister", [stream(:); 1]);
randn ("twister", [stream(:); 2]);
[patch, count, drawings, classes] = size (task.images.train);
C = task.settings.Ways;
draws = batch;
turns = [1 0];                                             % rows: class of the query, shift of the labels
if nargin > 3 && paired
  draws = batch / C ^ 2;
  turns = [];
  for s = 0:C-1
    for k = 1:C
      turns(end+1,:) = [k s];
    end
  end
end
u = rand (classes + C * drawings + C, draws);
rand ("twister", before{1});
randn ("twister", before{2});
mu = 0;
for turn = turns'
  for draw = 1:draws
    mu = mu + 1;
    first = 1 + mod (draw - 1, C);
    [~, class] = sort (u(1:classes,draw));
    labels = [first, setdiff(1:C, first)];                 % of class(1), and of the others
    shown = zeros (0, 3);
    for k = 1:C
      [~, d] = sort (u(classes + (k - 1) * drawings + (1:drawings),draw));
      label = labels(k) + turn(2);
      if label > C, label = label - C; end
      shown(k,:) = [class(k), d(1), label];
      if k == turn(1)
        query = [class(k), d(2), C + 1];                   % the last column of the embedding is "unknown"
        y(mu,1) = label;
      end
    end
    [~, order] = sort (u(end-C+1:end,draw));
    shown = [shown(order,:); query];
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
end
