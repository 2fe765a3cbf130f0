function x = removals_of (cells)
%REMOVALS_OF  The removal curves of cells: tasks x (removals + 1) x orders.
%
%   x = removals_of (cells)
%   Inputs :  cells, struct array with removed, (removals + 1) x orders, as from networks_cell and trained_cell

% SPDX-License-Identifier: BSD-3-Clause

x = permute (cat (3, cells.removed), [3 1 2]);
end
