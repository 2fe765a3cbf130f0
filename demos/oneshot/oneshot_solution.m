function sol = oneshot_solution (d, at)
%ONESHOT_SOLUTION  A solution that a cell has found, as attnpath_solve returns it.
%
%   sol = oneshot_solution (d, at)
%   Inputs :  d, from oneshot_data;  at, struct of width, temperature and order, from theory_of in
%             experiment_oneshot
%   Outputs:  struct of net, paths, y, U and order

% SPDX-License-Identifier: BSD-3-Clause

sol = struct ('net', d.net, 'paths', d.train, 'y', d.ytrain, 'U', at.order{1}, 'order', {at.order});
sol.net.width(:) = at.width;
sol.net.temperature = at.temperature;
end
