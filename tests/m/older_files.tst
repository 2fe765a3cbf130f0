% older_files.tst: files that an earlier attnpath saved are loaded, used and resumed (tests/data/before_0_2_0, of_0_3_0).
% What was saved before takes part in double precision: predictions and scores at stored order parameters are the same
% up to rounding, n eps cond with matrices of 48 rows at most and a condition number of some 1e3: 1e-11 of the largest.
% What is solved anew ends at a gradient of 1e-8, and Hessians here have eigenvalues above 1e-2: 1e-6. Searches that
% go on repeat what the earlier tree did, step by step, solution by solution: 1e-6.

%!function name = data (varargin)
%!  name = fullfile (fileparts (which ("thorough")), "..", "data", varargin{:});
%!endfunction

%!function [file, gone] = copied (folder, name)
%!  % of a file, with what lies beside it, or of a folder: the run that is resumed overwrites it
%!  [file, gone] = scratch (name);
%!  copyfile (data (folder, [name "*"]), fileparts (file));
%!endfunction

%!function s = saved_in (folder)
%!  % models (m), and results of the earlier tree with them (want)
%!  s = struct ("folder", folder, "m", load (data (folder, "models.mat")), "want", load (data (folder, "want.mat")));
%!endfunction

%!shared given, c, old, newer, close
%! addpath (data ("before_0_2_0"));
%! old = saved_in ("before_0_2_0");
%! newer = saved_in ("of_0_3_0");
%! given = old.m.given;
%! c = before_calls (given);                            % both were made with the same data and calls
%! close = @(got, want, tol) assert (got, want, tol * max (abs (want(:))));

%!function score (model, by, want, tol)
%!  [rows, largest] = attnpath_scores (model, "By", by, "Display", false);
%!  assert (rows(:,1:2), want{1}(:,1:2));
%!  assert (rows(:,3:columns (want{1})) * largest, want{1}(:,3:end) * want{2}, tol * want{2});
%!endfunction

%!test % predictions, scores, leave-one-out and evidence of all models; (T24) divides by the Hessian: 1e-9
%! warning ("off", "all", "local");
%! of_tokens = {{"tokens", "ofmoments", "gd"}, {"sol", "tokens", "several", "shared", "ex", "ofmoments", "gd"}};
%! for k = 1:2
%!   [m, want] = deal ({old.m, newer.m}{k}, {old.want, newer.want}{k});
%!   models = intersect (fieldnames (m), fieldnames (want)(structfun (@isstruct, want)));
%!   assert (numel (models), 8);
%!   for name = models'
%!     [model, was] = deal (m.(name{1}), want.(name{1}));
%!     [test, tol] = deal (c.probe, 1e-11);
%!     if any (strcmp (name{1}, of_tokens{k})), test = given.Xtest; endif
%!     if strcmp (name{1}, "ex"), tol = 1e-6; endif     % second differences with steps of some 1e-3
%!     [mu, s2] = attnpath_predict (model, test);
%!     close (mu, was.mu, tol);
%!     if ! strcmp (name{1}, "gd"), close (s2, was.s2, tol); endif
%!     if isfield (was, "scores") && isfield (model, "net") && isfield (model.net, "skip") && any (model.net.skip)
%!       assert (attnpath_scores (model, "By", "order")(:,1:3), ref_scores (model.net, mean (model.U(:,:,:), 3)), 1e-14);
%!     elseif isfield (was, "scores")                  % weights of skip connections count since 0.4.0
%!       score (model, "order", {was.scores, was.largest}, 1e-14);
%!     endif
%!     if isfield (was, "loo")
%!       loo = attnpath_loo (model, "Display", false);
%!       cellfun (@(got, want) close (got, want, 1e-9), {loo.mean, loo.variance, loo.logdensity, loo.mse}, was.loo);
%!     endif
%!     if isfield (was, "evidence"), close (attnpath_evidence (model), was.evidence, 1e-9); endif
%!   endfor
%! endfor
%! assert ({class(m.post.diagnostics.ess), size(m.post.U)}, {"double", [4 4 12 2]});
%! score (old.m.sol, "predictor", old.want.sol.by.predictor, 1e-11);
%! score (old.m.several, "predictor", old.want.several.by.predictor, 1e-11);

%!test % probabilities, by a fit to its own tolerance; the gradient of the evidence and the kernel, of 0.3.0
%! [m, want] = deal (newer.m, newer.want);
%! close (attnpath_probability (old.m.several, c.probe), old.want.several.probability, 1e-6);
%! close (attnpath_probability (m.several, given.Xtest), want.probability, 1e-6);
%! g = attnpath_gradient (m.sol);
%! for name = {"temperature", "variance", "logp"}, close (g.(name{1}), want.gradient.(name{1}), 1e-9); endfor
%! close ([g.heads{:}], [want.gradient.heads{:}], 1e-9);
%! close (attnpath_kernel (m.net, m.paths, m.sol.U), want.kernel, 1e-12);

%!test % what is solved anew: without heads, of moments, on trained attention, from the saved order parameters
%! [m, want] = deal (old.m, old.want);
%! score (m.sol, "loo", want.sol.by.loo, 1e-6);
%! score (m.tokens, "evidence", want.tokens.by.evidence, 1e-6);
%! [net, part] = attnpath_prune (m.net, [2 1], m.square);
%! close (attnpath_solve (net, part, "Display", false).U, want.pruned, 1e-6);
%! close (c.solve (m.gd.net).U, want.trained, 1e-6);
%! part = attnpath_moments (m.net, given.X(:,:,1:2) + 1, given.y(1:2), "Display", false);
%! close (attnpath_solve (m.net, attnpath_moments (m.square, part), "Display", false).U, want.together, 1e-6);
%! close (c.classes (m.several.net, "Start", m.several.order).U, m.several.U, 1e-6);
%! close (attnpath_weights (m.langevin, 2, 1).V{1}, want.langevin.effective.V{1}, 0);
%! assert (attnpath_action (m.net, c.paths, given.y, m.sol.order), m.sol.action, 1e-12 * abs (m.sol.action));

%!test % 0.3.0: networks, path inputs, also brought ones and those of skip connections, and moments are solved anew
%! [m, want] = deal (newer.m, newer.want);
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

%!test % a chain of before cannot go on, since chains hold more now: refused by name, and the file stays
%! for kind = {{"sample", old.m.net}, {"weights", old.m.narrow}}
%!   [file, gone] = copied (old.folder, [kind{1}{1} ".run"]);
%!   refuses ("sample:otherRun", @() c.(kind{1}{1}) (kind{1}{2}, "Draws", 20, "Checkpoint", file), "layout of a chain");
%!   assert (exist (file, "file"), 2);
%! endfor

%!test % 0.3.0: a chain goes on. What was drawn stays, bit for bit; the rest differs by rounding that has grown
%! for kind = {{"sample", newer.m.net}, {"weights", c.narrow}}
%!   [file, gone] = copied (newer.folder, [kind{1}{1} ".run"]);
%!   drawn = load (file).attnpath_sample_run.drawn;
%!   warning ("off", "attnpath:sample:notConverged", "local");
%!   post = c.(kind{1}{1}) (kind{1}{2}, "Chains", 1, "Draws", 20, "Checkpoint", file);
%!   was = newer.want.run.(kind{1}{1});
%!   assert (drawn > 3 && drawn < 20);
%!   assert (post.U(:,:,1:drawn), was.U(:,:,1:drawn));
%!   for name = {"U", "f", "logpost"}, close (post.(name{1}), was.(name{1}), 1e-6); endfor
%!   if isfield (was, "last"), close (attnpath_weights (post, 20, 1).V{1}, was.last{1}, 1e-6); endif
%! endfor

%!test % a training goes on: single precision, whose rounding grows to some 1e-4 in twenty steps; rates are 0.01
%! for kind = {old, "train", {}; old, "cosine", {"Schedule", "cosine"}; newer, "train", {}}'
%!   [file, gone] = copied (kind{1}.folder, [kind{2} ".run"]);
%!   gd = c.train ("Steps", 30, kind{3}{:}, "Checkpoint", file);
%!   was = kind{1}.want.run.(kind{2});
%!   close (gd.w, was.w, 1e-3);
%!   close (gd.U, was.U, 1e-3);
%!   if ! isfield (was, "history"), continue, endif
%!   at = ismember (gd.history.step, was.history.step);
%!   close (gd.history.loss(at), was.history.loss(ismember (was.history.step, gd.history.step)), 1e-3);
%! endfor

%!test % moments, a tuning, a search for heads, a sweep go on: cells that are there are read, the one that failed is
%! % known, those of a larger grid are run
%! warning ("off", "all", "local");
%! for s = [old, newer]
%!   was = s.want.run;
%!   for net = {s.m.net, c.net}
%!     [file, gone] = copied (s.folder, "moments.run");
%!     part = c.moments (net{1}, c.source (3), "factor", "Checkpoint", file);
%!     close (part.sums' * part.sums, was.moments' * was.moments, 1e-13);
%!     assert (part.P, 12);
%!     [file, gone] = copied (s.folder, "tune.run");
%!     [sol, info] = c.tune (net{1}, "MaxPoints", 20, "Tolerance", 1e-3, "Checkpoint", file);
%!     assert (numel (info.tried.temperature), 20);
%!     if isfield (was.tune, "tried"), close (info.tried.temperature, was.tune.tried.temperature, 1e-6); endif
%!     close ([sol.net.temperature, sol.net.width], [was.tune.temperature, was.tune.width], 1e-6);
%!     close (sol.U, was.tune.U, 1e-6);
%!   endfor
%!   [file, gone] = copied (s.folder, "prune.run");
%!   [heads, curve] = c.prune (s.m.sol, "Left", 2, "Checkpoint", file);
%!   assert (heads, was.prune.heads);
%!   if isfield (was.prune, "curve"), was.prune.value = was.prune.curve.value; endif
%!   close (curve.value, was.prune.value, 1e-6);
%!   [folder, gone] = copied (s.folder, "sweep");
%!   grid = struct ("width", [10 100], "rule", {{"softmax", "cme"}}, "seed", [1 2]);
%!   result = c.sweep (grid, "Folder", folder, "Collect", true);
%!   assert ({result(:,:,1).status}, {"done", "done", "done", "failed"});
%!   assert (isequaln (c.sweep (grid, "Folder", folder), was.sweep));
%! endfor
