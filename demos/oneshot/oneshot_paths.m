function F = oneshot_paths (trained, paths)
%ONESHOT_PATHS  What each path of a trained network adds to its output.
%
%   F = oneshot_paths (trained, paths)
%   Inputs :  trained, struct of net and w, as from attnpath_train;  paths, from attnpath_paths
%   Outputs:  P x Pi, an example in each row and a path in each column, in the units of the whole network, whose output
%             is the sum of a row

% SPDX-License-Identifier: BSD-3-Clause

[~, P, count] = size (paths.Xi);
F = zeros (P, count);
for p = 1:count
  alone = struct ('net', attnpath_net (1), 'w', trained.w(:,p));
  F(:,p) = attnpath_predict (alone, struct ('Xi', paths.Xi(:,:,p))) / sqrt (count);
end
end
