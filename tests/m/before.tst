% before.tst: files that an earlier attnpath saved are loaded, used and resumed (tests/data/before_0_2_0, of_0_3_0).
% What was saved before takes part in double precision: predictions and scores at stored order parameters are the same
% up to rounding, n eps cond with matrices of 48 rows at most and a condition number of some 1e3: 1e-11 of the largest.
% What is solved anew ends at a gradient of 1e-8, and Hessians here have eigenvalues above 1e-2: 1e-6. Searches that
% go on repeat what the earlier tree did, step by step, solution by solution: 1e-6.

%!function folder = files ()
%!  folder = fullfile (fileparts (which ("thorough")), "data", "before_0_2_0");
%!endfunction

%!shared m, want, c, close
%! addpath (files ());
%! m = load (fullfile (files (), "models.mat"));
%! want = load (fullfile (files (), "want.mat"));
%! c = before_calls (m.given);
%! close = @(got, want, tol) assert (got, want, tol * max (abs (want(:))));

%!function copy = copied (name)
%!  % of a file, which the run that is resumed overwrites
%!  copy = tempname ();
%!  copyfile (fullfile (files (), name), copy);
%!endfunction

%!function score (model, by, want, tol)
%!  [rows, largest] = attnpath_scores (model, "By", by, "Display", false);
%!  assert (rows(:,1:2), want{1}(:,1:2));
%!  assert (rows(:,3) * largest, want{1}(:,3) * want{2}, tol * max (abs (want{1}(:,3) * want{2})));
%!endfunction

%!test % predictions and scores of every model that was saved
%! for name = {"sol", "tokens", "several", "shared", "post", "langevin", "ofmoments"}
%!   test = c.probe;
%!   if any (strcmp (name{1}, {"tokens", "ofmoments"})), test = m.given.Xtest; endif
%!   [mu, s2] = attnpath_predict (m.(name{1}), test);
%!   close (mu, want.(name{1}).mu, 1e-11);
%!   close (s2, want.(name{1}).s2, 1e-11);
%!   score (m.(name{1}), "order", {want.(name{1}).scores, want.(name{1}).largest}, 1e-14);
%! endfor
%! close (attnpath_predict (m.gd, m.given.Xtest), want.gd.mu, 1e-11);
%! score (m.gd, "order", {want.gd.scores, want.gd.largest}, 1e-14);
%! score (m.sol, "predictor", want.sol.by.predictor, 1e-11);
%! score (m.several, "predictor", want.several.by.predictor, 1e-11);

%!test % leave-one-out, evidence, probabilities; the correction of (T24) divides by the Hessian: 1e-9
%! warning ("off", "all", "local");
%! for name = {"sol", "tokens", "several", "shared", "post"}
%!   loo = attnpath_loo (m.(name{1}), "Display", false);
%!   got = {loo.mean, loo.variance, loo.logdensity, loo.mse};
%!   for k = 1:4, close (got{k}, want.(name{1}).loo{k}, 1e-9); endfor
%! endfor
%! for name = {"sol", "tokens", "several", "ofmoments"}
%!   close (attnpath_evidence (m.(name{1})), want.(name{1}).evidence, 1e-9);
%! endfor
%! close (attnpath_probability (m.several, c.probe), want.several.probability, 1e-6);   % a fit, to its own tolerance

%!test % what is solved anew: without heads, of moments, on trained attention, from the saved order parameters
%! score (m.sol, "loo", want.sol.by.loo, 1e-6);
%! score (m.tokens, "evidence", want.tokens.by.evidence, 1e-6);
%! [net, part] = attnpath_prune (m.net, [2 1], m.square);
%! close (attnpath_solve (net, part, "Display", false).U, want.pruned, 1e-6);
%! close (c.solve (m.gd.net).U, want.trained, 1e-6);
%! part = attnpath_moments (m.net, m.given.X(:,:,1:2) + 1, m.given.y(1:2), "Display", false);
%! close (attnpath_solve (m.net, attnpath_moments (m.square, part), "Display", false).U, want.together, 1e-6);
%! close (c.classes (m.several.net, "Start", m.several.order).U, m.several.U, 1e-6);
%! close (attnpath_weights (m.langevin, 2, 1).V{1}, want.langevin.effective.V{1}, 0);
%! assert (attnpath_action (m.net, c.paths, m.given.y, m.sol.order), m.sol.action, 1e-12 * abs (m.sol.action));

%!test % a chain of before cannot go on, since chains hold more now: refused by name, and the file stays
%! for kind = {{"sample", m.net}, {"weights", m.narrow}}
%!   file = copied ([kind{1}{1} ".run"]);
%!   fail ("c.(kind{1}{1}) (kind{1}{2}, 'Draws', 20, 'Checkpoint', file)", "attnpath_sample.*layout of a chain differs");
%!   [~, id] = lasterr ();
%!   assert (id, "attnpath:sample:otherRun");
%!   assert (exist (file, "file"), 2);
%!   delete (file);
%! endfor

%!test % a training goes on: single precision, whose rounding grows to some 1e-4 in twenty steps; rates are 0.01
%! for kind = {{"train", {"Steps", 30}}, {"cosine", {"Steps", 30, "Schedule", "cosine"}}}
%!   file = copied ([kind{1}{1} ".run"]);
%!   gd = c.train (kind{1}{2}{:}, "Checkpoint", file);
%!   delete (file);
%!   was = want.run.(kind{1}{1});
%!   close (gd.w, was.w, 1e-3);
%!   close (gd.U, was.U, 1e-3);
%!   at = ismember (gd.history.step, was.history.step);
%!   close (gd.history.loss(at), was.history.loss(ismember (was.history.step, gd.history.step)), 1e-3);
%! endfor

%!test % moments, a tuning, a search for heads go on
%! for net = {m.net, c.net}
%!   file = copied ("moments.run");
%!   part = c.moments (net{1}, c.source (3), "factor", "Checkpoint", file);
%!   close (part.sums' * part.sums, want.run.moments' * want.run.moments, 1e-13);
%!   assert (part.P, 12);
%!   delete (file);
%!   file = copied ("tune.run");
%!   warning ("off", "all", "local");
%!   [sol, info] = c.tune (net{1}, "MaxPoints", 20, "Tolerance", 1e-3, "Checkpoint", file);
%!   assert (numel (info.tried.temperature), 20);
%!   close (info.tried.temperature, want.run.tune.tried.temperature, 1e-6);
%!   close (sol.U, want.run.tune.U, 1e-6);
%!   delete (file);
%! endfor
%! file = copied ("prune.run");
%! [heads, curve] = c.prune (m.sol, "Left", 2, "Checkpoint", file);
%! delete (file);
%! assert (heads, want.run.prune.heads);
%! close (curve.value, want.run.prune.curve.value, 1e-6);

%!test % a sweep: cells that are there are read, the one that failed is known, those of a larger grid are run
%! folder = tempname ();
%! copyfile (fullfile (files (), "sweep"), folder);
%! unwind_protect
%!   warning ("off", "all", "local");
%!   grid = struct ("width", [10 100], "rule", {{"softmax", "cme"}}, "seed", [1 2]);
%!   result = c.sweep (grid, "Folder", folder, "Collect", true);
%!   assert ({result(:,:,1).status}, {"done", "done", "done", "failed"});
%!   result = c.sweep (grid, "Folder", folder);
%!   assert (isequaln (result, want.run.sweep));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

% ---- what 0.3.0 saved, with the data and the calls of before_0_2_0 ----

%!function name = newer (name)
%!  name = fullfile (fileparts (which ("thorough")), "data", "of_0_3_0", name);
%!endfunction

%!function copy = copied_newer (name)
%!  copy = tempname ();
%!  copyfile (newer (name), copy);
%!endfunction

%!shared m, want, c, close, given
%! addpath (files ());
%! given = load (fullfile (files (), "models.mat")).given;
%! m = load (newer ("models.mat"));
%! want = load (newer ("want.mat"));
%! c = before_calls (given);
%! close = @(got, want, tol) assert (got, want, tol * max (abs (want(:))));

%!test % 0.3.0: predictions and scores of every model
%! for name = {"sol", "tokens", "several", "shared", "ex", "post", "ofmoments"}
%!   was = want.(name{1});
%!   test = given.Xtest;
%!   if strcmp (name{1}, "post"), test = c.probe; endif
%!   [mu, s2] = attnpath_predict (m.(name{1}), test);
%!   tol = 1e-11;
%!   if strcmp (name{1}, "ex"), tol = 1e-6; endif      % second differences with steps of some 1e-3
%!   close (mu, was.mu, tol);
%!   close (s2, was.s2, tol);
%!   [score, largest] = attnpath_scores (m.(name{1}), "By", "order");        % the score of 0.3.0
%!   close (score(:,1:columns (was.scores)), was.scores, 1e-14);
%!   close (largest, was.largest, 1e-14);
%! endfor
%! close (attnpath_predict (m.gd, given.Xtest), want.gd.mu, 1e-11);
%! assert ({class(m.post.diagnostics.ess), size(m.post.U)}, {"double", [4 4 12 2]});

%!test % 0.3.0: leave-one-out, evidence, its gradient, probabilities, the kernel
%! warning ("off", "all", "local");
%! for name = {"sol", "tokens", "several", "shared"}
%!   loo = attnpath_loo (m.(name{1}), "Display", false);
%!   got = {loo.mean, loo.variance, loo.logdensity, loo.mse};
%!   for k = 1:4, close (got{k}, want.(name{1}).loo{k}, 1e-9); endfor
%!   if ! strcmp (name{1}, "shared"), close (attnpath_evidence (m.(name{1})), want.(name{1}).evidence, 1e-9); endif
%! endfor
%! g = attnpath_gradient (m.sol);
%! for name = {"temperature", "variance", "logp"}, close (g.(name{1}), want.gradient.(name{1}), 1e-9); endfor
%! close ([g.heads{:}], [want.gradient.heads{:}], 1e-9);
%! close (attnpath_probability (m.several, given.Xtest), want.probability, 1e-6);
%! close (attnpath_kernel (m.net, m.paths, m.sol.U), want.kernel, 1e-12);

%!test % 0.3.0: networks, path inputs, also brought ones and those of skip connections, and moments are solved anew
%! quiet = {"Display", false};
%! assert (attnpath_paths (m.net, given.X).Xi, m.paths.Xi, 1e-13 * max (abs (m.paths.Xi(:))));
%! assert (attnpath_paths (m.skipping, given.X).Xi, m.skipped.Xi, 1e-13 * max (abs (m.skipped.Xi(:))));
%! close (attnpath_solve (m.net, m.paths, given.y, quiet{:}).U, m.sol.U, 1e-6);
%! close (attnpath_solve (m.skipping, m.skipped, given.y, "Noise", m.tokens.noise, quiet{:}).U, m.tokens.U, 1e-6);
%! one = attnpath_net ([2 2], "Temperature", 0.1);
%! close (attnpath_solve (one, m.brought, given.y, quiet{:}).U, want.brought, 1e-6);
%! close (attnpath_solve (m.net, m.moments, quiet{:}).U, m.ofmoments.U, 1e-6);
%! close (attnpath_solve (m.several.net, m.several.paths, given.classes, "Start", m.several.order, quiet{:}).U, ...
%!        m.several.U, 1e-6);
%! ex = attnpath_expand (m.ex.sol, "Display", false);
%! close (ex.U, m.ex.U, 1e-6);
%! close (ex.U_sd, m.ex.U_sd, 1e-6);

%!test % 0.3.0: a chain goes on. What was drawn stays, bit for bit; the rest differs by rounding that has grown
%! for kind = {{"sample", m.net}, {"weights", c.narrow}}
%!   file = copied_newer ([kind{1}{1} ".run"]);
%!   if strcmp (kind{1}{1}, "weights"), copyfile (newer ("weights.run.weights"), [file ".weights"]); endif
%!   old = load (file).attnpath_sample_run;
%!   warning ("off", "attnpath:sample:notConverged", "local");
%!   post = c.(kind{1}{1}) (kind{1}{2}, "Chains", 1, "Draws", 20, "Checkpoint", file);
%!   was = want.run.(kind{1}{1});
%!   assert (old.drawn > 3 && old.drawn < 20);
%!   assert (post.U(:,:,1:old.drawn), was.U(:,:,1:old.drawn));
%!   for name = {"U", "f", "logpost"}, close (post.(name{1}), was.(name{1}), 1e-6); endfor
%!   if isfield (was, "last"), close (attnpath_weights (post, 20, 1).V{1}, was.last{1}, 1e-6); endif
%!   delete (file);
%!   if exist ([file ".weights"], "file"), delete ([file ".weights"]); endif
%! endfor

%!test % 0.3.0: a training, moments, a tuning and a search for heads go on; tolerances as above
%! warning ("off", "all", "local");
%! file = copied_newer ("train.run");
%! gd = c.train ("Steps", 30, "Checkpoint", file);
%! close (gd.w, want.run.train.w, 1e-3);
%! close (gd.U, want.run.train.U, 1e-3);
%! delete (file);
%! file = copied_newer ("moments.run");
%! part = c.moments (m.net, c.source (3), "factor", "Checkpoint", file);
%! close (part.sums' * part.sums, want.run.moments' * want.run.moments, 1e-13);
%! delete (file);
%! file = copied_newer ("tune.run");
%! [sol, info] = c.tune (m.net, "MaxPoints", 20, "Tolerance", 1e-3, "Checkpoint", file);
%! close ([sol.net.temperature, sol.net.width], [want.run.tune.temperature, want.run.tune.width], 1e-6);
%! close (sol.U, want.run.tune.U, 1e-6);
%! delete (file);
%! file = copied_newer ("prune.run");
%! [heads, curve] = c.prune (m.sol, "Left", 2, "Checkpoint", file);
%! assert (heads, want.run.prune.heads);
%! close (curve.value, want.run.prune.value, 1e-6);
%! delete (file);

%!test % 0.3.0: a sweep
%! folder = tempname ();
%! copyfile (newer ("sweep"), folder);
%! unwind_protect
%!   warning ("off", "all", "local");
%!   grid = struct ("width", [10 100], "rule", {{"softmax", "cme"}}, "seed", [1 2]);
%!   result = c.sweep (grid, "Folder", folder, "Collect", true);
%!   assert ({result(:,:,1).status}, {"done", "done", "done", "failed"});
%!   assert (isequaln (c.sweep (grid, "Folder", folder), want.run.sweep));
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
