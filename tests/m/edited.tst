% edited.tst: fields of networks, path inputs and solutions that were changed, or misspelt, by hand: each counts in every
% function that reads it, or is refused

%!shared net, X, y, sol, paths
%! randn ("twister", 2);
%! net = attnpath_net ({randn(3, 3, 2), randn(3, 3, 2)}, "Width", 9, "Temperature", 0.1);
%! X = randn (3, 4, 8);
%! y = sign (randn (8, 1));
%! paths = attnpath_paths (net, X);
%! sol = attnpath_solve (net, paths, y, "Display", false);

%!test % fields of a network, a part, path inputs and a model in other letters; fields of the user's own stay
%! for name = {"Temperature", "Width", "WIDTH", "HeadScale", "Skip", "n0", "l", "Readout", "Bandwidth", "Heads"}
%!   refuses ("solve:unknownField", @() attnpath_solve (setfield (net, name{1}, 1), X, y), name{1});
%! endfor
%! refuses ("paths:unknownField", @() attnpath_paths (setfield (net, "Causal", true), X), "causal");
%! assert (attnpath_solve (setfield (net, "note", "mine"), X, y, "Display", false).U, sol.U);
%! for older = {{"skip", "headscale"}, {"skip", "headscale", "bandwidth", "kernel", "ridge"}}
%!   assert (attnpath_solve (rmfield (net, older{1}), X, y, "Display", false).U, sol.U);
%! endfor
%! refuses ("solve:unknownField", @() attnpath_solve (setfield (rmfield (net, "skip"), "Skip", [1 1]), X, y), "Skip");
%! refuses ("solve:unknownField", @() attnpath_solve (net, setfield (paths, "Skip", 1), y), {"X", "Skip"});
%! refuses ("kernel:unknownField", @() attnpath_kernel (net, setfield (paths, "xi", 1), eye (4)), {"paths", "xi"});
%! attnpath_kernel (net, setfield (paths, "mine", 1), eye (4));
%! source = @(k) {struct("X", X, "y", y, "lengths", 3 * ones (1, 8)), []}{k};
%! refuses ("moments:unknownField", @() attnpath_moments (net, source), "Lengths");
%! refuses ("paths:unknownField", @() attnpath_paths (net, source), {"source (1)", "lengths"});
%! for name = {"Noise", "Y", "u", "Classes"}
%!   for call = {@attnpath_predict, @(m, X) attnpath_loo(m), @(m, X) attnpath_evidence(m), @(m, X) attnpath_scores(m)}
%!     refuses ("*:unknownField", @() call{1} (setfield (sol, name{1}, 1), X), name{1});
%!   endfor
%! endfor
%! moments = attnpath_moments (net, X, y, "Display", false);
%! refuses ("solve:unknownField", @() attnpath_solve (net, setfield (moments, "LogNoise", 1)), "LogNoise");
%! [file, gone] = scratch ("examples.mat");
%! lengths = 3 * ones (1, 8);
%! save ("-v7", file, "X", "y", "lengths");
%! refuses ("source:unknownField", @() attnpath_paths (net, attnpath_source (file)), "Lengths");
%! a = 1;
%! save ("-v7", file, "X", "y", "a");
%! assert (attnpath_paths (net, attnpath_source (file)).Xi, paths.Xi);

%!test % order parameters of which one copy was edited: every function refuses, whichever of the two it reads
%! edits = {setfield(sol, "U", 2 * sol.U), setfield(sol, "order", {2 * sol.order{1}, sol.order{2}}), ...
%!          setfield(sol, "U", sol.U + 1e-6 * eye (4)), setfield(sol, "U", eye (3))};
%! ex = attnpath_expand (attnpath_solve (setfield (net, "width", [50 50 50]), paths, y, "Display", false), ...
%!                       "Display", false);
%! calls = {@(m) attnpath_predict(m, X), @(m) attnpath_evidence(m), @(m) attnpath_loo(m), @(m) attnpath_gradient(m), ...
%!          @(m) attnpath_loo(m, "Corrected", false), @(m) attnpath_loo(m, X, y), @(m) attnpath_scores(m), ...
%!          @(m) attnpath_scores(m, "By", "predictor"), @(m) attnpath_scores(m, "By", "loo"), ...
%!          @(m) attnpath_scores(m, "By", "evidence"), @(m) attnpath_expand(m), @(m) attnpath_prune(m, "By", "loo"), ...
%!          @(m) attnpath_probability(m, X), @(m) attnpath_plot(m, "order"), @(m) attnpath_plot(m, "kernel"), ...
%!          @(m) attnpath_predict(setfield (ex, "sol", m), X), @(m) attnpath_scores(setfield (ex, "sol", m))};
%! for edit = edits
%!   what = "badValue";
%!   if size (edit{1}.U, 1) == 3, what = "badShape"; endif
%!   for call = calls, refuses (["*:" what], @() call{1} (edit{1}), ".U"); endfor
%! endfor
%! % at another U on purpose
%! own = rmfield (sol, "order");
%! own.U = 2 * sol.U;
%! assert (attnpath_predict (own, X), attnpath_predict (sol, X, "U", 2 * sol.U));
%! % what rounding does to a copy passes: a text file of 15 digits
%! sol.U = sol.U * (1 + 1e-14);
%! assert (attnpath_evidence (sol), attnpath_evidence (setfield (sol, "U", sol.order{1})));

%!test % labels, network, tokens, noise and higher order parameters, edited: where U alone matters they are used as they
%! % are, by the definition, and what needs a stationary point refuses
%! edits = {setfield(sol, "y", -2 * y), setfield(sol, "noise", 1:8), setfield(sol, "paths", struct ("Xi", 2 * paths.Xi))
%!          setfield(sol, "net", setfield (net, "temperature", 1)), setfield(sol, "net", setfield (net, "variance", 2:5)), ...
%!          setfield(sol, "net", setfield (net, "headscale", {[1 2], [1 2]}))};
%! Xt = randn (3, 4, 5);
%! for m = reshape (edits, 1, [])
%!   m = m{1};
%!   test = attnpath_paths (m.net, Xt);
%!   scale = ones (4, 1);
%!   if any (m.net.headscale{1} ~= 1), scale = kron ([1; 2], [1; 2]); endif
%!   Xi = m.paths.Xi .* reshape (scale, 1, 1, []);
%!   noise = ones (1, 8);
%!   if isfield (m, "noise"), noise = m.noise; endif
%!   K = zeros (8);  k = zeros (8, 5);
%!   for p = 1:4
%!     for q = 1:4
%!       K += m.net.variance(1) / 12 * m.U(p,q) * Xi(:,:,p)' * Xi(:,:,q);
%!       k += m.net.variance(1) / 12 * m.U(p,q) * Xi(:,:,p)' * test.Xi(:,:,q);
%!     endfor
%!   endfor
%!   want = k' * ((K + m.net.temperature * diag (noise)) \ m.y);
%!   assert (attnpath_predict (m, Xt), want, 1e-10 * max (abs (want)));
%!   for call = {@attnpath_evidence, @attnpath_loo, @attnpath_gradient}
%!     refuses ("*:notStationary", @() call{1} (m));
%!   endfor
%! endfor
%! sol.order{2} *= 1.5;
%! for call = {@attnpath_evidence, @attnpath_loo, @attnpath_gradient}
%!   refuses ("*:notStationary", @() call{1} (sol));
%! endfor

%!test % one example where several are meant, and other calls whose messages have to name what is wrong
%! warning ("off", "all", "local");
%! seven = sign (randn (7, 1));
%! for call = {@attnpath_solve, @attnpath_sample, @attnpath_moments, @attnpath_tune}
%!   refuses ("*:badShape", @() call{1} (net, randn (3, 7), seven), {"y", "7"});
%!   refuses ("*:badShape", @() call{1} (net, attnpath_paths (net, randn (3, 7)), seven));
%! endfor
%! refuses ("train:badShape", @() attnpath_train (randn (3, 7), seven, "Heads", 2), "reshape (X, size (X, 1), 1, 7)");
%! refuses ("solve:badShape", @() attnpath_solve (net, randn (3, 2), {"a"; "b"}));
%! warning ("on", "attnpath:solve:oneExample", "local");
%! assert (warned (@() attnpath_solve (net, randn (3, 7), seven', "Display", false)), "attnpath:solve:oneExample");
%! X7 = randn (3, 7);
%! one = attnpath_solve (net, reshape (X7, 3, 1, 7), seven, "Display", false);       % what the message asks for
%! assert (size (one.paths.Xi), [3 7 4]);
%! assert (one.paths.Xi(:,:,1), X7, 1e-15);
%! for call = {@attnpath_evidence, @attnpath_loo, @attnpath_expand, @attnpath_gradient, @attnpath_scores, ...
%!             @attnpath_probability, @(net, X, y) attnpath_predict(net, X), @(net, X, y) attnpath_plot(net, "order")}
%!   refuses ("*:missingField", @() call{1} (net, X, y));
%! endfor
%! refuses ("predict:nameValue", @() attnpath_predict (sol, X, "gp"), {"Limit", "'gp'"});
%! refuses ("scores:nameValue", @() attnpath_scores (sol, "loo"), {"'By'", "loo"});
%! refuses ("scores:nameValue", @() attnpath_scores (sol, "Lo"), "'Lo'");
%! refuses ("sample:nameValue", @() attnpath_sample (net, X, y, "langevin"), {"Method", "langevin"});
%! for name = {"Width", "Variance"}
%!   refuses ("net:badClass", @() attnpath_net (2, name{1}, int32 (10)), "10");
%! endfor
%! for call = {@attnpath_solve, @attnpath_sample, @attnpath_moments, @attnpath_tune}
%!   refuses ("*:notFinite", @() call{1} (net, X, [y(1:7); 1e160]), {"y", "1e+160", "8"});
%!   refuses ("*:badClass", @() call{1} (net, X, repmat (["ant"; "bee"], 4, 1)));
%! endfor
%! refuses ("train:badClass", @() attnpath_train (X, repmat (["ant"; "bee"], 4, 1), "Heads", 2));
%! refuses ("solve:badValue", @() attnpath_solve (net, X, y, "Classes", ["ant"; "bee"]));
%! words = cellstr (repmat (["ant"; "bee"], 4, 1));
%! assert (attnpath_solve (net, X, words, "Display", false).classes, {"ant"; "bee"});
%! % columns of attention that do not sum to 1
%! A = {ones(4, 4, 2, 8) / 4, ones(4, 4, 2, 8) / 4};
%! for off = [0.02 0.4 0.6 1.6]
%!   A{2}(:,2,1,3) = (1 - off) / 4;
%!   refuses ("paths:badSum", @() attnpath_paths (net, X, A), "A{2}");
%! endfor

%!test % a sample with one draw is no solution; no test examples
%! one = sampled (net, X, y, "Draws", 1, "Warmup", 2, "Chains", 1);
%! refuses ("*:tooFew", {@() attnpath_loo (one), @() attnpath_influence (one)}, "25");
%! assert (size (attnpath_loo (one, "Corrected", false).mean), size (y));
%! refuses ("expand:badValue", @() attnpath_expand (one), "sample");
%! empty = X(:,:,[]);
%! refuses ("*:empty", {@() attnpath_predict(sol, empty), @() attnpath_influence(sol, empty)}, "X");

%!error id=attnpath:predict:badValue % a list of classes with one twice
%! sol = attnpath_solve (net, X, y > 0, "Display", false);
%! sol.classes = [true; true];
%! [~, ~, class] = attnpath_predict (sol, X);
