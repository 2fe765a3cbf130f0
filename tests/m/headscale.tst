% headscale.tst: networks whose heads have prior scales of their own (T34), everywhere, against definitions.

%!function [net, X, y] = a_net (seed, varargin)      % path inputs with a scale below 1, above 1, and 0
%!  randn ("twister", seed);
%!  heads = {randn(4, 4, 2), randn(4, 4, 3)};
%!  net = attnpath_net (heads, "Width", [30 25 20], "Variance", [0.8 1.1 0.9 1.2], "Temperature", 0.3, ...
%!                      "HeadScale", {[0.6 1.3], [1 0 0.4]}, varargin{:});
%!  X = randn (4, 5, 9);
%!  y = randn (9, 1);
%!endfunction

%!function scale = along (net)                       % of each path, multiplied
%!  list = ref_pathlist (net.H, net.skip);
%!  for p = 1:rows (list)
%!    scale(p,1) = 1;
%!    for l = find (list(p,:) > 0), scale(p,1) *= net.headscale{l}(list(p,l)); endfor
%!  endfor
%!endfunction

%!function part = a_part (k, X, Y)
%!  part = [];
%!  if k < 3, part = struct ("X", X(:,:,k:2:end), "y", Y(k:2:end,:)); endif
%!endfunction

%!test % path inputs, from tokens and from maps that are brought: every readout, causal, padded, with skips
%! for skip = {[0 0], [0 1], [0.7 1]}
%!   for readout = {"last", "mean", 2}
%!     for lengths = {[], [5 2 3 4 4 5 2 3 5]}
%!       [net, X] = a_net (1, "Skip", skip{1}, "Width", 30, "Readout", readout{1}, "Causal", isempty (lengths{1}));
%!       A = ref_attention (net, X, lengths{1});
%!       want = ref_paths (net, X, A, lengths{1});
%!       paths = attnpath_paths (net, X, "Lengths", lengths{1});
%!       assert (apart (paths.Xi, want) < 1e-13);
%!       assert (paths.headscale, net.headscale);
%!       assert (apart (attnpath_paths (net, X, A, "Lengths", lengths{1}).Xi, want) < 1e-13);
%!       plain = attnpath_paths (setfield (net, "headscale", {[1 1], [1 1 1]}), X, "Lengths", lengths{1});
%!       assert (apart (plain.Xi .* reshape (along (net), 1, 1, []), want) < 1e-13);
%!     endfor
%!   endfor
%! endfor

%!test % the network itself (T1) with weights of the layer's variance, drawn from the posterior
%! for method = {"collapsed", "langevin"}
%!   [net, X, y] = a_net (2);
%!   post = sampled (net, X, y, "Method", method{1}, "Draws", 3, "Warmup", 5, "Chains", 1, "Weights", true, ...
%!                   "Probe", X(:,:,1:2));
%!   weights = attnpath_weights (post, 2, 1);
%!   assert (apart (ref_network (net, weights, X(:,:,1:2), ref_attention (net, X(:,:,1:2), []), []), ...
%!                  post.f(:,2)) < 1e-10);
%! endfor

%!test % solution, predictions, leave-one-out, evidence and expansion are those of the scaled path inputs
%! [net, X, y] = a_net (3);
%! sol = attnpath_solve (net, X, y);
%! bare = rmfield (net, "headscale");
%! want = attnpath_solve (bare, struct ("Xi", sol.paths.Xi), y);
%! loo = @(sol) rmfield (attnpath_loo (sol), "examples");           # marks of the two networks, which differ
%! assert ({sol.U, attnpath_evidence(sol), loo(sol)}, {want.U, attnpath_evidence(want), loo(want)});
%! [mu, s2] = attnpath_predict (sol, X(:,:,1:3));
%! [mu2, s22] = attnpath_predict (want, struct ("Xi", sol.paths.Xi(:,1:3,:)));
%! assert ([mu s2], [mu2 s22], 1e-13);
%! assert (attnpath_predict (sol, attnpath_paths (bare, X(:,:,1:3))), mu, 1e-12);   % made with other scales
%! ex = attnpath_expand (sol, "Display", false);
%! assert (ex.U, attnpath_expand (want, "Display", false).U);
%! score = attnpath_scores (sol, "By", "order");      % U with the scales in the weights; a head of scale 0 has none
%! want.U = want.U .* (along (net) * along (net)');
%! assert (score, ref_scores (bare, want.U), 1e-13);
%! assert (score(1,:), [2 2 0]);
%! assert (ex.worth.score(1,1:3), [2 2 0]);

%!test % path inputs and moments made with other scales are rescaled; what was 0 cannot come back, which is said
%! [net, X, y] = a_net (4);
%! sol = attnpath_solve (net, X, y, "Tolerance", 1e-10);
%! other = net;
%! other.headscale = {[2 0.9], [1 0 0.1]};
%! want = attnpath_solve (other, X, y, "Tolerance", 1e-10);
%! got = attnpath_solve (other, sol.paths, y, "Tolerance", 1e-10);
%! assert (got.paths.Xi, want.paths.Xi, 1e-14);
%! assert (got.paths.headscale, other.headscale);
%! assert (got.U, want.U, 1e-9);
%! whole = setfield (net, "headscale", {[1 1], [1 1 1]});
%! plain = attnpath_paths (whole, X);
%! assert (isfield (plain, "headscale"), false);
%! assert (attnpath_kernel (net, plain, sol.U), attnpath_kernel (net, sol.paths, sol.U), 1e-13);
%! fail ("attnpath_solve (whole, sol.paths, y)", "scale 0 of head 2 of layer 2, and the net has 1");
%! fail ("attnpath_solve (net, setfield (sol.paths, 'headscale', {1, 1}), y)", "X.headscale\\{1\\} must be 1 x 2");
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, X, y, "Form", form{1}, "Display", false);
%!   assert (m.headscale, net.headscale);
%!   assert (attnpath_solve (net, m, "Tolerance", 1e-10).U, sol.U, 1e-6);
%!   got = attnpath_solve (other, m, "Tolerance", 1e-10);
%!   assert (got.U, want.U, 1e-6);
%!   assert (got.moments.headscale, other.headscale);
%!   assert (got.evidence, want.evidence, 1e-8);
%!   [again, ours] = attnpath_prune (other, [1 1], m);
%!   assert (attnpath_solve (again, ours).U, attnpath_solve (again, X, y).U, 1e-6);
%!   fail ("attnpath_solve (whole, m)", "scale 0 of head 2 of layer 2");
%!   late = attnpath_moments (whole, 2 * X, y, "Form", form{1}, "Display", false);
%!   fail ("attnpath_moments (m, late)", "scales of heads \\{\\[0.6 1.3\\], \\[1 0 0.4\\]\\}");
%!   assert (isfield (late, "headscale"), false);
%! endfor

%!test % what is left after pruning keeps its scales, also in the search, and of chosen heads
%! [net, X, y] = a_net (5, "Temperature", 0.5);
%! [small, paths] = attnpath_prune (net, [1 1; 2 3], attnpath_paths (net, X));
%! assert (small.headscale, {1.3, [1 0]});
%! assert (paths, attnpath_paths (small, X), 1e-14);
%! [some, ours] = attnpath_paths (net, X, "Heads", [1 2; 2 1; 2 2]);
%! assert ({some, ours}, {attnpath_paths(small, X), small});
%! sol = attnpath_solve (net, X, y);
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Left", 3, "Display", false);
%! without = attnpath_loo (attnpath_solve (attnpath_prune (net, [2 2]), X, y));
%! assert (curve.tried(4,1), without.mse, 1e-6);      % two searches
%! gd = struct ("net", net, "w", randn (4, 6));
%! left = attnpath_prune (gd, [2 2]);
%! assert (left.net.headscale, {[0.6 1.3], [1 0.4]});

%!test % derivatives by the logarithm of a scale (T34), at scales other than 1: the definition, and solutions anew.
%! % Differences of solutions are good to 1e-10 / h, as S is flat there, and h^4: 1e-6 in all
%! [net, X, y] = a_net (6, "Skip", [0 1], "Width", 30);
%! solve = @(net) attnpath_solve (net, X, y, "Tolerance", 1e-10);
%! sol = solve (net);
%! g = attnpath_gradient (sol, X, "With", {"heads", "maps", "W", "paths", "variance"});
%! h = 2e-3;
%! for l = 1:2
%!   for k = 1:net.H(l)
%!     at = @(s) setfield (net, "headscale", subsasgn (net.headscale, substruct ("{}", {l}, "()", {k}), ...
%!                                                     net.headscale{l}(k) * exp (s)));
%!     f = @(s) solve (at (s)).evidence;
%!     again = (8 * (f (h) - f (-h)) - (f (2 * h) - f (-2 * h))) / (12 * h);
%!     assert (g.heads{l}(k), again, 1e-5 * (1 + abs (again)));
%!   endfor
%! endfor
%! assert (g.heads{2}(2), 0);
%! list = sol.paths.heads;                            % by the map of a head, times the map: by its scale
%! A = attnpath_attention (net, X);
%! for l = 1:2
%!   for k = 1:net.H(l)
%!     assert (sum ((A{l}(:,:,k,:) .* g.maps{l}(:,:,k,:))(:)), g.heads{l}(k), 1e-9);
%!   endfor
%! endfor
%! move = @(s) setfield (net, "heads", {net.heads{1} + s * cat(3, zeros (4), [1 0 0 0]' * [0 1 0 0]), net.heads{2}});
%! f = @(s) solve (move (s)).evidence;
%! again = (8 * (f (h) - f (-h)) - (f (2 * h) - f (-2 * h))) / (12 * h);
%! assert (g.W{1}(1,2,2), again, 1e-5 * (1 + abs (again)));

%!test % several outputs, and a source in parts
%! [net, X] = a_net (7);
%! Y = randn (9, 2);
%! sol = attnpath_solve (net, X, Y);
%! assert (sol.U, attnpath_solve (rmfield (net, "headscale"), struct ("Xi", sol.paths.Xi), Y).U);
%! part = @(k) a_part (k, X, Y);
%! m = attnpath_moments (net, part, "Display", false);
%! assert (attnpath_solve (net, m).U, sol.U, 1e-6);

%!test % a net of before, without the field, is one of ones (edited.tst); so are checkpoints
%! [net, X, y] = a_net (8, "HeadScale", {[1 1], [1 1 1]});
%! before = rmfield (net, "headscale");
%! assert (attnpath_moments (net, X, y, "Display", false), attnpath_moments (before, X, y, "Display", false));
%! [file, gone] = scratch ("run.mat");
%! draw = @(net, n) sampled (net, X, y, "Draws", n, "Warmup", 10, "Chains", 1, "Checkpoint", file);
%! draw (before, 20);
%! assert (rows (draw (net, 40).logpost), 40);
%! net.headscale{2}(1) = 0.9;
%! refuses ("sample:otherRun", @() draw (net, 40));

%!test % a layer with one head beside one of scale 0 is a layer of one head: several starts
%! randn ("twister", 1);
%! net = attnpath_net ([2 3 2], "Width", 20, "HeadScale", {[sqrt(2) 0], [1 1 1], [1 1]});
%! paths.Xi = cat (3, sqrt (2) * randn (5, 12, 6), zeros (5, 12, 6));
%! assert (numel (attnpath_solve (net, paths, 60 * randn (12, 1)).starts.action), 10);

%!test % heads that are all 0 leave noise; what a summary says
%! [net, X, y] = a_net (9, "HeadScale", {[0 0], [1 1 1]});
%! warning ("off", "attnpath:solve:noise", "local");
%! sol = attnpath_solve (net, X, y);
%! assert (sol.converged);
%! P = numel (y);
%! assert (sol.evidence, -(P * log (2 * pi * 0.3) + y' * y / 0.3) / 2, 1e-12 * P);
%! assert (attnpath_predict (sol, X), zeros (P, 1));
%! net = attnpath_net ([2 1], "HeadScale", {[1 1/3], 1});
%! assert (! isempty (strfind (evalc ("attnpath_net ([2 1], 'HeadScale', {[1 1/3], 1});"), ...
%!                             ", scales of heads {[1 0.3333], 1}")));
%! assert (attnpath_net ([2 1], "HeadScale", {[1; 2], single(3)}).headscale, {[1 2], 3});

%!test % what is refused
%! refused ("net", @(varargin) attnpath_net ([2 2], varargin{:}), { ...
%!          "badClass", "HeadScale", {[1 1], {[1 1], "ab"}}; "badShape", "HeadScale", {{[1 1]}, {[1 1], [1 1 1]}}
%!          "badValue", "HeadScale", {{[1 1], [1 -1]}, {[1 1], [1 1e16]}}
%!          "notFinite", "HeadScale", {{[1 1], [1 NaN]}, {[1 1], [1 Inf]}}});
%! refuses ("net:badValue", @() attnpath_net ([2 2], "HeadScale", {[1 1], [1 -1]}), {"HeadScale{2}", "2 is -1"});
