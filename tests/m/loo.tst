% loo.tst: leave-one-out (T23), (T24), of solutions and of draws.

%!function model = random_case (H, P, seed)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  model.net = attnpath_net (H, "Width", 20 + 5 * (1:L+1), "Variance", 0.5 + (1:L+2) / 3, "Temperature", 0.3);
%!  model.paths.Xi = randn (6, P, prod (H));
%!  model.y = randn (P, 1);
%!  U = randn (prod (H));
%!  model.U = U * U' + eye (prod (H)) / 10;
%!endfunction

%!function [mu, s2] = refitted (sol, which)
%!  % the definition: solved again without the example
%!  for k = 1:numel (which)
%!    left = setdiff (1:numel (sol.y), which(k));
%!    again = attnpath_solve (sol.net, struct ("Xi", sol.paths.Xi(:,left,:)), sol.y(left), "Start", sol.order, ...
%!                            "Certificate", false);
%!    assert (again.converged);
%!    [mu(k,1), s2(k,1)] = attnpath_predict (again, struct ("Xi", sol.paths.Xi(:,which(k),:)));
%!  endfor
%!endfunction

%!function r = rms (x)
%!  r = sqrt (mean (x .^ 2));
%!endfunction

%!test % (T23) is the predictor of the others at the same U. Condition numbers of A are below 1e4: 1e-10 leaves room
%! for H = {1, 3, [2 3], [2 1 2]}
%!   for P = [2 9 30]
%!     m = random_case (H{1}, P, P);
%!     loo = attnpath_loo (m, "Corrected", false);
%!     [mu, s2] = ref_loo (m.net, m.paths.Xi, m.y, {m.U});
%!     assert (apart ({loo.mean, loo.variance}, {mu, s2}) < 1e-10);
%!   endfor
%! endfor

%!test % (T23) at temperature 0 and at a small one, brute force by attnpath_predict; cond A is 1e5 to 1e6 here
%! m = random_case ([2 2], 12, 1);
%! for T = [0 1e-4]
%!   m.net.temperature = T;
%!   loo = attnpath_loo (m, "Corrected", false);
%!   for i = [1 7 12]
%!     others = setdiff (1:12, i);
%!     rest = struct ("net", m.net, "paths", struct ("Xi", m.paths.Xi(:,others,:)), "y", m.y(others), "U", m.U);
%!     [mu, s2] = attnpath_predict (rest, struct ("Xi", m.paths.Xi(:,i,:)));
%!     assert ([loo.mean(i), loo.variance(i)], [mu, s2], 1e-9);
%!   endfor
%! endfor

%!test % a part z of the labels, 10^11, that no path input explains changes predictions, derivatives and expansions only
%! % where formulas have it: (T23) by -z s^2/T, (T33) by M, and the log evidence by its squares over T
%! X = [1 0 0 -1 0 1 2 -1; 0 1 0 0 -1 1 1 1; 0 0 1 0 0 0 -1 2];
%! paths.Xi = cat (3, X, X);
%! paths.Xi(:,7:8,2) = [0 2; 1 -1; 1 0];
%! z = 2 ^ 36 * [3; 2; 0; 2; 1; -1; 0; 0];
%! free = z == 0;                                             # of examples that others do not repeat
%! assert ([X; paths.Xi(:,:,2)] * z, zeros (6, 1));
%! net = attnpath_net ([1 2], "Width", 20, "Temperature", 0.05);
%! labels = {2 ^ 18 * [3; -1; 2; 1; 4; -2; 5; 2]};           # by which U grows
%! labels{2} = labels{1} + z;
%! with = {"temperature", "variance", "heads", "noise", "paths"};
%! new = struct ("Xi", cat (3, eye (3), ones (3)));
%! for k = 1:2
%!   sol = attnpath_solve (net, paths, labels{k});
%!   assert (sol.converged);
%!   if k == 1, U = sol.U; else, assert (sol.U, U, 1e-4 * norm (U)); end
%!   at = struct ("net", net, "paths", paths, "y", labels{k}, "U", U);                # the same for both
%!   [mu{k}, s2{k}] = attnpath_predict (at, new);
%!   draws{k} = attnpath_predict (struct ("net", net, "paths", paths, "y", labels{k}, "U", U .* ones (1, 1, 3)), new);
%!   loo(k) = attnpath_loo (at, "Corrected", false);
%!   g(k) = attnpath_gradient (sol, "With", with);
%!   next(k) = attnpath_expand (sol, "Display", false);
%! end
%! tol = eps * max (z);                                       # what rounding of labels is
%! assert ({mu{2}, draws{2}}, {mu{1}, draws{1}}, 2 * tol);
%! assert (s2{2}, s2{1}, 1e-12);
%! assert (loo(2).variance, loo(1).variance, 1e-12);
%! assert (loo(2).mean(free), loo(1).mean(free), 10 * tol);
%! assert (loo(2).mean, loo(1).mean - z .* loo(1).variance / 0.05, 1e4 * tol);
%! assert (g(2).temperature, (sum (labels{2} .^ 2) - sum ((labels{2} - z) .^ 2)) / 0.1, 1e-9 * g(2).temperature);
%! assert ({g(2).variance, g(2).heads}, {g(1).variance, g(1).heads}, 1e-3);             # at two solutions
%! assert ({g(2).noise(free), g(2).paths(:,free,:)}, {g(1).noise(free), g(1).paths(:,free,:)}, 1e-3);
%! assert (next(2).order{1}, next(1).order{1}, 1e-4 * norm (U));
%! refuses ({"loo:notFinite", @() attnpath_loo (sol), "cannot be left out"});           # U would move without bound

%!test % (T24) against its definition, with differences for derivatives, which are good to 1e-6 relative. The solver of
%! % ap_shifted.c leaves at most 1e-4 standard deviations in a mean; a variance is off by the square of that
%! for H = {2, [2 2], [2 1 2]}
%!   m = random_case (H{1}, 14, 3);
%!   sol = attnpath_solve (m.net, m.paths, m.y);
%!   assert (sol.converged && sol.hessian_min > 0);
%!   loo = attnpath_loo (sol);
%!   [mu, s2, mu24, s224] = ref_loo (sol.net, sol.paths.Xi, sol.y, sol.order);
%!   assert (loo.mean, mu24, 1e-4 * sqrt (max (s224) + sol.net.temperature));
%!   assert (loo.variance, s224, 1e-4 * rms (s224 - s2));
%!   assert (rms (mu24 - mu) > 1e-2);                   % there is something to correct
%! endfor

%!test % one example of two outputs, coupled and shared: without it there is the prior
%! net = attnpath_net ({zeros(3, 3, 2)}, "Temperature", 0.1);
%! paths = attnpath_paths (net, [1 2; 0 1; 3 1]);
%! for mode = {"coupled", "shared"}
%!   sol = attnpath_solve (net, paths, [1 2], "Outputs", mode{1});
%!   loo = attnpath_loo (sol, "Corrected", false);
%!   assert (loo.mean, [0 0]);
%!   U = sol.U;
%!   if rows (U) == 2, U = kron (U, eye (2)); endif
%!   assert (loo.variance, ref_kernel (net, paths.Xi, U, paths.Xi), 1e-13);
%!   assert (attnpath_loo (sol).mean, [0 0], 1e-12);
%! endfor

%!testif ; thorough () % (T24) and 100 solutions anew, Markov task: its error is at most a tenth of that of (T23)
%! % and falls faster
%! task = attnpath_task_markov ();
%! for N = [10 30 100]
%!   sol = attnpath_solve (attnpath_net (task.heads, "Width", N), task.Xtrain, task.ytrain);
%!   [mu, s2] = refitted (sol, 1:100);
%!   [loo, fixed] = deal (attnpath_loo (sol), attnpath_loo (sol, "Corrected", false));
%!   [corrected(N), uncorrected(N)] = deal (rms (loo.mean - mu), rms (fixed.mean - mu));
%!   assert (corrected(N) < 0.1 * uncorrected(N));
%!   v = s2 + sol.net.temperature;
%!   l = -log (2 * pi * v) / 2 - (sol.y - mu) .^ 2 ./ (2 * v);
%!   assert (abs (loo.elpd - sum (l)) < 0.1 * abs (fixed.elpd - sum (l)));
%!   assert (fixed.elpd > loo.elpd);                    % U has seen the example
%! endfor
%! assert (corrected(100) / corrected(30) < uncorrected(100) / uncorrected(30));

%!test % stored kernels or path inputs, a part of the last batch, what the fields say
%! task = attnpath_task_markov ("P", 70, "Ptest", 2, "Features", 20, "Tokens", 6);
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 20), task.Xtrain, task.ytrain);
%! loo = attnpath_loo (sol);
%! assert (size (loo.mean), [70 1]);
%! v = loo.variance + sol.net.temperature;
%! assert (loo.logdensity, -log (2 * pi * v) / 2 - (sol.y - loo.mean) .^ 2 ./ (2 * v), 1e-12);
%! assert ([loo.elpd, loo.elpd_se], [sum(loo.logdensity), sqrt(70) * std(loo.logdensity)], 1e-10);
%! assert (loo.mse, mean ((sol.y - loo.mean) .^ 2), 1e-14);
%! assert (loo.accuracy, mean (sign (loo.mean) == sol.y));
%! again = attnpath_loo (rmfield (sol, {"paths", "y"}), task.Xtrain, task.ytrain);
%! assert (again, loo);
%! assert (attnpath_loo (sol, sol.paths, sol.y, "Corrected", true), loo);
%! sol.y = 2 * sol.y;
%! assert (attnpath_loo (sol, "Corrected", false).accuracy, NaN);

%!test % more examples than path inputs have numbers, which others stand for elsewhere; and after moments
%! randn ("twister", 8);
%! net = attnpath_net (2, "Width", 20, "Temperature", 0.5);
%! Xi = randn (2, 40, 2);
%! y = randn (40, 1);
%! sol = attnpath_solve (net, struct ("Xi", Xi), y);
%! [mu, s2] = ref_loo (net, Xi, y, sol.order);
%! loo = attnpath_loo (sol, "Corrected", false);
%! assert ([loo.mean, loo.variance], [mu, s2], 1e-10);
%! assert (rms (attnpath_loo (sol).mean - refitted (sol, 1:40)) < 0.2 * rms (mu - refitted (sol, 1:40)));
%! gathered = attnpath_solve (net, attnpath_moments (net, struct ("Xi", Xi), y));
%! assert (attnpath_loo (gathered, struct ("Xi", Xi), y).mean, attnpath_loo (sol).mean, 1e-7);      % U to 1e-8
%! factor = attnpath_solve (net, attnpath_moments (net, struct ("Xi", Xi), y, "Form", "factor"));
%! for model = {gathered, factor}                       % other examples than those of the moments
%!   for c = {Xi(:,1:end-1,:), y(1:end-1), "badShape"; Xi, flipud(y) + (1:numel (y))' / 10, "otherRun"; 1.01 * Xi, y, "otherRun"}'
%!     refuses (["loo:" c{3}], @() attnpath_loo (model{1}, struct ("Xi", c{1}), c{2}));
%!   endfor
%! endfor

%!testif ; thorough () % draws of one head: exact densities and means by quadrature, with and without the example
%! randn ("twister", 1);
%! net = attnpath_net (1, "Width", 4, "Temperature", 0.5);
%! Xi = randn (5, 6);
%! y = sign (randn (6, 1));
%! post = attnpath_sample (net, struct ("Xi", Xi), y, "Draws", 300, "Display", false);
%! loo = attnpath_loo (post);
%! assert (all (loo.khat < 0.5) && isempty (loo.unreliable));
%! C = Xi' * Xi / 5;
%! all = ref_quadrature (net, C, y, [C(1,:), C(1,1)]).evidence;
%! S = numel (post.logpost);
%! for i = 1:6
%!   left = setdiff (1:6, i);
%!   q = ref_quadrature (net, C(left,left), y(left), [C(i,left), C(i,i)]);
%!   [mu, s2] = deal (zeros (S, 1));
%!   for k = 1:S
%!     [mu(k), s2(k)] = ref_predict (net, Xi(:,left), y(left), post.U(k), Xi(:,i));
%!   endfor
%!   v = s2 + 0.5;
%!   r = exp ((y(i) - mu) .^ 2 ./ (2 * v)) .* sqrt (v);          % 1 / p, but for a factor
%!   se = std (r) / mean (r) / sqrt (post.diagnostics.ess);      % of the mean of the ratios, relative
%!   assert (loo.logdensity(i), all - q.evidence, 5 * se);
%!   se = sqrt (mean (r .^ 2 .* (mu - q.f(1)) .^ 2)) / mean (r) / sqrt (post.diagnostics.ess);
%!   assert (loo.mean(i), q.f(1), 5 * se);
%!   assert (loo.variance(i), q.f(2) - q.f(1) ^ 2, 0.05);        % all of them are of order 1
%! endfor

%!warning id=attnpath:loo:unreliable % a tail without a mean
%! r = (linspace (1, 1e-3, 100)') .^ -1.5;
%! attnpath_loo (struct ("net", attnpath_net (1), "paths", struct ("Xi", 1), "y", 0, "U", reshape (r .^ 2, 1, 1, [])));

%!test % a few draws above the rest are no tail to judge by, and say so
%! U = ones (1, 1, 100);
%! U(98:100) = 4;
%! warning ("off", "attnpath:loo:unreliable", "local");
%! loo = attnpath_loo (struct ("net", attnpath_net (1), "paths", struct ("Xi", 1), "y", 0, "U", U));
%! assert ({loo.khat, loo.unreliable}, {Inf, 1});
%! p = 1 ./ sqrt (squeeze (U) + attnpath_net (1).temperature);
%! assert (loo.logdensity, -log (mean (1 ./ p)) - log (2 * pi) / 2, 1e-12);      % harmonic mean, weights as they are

%!error id=attnpath:loo:usage attnpath_loo ()
%!error id=attnpath:loo:badClass attnpath_loo (3)
%!error id=attnpath:loo:missingField attnpath_loo (struct ("net", attnpath_net (1)))
%!error id=attnpath:loo:missingField attnpath_loo (rmfield (random_case (1, 3, 1), "U"))
%!error id=attnpath:loo:missingField attnpath_loo (random_case (1, 3, 1))
%!error id=attnpath:loo:missingField
%! net = attnpath_net (1, "Width", 20, "Temperature", 0.5);
%! attnpath_loo (attnpath_solve (net, attnpath_moments (net, struct ("Xi", [1 2 3]), [1; 2; 3])));
%!error id=attnpath:loo:tooFew attnpath_loo (setfield (random_case (1, 3, 1), "U", ones (1, 1, 24)))
%!error id=attnpath:loo:unknownOption attnpath_loo (random_case (1, 3, 1), "Correction", false)
%!error id=attnpath:loo:badShape attnpath_loo (random_case (1, 3, 1), struct ("Xi", randn (6, 3)), randn (4, 1), "Corrected", false)
%!error id=attnpath:loo:notStationary % order parameters that are no solution
%! m = random_case ([2 2], 30, 5);
%! m.net = attnpath_net ([2 2], "Width", 1, "Temperature", 1e-3);
%! m.order = {1e-3 * eye(4), 1e-3 * eye(2)};  m.U = m.order{1};
%! attnpath_loo (m);

%!test % without an output a summary
%! randn ("twister", 3);
%! net = attnpath_net (1, "Temperature", 1);
%! model = struct ("net", net, "paths", struct ("Xi", randn (2, 6)), "y", [1 -1 1 1 -1 1]', "U", 1);
%! loo = attnpath_loo (model, "Corrected", false);
%! text = evalc ("attnpath_loo (model, 'Corrected', false)");
%! assert (text, sprintf (["each of 6 examples predicted from all others: mean squared error %.4g, %.4g %% right\n" ...
%!                         "log density of their labels %.6g, standard error %.2g\n"], loo.mse, 100 * loo.accuracy, ...
%!                        loo.elpd, loo.elpd_se));
%! model.y(1) = 0.5;
%! text = evalc ("attnpath_loo (model, 'Corrected', false)");
%! assert (isempty (strfind (text, "right")) && sum (text == "\n") == 2);

%!test % of a solution of moments: what is missing, and the ways there are
%! randn ("twister", 4);
%! net = attnpath_net (2, "Width", 20);
%! paths = struct ("Xi", randn (3, 9, 2));
%! sol = attnpath_solve (net, attnpath_moments (net, paths, randn (9, 1), "Display", false));
%! refuses ({"loo:missingField", @() attnpath_loo(sol), {"moments", "attnpath_loo (model, X, y)"}
%!           "scores:missingField", @() attnpath_scores(sol, "By", "loo"), {"moments", "attnpath_solve (net, paths, y)"}
%!           "scores:missingField", @() attnpath_scores(sol, "By", "predictor"), "moments"
%!           "probability:missingField", @() attnpath_probability(sol), "moments"});

%!test % copies of examples: a warning of what leaves out, and the posterior by which its advice is
%! randn ("twister", 9);
%! net = attnpath_net ([2 1], "Width", 20, "Temperature", 0.3);
%! Xi = randn (4, 10, 2);
%! Xi = cat (2, Xi, Xi(:,1:6,:));
%! y = randn (16, 1);
%! of = @(k, varargin) attnpath_solve (net, struct ("Xi", Xi(:,k,:)), y(k), "Display", false, varargin{:});
%! leaves = @(sol) warned (@() attnpath_loo (sol));
%! [sol, few] = deal (of (1:16), of (1:11));
%! [id, text] = warned (@() attnpath_loo (sol));
%! assert (id, "attnpath:loo:copies");
%! assert (! isempty (strfind (text, "12 of 16 examples")));
%! assert (leaves (few), "");                            % 2 of 11
%! assert (leaves (attnpath_solve (net, struct ("Xi", [Xi(:,1:10,:), zeros(4, 6, 2)]), y, "Display", false)), "");
%! last = Xi;
%! last(1,11:16,2) += 1e-9;
%! assert (leaves (attnpath_solve (net, struct ("Xi", last), y, "Display", false)), "");       % one path tells them apart
%! assert (leaves (of (1:16, "Noise", [ones(1, 10), Inf(1, 6)])), "");
%! once = attnpath_solve (net, struct ("Xi", Xi(:,1:10,:)), [(y(1:6) + y(11:16)) / 2; y(7:10)], "Noise", ...
%!                        [ones(1, 6) / 2, ones(1, 4)], "Display", false);
%! assert (once.U, sol.U, 1e-7 * norm (sol.U));           % both to a gradient of 1e-8
%! assert (warned (@() attnpath_scores (sol, "By", "predictor", "Display", false)), "attnpath:scores:copies");
%! assert (warned (@() attnpath_scores (sol, "By", "loo", "Display", false)), "attnpath:loo:copies");
%! tune = @(k) attnpath_tune (net, struct ("Xi", Xi(:,k,:)), y(k), "Tune", "temperature", "MaxPoints", 5, "Display", false);
%! for k = {1:16, 1:11}
%!   text = evalc ("tune (k{1});");
%!   assert (any (strfind (text, "attnpath_tune: 12 of 16 examples have copies")), numel (k{1}) == 16);
%! endfor

%!test % of sequences that are read at each token: all tokens must be copied, of another sequence
%! randn ("twister", 9);
%! net = attnpath_net ({randn(4, 4, 2)}, "Width", 20, "Readout", "all", "Causal", true);
%! X = randn (4, 3, 6);
%! X(:,1,:) = repmat (X(:,1,1), 1, 1, 6);                 % the first token reads itself alone
%! of = @(k) attnpath_solve (net, X(:,:,k), randn (3, numel (k)), "Display", false);
%! assert (warned (@() attnpath_loo (of (1:6))), "");
%! [id, text] = warned (@() attnpath_loo (of ([1:6, 1:2])));
%! assert (id, "attnpath:loo:copies");
%! assert (! isempty (strfind (text, "4 of 8 sequences")), text);
%! X(:,1,:) = 0;                                          % a start that is 0
%! assert (warned (@() attnpath_loo (of ([1:6, 1:2]))), "attnpath:loo:copies");
%! each = attnpath_net ({repmat(eye (4), 1, 1, 1)}, "Width", 20, "Readout", "all", "Attention", "hardmax");
%! X = repmat (eye (4)(:,1:3), 1, 1, 6) * 9;              % tokens of other sequences, in another order: no copies
%! for p = 1:6, X(:,:,p) = X(:,perms (1:3)(p,:),p); endfor
%! assert (warned (@() attnpath_loo (attnpath_solve (each, X, randn (3, 6), "Display", false))), "");
%! X = randn (4, 3, 6);
%! sol = of ([1:6, 1:6]);
%! shown = evalc ("attnpath_compare (sol, sol, 'Display', false);");
%! assert (numel (strfind (shown, "12 of 12 sequences")), 1, shown);              % once for both
%! assert (warning ("query", "attnpath:loo:copies").state, "on");
%! shown = evalc ("attnpath_compare (sol, sol, sol, 'Display', false);");
%! assert (numel (strfind (shown, "12 of 12 sequences")), 1, shown);              % and again in the next call
%! assert (warning ("query", "attnpath:loo:copies").state, "on");

%!function sol = clustered (spread, brought)
%!  % two classes about two points, as a transformer makes them that knows the answers, or far apart from that
%!  randn ("twister", 8);
%!  y = sign (randn (40, 1));
%!  Xi = [3; 0; 0] * y' + spread * randn (3, 40);
%!  sol = attnpath_solve (attnpath_net (1, "Width", 50, "Temperature", 0.01), ...
%!                        struct ("Xi", Xi, "heads", 1, "brought", brought), y, "Display", false);
%!endfunction

%!test % examples that may have been learned by heart: a warning where attention was brought, and there alone
%! for case_ = {0.3, true, true; 0.3, false, false; 3, true, false}'
%!   [spread, brought, due] = case_{:};
%!   sol = clustered (spread, brought);
%!   for call = {"attnpath_loo (sol);", "attnpath:loo:seen"
%!               "attnpath_probability (sol, 'Display', false);", "attnpath:loo:seen"
%!               "attnpath_tune (sol.net, sol.paths, sol.y, 'Tune', 'temperature', 'Display', false);", ...
%!               "attnpath:tune:seen"}'
%!     before = warning ("error", call{2});           % lastwarn may hold what Octave 11 says of itself later
%!     said = "";
%!     try
%!       evalc (call{1});
%!     catch err
%!       said = strrep (err.identifier, "probability", "loo");        # an error has the name of the function called
%!     end_try_catch
%!     warning (before);
%!     assert (strcmp (said, {"", call{2}}{1 + due}), "%s, spread %g: %s", call{2}, spread, said);
%!   endfor
%! endfor
%! sol = clustered (0.3, true);
%! assert (warned (@() attnpath_loo (sol)), "attnpath:loo:seen");
%! assert (warned (@() attnpath_loo (sol)), "");         % once for these examples, and not again of removed heads
%! assert (warned (@() attnpath_scores (sol, "By", "loo", "Display", false)), "");
%! sol = clustered (0.31, true);                         # of scores it comes as well, and what was turned off is not lost
%! before = warning ("off", "attnpath:loo:seen");
%! attnpath_loo (sol);
%! warning (before);
%! assert (warned (@() attnpath_scores (sol, "By", "loo", "Display", false)), "attnpath:loo:seen");
%! assert (warned (@() attnpath_loo (sol)), "");

%!test % a search that ended early, where the Hessian is not positive definite: the error is the search, in the name called
%! randn ("twister", 3);
%! net = attnpath_net ([2 2], "Width", 10, "Temperature", 0.001);
%! paths = struct ("Xi", 0.2 * randn (20, 40, 4));
%! y = sign (randn (40, 1));
%! for f = {"solve", "loo", "influence", "probability"}, warning ("off", ["attnpath:" f{1} ":notConverged"], "local"); endfor
%! early = attnpath_solve (net, paths, y, "MaxIterations", 1);
%! good = attnpath_solve (net, paths, y);
%! why = {"has not converged", early.reason};
%! refuses ({"loo:notConverged", {@() attnpath_loo(early)}, why; "influence:notConverged", {@() attnpath_influence(early)}, why
%!           "probability:notConverged", {@() attnpath_probability(early)}, why
%!           "compare:notConverged", {@() attnpath_compare(good, early)}, [why, {"model 2"}]
%!           "plot:notConverged", {@() attnpath_plot(early, "confusion"), @() attnpath_plot(early, "reliability")}, why
%!           "loo:notPositiveDefinite", {@() attnpath_loo(setfield (early, "converged", true))}, "Hessian"});

%!test % what memory cannot hold is refused before any work, with both sizes and what is cheaper; others are priced
%! randn ("twister", 2);
%! model = struct ("net", attnpath_net ([8 8]), "paths", struct ("Xi", randn (2, 20, 64)), "y", randn (20, 10), ...
%!                 "U", eye (640), "order", {{eye(640), eye(80), eye(10)}});
%! refuses ("loo:tooLarge", @() attnpath_loo (model), {"951 GiB", "free", "'shared'", "0.07 GiB"});

%!test % at low temperatures rounding alone makes a gradient, which is no change; labels changed by a tenth are one
%! warning ("off", "attnpath:solve:rounding", "local");
%! for T = [1e-10 1e-12]
%!   t = attnpath_task_markov ("P", 200, "Ptest", 2, "Features", 20, "Tokens", 6, "Seed", 1);
%!   sol = attnpath_solve (attnpath_net (t.heads, "Width", 30, "Temperature", T), t.Xtrain, t.ytrain);
%!   assert (sol.converged);
%!   loo = attnpath_loo (sol);
%!   assert (all (isfinite (loo.mean)));
%!   sol.y *= 1.1;
%!   refuses ("loo:notStationary", @() attnpath_loo (sol));
%! endfor

%!test % ratios that rounding alone tells apart are equal: a flat tail, whatever their last bits are
%! for e = [13, 13.5, 14, 15, 16]
%!   for seed = 1:8
%!     randn ("twister", seed);
%!     for s = 1:400
%!       R = randn (2, 6);
%!       U(:,:,s) = R * R' / 6;
%!     endfor
%!     model = struct ("net", attnpath_net ([2 1], "Temperature", 0.3), "paths", struct ("Xi", randn (6, 9, 2)), ...
%!                     "y", randn (9, 1), "U", U, "noise", [10^e, ones(1, 8)]);
%!     [id, ~, loo] = warned (@() attnpath_loo (model, "Display", false));
%!     assert (loo.khat(1), -Inf);
%!     assert (loo.logdensity(1), -log (2 * pi * 0.3 * 10^e) / 2, 1e-10);          # of noise alone
%!   endfor
%! endfor
%! l = repmat ([0 1 2 3 50 50 50 50 + 1e-12, 50 - 1e-13], 1, 9);               # few large ratios, and many like the cut
%! [~, khat] = in_private (@() ap_psis (-[l, 51 52 53]));
%! assert (khat, Inf);

%!test % khat beside fixed numbers, of ArviZ 0.19.0: psislw (scale * ratios). One example of label 0: 1/p ~ sqrt (U + T)
%! ratio = -log (mod ((1:1000)' * sqrt (2), 1));
%! want = [0.267353267992706, 0.532633495432274, 0.796807528307714, 1.14802155162397];
%! scale = [0.2 0.5 0.8 1.2];
%! warning ("off", "attnpath:loo:unreliable", "local");
%! for k = 1:4
%!   U = reshape (expm1 (2 * scale(k) * ratio), 1, 1, []);
%!   model = struct ("net", attnpath_net (1, "Temperature", 1), "paths", struct ("Xi", 1), "y", 0, "U", U);
%!   loo = attnpath_loo (model);
%!   assert (loo.khat, want(k), 1e-8);
%!   assert (isempty (loo.unreliable), want(k) <= 0.7);
%! endfor

%!error id=attnpath:loo:otherRun % other labels than those that the model holds
%! paths.Xi = randn (3, 6);
%! y = randn (6, 1);
%! attnpath_loo (attnpath_solve (attnpath_net (1, "Width", 20), paths, y), paths, 2 * y, "Corrected", false);

%!test % a warning for a solution that has not converged or is a saddle, none for a struct of a user
%! doubted ("loo", @(sol) attnpath_loo (sol, "Display", false));
