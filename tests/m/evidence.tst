% evidence.tst: log evidence (T25) of solutions, and by annealed importance sampling.

%!function [sol, post] = random_case (H, N, T, P, seed)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", N, "Variance", 0.8 + (1:L+2) / 10, "Temperature", T);
%!  sol = attnpath_solve (net, struct ("Xi", randn (5, P, prod (H))), randn (P, 1));
%!  assert (sol.converged && sol.hessian_min > 0);
%!endfunction

%!function [logp, se, info] = annealed (model, varargin)
%!  [logp, se, info] = attnpath_evidence (model, "Method", "annealed", "Display", false, varargin{:});
%!endfunction

%!testif ; thorough ()
%! % (T25) against its definition: differences of step 2e-3 leave 1e-5 or so of each of at most 17 eigenvalues
%! for H = {1, 2, [2 2], [2 1 2]}
%!   sol = random_case (H{1}, 20, 0.2, 7, 1);
%!   [logp, se, info] = attnpath_evidence (sol);
%!   assert (logp, ref_evidence (sol.net, sol.paths.Xi, sol.y, sol.order), 2e-4);
%!   assert (se, NaN);
%!   assert (abs (logp - sol.evidence) > 1e-2);          % not the leading order
%! endfor

%!test % annealed, one head per layer: the exact value by quadrature
%! for L = 1:2
%!   sol = random_case (ones (1, L), 6, 0.2, 8, 3);
%!   C = ref_pathkernels (sol.net, sol.paths.Xi, sol.paths.Xi);
%!   want = ref_quadrature (sol.net, C, sol.y, [C(1,:), C(1,1)]).evidence;
%!   [logp, se, info] = annealed (sol, "Particles", 1000);
%!   assert (info.ess > 400 && se < 0.05);
%!   assert (logp, want, 4.5 * se);
%!   assert (abs (attnpath_evidence (sol) - want) < abs (sol.evidence - want));
%! endfor

%!test % annealed where U is singular, N_1 < Pi: the mean over prior draws
%! sol = random_case ([2 2], 3, 0.5, 6, 5);
%! sol.net.width = [2 3 3];
%! [logp, se] = annealed (sol);
%! randn ("twister", 7);
%! want = ref_evidence (sol.net, sol.paths.Xi, sol.y, 4000);
%! assert (want(2) < 0.1 && se < 0.1);
%! assert (logp, want(1), 4.5 * hypot (se, want(2)));

%!testif ; thorough () % two layers of two heads, P = 8: prior averages, annealed and (T25), which is better than (T10b)
%! for N = [10 20]
%!   sol = random_case ([2 2], N, 0.5, 8, 4);
%!   randn ("twister", 8);
%!   want = ref_evidence (sol.net, sol.paths.Xi, sol.y, 40000);
%!   [logp, se] = annealed (sol, "Particles", 1000);
%!   assert (logp, want(1), 4.5 * hypot (se, want(2)));
%!   assert (abs (attnpath_evidence (sol) - want(1)) < abs (sol.evidence - want(1)) + 4.5 * want(2));
%!   assert (attnpath_evidence (sol), want(1), 1 / N + 4.5 * want(2));
%! endfor

%!test % the same seed gives the same numbers, another one others; what info says
%! sol = random_case ([2 2], 5, 0.5, 6, 6);
%! [a, se, info] = annealed (sol, "Particles", 40);
%! [b, se2, again] = annealed (sol, "Particles", 40);
%! assert ({a, se, info}, {b, se2, again});
%! assert (annealed (sol, "Particles", 40, "Seed", 1) != a);
%! assert (numel (info.logweights), 40);
%! assert (issorted (info.beta) && info.beta(end) == 1 && numel (info.step) == numel (info.beta) - 1);
%! w = exp (info.logweights);
%! assert (a, log (mean (w)) - 3 * log (2 * pi), 1e-12);
%! assert (info.ess, sum (w) ^ 2 / sum (w .^ 2), 1e-9);
%! assert (se, std (w) / mean (w) / sqrt (40), 1e-12);
%! assert (all (info.acceptance > 0.3));

%!test % more examples than path inputs have numbers, and moments: P is that of the examples
%! randn ("twister", 9);
%! net = attnpath_net (2, "Width", 20, "Temperature", 0.5);
%! Xi = randn (2, 30, 2);
%! y = randn (30, 1);
%! sol = attnpath_solve (net, struct ("Xi", Xi), y);
%! gathered = attnpath_solve (net, attnpath_moments (net, struct ("Xi", Xi), y));
%! assert (attnpath_evidence (sol), ref_evidence (net, Xi, y, sol.order), 2e-4);
%! assert (attnpath_evidence (gathered), attnpath_evidence (sol), 1e-8);     % the gradient vanishes to 1e-8
%! [logp, se] = annealed (sol);
%! assert (logp, annealed (gathered), 1e-6);
%! assert (abs (logp - attnpath_evidence (sol)) < 4.5 * se + 0.1);

%!testif ; thorough ()
%! % by random probes: over seeds the errors are as large as the standard errors say. z of 19 degrees of freedom has
%! % a variance of 19/17; of 60 of them the mean is within 4.5 / sqrt (60) x 1.06, and the deviation within 40 per cent
%! for H = {[2 2], [4 3], [2 1 3]}
%!   sol = random_case (H{1}, 20, 0.1, 20, 11);
%!   want = attnpath_evidence (sol);
%!   for k = 1:60
%!     [logp, se] = attnpath_evidence (sol, "Probes", 20, "Seed", k);
%!     z(k) = (logp - want) / se;
%!   endfor
%!   assert (se > 1e-3 && se < 1);
%!   assert (mean (z), 0, 4.5 * 1.06 / sqrt (60));
%!   assert (std (z), 1.06, 0.4);
%!   [again, se2] = attnpath_evidence (sol, "Probes", 20, "Seed", 60);
%!   assert ([again, se2], [logp, se]);
%! endfor

%!test % by random probes, of two outputs: 400 of them, within five standard errors
%! randn ("twister", 12);
%! net = attnpath_net ([2 2], "Width", 30, "Variance", [1.2 0.9 0.8 1.1], "Temperature", 0.3);
%! sol = attnpath_solve (net, struct ("Xi", randn (5, 8, 4)), randn (8, 2));
%! [logp, se] = attnpath_evidence (sol, "Probes", 400);
%! assert (se < 0.1);
%! assert (logp, attnpath_evidence (sol), 5 * se + 3e-3);

%!test % what is refused; where the sign of the Hessian is undecided, the evidence decides
%! sol = random_case (1, 5, 0.5, 4, 1);
%! with = @(field, v) setfield (sol, field, v);
%! narrow = random_case ([2 2], [3 5 5], 0.5, 6, 6);    % 4 partial paths, width 3
%! moved = setfield (with ("order", {1e-3}), "U", 1e-3);            % no solution, which is seen before the work
%! cold = with ("net", setfield (sol.net, "temperature", 0));
%! post = sampled (sol.net, sol.paths, sol.y, "Draws", 4, "Warmup", 5);
%! saddle = with ("hessian_min", -1);
%! E = @(varargin) @() attnpath_evidence (varargin{:});
%! refuses ({"evidence:usage", {E()}
%!           "evidence:badClass", {E(3), E(with ("hessian_min", "low"))}
%!           "evidence:missingField", {E(struct ("net", attnpath_net (1))), E(rmfield (sol, "order"))}
%!           "evidence:unknownOption", {E(sol, "Methods", "laplace")}
%!           "evidence:badValue", {E(narrow), E(narrow, "Probes", 5), E(cold, "Method", "annealed"), E(post)}
%!           "evidence:notStationary", {E(moved), E(moved, "Probes", 5)}
%!           "evidence:saddle", {E(saddle)}
%!           "evidence:notConverged", {E(setfield (with ("converged", false), "reason", "stalled"))}});
%! assert (attnpath_evidence (setfield (saddle, "hessian_doubt", 2)), attnpath_evidence (sol));

%!test % an error without an identifier reaches the user as it is
%! sol = attnpath_solve (attnpath_net (1, "Width", 9, "Temperature", 1), struct ("Xi", [1 2 3]), [1; 2; 3]);
%! fails = "function varargout = attnpath_evidence_mex (varargin)\nerror ('bad luck');\nend\n";
%! back = in_front ("attnpath_evidence_mex", fails);
%! caught = struct ("identifier", "none", "message", "no error");
%! try
%!   attnpath_evidence (sol);
%! catch caught
%! end_try_catch
%! assert ({caught.identifier, caught.message}, {"", "bad luck"});
