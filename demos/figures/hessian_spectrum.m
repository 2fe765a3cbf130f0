function values = hessian_spectrum (sol)
%HESSIAN_SPECTRUM  Eigenvalues of the Hessian of the action at a solution, by differences of its gradient.
%
%   values = hessian_spectrum (sol)
%   Inputs :  sol, from attnpath_solve (net, paths, y)
%   Outputs:  column, increasing: of S over the largest width, over symmetric changes of all U_l of Frobenius norm 1,
%             u_a eliminated. The smallest is sol.hessian_min
%   Central differences have a relative error h^2, with the step h relative to the order parameters, and a rounding
%   error eps / h times the gradient's two large parts that cancel: about 1e-8 of the largest eigenvalue at h = 1e-4.

% SPDX-License-Identifier: BSD-3-Clause

L = numel (sol.order);
basis = {};
for l = 1:L
  n = size (sol.order{l}, 1);
  for i = 1:n
    for j = 1:i
      E = cellfun (@(U) zeros (size (U)), sol.order, 'UniformOutput', false);
      E{l}(i,j) = 1;
      E{l} = (E{l} + E{l}') / norm (E{l} + E{l}', 'fro');
      basis{end+1} = E;
    end
  end
end
flat = @(list) cell2mat (cellfun (@(U) U(:), list(:), 'UniformOutput', false));
directions = cell2mat (cellfun (flat, basis, 'UniformOutput', false));
smallest = min (cellfun (@(U) min (eig (U)), sol.order));        % steps stay inside the cone
h = 1e-4 * smallest;
for k = 1:numel (basis)
  ahead = cellfun (@(U, E) U + h * E, sol.order, basis{k}, 'UniformOutput', false);
  behind = cellfun (@(U, E) U - h * E, sol.order, basis{k}, 'UniformOutput', false);
  [~, one] = attnpath_action (sol.net, sol.paths, sol.y, ahead);
  [~, two] = attnpath_action (sol.net, sol.paths, sol.y, behind);
  H(:,k) = directions' * (flat (one) - flat (two)) / (2 * h);
end
values = sort (eig ((H + H') / 2)) / max (sol.net.width);
end
