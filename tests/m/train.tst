% train.tst: gradient descent. The core's gradient is compared with finite differences in test_ap_train.c; here the whole
% way from sequences to a network in the theory's terms is compared with ref_network, token by token.

%!function gd = train (varargin)
%!  gd = attnpath_train (varargin{:}, "Display", false);
%!endfunction

%!function task = small (varargin)
%!  task = attnpath_task_oneshot ("P", 6, "Ptest", 10, "Size", 4, "Patch", 2, "Channels", 1, ...
%!                                "Train", "generator", "Test", "generator", varargin{:});
%!endfunction

%!function u = path_weights (weights)
%!  % u of section 7 for two layers: V_1' V_2' a / sqrt (N_2 N_a), path (h_1, h_2) slowest, output fastest
%!  [~, N, H] = size (weights.V{2});
%!  u = [];
%!  for h = 1:size (weights.V{1}, 3)
%!    for g = 1:H
%!      u = [u, weights.V{1}(:,:,h)' * weights.V{2}(:,:,g)' * weights.a / sqrt(N * rows (weights.a))];
%!    endfor
%!  endfor
%!endfunction

%!function f = network (net, weights, X)
%!  f = ref_network (net, weights, X, ref_attention (net, X, []), []);
%!endfunction

%!test % outputs, weights and effective weights are those of one network, that of (T1)
%! task = small ();
%! for readout = {"mean", "last", 2}
%!   gd = train (task, "Heads", [2 3], "Width", [4 5 6], "Keys", 3, "Readout", readout{1}, "Steps", 3, "Batch", 12, ...
%!               "Causal", strcmp (readout{1}, "last"));
%!   f = attnpath_predict (gd, task.Xtest);
%!   want = network (gd.net, gd.weights, task.Xtest);
%!   assert (f, want, 1e-12 * max (abs (want)));
%!   paths = attnpath_paths (gd.net, task.Xtest);
%!   assert (attnpath_predict (gd, paths), f, 1e-13 * max (abs (f)));
%!   [~, s2] = attnpath_predict (gd, task.Xtest);
%!   assert (s2, zeros (10, 1));
%!   u = path_weights (gd.weights);
%!   assert (gd.U, u' * u / 4, 1e-13 * max (abs (gd.U(:))));
%! endfor

%!testif ; thorough ()
%! % it learns: a regression on the last token that linear attention can express, from a fixed set of examples
%! randn ("twister", 1);
%! X = randn (4, 3, 400);
%! y = squeeze (X(1,3,:)) + 0.5 * squeeze (mean (X(2,:,:), 2));
%! gd = train (struct ("Xtrain", X, "ytrain", y, "Xtest", X, "ytest", y), "Heads", [2], "Width", 8, "Keys", 2, ...
%!             "Readout", "last", "Steps", 1500, "Batch", 32, "Rate", 3e-3, "Evaluate", 100, "WeightDecay", 0);
%! assert (gd.history.step, 100:100:1500);
%! assert (gd.history.loss(end) < 0.05 * var (y));
%! assert (mean ((attnpath_predict (gd, X) - y) .^ 2) < 0.05 * var (y));
%! assert (gd.history.accuracy, NaN (1, 15));               % of real labels, loss alone
%! assert ({gd.converged, gd.interrupted, gd.steps}, {true, false, 1500});
%! other = train (X, y, "Heads", [2], "Width", 8, "Keys", 2, "Readout", "last", "Steps", 20, "Batch", 32);
%! assert (other.history.accuracy, NaN);

%!testif ; thorough ()
%! % the same seed gives the same network, however the run is cut; another seed another one
%! task = small ();
%! [file, gone] = scratch ("run.mat");
%! of = @(task, varargin) train (task, "Heads", [2 2], "Width", 4, "Keys", 3, "Batch", 12, "Evaluate", 7, varargin{:});
%! call = @(varargin) of (task, varargin{:});
%! whole = call ("Steps", 30);
%! assert (call ("Steps", 30).weights, whole.weights);
%! assert (! isequal (call ("Steps", 30, "Seed", 1).weights, whole.weights));
%! call ("Steps", 10, "Checkpoint", file);
%! assert (call ("Steps", 10, "Checkpoint", file).steps, 10);
%! again = call ("Steps", 30, "Checkpoint", file);
%! assert ({again.weights, again.net, again.U}, {whole.weights, whole.net, whole.U});
%! assert (again.history.step, [7 10 14 21 28 30]);
%! for other = {task, {"Rate", 1e-2}, "Rate"; task, {"Steps", 20}, {"Steps", "20"}; task, {"Heads", [2 1]}, "Heads"
%!              setfield(task, "ytest", -task.ytest), {}, ""; setfield(task, "Xtrain", 2 * task.Xtrain), {}, ""}'
%!   refuses ("train:otherRun", @() of (other{1}, "Steps", 30, "Checkpoint", file, other{2}{:}), other{3});
%! endfor
%! assert (call ("Steps", 30, "Checkpoint", file).weights, whole.weights);
%! delete (file);
%! % a schedule that depends on the number of steps cannot be continued to another one
%! call ("Steps", 10, "Checkpoint", file, "Schedule", "cosine");
%! refuses ("train:otherRun", @() call ("Steps", 30, "Checkpoint", file, "Schedule", "cosine"), "Steps");
%! file_bytes (file, "my notes\n");
%! refuses ("train:badCheckpoint", @() call ("Steps", 10, "Checkpoint", file));
%! assert (fileread (file), "my notes\n");
%! delete (file);
%! call ("Steps", 10, "Checkpoint", file);
%! damaged = load (file);
%! damaged.attnpath_train_run.state = single (1);
%! save ("-v6", file, "-struct", "damaged");
%! refuses ("train:badCheckpoint", @() call ("Steps", 10, "Checkpoint", file));
%! delete (file);
%! % paired sequences of three ways, and not the network of independent ones
%! call = @(varargin) of (small ("Ptest", 9, "Ways", 3), "Batch", 9, "Steps", 6, varargin{:});
%! whole = call ();
%! assert (! isequal (call ("Paired", false).weights, whole.weights));
%! call ("Steps", 2, "Checkpoint", file);
%! assert (call ("Checkpoint", file).weights, whole.weights);
%! refuses ("train:otherRun", @() call ("Checkpoint", file, "Paired", false), "Paired");

%!test % what the function asks of the gateway: seed, decay, schedule and batches, step by step
%! task = small ();
%! for schedule = {"constant", "cosine"}
%!   gd = train (task, "Heads", [2 1], "Width", 4, "Keys", 3, "Batch", 10, "Paired", false, "Steps", 3, "Rate", 1e-2, ...
%!               "Schedule", schedule{1}, "WeightDecay", 0.1, "Seed", 5);
%!   set = struct ("keys", 3, "decay", 0.1, "seed", 5, "done", 0, "basis", []);
%!   [X, y] = deal (single ([]));
%!   for step = 1:3
%!     [x, labels] = ref_train_batch (task, 10, [5 4 step]);
%!     X = cat (3, X, single (x));
%!     y = [y; single(labels)];
%!   endfor
%!   net = attnpath_net ([2 1], "Width", 4, "Readout", "mean");
%!   rates = 1e-2 * [1 1 1];
%!   if strcmp (schedule{1}, "cosine"), rates = 1e-2 * [1, 3/4, 1/4]; endif        % (1 + cos (pi t / 3)) / 2
%!   state = attnpath_train_mex (net, set, [], X(:,:,1:10), y(1:10)', 0);
%!   [state, loss] = attnpath_train_mex (net, set, state, X, y', rates);
%!   % batches are added up in another order here: single precision, and Adam divides by the gradient's own size
%!   assert (gd.weights.a / 2, double (state(end-3:end,1)), 1e-4);
%!   assert (gd.net.heads{1}.Q(:), double (state(1:numel (gd.net.heads{1}.Q),1)), 1e-4);
%!   assert (gd.history.loss, mean (loss), 1e-5);
%! endfor
%! start = @(seed) train (task, "Heads", 2, "Width", 4, "Keys", 3, "Steps", 0, "Seed", seed).weights.V0;
%! assert (! isequal (start (1), start (2)));
%! assert (any (start (1)(:) > 0) && any (start (1)(:) < 0));

%!test % three equal channels: tokens come as coordinates in what they span, and the network is the same
%! task = small ("Size", 8, "Patch", 4, "Channels", 3);
%! gd = train (task, "Heads", [2 2], "Width", 4, "Keys", 3, "Batch", 10, "Paired", false, "Steps", 3, "Rate", 1e-3, ...
%!             "Evaluate", 1);
%! set = struct ("keys", 3, "decay", 5e-5, "seed", 0, "done", 0, "basis", []);
%! net = attnpath_net ([2 2], "Width", 4, "Readout", "mean");
%! state = attnpath_train_mex (net, set, [], single (task.Xtrain(:,:,1)), single (1), 0);
%! start = state(:,1);
%! for step = 1:3
%!   [x, y] = ref_train_batch (task, 10, [0 4 step]);
%!   set.done = step - 1;
%!   [state, loss(step)] = attnpath_train_mex (net, set, state, single (x), single (y)', 1e-3);
%! endfor
%! assert (gd.history.loss, loss, 1e-4);
%! assert (gd.weights.a / 2, double (state(end-3:end,1)), 1e-4);          % moved by 3e-3
%! assert (norm (state(end-3:end,1) - start(end-3:end)) > 2e-3);
%! same = gd.net.heads{2}.K(:) - double (state(3*48*6+(1:3*48*2),1));
%! assert (norm (same) < 0.02 * norm (double (state(3*48*6+(1:3*48*2),1) - start(3*48*6+(1:3*48*2)))));

%!test % several outputs: the network of (T1) with a readout for each, its U, and what is made of it
%! task = small ();
%! X = task.Xtest;
%! Y = randn (10, 3);
%! gd = train (struct ("Xtrain", X, "ytrain", Y, "Xtest", X, "ytest", Y), "Heads", [2 3], "Width", [4 5 6], ...
%!             "Keys", 3, "Steps", 3, "Batch", 12);
%! [f, s2] = attnpath_predict (gd, X);
%! want = network (gd.net, gd.weights, X);
%! assert (size (want), [10 3]);
%! assert (f, want, 1e-12 * max (abs (want(:))));
%! assert (s2, zeros (3, 3, 10));
%! assert (gd.accuracy, NaN);
%! u = path_weights (gd.weights);
%! assert (gd.U, u' * u / 4, 1e-13 * max (abs (gd.U(:))));
%! cut = attnpath_prune (gd, [1 2; 2 1]);                                  % paths (1,2) and (1,3) are left
%! left = struct ("V0", gd.weights.V0, "V", {{gd.weights.V{1}(:,:,1), gd.weights.V{2}(:,:,[2 3])}}, "a", gd.weights.a);
%! want = network (cut.net, left, X);
%! assert (attnpath_predict (cut, X), want, 1e-12 * max (abs (want(:))));
%! assert (cut.U, gd.U(4:9,4:9));
%! [score, ~, each] = attnpath_scores (gd);
%! assert ({size(score), size(each)}, {[5 3], [5 3]});
%! assert (attnpath_solve (gd.net, X, Y).converged);

%!test % classes, three to a step, and by their names
%! task = small ();
%! names = {"a"; "b"; "c"};
%! y = names(1 + mod ((0:9)', 3));
%! of = struct ("Xtrain", task.Xtest, "ytrain", {y}, "Xtest", task.Xtest, "ytest", {y});
%! gd = train (of, "Heads", 2, "Width", 5, "Keys", 2, "Batch", 20, "Steps", 14, "Evaluate", 2);
%! assert (gd.classes, names);
%! assert (gd.accuracy, mean (gd.history.accuracy(3:7)));       % of the last five tests
%! [~, ~, class] = attnpath_predict (gd, task.Xtest);
%! assert (gd.history.accuracy(end), mean (strcmp (class, y)));
%! refuses ("train:badShape", @() train (struct ("Xtrain", task.Xtest, "ytrain", randn (10, 2), "Xtest", ...
%!          task.Xtest, "ytest", randn (10, 1))), {"task.ytest", "10 x 2"});
%! refuses ("train:badValue", @() train (setfield (of, "ytest", repmat ({"d"}, 10, 1))), "task.ytest");

%!testif ; thorough ()
%! % sequences of three ways are drawn anew at every step, with the labels of the task
%! task = small ("Ptest", 9, "Ways", 3);
%! for paired = [false true]
%!   batch = 10 + 8 * paired;                                              % of three ways 9 sequences cancel
%!   gd = train (task, "Heads", [2 2], "Width", 4, "Keys", 3, "Steps", 2, "Batch", batch, "Paired", paired, ...
%!               "Evaluate", 1, "Rate", 0);
%!   assert (gd.classes, int32 ((1:3)'));
%!   [mu, ~, class] = attnpath_predict (gd, task.Xtest);
%!   assert ({size(mu), gd.accuracy}, {[9 3], mean(class == task.ytest)});
%!   for step = 1:2
%!     [X, y] = ref_train_ways (task, batch, [0 4 step], paired);
%!     Y = -ones (batch, 3) / 2;
%!     Y((1:batch)' + batch * (y - 1)) = 1;
%!     f = network (gd.net, gd.weights, X);                                % Rate 0: the start
%!     assert (gd.history.loss(step), mean (sum ((f - Y) .^ 2, 2)), 1e-5 * mean (sum (Y .^ 2, 2)));
%!   endfor
%! endfor
%! % batches nearest to 128, and those that do not cancel
%! size_of = @(task, varargin) train (task, "Heads", 1, "Width", 2, "Keys", 1, "Steps", 0, varargin{:}).settings.Batch;
%! assert ([size_of(task), size_of(task, "Paired", false), size_of(small ())], [126 128 128]);
%! refuses ("train:badValue", @() train (task, "Batch", 128), {"9", "3", "128"});
%! refuses ("train:badTask", {@() train (setfield (task, "ytrain", {"a"; "b"; "c"; "a"; "b"; "c"})), ...
%!                            @() train (setfield (task, "ytrain", randn (6, 3)))}, {"1", "3"});

%!test % what reads a trained network of several classes: heads' scores, pruning and predictions; what cannot says why
%! task = small ("Ptest", 9, "Ways", 3);
%! gd = train (task, "Heads", [2 2], "Width", 4, "Keys", 3, "Steps", 2);
%! [score, ~, each] = attnpath_scores (gd);
%! assert ({size(score), size(each)}, {[4 3], [4 3]});
%! cut = attnpath_prune (gd, score(1,1:2));
%! [mu, s2, class] = attnpath_predict (cut, task.Xtest);
%! [~, best] = max (mu, [], 2);
%! assert ({size(mu), s2, class}, {[9 3], zeros(3, 3, 9), int32(best)});
%! refused = {"weights",     "must be a sample",           @() attnpath_weights (gd, 1, 1)
%!            "diagnose",    "from attnpath_sample",       @() attnpath_diagnose (gd)
%!            "scores",      "trained network",          @() attnpath_scores (gd, "By", "loo")
%!            "prune",       "trained network",          @() attnpath_prune (gd, "By", "loo")
%!            "probability", "trained network",          @() attnpath_probability (gd, task.Xtest)
%!            "evidence",    "trained network",          @() attnpath_evidence (gd)
%!            "loo",         "training set",            @() attnpath_loo (gd)
%!            "predict",     "solve the theory",           @() attnpath_predict (gd, task.Xtest, "Limit", "gp")};
%! for row = refused'
%!   refuses ([row{1} ":*"], row{3}, row{2});
%! endfor

%!test % one example, one token, one feature
%! gd = train (2, 1, "Heads", 1, "Width", 3, "Keys", 1, "Batch", 4, "Steps", 2);
%! assert (gd.steps, 2);

%!test % weights that have all decayed to zero end the run at a test, and again when it is resumed; others go on
%! [folder, gone] = scratch ();
%! given = {small(), "Heads", [1 1 1], "Width", 4, "Keys", 2, "Batch", 12, "Steps", 20000, "Evaluate", 500, "Rate", 1e-3};
%! decays = @() train (given{:}, "WeightDecay", 1, "Checkpoint", fullfile (folder, "run"));
%! [id, ~, gd] = warned (decays);
%! assert ({id, gd.converged, gd.interrupted}, {"attnpath:train:decayed", false, false});
%! assert (gd.steps < 20000 && mod (gd.steps, 500) == 0 && norm (gd.w) < 1e-20);
%! assert (! isempty (regexp (gd.reason, "decayed to zero after .* WeightDecay than 1,")));
%! [id, ~, again] = warned (decays);
%! assert ({id, again.steps <= gd.steps + 500}, {"attnpath:train:decayed", true});
%! assert (train (given{:}, "Steps", 1000).converged);

%!test % a loss without bound ends the run, with what was learned before
%! task = small ();
%! large = struct ("Xtrain", 1e12 * task.Xtrain, "ytrain", task.ytrain);
%! [id, ~, gd] = warned (@() train (large, "Heads", [2 2], "Width", 4, "Keys", 3, "Batch", 12, "Steps", 50, "Rate", 1));
%! assert ({id, gd.converged}, {"attnpath:train:diverged", false});
%! assert (! isempty (strfind (gd.reason, "without bound")));
%! assert (all (isfinite (gd.weights.V0(:))));

%!test % pruned, a network has fewer paths, and layers normalised by the heads that are left
%! task = small ();
%! gd = train (task, "Heads", [3 2], "Width", [4 5 6], "Keys", 3, "Steps", 3, "Batch", 12);
%! gone = [1 2; 2 1];
%! cut = attnpath_prune (gd, gone);
%! assert (cut.net.H, [2 1]);
%! left = struct ("V0", gd.weights.V0, "V", {{gd.weights.V{1}(:,:,[1 3]), gd.weights.V{2}(:,:,2)}}, "a", gd.weights.a);
%! assert (cut.weights, left);
%! want = network (cut.net, left, task.Xtest);
%! assert (attnpath_predict (cut, task.Xtest), want, 1e-12 * max (abs (want)));
%! assert (cut.U, gd.U([2 6],[2 6]));
%! assert (attnpath_prune (gd, []).w, gd.w);
%! assert (attnpath_scores (cut)(end,3), 1);
%! assert (attnpath_solve (gd.net, task.Xtrain, task.ytrain).converged);   % the theory runs on its attention

%!test % the kind of a task is a word: without it a one-shot task is known by its images, as in 0.2.0
%! task = small ();
%! few = {"Heads", 1, "Width", 3, "Keys", 2, "Steps", 3, "Batch", 8};
%! gd = train (task, few{:});
%! assert (train (rmfield (task, "kind"), few{:}).w, gd.w);
%! fixed = train (setfield (task, "kind", "examples"), few{:});
%! assert (train (struct ("Xtrain", task.Xtrain, "ytrain", task.ytrain), few{:}).w, fixed.w);
%! assert (train (rmfield (task, "images"), few{:}).w, fixed.w);
%! assert (! isequal (gd.w, fixed.w));
%! refuses ("train:badValue", @() train (setfield (task, "kind", "images")), {"task.kind", "images"});

%!test % what a user can get wrong
%! task = small ();
%! refuses ("train:usage", @() attnpath_train ());
%! refuses ("train:badTask", @() train (struct ("X", 1)), "Xtrain");
%! refuses ("train:badTask", {@() train ("task"), @() attnpath_train (task.Xtrain)});
%! refuses ("train:badShape", @() train (task.Xtrain, [1; 2]), {"y", "6 x 1"});
%! refuses ("train:notFinite", @() train (setfield (task, "Xtrain", NaN (4, 12, 6))), "NaN");
%! refuses ("train:unknownOption", @() train (task, "Stepsize", 3), "Stepsize");
%! refuses ("train:notFinite", @() train (1e39 * task.Xtrain, task.ytrain));
%! refuses ("train:badTask", @() train (setfield (task, "settings", struct ())), "Shots");
%! refuses ("train:badTask", @() train (setfield (task, "images", 1)), "images.train");
%! refuses ("train:badShape", @() train (setfield (task, "positions", ones (4, 3))), "task.positions");
%! refuses ("train:badTask", @() train (setfield (task, "images", struct ("train", ones (4, 3, 20, 5)))));
%! refuses ("train:tooLarge", @() train (randn (200, 50, 2), [1; -1], "Batch", 1e6, "Keys", 1, "Width", 1), ...
%!          "Batch");
%! refuses ("train:badValue", @() train (task, "Batch", 10), "10");
%! refuses ("train:badShape", @() train (task, "Heads", ones (2)), "Heads");
%! refuses ("train:badShape", @() train (setfield (task, "Xtest", ones (3, 12, 6))), "task.Xtest");
%! for c = {"Steps", -1; "Steps", 1.5; "Batch", 0; "Keys", 0; "Rate", -1; "Rate", NaN; "WeightDecay", Inf; ...
%!          "Evaluate", 0; "Seed", -1; "Seed", 2^32; "Heads", 0; "Heads", [2 1.5]}'
%!   refuses ("train:*", @() train (task, c{:}), c{1});
%! endfor
%! refuses ("train:badValue", @() train (task, "Schedule", "linear"), "cosine");
%! refuses ("train:badValue", @() train (task, "Readout", 13), {"Readout", "token 13"});
%! refuses ("train:badValue", @() train (task, "Width", 2.5, "Steps", 1), "2.5");
%! refuses ("train:tooLarge", @() train (task, "Keys", 1e6, "Width", 1e5), "Keys");
%! refuses ("train:file", @() train (task, "Checkpoint", tempdir ()), tempdir ());
%! refuses ("predict:badValue", ...
%!          @() attnpath_predict (train (task, "Heads", 2, "Width", 4, "Keys", 3, "Steps", 0), task.Xtest, "Limit", "gp"));

%!test % the gateway trusts nothing
%! net = attnpath_net (2, "Width", 3, "Readout", "mean");
%! set = struct ("keys", 2, "decay", 0, "seed", 1, "done", 0, "basis", []);
%! X = single (randn (4, 3, 6));
%! y = single (ones (1, 6));
%! [start, loss] = attnpath_train_mex (net, set, [], X, y, [0.1 0.1]);
%! assert (size (loss), [1 0]);                                            % the start, without a step
%! [state, loss, status] = attnpath_train_mex (net, set, start, X, y, [0.1 0.1]);
%! assert (! isequal (state, start));
%! assert ({size(state, 2), class(state), size(loss), status}, {3, "single", [1 2], "ok"});
%! bad = {{net, set, [], double(X), y, 0.1}, "badClass"
%!        {net, set, [], X, double(y), 0.1}, "badClass"
%!        {net, set, double(state), X, y, 0.1}, "badClass"
%!        {net, set, state(1:end-1,:), X, y, 0.1}, "badShape"
%!        {net, set, state, X, y(1:5), 0.1}, "badShape"
%!        {net, set, state, X, y, [0.1 0.1 0.1 0.1]}, "badShape"
%!        {net, rmfield(set, "keys"), state, X, y, 0.1}, "missingField"
%!        {net, setfield(set, "keys", 1e300), [], X, y, 0.1}, "badValue"
%!        {net, set, state, single(NaN (4, 3, 6)), y, 0.1}, "notFinite"
%!        {setfield(net, "readout", 9), set, [], X, y, 0.1}, "badValue"
%!        {net, setfield(set, "seed", 2^32), [], X, y, 0.1}, "badValue"
%!        {net, setfield(set, "basis", eye (5, 4)), [], X, y, 0.1}, "badClass"
%!        {net, setfield(set, "basis", single (ones (5, 3))), [], X, y, 0.1}, "badShape"
%!        {net, setfield(set, "basis", single (ones (3, 4))), [], X, y, 0.1}, "badValue"
%!        {net, set}, "usage"};
%! assert (size (attnpath_train_mex (net, setfield (set, "seed", 2^32 - 1), [], X, y, 0.1)), size (state));
%! for row = bad'
%!   refuses (["train:" row{2}], @() attnpath_train_mex (row{1}{:}));
%! endfor

%!test # a cell for X or y is refused by name
%! X = ones (3, 4, 6);
%! y = [1; -1; 1; -1; 1; -1];
%! for given = {{{}, y}, {{1, 2}, y}, {X, {1, 2}}}
%!   refuses ("train:badClass", @() attnpath_train (given{1}{:}, "Steps", 1));
%! endfor
