function sol = doubted (name, call)
% sol = doubted (name, call): call (sol), of attnpath_NAME, warns of a solution that has not converged or is a saddle,
% returns what it does of the one without the mark, and says nothing of a struct of a user.

% SPDX-License-Identifier: BSD-3-Clause

randn ('twister', 48);
net = attnpath_net ([2 2], 'Width', 30, 'Temperature', 0.3);
sol = attnpath_solve (net, struct ('Xi', randn (5, 20, 4)), sign (randn (20, 1)));
[id, ~, want] = warned (@() call (sol));
assert (id, '');
for c = {{'converged', false, 'notConverged', sol.reason}, {'hessian_min', -1, 'saddle', 'curvature -1'}}
  [id, text, got] = warned (@() call (setfield (sol, c{1}{1:2})));
  assert (id, ['attnpath:' name ':' c{1}{3}]);
  assert (~isempty (strfind (text, c{1}{4})) && strncmp (text, ['attnpath_' name ': '], numel (name) + 11));
  assert (got, want);
end
assert (warned (@() call (rmfield (sol, {'converged', 'reason', 'hessian_min'}))), '');
end
