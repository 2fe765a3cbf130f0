function values = head_worth (word, model, varargin)
%HEAD_WORTH  What each head is worth by one of the scores of attnpath_scores, head by head.
%
%   values = head_worth (word, sol)
%   values = head_worth (word, trained, paths, y)
%   Inputs :  word, of attnpath_scores;  sol, or a trained network with training sequences that it is asked with
%   Outputs:  1 x heads, layer by layer: large for a head that matters

% SPDX-License-Identifier: BSD-3-Clause

score = sortrows (attnpath_scores (model, varargin{:}, 'By', word, 'Display', false), [1 2]);
values = score(:,3)';
end
