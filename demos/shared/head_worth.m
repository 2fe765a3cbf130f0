function values = head_worth (word, model, varargin)
%HEAD_WORTH  One of the scores of attnpath_scores for each head.
%
%   values = head_worth (word, sol)
%   values = head_worth (word, trained, paths, y)
%   Inputs :  word, option 'By' of attnpath_scores;  sol, or a trained network with its training sequences and labels
%   Outputs:  1 x heads, layer by layer: large for an important head

% SPDX-License-Identifier: BSD-3-Clause

score = sortrows (attnpath_scores (model, varargin{:}, 'By', word, 'Display', false), [1 2]);
values = score(:,3)';
end
