function post = draw_until (looks, sample)
%DRAW_UNTIL  Posterior draws until attnpath_sample finds that they have converged
%
%   post = draw_until (looks, sample)
%   Inputs :  looks, increasing numbers of draws of each chain at which convergence is tested: sampling ends at the
%             first that passes, or at the last;  sample, @(Name, Value, ..) that adds these options to attnpath_sample
%   See also attnpath_sample, oneshot_draws_cell, classes_draws_cell.

% SPDX-License-Identifier: BSD-3-Clause

file = [tempname() '.mat'];
remove = onCleanup (@() delete (file));
for count = looks
  post = sample ('Draws', count, 'Checkpoint', file);            % continues from the previous test
  if post.converged, break; end
end
end
