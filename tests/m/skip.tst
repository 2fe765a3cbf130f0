% skip.tst: networks with skip connections, everywhere (T26)-(T29), against definitions.

%!function [net, X, y] = a_net (H, skip, seed, varargin)   % equal widths around skips, else unequal ones
%!  randn ("twister", seed);  rand ("twister", seed);
%!  L = numel (H);
%!  N = 8 + round (15 * rand (1, L + 1));
%!  for l = find (skip > 0), N(l+1) = N(l); endfor
%!  heads = arrayfun (@(h) randn (4, 4, h) / 2, H, "UniformOutput", false);
%!  net = attnpath_net (heads, "Width", N, "Variance", 0.6 + rand (1, L + 2), "Temperature", 0.3, "Skip", skip, ...
%!                      varargin{:});
%!  X = randn (4, 5, 7);
%!  y = randn (7, 1);
%!endfunction

%!function order = a_point (net)                     % members above a skip connection are leading blocks
%!  for l = 1:net.L
%!    n = prod (net.H(l:end) + (net.skip(l:end) > 0));
%!    if l > 1 && net.skip(l-1) > 0
%!      U = U(1:n,1:n);
%!    else
%!      B = randn (n) / 2;
%!      U = (B * B' + B * B') / 2 + eye (n) / 2;
%!    endif
%!    order{l} = U;
%!  endfor
%!endfunction

%!function list = all_cases ()                       % heads 1..4, L = 1..4, skips in all, some and no layers
%!  list = {2, 1; 1, 0.7; [2 3], [1 0.6]; [2 3], [1 0]; [2 3], [0 0.5]; [2 1 2], [1 0.8 1]; [2 1 2], [1 0 1];
%!          [2 1 2], [0 1 0]; 4, 0.8; [1 4], [0 1]; [4 1], [0.6 0]; [4 2], [1 0.7]; [1 2 1 2], [1 1 0 1];
%!          [1 1 2 1], [1 1 1 1]; [2 2], [0 0]};
%!endfunction

%!function solved_alike (a, b, paths, y)            % b from the examples, a from anything that stands for them
%!  % To first order U_a - U_b is the Hessian's inverse times the gradient of the examples at U_a, less that at U_b.
%!  % gradnorm is the largest of `unknowns` entries; hessian_min is good to 1e-4, and the step is short
%!  [~, ~, part] = attnpath_action (b.net, paths, y, a.order);
%!  unknowns = sum (cellfun (@(U) numel (U), b.order));
%!  assert (part.gradnorm < 1e-7);                    % else the step would not be short
%!  assert (norm (a.U - b.U, "fro") < 1.1 * sqrt (unknowns) * (part.gradnorm + b.gradnorm) / b.hessian_min);
%!endfunction

%!testif ; thorough () % paths (T27): every readout, causal, padded, brought maps; the network itself (T26) by effective weights
%! for c = all_cases ()'
%!   for readout = {"last", "first", "mean", 2}
%!     for lengths = {[], [5 2 3 4 4 5 2]}
%!       [net, X] = a_net (c{1}, c{2}, 1, "Readout", readout{1}, "Causal", numel (c{1}) == 2);
%!       A = ref_attention (net, X, lengths{1});
%!       paths = attnpath_paths (net, X, "Lengths", lengths{1});
%!       want = ref_paths (net, X, A, lengths{1});
%!       assert (paths.Xi, want, 1e-11 * max (1, max (abs (want(:)))));
%!       assert (paths.heads, ref_pathlist (c{1}, c{2}));
%!       assert (isfield (paths, "skip"), any (c{2}));
%!       brought = attnpath_paths (net, X, A, "Lengths", lengths{1});
%!       assert (brought.Xi, paths.Xi, 1e-11 * max (1, max (abs (want(:)))));
%!     endfor
%!   endfor
%!   weights = ref_prior (net, 4);
%!   w = ref_effective (net, weights);
%!   f = zeros (7, 1);
%!   for p = 1:columns (w), f = f + (w(:,p)' * paths.Xi(:,:,p))' / sqrt (4 * columns (w)); endfor
%!   want = ref_network (net, weights, X, A, lengths{1});
%!   assert (apart (f, want) < 1e-11);
%! endfor

%!test % action and gradient (T29), (T9), at a point that is no solution; members above a skip connection have none
%! for c = all_cases ()'
%!   [net, X, y] = a_net (c{1}, c{2}, 2);
%!   paths = attnpath_paths (net, X);
%!   order = a_point (net);
%!   [S, grad, part] = attnpath_action (net, paths, y, order);
%!   [R, Rgrad, Rpart] = ref_action (net, paths.Xi, y, order);
%!   assert ([S, part.energy, part.entropy, part.ua], [R, Rpart.energy, Rpart.entropy, Rpart.ua], -1e-11);
%!   for l = 1:net.L, assert (apart (grad{l}, Rgrad{l}) < 1e-10); endfor
%! endfor

%!testif ; thorough ()
%! % solution, certificate and leave-one-out, against the definitions of all three
%! for c = all_cases ()(1:11,:)'
%!   [net, X, y] = a_net (c{1}, c{2}, 3);
%!   sol = attnpath_solve (net, X, y);
%!   assert (sol.converged);
%!   Hess = ref_hessian (net, sol.paths.Xi, y, sol.order);
%!   assert (sol.hessian_min, min (eig (Hess)), 2e-4 * abs (sol.hessian_min));   % to 1e-4, and differences
%!   for l = find (net.skip(1:end-1) > 0)
%!     n = rows (sol.order{l+1});
%!     assert (sol.order{l+1}, sol.order{l}(1:n,1:n));
%!   endfor
%!   if rows (sol.U) < 7
%!     loo = attnpath_loo (sol);
%!     [~, ~, mu, s2] = ref_loo (net, sol.paths.Xi, y, sol.order);
%!     assert (loo.mean, mu, 1e-4 * max (abs (y)));        % c_i to 1e-4 of a standard deviation
%!   endif
%! endfor

%!testif ; thorough ()
%! % evidence (T25): the Hessian of all unknowns along geodesics, u_a one of them where layer L does not skip
%! for c = {2, 1; [1 2], [0.7 1]; [2 1], [1 0]; [1 2], [0 1]}'
%!   [net, X, y] = a_net (c{1}, c{2}, 4);
%!   net.width(:) = 25;
%!   sol = attnpath_solve (net, X, y);
%!   assert (attnpath_evidence (sol), ref_evidence (net, sol.paths.Xi, y, sol.order), 2e-4);     % differences of 2e-3
%!   [many, se] = attnpath_evidence (sol, "Probes", 30);
%!   assert (many, attnpath_evidence (sol), 5 * se);
%!   [logp, se] = attnpath_evidence (sol, "Method", "annealed", "Display", false);
%!   assert (attnpath_evidence (sol), logp, 1 / 25 + 4.5 * se);            % of order 1/N beyond (T25)
%! endfor

%!test % the prior of the sampler is the chain (T28), and weights drawn with it give back U_1 and f, N below Pi too
%! for c = {[2 2], [1 0.6], 4; [2 2], [0 1], 12; [1 2], [1 1], 2; [2 1 1], [1 0 1], 3}'
%!   [net, X, y] = a_net (c{1}, c{2}, 5);
%!   net.width(:) = c{3};
%!   for method = {"collapsed", "langevin"}
%!     post = sampled (net, X, y, "Method", method{1}, "Draws", 3, "Warmup", 5, "Chains", 1, "Weights", true, ...
%!                     "Probe", X(:,:,1:2));
%!     weights = attnpath_weights (post, 2, 1);
%!     u = ref_partial (net, weights);
%!     assert (apart (u{1}' * u{1} / c{3}, post.U(:,:,2)) < 1e-10);
%!     f = ref_network (net, weights, X(:,:,1:2), ref_attention (net, X(:,:,1:2), []), []);
%!     assert (apart (f, post.f(:,2)) < 1e-10);
%!   endfor
%! endfor

%!test % several outputs: coupled ones turn with Y, and are those of one output where it is alone; shared ones
%! [net, X] = a_net ([2 1], [1 0.5], 6);
%! net.width(:) = 40;
%! Y = randn (7, 2);
%! Q = orth (randn (2));
%! sol = attnpath_solve (net, X, Y);
%! turned = attnpath_solve (net, X, Y * Q);
%! assert (sol.converged && turned.converged);
%! n = rows (sol.U) / 2;
%! T = kron (eye (n), Q);
%! assert (apart (turned.U, T' * sol.U * T) < 1e-5);
%! assert (turned.action, sol.action, 1e-7 * abs (sol.action));
%! assert (apart (sol.order{2}, sol.order{1}(1:rows(sol.order{2}),1:rows(sol.order{2}))) < 1e-14);
%! shared = attnpath_solve (net, X, Y, "Outputs", "shared");
%! assert (shared.converged && rows (shared.U) == n);
%! assert (attnpath_action (net, shared.paths, Y, shared.order), shared.action, 1e-9 * abs (shared.action));

%!function [E, G, mu, s2] = bounds (net, Xi, y, U, Xi2)  % of what two forms of the energy, (T20)-(T22), may differ by
%!  % What is factored, A or T I + B, is off by eps lambda for each term of a sum, with lambda an eigenvalue that no
%!  % form exceeds, |Phi|^2 |U| + T, not even a square of the sums S. Its smallest eigenvalue is T: all that is made of the
%!  % factor is off by eps lambda / T of itself, times the terms, in both forms. That is, of what is added in
%!  %   E     the logarithms of P and of M eigenvalues, and b' y, b = A^{-1} y
%!  %   G     tr (A^{-1} C_aa) and b' C_aa b, above all others; (T22) stands between inverse factors of U
%!  %   mu    entries of b; and s2 is k0 less at most as much
%!  [N0, P, n] = size (Xi);
%!  A = ref_kernel (net, Xi, U, Xi) + net.temperature * eye (P);
%!  b = A \ y;
%!  lambda = norm (ref_kernel (net, Xi, eye (n), Xi)) * norm (U) + net.temperature;
%!  off = 2 * (P + N0 * n) * eps * lambda / net.temperature;
%!  E = off * (P + N0 * n + b' * y);
%!  C = ref_pathkernels (net, Xi, Xi);
%!  G = off * cond (U) * max (arrayfun (@(a) trace (A \ C(:,:,a,a)) + b' * C(:,:,a,a) * b, 1:n)) / n;
%!  k = ref_kernel (net, Xi, U, Xi2);
%!  mu = off * max (abs (k)' * abs (b));
%!  s2 = off * max (diag (ref_kernel (net, Xi2, U, Xi2)));
%!endfunction

%!test % weight space, in either form, against its definition and the examples, to the bounds of (T20)-(T22)
%! for c = {[2 1], [1 0.5]; [1 2], [0 1]; 4, 0.7}'
%!   for P = [6 20 60]                                   % below, at and above the 12 to 24 features of weight space
%!     for T = [0.3 1e-3]
%!       net = a_net (c{1}, c{2}, 12);
%!       net.temperature = T;
%!       [X, y] = deal (randn (4, 5, P), randn (P, 1));
%!       order = a_point (net);
%!       paths = attnpath_paths (net, X);
%!       test = attnpath_paths (net, randn (4, 5, 3));
%!       [E, G, mu, s2] = ref_weightspace (net, paths.Xi, y, order{1}, test.Xi);
%!       [E_bound, G_bound, mu_bound, s2_bound] = bounds (net, paths.Xi, y, order{1}, test.Xi);
%!       [~, grad, part] = attnpath_action (net, paths, y, order);
%!       assert (part.energy, E, E_bound);
%!       for form = {"square", "factor"}
%!         m = attnpath_moments (net, X, y, "Form", form{1}, "Display", false);
%!         [~, grad_m, part_m] = attnpath_action (net, m, order);
%!         assert (part_m.energy, E, E_bound);
%!         assert (part_m.entropy, part.entropy);
%!         assert (grad_m{1} - grad{1} + G, G, G_bound);
%!         [f, v] = attnpath_predict (struct ("net", net, "moments", m, "U", order{1}), test);
%!         assert (f, mu, mu_bound);
%!         assert (v, s2, s2_bound);
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % solutions from moments are those of the examples; a skip connection of another gain is told apart
%! [net, X, y] = a_net ([2 1], [1 0.5], 7);
%! sol = attnpath_solve (net, X, y);
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, X, y, "Form", form{1}, "Display", false);
%!   solved_alike (attnpath_solve (net, m), sol, sol.paths, y);
%!   other = net;
%!   other.skip(2) = 0.6;
%!   fail ("attnpath_solve (other, m)", "skip connections \\[1 0.5\\].*skip connections \\[1 0.6\\]");
%!   left = attnpath_prune (net, [1 1]);
%!   [~, small] = attnpath_prune (net, [1 1], m);
%!   again = attnpath_solve (left, X, y);
%!   solved_alike (attnpath_solve (left, small), again, again.paths, y);
%! endfor
%! fail ("attnpath_solve (other, sol.paths, y)", "skip connections \\[1 0.5\\], and the net has \\[1 0.6\\]");
%! fail ("attnpath_solve (attnpath_net (net.heads), sol.paths, y)", "skip connections");
%! fail ("attnpath_predict (setfield (sol, 'net', other), X)", "inputs of a network with skip connections \\[1 0.5\\]");
%! fail ("attnpath_loo (setfield (sol, 'net', attnpath_net (net.heads)))", "skip connections");
%! fail ("attnpath_solve (net, setfield (sol.paths, 'skip', 'yes'), y)", "attnpath_solve: X.skip must be");

%!testif ; thorough ()
%! % pruning: the gain stays, paths know how many heads a layer has, and the last head of a layer stays
%! for c = {[3 2], [1 0.5]; [3 2], [0 1]; [3 2], [1 0]}'
%!   [net, X, y] = a_net (c{1}, c{2}, 8);
%!   [small, paths] = attnpath_prune (net, [1 2; 2 1], attnpath_paths (net, X));
%!   assert (small.skip, net.skip);
%!   assert (paths, attnpath_paths (small, X), 1e-13);
%!   fail ("attnpath_prune (net, [2 1; 2 2])", "layer 2 has 2 heads and must keep one of them");
%!   sol = attnpath_solve (net, X, y);
%!   score = attnpath_scores (sol, "By", "order");
%!   assert (size (score), [5 3]);
%!   assert (score, ref_scores (net, sol.U), 1e-12);
%!   [heads, curve] = attnpath_prune (sol, "By", "loo", "Left", 4, "Display", false);
%!   assert (rows (heads), 1);
%! endfor

%!testif ; thorough ()
%! % derivatives of the evidence (T33), (T34): by maps and heads, through paths that skip
%! for skip = {[1 0.6], [0 1], [1 0]}
%!   [net, X, y] = a_net ([2 2], skip{1}, 9);
%!   sol = attnpath_solve (net, X, y);
%!   g = attnpath_gradient (sol, X, "With", {"temperature", "variance", "W", "bandwidth"});
%!   at = @(net) attnpath_solve (net, X, y, "Tolerance", 1e-10).evidence;
%!   h = 1e-4;
%!   for k = [1 2 4]
%!     up = net;  up.variance(k) = up.variance(k) * exp (h);
%!     dn = net;  dn.variance(k) = dn.variance(k) * exp (-h);
%!     assert (g.variance(k), (at (up) - at (dn)) / (2 * h), 1e-5 * max (1, abs (g.variance(k))));
%!   endfor
%!   for l = 1:2
%!     up = net;  up.heads{l}(2,3,1) = up.heads{l}(2,3,1) + h;
%!     dn = net;  dn.heads{l}(2,3,1) = dn.heads{l}(2,3,1) - h;
%!     assert (g.W{l}(2,3,1), (at (up) - at (dn)) / (2 * h), 1e-5 * max (1, abs (g.W{l}(2,3,1))));
%!   endfor
%! endfor

%!test % trained: outputs are the network's, its weights are in the theory's units, and heads can go
%! randn ("twister", 10);
%! X = randn (4, 5, 40);
%! y = sign (squeeze (sum (X(1,:,:), 2)));
%! for skip = {1, [0 0.7], [1 0]}
%!   gd = attnpath_train (X, y, "Heads", [2 1], "Width", 6, "Keys", 2, "Steps", 20, "Skip", skip{1}, "Display", false);
%!   f = attnpath_predict (gd, X);
%!   assert (f, ref_network (gd.net, gd.weights, X, ref_attention (gd.net, X, []), []), 1e-4);    % single precision
%!   small = attnpath_prune (gd, [1 2]);
%!   few = gd.weights;
%!   few.V{1} = few.V{1}(:,:,1);
%!   assert (attnpath_predict (small, X), ref_network (small.net, few, X, ref_attention (small.net, X, []), []), 1e-4);
%!   sol = attnpath_solve (gd.net, X, y);
%!   assert (sol.converged);
%! endfor

%!test % a network from before, without the field, is one without skip connections; and so is what is made of it
%! [net, X, y] = a_net ([2 2], [0 0], 11);
%! before = rmfield (net, "skip");
%! sol = attnpath_solve (net, X, y);
%! assert (attnpath_solve (before, X, y).U, sol.U);
%! assert (isfield (sol.paths, "skip"), false);
%! [file, gone] = scratch ("run");
%! call = @(net, draws) sampled (net, X, y, "Draws", draws, "Warmup", 10, "Chains", 1, "Checkpoint", file);
%! call (before, 20);
%! assert (rows (call (net, 40).logpost), 40);
%! other = net;
%! other.skip(1) = 1;
%! other.width(:) = other.width(1);
%! refuses ("sample:otherRun", @() call (other, 40));

%!test % gains
%! assert (attnpath_net ([2 2], "Skip", true).skip, [1 1]);
%! assert (attnpath_net ([2 2], "Skip", false).skip, [0 0]);
%! assert (attnpath_net ([2 2]).skip, [0 0]);
%! wide = setfield (attnpath_net (2, "Skip", 1), "width", [3 4]);
%! fail ("attnpath_solve (wide, zeros (2, 3, 3), 1)", "from width 3 to width 4");
%! fail ("attnpath_action (attnpath_net ([1 1], 'Skip', 1), ones (2, 2, 4), [1; 2], {eye(4), 2 * eye(2)})", ...
%!       "order\\{2\\} must be the first 2 rows and columns of order\\{1\\}");

%!error id=attnpath:net:badValue attnpath_net ([2 2], "Skip", -1)
%!error id=attnpath:net:notFinite attnpath_net ([2 2], "Skip", [1 NaN])
%!error id=attnpath:net:badShape attnpath_net ([2 2], "Skip", [1 1 1])
%!error id=attnpath:train:badShape attnpath_train (ones (2, 2, 4), [1; -1; 1; -1], "Heads", [2 2], "Skip", [1 1 1])
%!error id=attnpath:train:badValue attnpath_train (ones (2, 2, 4), [1; -1; 1; -1], "Width", [3 4 5], "Heads", [1 1], "Skip", 1)
%!error id=attnpath:net:badClass attnpath_net ([2 2], "Skip", "yes")
%!error id=attnpath:net:badValue attnpath_net ([2 2], "Skip", [0 1], "Width", [10 20 30])
%!error <from width 20 to width 30> attnpath_net ([2 2], "Skip", [0 1], "Width", [10 20 30])
