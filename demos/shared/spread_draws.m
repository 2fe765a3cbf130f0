function U = spread_draws (post, count)
%SPREAD_DRAWS  A subset of the draws of U, evenly spread over all chains.
%
%   U = spread_draws (post, count)
%   Inputs :  post, from attnpath_sample;  count, how many
%   Outputs:  Pi x Pi x count, for attnpath_predict (post, X, 'U', U)

% SPDX-License-Identifier: BSD-3-Clause

U = post.U(:,:,:);
U = U(:,:,round (linspace (1, size (U, 3), count)));
end
