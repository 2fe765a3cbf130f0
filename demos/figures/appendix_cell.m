function out = appendix_cell (c, plan)
%APPENDIX_CELL  Accuracy of the four-path Markov task with parts of U, and conditioning of its solution.
%
%   out = appendix_cell (c, plan)
%   Inputs :  c, struct of width and seed;  plan, struct of Ptest
%   Outputs:  struct of
%     accuracy      1 x 4, with U, with its diagonal alone, with its diagonal averaged (a multiple of the identity of
%                   the same trace), and in the GP limit
%     score         1 x 4, of the heads (1,1), (1,2), (2,1), (2,2)
%     without       3 x 4, accuracy without each head: silenced (rows and columns of U set to zero), silenced with the
%                   kernel multiplied by H_l / (H_l - 1), as for a layer with one head fewer, and solved without it
%     hessian       eigenvalues of the Hessian of S / N over symmetric changes of U_1 and U_2, u_a eliminated
%     hessian_min   the smallest, by attnpath_solve
%     kernel        P x 2, eigenvalues of the training kernel without temperature: this width, GP limit

% SPDX-License-Identifier: BSD-3-Clause

d = markov_data ('Ptest', plan.Ptest, 'Seed', c.seed);
net = d.net;
net.width(:) = c.width;
sol = attnpath_solve (net, d.train, d.ytrain);
right = @(U) percent_right (attnpath_predict (sol, d.test, 'U', U), d.ytest);
U = sol.U;
out.accuracy = [right(U), right(diag (diag (U))), right(trace (U) / 4 * eye (4)), right(eye (4))];

score = sortrows (attnpath_scores (sol, 'By', 'order'), [1 2]);
out.score = score(:,3)';
for k = 1:4
  l = score(k,1);
  left = double (d.train.heads(:,l) ~= score(k,2));
  silenced = U .* (left * left');
  [small, few] = attnpath_prune (net, score(k,1:2), d.train);
  [~, few_test] = attnpath_prune (net, score(k,1:2), d.test);
  anew = attnpath_solve (small, few, d.ytrain);
  out.without(:,k) = [right(silenced); right(2 * silenced); percent_right(attnpath_predict (anew, few_test), d.ytest)];
end
out.hessian = hessian_spectrum (sol);
out.hessian_min = sol.hessian_min;
out.kernel = [sort(eig (attnpath_kernel (net, d.train, U)), 'descend'), ...
              sort(eig (attnpath_kernel (net, d.train, eye (4))), 'descend')];
end
