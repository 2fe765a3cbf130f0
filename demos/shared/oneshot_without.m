function [percent, right] = oneshot_without (gone, F, labels, H)
%ONESHOT_WITHOUT  Percentage of right answers of a trained network without some of its heads.
%
%   [percent, right] = oneshot_without (gone, F, labels, H)
%   Inputs :  gone, k x 2, rows [layer head];  F, from oneshot_held_out;  labels, +1 and -1;  H, heads of each layer
%   Outputs:  percent, and right, a logical for each sequence
%   The paths' outputs are the only feature of a network whose weights are 1. attnpath_prune removes heads from it.

% SPDX-License-Identifier: BSD-3-Clause

paths = struct ('Xi', reshape (F, 1, size (F, 1), size (F, 2)));
[small, left] = attnpath_prune (struct ('net', attnpath_net (H), 'w', ones (1, prod (H))), gone, paths);
mu = attnpath_predict (small, left);
percent = percent_right (mu, labels);
right = sign (mu) == labels;
end
