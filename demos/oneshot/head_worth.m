function values = head_worth (word, model)
%HEAD_WORTH  What each head is worth, by one of the scores that are compared.
%
%   values = head_worth (word, sol)
%   values = head_worth (word, trained)
%   Inputs :  word, of attnpath_scores: 'order', 'predictor', 'loo' or 'evidence', of a solution sol
%             or of a trained network, a struct of net and w, with F, from oneshot_paths, and y of training sequences:
%               'importance'   mean |d loss / d mask| of the squared error, over the norm of its layer's (Michel, Levy,
%                              Neubig, arXiv:1905.10650)
%               'output'       mean of y times what the paths through the head add to the output
%               'ablation'     by how much the squared error grows without the head
%   Outputs:  1 x heads, layer by layer: large for a head that matters

% SPDX-License-Identifier: BSD-3-Clause

if any (strcmp (word, {'order', 'predictor', 'loo', 'evidence'}))
  score = sortrows (attnpath_scores (model, 'By', word, 'Display', false), [1 2]);
  values = score(:,3)';
  return
end
H = model.net.H;
list = heads_of (H);
paths = model.heads;
f = sum (model.F, 2);
for k = 1:size (list, 1)
  uses = paths(:,list(k,1)) == list(k,2);
  through = sum (model.F(:,uses), 2);
  switch word
    case 'importance'
      values(k) = mean (abs ((f - model.y) .* through));
    case 'output'
      values(k) = mean (model.y .* through);
    case 'ablation'                                % the layer's sum is normalised by the heads that it has left
      less = (f - through) * sqrt (H(list(k,1)) / (H(list(k,1)) - 1));
      values(k) = mean ((less - model.y) .^ 2) - mean ((f - model.y) .^ 2);
  end
end
if strcmp (word, 'importance')
  for l = 1:numel (H)
    values(list(:,1) == l) = values(list(:,1) == l) / norm (values(list(:,1) == l));
  end
end
end
