function post = draw_until (looks, sample)
%DRAW_UNTIL  Posterior draws until attnpath_sample calls them converged
%
%   post = draw_until (looks, sample)
%   Inputs :  looks, increasing numbers of draws of each chain: the first at which all has converged ends it, or the
%             last;  sample, @(Name, Value, ..) that calls attnpath_sample with these options as well
%   See also attnpath_sample, oneshot_draws_cell, classes_draws_cell.

% SPDX-License-Identifier: BSD-3-Clause

file = [tempname() '.mat'];
remove = onCleanup (@() delete (file));
for count = looks
  post = sample ('Draws', count, 'Checkpoint', file);            % goes on from the look before
  if post.converged, break; end
end
end
