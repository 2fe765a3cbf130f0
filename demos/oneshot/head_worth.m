function values = head_worth (word, model, paths, y)
%HEAD_WORTH  What each head is worth, by one of the scores that are compared.
%
%   values = head_worth (word, sol)
%   values = head_worth (word, trained, paths, y)
%   Inputs :  word, of attnpath_scores; or for a trained network, a struct of net and w, with paths and labels y of
%             training sequences,
%               'output'       mean of y times what the paths through the head add to the output
%   Outputs:  1 x heads, layer by layer: large for a head that matters

% SPDX-License-Identifier: BSD-3-Clause

if strcmp (word, 'output')
  F = oneshot_paths (model, paths);
  list = heads_of (model.net.H);
  for k = 1:size (list, 1)
    uses = paths.heads(:,list(k,1)) == list(k,2);
    values(k) = mean (y .* sum (F(:,uses), 2));
  end
  return
end
asked = {};
if nargin > 2, asked = {paths, y}; end
score = sortrows (attnpath_scores (model, asked{:}, 'By', word, 'Display', false), [1 2]);
values = score(:,3)';
end
