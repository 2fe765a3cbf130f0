function x = by_task (cells, name)
%BY_TASK  A field of the cells of a sweep over widths and tasks, as means and errors over tasks want it.
%
%   x = by_task (cells, name)
%   Inputs :  cells, struct array, widths x tasks;  name, of a field that is 1 x k in each
%   Outputs:  tasks x widths x k

% SPDX-License-Identifier: BSD-3-Clause

x = permute (reshape (cat (1, cells.(name)), size (cells, 1), size (cells, 2), []), [2 1 3]);
end
