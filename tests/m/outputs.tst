% outputs.tst: several outputs, (T17) to (T19), against ref_outputs_* and what must hold of them.
% Actions are of order 100 and the kernels' condition numbers below 1e3, so values agree to 1e-12 relative.

%!function [net, Xi, Y, order] = random_case (H, P, C, seed)
%!  randn ("twister", seed);  rand ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", 8 + 20 * rand (1, L + 1), "Variance", 0.5 + rand (1, L + 2), "Temperature", 0.3);
%!  Xi = randn (6, P, prod (H));
%!  Y = randn (P, C);
%!  for l = 1:L+1
%!    n = prod (H(l:end)) * C;
%!    B = randn (n) / sqrt (n);
%!    order{l} = eye (n) / 2 + B * B';
%!  endfor
%!endfunction

%!function [Q, T] = turn (C, paths)   % rotation of the outputs, and of what is indexed by path and output
%!  [Q, ~] = qr (randn (C));
%!  T = kron (eye (paths), Q);
%!endfunction

%!test % action, gradient and parts against the reference: L = 1..3, C = 2..4
%! for H = {1, 3, [2 2], [2 1 2]}
%!   for C = 2:4
%!     [net, Xi, Y, order] = random_case (H{1}, 7, C, C);
%!     [S, grad, part] = attnpath_action (net, struct ("Xi", Xi), Y, order);
%!     [R, Rgrad, Rpart] = ref_outputs_action (net, Xi, Y, order);
%!     assert ([S, part.energy, part.entropy], [R, Rpart.energy, Rpart.entropy], -1e-12);
%!     assert (part.ua, order{end});
%!     assert (apart (grad, Rgrad) < 1e-11);            % inverses: one more condition number
%!     for l = 1:net.L+1, assert (grad{l}, grad{l}'); endfor
%!   endfor
%! endfor

%!test % outputs that share one U: the same action as where every U_l is U_l (x) I
%! for H = {1, 3, [2 2]}
%!   for C = 2:3
%!     [net, Xi, Y] = random_case (H{1}, 7, C, C);
%!     for l = 1:net.L
%!       n = prod (H{1}(l:end));  B = randn (n);  order{l} = eye (n) / 2 + B * B' / n;
%!     endfor
%!     order = order(1:net.L);
%!     [S, grad, part] = attnpath_action (net, Xi, Y, order);
%!     [R, Rgrad, Rpart] = ref_outputs_shared (net, Xi, Y, order);
%!     assert ([S, part.ua], [C * R, Rpart.ua], -1e-12);
%!     for l = 1:net.L, assert (apart (grad{l}, C * Rgrad{l}) < 1e-11); endfor
%!     wide = cellfun (@(U) kron (U, eye (C)), [order, {part.ua}], "UniformOutput", false);
%!     assert (ref_outputs_action (net, Xi, Y, wide), S, -1e-12);
%!   endfor
%! endfor

%!test % a solution: stationary by the reference, and minimal among its neighbours
%! for C = 2:3
%!   [net, Xi, Y] = random_case ([2 2], 12, C, C);
%!   sol = attnpath_solve (net, struct ("Xi", Xi), Y);
%!   assert (sol.converged && sol.hessian_min > 0);
%!   assert ({size(sol.U), numel(sol.order), sol.ua, sol.outputs}, {[4 4] * C, 3, sol.order{3}, "coupled"});
%!   [S, grad] = ref_outputs_action (net, Xi, Y, sol.order);
%!   assert (S, sol.action, -1e-12);
%!   assert (max (cellfun (@(g) max (abs (g(:))), grad)) / max (net.width) < 1e-8 + 1e-11);
%! endfor

%!testif ; thorough ()
%! % predictor against the reference, coupled, shared, for several draws and in the GP limit
%! for C = 2:3
%!   [net, Xi, Y, order] = random_case ([2 2], 9, C, C);
%!   Xt = randn (6, 140, 4);                            % more than one block of test examples
%!   model = struct ("net", net, "paths", struct ("Xi", Xi), "y", Y);
%!   draws = cat (3, order{1}, 2 * order{1});
%!   [mu, s2] = attnpath_predict (model, struct ("Xi", Xt), "U", order{1});
%!   [m, v] = ref_predict (net, Xi, Y, order{1}, Xt);
%!   assert ({mu, s2}, {m, v}, 1e-12);
%!   [mu, s2] = attnpath_predict (model, struct ("Xi", Xt), "U", draws);
%!   [m2, v2] = ref_predict (net, Xi, Y, draws(:,:,2), Xt);
%!   assert (mu, (m + m2) / 2, 1e-12);
%!   for t = 1:3
%!     d = (m2(t,:) - m(t,:)) / 2;
%!     assert (s2(:,:,t), (v(:,:,t) + v2(:,:,t)) / 2 + d' * d, 1e-12);
%!   endfor
%!   U = order{1}(1:C:end,1:C:end);
%!   [mu, s2] = attnpath_predict (model, struct ("Xi", Xt), "U", U);
%!   [m, v] = ref_predict (net, Xi, Y, kron (U, eye (C)), Xt);
%!   assert ({mu, s2}, {m, v}, 1e-12);
%!   gp = ref_gp (net);
%!   [mu, s2] = attnpath_predict (model, struct ("Xi", Xt), "Limit", "gp");
%!   for c = 1:C                                        % in the GP limit outputs are C tasks of their own
%!     [m, v] = ref_predict (net, Xi, Y(:,c), gp{1}, Xt(:,1:5,:));
%!     assert ({mu(1:5,c), squeeze(s2(c,c,1:5))}, {m, v}, 1e-12);
%!   endfor
%!   assert (max (max (abs (s2(1,2,:)))), 0);
%! endfor

%!test % rotating the outputs rotates U, the readout's matrix, mean and covariance
%! for k = 1:4
%!   C = 2 + mod (k, 2);
%!   [net, Xi, Y] = random_case ([2 2], 10, C, C);
%!   if k > 2, Y = Y - mean (Y, 2); endif               % a direction without labels, as classes have
%!   Xt = struct ("Xi", randn (6, 4, 4));
%!   [Q, T] = turn (C, 4);
%!   one = attnpath_solve (net, struct ("Xi", Xi), Y, "Tolerance", 1e-12);
%!   two = attnpath_solve (net, struct ("Xi", Xi), Y * Q, "Tolerance", 1e-12);
%!   [mu, s2] = attnpath_predict (one, Xt);
%!   [mu2, s22] = attnpath_predict (two, Xt);
%!   assert (apart (two.U, T' * one.U * T) < 1e-9);
%!   assert ({two.ua, mu2}, {Q' * one.ua * Q, mu * Q}, 1e-9);
%!   for t = 1:4, assert (s22(:,:,t), Q' * s2(:,:,t) * Q, 1e-9); endfor
%!   assert ([two.action, two.evidence], [one.action, one.evidence], -1e-11);
%! endfor

%!test % moments: rows that stand for examples in the small problems too, and rows without path inputs; what these cost
%! [net, Xi, Y] = random_case ([2 2], 40, 3, 1);
%! Y = Y - mean (Y, 2);
%! solve = @(varargin) attnpath_solve (net, varargin{:}, "Certificate", false);
%! for l = 1:3, order{l} = prod (net.variance(l+1:end)) * eye (prod (net.H(l:end)) * 3); endfor
%! gp = solve (struct ("Xi", Xi), Y, "Start", order);
%! sol = solve (attnpath_moments (net, struct ("Xi", Xi), Y));
%! assert (sol.U, gp.U, 1e-6 * norm (gp.U));
%! assert (sol.action, gp.action, -1e-11);
%! assert ([sol.evaluations_apart, gp.evaluations_apart] > 0, [true false]);
%! assert (! isfield (solve (struct ("Xi", Xi), Y(:,1)), "evaluations_apart"));

%!test % what a search that begins with small problems says
%! [net, Xi, Y] = random_case ([2 2], 12, 3, 2);
%! Y(:,3) = 0;
%! text = evalc ('attnpath_solve (net, struct ("Xi", Xi), Y, "Display", "iter");');
%! tells (text, {"where to begin, 1 of 2: step   0", "where to begin, 2 of 2: step   0", "attnpath_solve: step   0"});

%!test % one head: closed form, by diagonalising the labels' second moment under the inverse kernel
%! % With T = 0, one head and one layer A = K1 (x) U_1; with M = Y' K_1^{-1} Y all U are diagonal in M's eigenvectors,
%! % and along each S is that of one output with r = its eigenvalue over P
%! [net, Xi, Y] = random_case (1, 5, 3, 6);
%! net.temperature = 0;
%! K1 = ref_kernel (net, Xi, 1, Xi);
%! [V, D] = eig (Y' * (K1 \ Y));
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y, "Tolerance", 1e-12);
%! for c = 1:3
%!   u(c) = ref_one_head (net, Xi, Y * V(:,c));
%! endfor
%! assert (sol.U, V * diag (u) * V', 1e-8 * max (u));

%!test % shared: its own minimum
%! [net, Xi, Y] = random_case ([2 2], 10, 3, 7);
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y, "Outputs", "shared");
%! assert (sol.converged && sol.hessian_min > 0);
%! assert (sol.outputs, "shared");
%! [S, grad] = ref_outputs_shared (net, Xi, Y, sol.order);
%! assert (sol.action, 3 * S, -1e-12);
%! assert (max (cellfun (@(g) max (abs (g(:))), grad)) / max (net.width) < 1e-8 + 1e-11);

%!test % what is said: several starts, the summary, a start of the wrong size
%! [net, Xi, Y] = random_case (2, 8, 2, 8);
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y, "Starts", 2);
%! assert (sol.starts.action(1), sol.action, -1e-8);
%! text = evalc ('attnpath_solve (net, struct ("Xi", Xi), Y);');
%! assert (strfind (text, "2 coupled outputs: matrices of 16 rows") > 0);
%! text = evalc ('attnpath_solve (net, struct ("Xi", Xi), Y, "Outputs", "shared");');
%! assert (strfind (text, "share one U") > 0);
%!error id=attnpath:solve:badShape
%! attnpath_solve (attnpath_net (2), struct ("Xi", ones (1, 3, 2)), ones (3, 2), "Start", {eye(2)});
%!error id=attnpath:action:badShape attnpath_action (attnpath_net (2), ones (1, 3, 2), ones (3, 2), {eye(4), eye(3)});

%!test % leave-one-out at the solution: the reference in blocks; corrected: nearer to refits, coupled and shared
%! [net, Xi, Y] = random_case ([2 2], 9, 2, 2);
%! net.width(:) = 30;
%! for mode = {"coupled", "shared"}
%!   sol = attnpath_solve (net, struct ("Xi", Xi), Y, "Outputs", mode{1});
%!   U = sol.U;
%!   if size (U, 1) == 4, U = kron (U, eye (2)); endif
%!   fixed = attnpath_loo (sol, "Corrected", false);
%!   [mu, s2, l] = ref_outputs_loo (net, Xi, Y, U);
%!   assert ({fixed.mean, fixed.variance, fixed.mse}, {mu, s2, mean((mu(:) - Y(:)) .^ 2)}, 1e-12);
%!   assert ([fixed.logdensity; fixed.elpd], [l; sum(l)], 1e-11);
%!   assert (! isnan (fixed.accuracy));
%!   moved = attnpath_loo (sol);
%!   for i = 1:9
%!     rest = [1:i-1, i+1:9];
%!     again = attnpath_solve (net, struct ("Xi", Xi(:,rest,:)), Y(rest,:), "Outputs", mode{1}, "Certificate", false);
%!     refit(i,:) = attnpath_predict (again, struct ("Xi", Xi(:,i,:)));
%!   endfor
%!   % theta_{-i} to first order: what is left is second order in 1/N, at N = 30 a fifth of the first at most
%!   assert (norm (moved.mean - refit) < 0.2 * norm (fixed.mean - refit));
%! endfor

%!test % leave-one-out of draws: one draw 25 times is that draw, whose weights are all alike
%! [net, Xi, Y, order] = random_case ([2 1], 6, 2, 1);
%! post = struct ("net", net, "paths", struct ("Xi", Xi), "y", Y, "U", repmat (order{1}, [1 1 25]));
%! loo = attnpath_loo (post, "Display", false);
%! [mu, s2, l] = ref_outputs_loo (net, Xi, Y, order{1});
%! assert ({loo.mean, loo.variance}, {mu, s2}, 1e-12);
%! assert (loo.logdensity, l, 1e-11);

%!test % moments: rows that stand for 40 examples, both forms, coupled and shared, in parts
%! [net, Xi, Y] = random_case ([2 2], 40, 2, 1);
%! p = struct ("Xi", Xi);
%! m = attnpath_moments (net, p, Y);
%! part = {attnpath_moments(net, struct ("Xi", Xi(:,1:15,:)), Y(1:15,:)), ...
%!         attnpath_moments(net, struct ("Xi", Xi(:,16:40,:)), Y(16:40,:))};
%! assert (m.outputs, 2);
%! B = [reshape(permute (Xi, [2 1 3]), 40, 24), Y];
%! assert (m.sums, B' * B, 1e-12);
%! assert (getfield (attnpath_moments (part{:}), "sums"), m.sums, 1e-12);
%! Xt = struct ("Xi", randn (6, 3, 4));
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, p, Y, "Form", form{1});
%!   for mode = {"coupled", "shared"}
%!     here = attnpath_solve (net, p, Y, "Outputs", mode{1}, "Tolerance", 1e-11);
%!     there = attnpath_solve (net, m, "Outputs", mode{1}, "Tolerance", 1e-11);
%!     assert ([there.action, there.evidence], [here.action, here.evidence], -1e-11);
%!     assert (there.U, here.U, 1e-8 * norm (here.U));
%!     [mu, s2] = attnpath_predict (there, Xt);
%!     [mu2, s22] = attnpath_predict (here, Xt);
%!     assert ({mu, s2}, {mu2, s22}, 1e-8);
%!   endfor
%!   [S, grad] = attnpath_action (net, m, here.order);
%!   assert (S, here.action, -1e-11);
%! endfor
%!error id=attnpath:moments:badShape
%! net = attnpath_net (1);  p = @(k) struct ("Xi", k * ones (1, 3));
%! attnpath_moments (attnpath_moments (net, p (1), ones (3, 2)), attnpath_moments (net, p (2), ones (3, 1)));
%!error id=attnpath:moments:badShape
%! part = {struct("X", ones (1, 1, 3), "y", ones (3, 2)), struct("X", 2 * ones (1, 1, 3), "y", ones (3, 1)), []};
%! attnpath_moments (attnpath_net ({1}), @(k) part{k}, "Display", false);

%!test % evidence: C outputs whose task is one output and zeros; T -> large, where it is that of the noise alone
%! [net, Xi, Y] = random_case (2, 8, 2, 1);
%! net.temperature = 1e9;
%! warning ("off", "attnpath:solve:noise", "local");
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y, "Certificate", false);
%! want = -16 / 2 * log (2 * pi * 1e9) - sum (Y(:) .^ 2) / 2e9;
%! assert ([attnpath_evidence(sol), sol.evidence], [want want], 1e-6);     % of order kernel / T = 1e-9
%!error id=attnpath:evidence:badValue
%! net = attnpath_net (2);  p = struct ("Xi", randn (3, 4, 2));
%! attnpath_evidence (attnpath_solve (net, p, randn (4, 2), "Outputs", "shared"));

%!test % a reflection of outputs that leaves the labels alone is no factor of 2: U has that symmetry, the error is 1/N
%! randn ("twister", 2);
%! paths = struct ("Xi", randn (3, 8, 2));
%! y = 3 * randn (8, 1) * [1 1];
%! sol = attnpath_solve (attnpath_net (2, "Width", 40, "Temperature", 0.05), paths, y);
%! assert (kron (eye (2), [0 1; 1 0]) * sol.U * kron (eye (2), [0 1; 1 0]), sol.U, 1e-6 * norm (sol.U));
%! [logp, se] = attnpath_evidence (sol, "Method", "annealed", "Particles", 400, "Display", false);
%! assert (se < 0.1);
%! assert (attnpath_evidence (sol), logp, log (2) / 2);

%!testif ; thorough () % evidence, annealed against an average over prior draws of (T18), and (T25) near it
%! [net, Xi, Y] = random_case (2, 4, 2, 3);
%! net.width = [20 20];
%! randn ("twister", 1);
%! logp = zeros (1, 10000);
%! for k = 1:numel (logp)
%!   U = ref_outputs_prior (net, 1, 2);
%!   A = ref_kernel (net, Xi, U{1}, Xi) + net.temperature * eye (8);
%!   F = chol (A);
%!   logp(k) = -sum (log (diag (F))) - sumsq (F' \ Y(:)) / 2 - 4 * log (2 * pi);
%! endfor
%! w = exp (logp - max (logp));
%! want = max (logp) + log (mean (w));
%! error_of = std (w) / mean (w) / sqrt (numel (w));
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y);
%! [got, se] = attnpath_evidence (sol, "Method", "annealed", "Display", false);
%! assert (abs (got - want) < 4.5 * norm ([se, error_of]));
%! assert (abs (attnpath_evidence (sol) - want) < 0.3 * abs (sol.evidence - want));   % the next order, at N = 20

%!function z = apart_by (a, b, ma, mb)      % the largest difference of two means, in standard errors
%!  s = sqrt (ma .^ 2 + mb .^ 2);
%!  z = max (abs (a(:) - b(:)) ./ max (s(:), 1e-12));
%!endfunction

%!function d = powers (post)                % second and fourth moments of weights: U and its squares, draw by draw
%!  d = cat (1, reshape (post.U, [], size (post.U, 3), size (post.U, 4)), ...
%!           reshape (post.U .^ 2, [], size (post.U, 3), size (post.U, 4)));
%!endfunction

%!testif ; thorough () % the prior, to second and fourth order: draws at a huge temperature against draws of weights
%! net = attnpath_net ([2 1], "Width", [3 5 4], "Variance", [1 0.8 1.3 0.7], "Temperature", 1e12);
%! randn ("twister", 4);
%! for k = 1:10000
%!   U = ref_outputs_prior (net, 1, 2);
%!   want(:,k) = [U{1}(:); U{1}(:) .^ 2];
%! endfor
%! p = struct ("Xi", randn (3, 2, 2));
%! for method = {"collapsed", "langevin", "langevin-all"}
%!   post = attnpath_sample (net, p, zeros (2, 2), "Method", method{1}, "Draws", 2000, ...
%!                           "Warmup", 300, "Thin", 2, "Display", false);
%!   d = attnpath_diagnose (powers (post));
%!   assert (min (d.ess_mean(:)) > 500);                     % 6600 / 12, see sample.tst
%!   assert (apart_by (d.mean, mean (want, 2), d.mcse, std (want, 0, 2) / sqrt (size (want, 2))) < 4.5);
%! endfor

%!test % scores: of heads over all outputs, of each output by itself, and by removal
%! [net, Xi, Y] = random_case ([2 2], 10, 2, 2);
%! sol = attnpath_solve (net, struct ("Xi", Xi), Y);
%! [score, largest, classes] = attnpath_scores (sol, "By", "order");
%! paths = ref_pathlist ([2 2]);
%! for k = 1:4
%!   uses = paths(:,score(k,1)) == score(k,2);
%!   rows_of = kron (uses, [1; 1]) > 0;
%!   assert (score(k,3) * largest, sum (abs (sol.U(rows_of | rows_of'))), 1e-12);
%!   for c = 1:2
%!     U = abs (sol.U(c:2:end,c:2:end));
%!     each(k,c) = sum (U(uses | uses'));
%!   endfor
%! endfor
%! assert (classes, each / max (each(:)), 1e-12);
%! [score, largest] = attnpath_scores (sol, "By", "loo");
%! k = find (score(:,1) == 2 & score(:,2) == 1);
%! kept = find (paths(:,2) ~= 1);
%! without = attnpath_solve (attnpath_prune (net, [2 1]), struct ("Xi", Xi(:,:,kept)), Y);
%! want = attnpath_loo (without).mse - attnpath_loo (sol).mse;
%! assert (score(k,3) * largest, want, 1e-6);
%! score = attnpath_scores (attnpath_solve (net, struct ("Xi", Xi), Y, "Outputs", "shared"), "By", "loo");
%! assert (size (score), [4 4]);
%!test % scores by predictor: each example left out with all its labels, path by path and output by output
%! for case_ = {1, 1; 3, 1; [2 3], 1; [2 1 2], 1; [2 2], 2; [2 2], 3}'
%!   [H, C] = case_{:};
%!   [net, Xi, Y] = random_case (H, 7, C, 20 + C);
%!   randn ("twister", C);
%!   U = randn (prod (H) * C);
%!   U = U * U' + eye (prod (H) * C) / 10;
%!   model = struct ("net", net, "paths", struct ("Xi", Xi), "y", Y, "U", U);
%!   [want, each] = ref_outputs_gain (net, Xi, Y, U);
%!   [score, largest, classes] = attnpath_scores (model, "By", "predictor");
%!   assert (issorted (score(:,3)));
%!   if max (want) > 0, assert (score(end,3), 1); else, assert (largest, 1); endif
%!   [got, rank] = sortrows (score, [1 2]);
%!   heads = arrayfun (@(l) [l * ones(H(l), 1), (1:H(l))'], 1:numel (H), "UniformOutput", false);
%!   assert (got(:,1:2), vertcat (heads{:}));
%!   assert (got(:,3) * largest, want, 1e-10 * max (abs (want)));
%!   mu = attnpath_loo (model, "Corrected", false).mean;
%!   assert (sum (want(1:H(1))), mean (sum (Y .* mu, 2)), 1e-10 * max (abs (want)));
%!   if C > 1
%!     classes = classes(rank,:);
%!     assert (classes * max (each(:)), each, 1e-10 * max (abs (each(:))));
%!   else
%!     assert (classes, []);
%!   endif
%! endfor
%! % outputs that share U are as many fits with this U
%! model.U = U(1:4,1:4);
%! [score, largest, classes] = attnpath_scores (model, "By", "predictor");
%! [~, rank] = sortrows (score, [1 2]);
%! for c = 1:3
%!   [one, most] = attnpath_scores (setfield (model, "y", Y(:,c)), "By", "predictor");
%!   alone(:,c) = sortrows (one, [1 2])(:,3) * most;
%! endfor
%! assert (score(rank,3) * largest, sum (alone, 2), 1e-10 * max (abs (alone(:))));
%! assert (classes(rank,:) * max (alone(:)), alone, 1e-10 * max (abs (alone(:))));
%!error id=attnpath:scores:badShape
%! attnpath_scores (struct ("net", attnpath_net (2), "U", eye (6), "y", randn (4, 2), ...
%!                          "paths", struct ("Xi", randn (3, 4, 2))), "By", "predictor");

%!test % the kernel of several outputs against (T18) written out; alignment with all labels, and with one kernel for all
%! for C = 1:3
%!   [net, Xi, Y] = random_case ([2 2], 6, C, 30 + C);
%!   Xi2 = Xi(:,1:4,:) + 1;
%!   randn ("twister", C);
%!   U = randn (4 * C);
%!   U = U * U';
%!   K = attnpath_kernel (net, Xi, U);
%!   want = {ref_kernel(net, Xi, U, Xi), ref_kernel(net, Xi, U, Xi2)};
%!   assert ({K, attnpath_kernel(net, Xi, U, Xi2)}, want, 1e-13 * norm (want{2}));
%!   [overlap, lambda] = attnpath_align (K, Y);
%!   assert (size (overlap), [6 * C, 1]);
%!   assert (issorted (-lambda));
%!   assert (sum (overlap .^ 2), 1, 1e-12);
%!   assert (sum (lambda .* overlap .^ 2), Y(:)' * K * Y(:) / (Y(:)' * Y(:)), 1e-12 * norm (K));
%! endfor
%! K = attnpath_kernel (net, Xi, eye (4));
%! [overlap, lambda] = attnpath_align (K, Y);
%! assert (size (overlap), [6, 1]);
%! assert (sum (overlap .^ 2), 1, 1e-12);
%! assert (sum (lambda .* overlap .^ 2), trace (Y' * K * Y) / norm (Y, "fro") ^ 2, 1e-12 * norm (K));
%! names = {"a"; "b"; "c"; "a"; "b"; "c"};
%! Z = -ones (6, 3) / 2;
%! Z([1 4 8 11 15 18]) = 1;
%! assert (attnpath_align (K, names), attnpath_align (K, Z));
%! assert (attnpath_align (kron (eye (3), K) + ones (18), names), attnpath_align (kron (eye (3), K) + ones (18), Z));
%! refuses ("align:badShape", @() attnpath_align (eye (6), {"a"; "b"; "c"}), {"6 x 6", "3 x 3"});
%! refuses ("align:badShape", @() attnpath_align (eye (6), ones (4, 3)), {"6 x 1", "4 x 3"});

%!test % a search for heads to be removed: what it finds first is what trying all of them finds
%! [net, Xi, Y] = random_case ([2 2], 10, 2, 3);
%! net.width(:) = 20;
%! p = struct ("Xi", Xi);
%! for outputs = {"coupled", "shared"}
%!   sol = attnpath_solve (net, p, Y, "Outputs", outputs{1});
%!   [heads, curve] = attnpath_prune (sol, "By", "loo", "Left", 3, "Display", false);
%!   list = [1 1; 1 2; 2 1; 2 2];
%!   for k = 1:4
%!     [small, left] = attnpath_prune (net, list(k,:), p);
%!     tried(k,1) = attnpath_loo (attnpath_solve (small, left, Y, "Outputs", outputs{1})).mse;
%!   endfor
%!   assert (curve.tried(:,1), tried, 1e-6);
%!   [~, best] = min (tried);
%!   assert (heads, list(best,:));
%! endfor

%!test % moments without a head are those of the network without it
%! [net, Xi, Y] = random_case ([2 2], 10, 2, 2);
%! m = attnpath_moments (net, struct ("Xi", Xi), Y);
%! [small, less] = attnpath_prune (net, [1 2], m);
%! want = attnpath_moments (small, struct ("Xi", Xi(:,:,1:2)), Y);
%! assert (less.sums, want.sums, 1e-13);                 % sums of ten products of order one
%! assert (less.outputs, 2);

%!testif ; drawable () % kernel in blocks of outputs, each sorted by class; overlaps of all labels, and of one kernel's
%! [net, Xi, Y] = random_case (2, 6, 3, 40);
%! Y = -ones (6, 3) / 2;
%! Y([2 5 7 10 15 18]) = 1;                                                % classes 2 1 3 2 1 3 of examples 1 to 6
%! U = kron ([2 1; 1 3], [1 0.5 0; 0.5 1 0; 0 0 1]);
%! model = struct ("net", net, "paths", struct ("Xi", Xi), "y", Y, "U", U);
%! f = figure ("visible", "off");
%! gone = onCleanup (@() close (f));
%! h = attnpath_plot (model, "kernel");
%! K = attnpath_kernel (net, Xi, U);
%! rank = [2 5 1 4 3 6];
%! assert (get (h.image, "cdata"), K([rank, 6 + rank, 12 + rank],[rank, 6 + rank, 12 + rank]));
%! assert (get (h.axes, "xticklabel"), {"1"; "2"; "3"});
%! assert (get (h.axes, "xtick"), [3.5 9.5 15.5]);
%! h = attnpath_plot (setfield (model, "U", eye (2)), "kernel");
%! K = attnpath_kernel (net, Xi, eye (2));
%! assert (get (h.image, "cdata"), K(rank,rank));
%! h = attnpath_plot (model, "alignment", "Components", 10);
%! assert ([numel(get (h.line(1), "ydata")), numel(get (h.line(2), "ydata"))], [10 6]);
%! K = prod (net.variance(2:end)) * K;
%! assert (get (h.line(2), "ydata")', attnpath_align (K, Y), 1e-12);

%!test % what no machine holds is refused before it is built, by its size and with what to do instead
%! net = attnpath_net (1);  p = struct ("Xi", eye (1000));    % examples that no fewer can stand for
%! refuses ("solve:tooLarge", @() attnpath_solve (net, p, zeros (1000), "Certificate", false), ...
%!          {"1000 outputs of 1000 examples make matrices of 1000000 rows", "'Outputs', 'shared'"});

%!test % gateways by themselves: shapes of labels, orders and fits, and the flag `shared`
%! [net, Xi, Y, order] = random_case (2, 5, 2, 1);
%! bare = net;  bare.heads = {};
%! data = ready (Xi, Y);
%! S = attnpath_action_mex (bare, data, order, 0);
%! assert (S, attnpath_action (net, Xi, Y, order), -1e-14);
%! assert (attnpath_action_mex (bare, data, order, 2^30), S, -1e-13);            % with stored kernels
%! A = @(data, order) @() attnpath_action_mex (bare, data, order, 0);
%! P = @(U, fit) @() attnpath_predict_mex (bare, data, U, Xi, fit);
%! refuses ({"action:badShape", {A(data, order(1)), A(setfield (data, "y", Y'), order)}
%!           "action:badValue", {A(setfield (data, "shared", 2), order(1))}
%!           "predict:badShape", {P(eye (2), []), P(eye (4), zeros (5, 6))}
%!           "sample:missingField", {@() attnpath_sample_mex(bare, data, [], struct (), [], 1)}});

%!test % a singular U in turned coordinates: weights have the U and f of their draw, in two pieces too
%! randn ("twister", 9);
%! net = attnpath_net ([4 2], "Width", 8, "Temperature", 0.1);
%! p = struct ("Xi", randn (3, 6, 8));  probe = struct ("Xi", randn (3, 2, 8));
%! Y = 3 * eye (3)([1 2 3 1 2 3],:) / 2 - 0.5;
%! opt = {"Warmup", 300, "Chains", 2, "Probe", probe, "Weights", true};
%! post = sampled (net, p, Y, "Draws", 6, opt{:});
%! [file, gone] = scratch ("run");
%! first = sampled (net, p, Y, "Draws", 2, "Checkpoint", file, opt{:});
%! pieces = sampled (net, p, Y, "Draws", 6, "Checkpoint", file, opt{:});
%! assert (isequal (first.U, post.U(:,:,1:2,:)) && isequal (pieces.U, post.U) && isequal (pieces.f, post.f));
%! w = attnpath_weights (post, 5, 2);
%! u = [];
%! for h1 = 1:4
%!   for h2 = 1:2, u = [u, w.V{1}(:,:,h1)' * w.V{2}(:,:,h2)' * w.a / 8]; endfor
%! endfor
%! assert (u' * u / 8, post.U(:,:,5,2), 1e-10);
%! f = 0;
%! for a = 1:8, f = f + probe.Xi(:,:,a)' * w.V0' * u(:,3*a-2:3*a) / sqrt (8 * 3 * 8); endfor
%! assert (post.f(:,:,5,2), f, 1e-10);

%!test % labels of any size: the search begins where the kernel has their scale
%! for C = [2 3]
%!   randn ("state", 1);
%!   X = randn (4, 3, 9);  Y = randn (9, C);  heads = {randn(4, 4, 2), randn(4, 4, 2)};
%!   for size = [1e-3 1 1e2 1e4 1e6]
%!     for T = [1e-4 10]
%!       net = attnpath_net (heads, "Width", 40, "Temperature", T);
%!       sol = attnpath_solve (net, X, size * Y);
%!       assert (sol.converged && sol.gradrel < 1e-3 && sol.hessian_min > 0);
%!       [~, grad] = attnpath_action (net, sol.paths, sol.y, sol.order);
%!       assert (max (cellfun (@(g) max (abs (g(:))), grad)) / 40 < 2e-8);
%!       if size != 1e4, continue; endif
%!       far = attnpath_solve (net, X, size * Y, "Start", {1e8 * eye(4 * C), 1e8 * eye(2 * C), 1e8 * eye(C)});
%!       assert (sol.action, far.action, -1e-9);
%!     endfor
%!   endfor
%! endfor

%!test % one output where no other search would help: skip connections, and more paths than nested factors take
%! randn ("state", 2);
%! X = randn (4, 3, 9);  y = 1e5 * randn (9, 1);
%! for net = {attnpath_net({randn(4, 4, 2), randn(4, 4, 2)}, "Width", 40, "Temperature", 0.1, "Skip", 1), ...
%!            attnpath_net({randn(4, 4, 9), randn(4, 4, 8)}, "Width", 200, "Temperature", 0.1)}
%!   sol = attnpath_solve (net{1}, X, y);
%!   assert (sol.converged && sol.gradrel < 1e-5);
%! endfor
