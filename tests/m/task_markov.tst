% task_markov.tst: the hidden Markov chain task (theory.md section 9) and the helpers it is made of.
% Statistical checks run on fixed seeds and allow 5 standard errors, written out beside each.

%!shared task
%! task = attnpath_task_markov ("P", 100, "Ptest", 400, "Seed", 3);

%!function x = tokens (X)
%!  x = reshape (X(1:200,2:end,:), 200, []);             % features of all but the empty token
%!endfunction

%!function s = states (X)
%!  q = [ones(100, 1); -ones(100, 1)] * sqrt (2) / 200;  % q' token = state +- 0.1: ten sigma apart
%!  s = reshape (sign (q' * tokens (X)), 30, []);
%!endfunction

%!test % shapes, labels, positions, the empty token
%! assert (size (task.Xtrain), [231 31 100]);
%! assert (size (task.Xtest), [231 31 400]);
%! assert (size (task.ytrain), [100 1]);
%! assert (size (task.ytest), [400 1]);
%! assert (sum (task.ytrain == 1), 50);
%! assert (sum (task.ytrain == -1), 50);
%! assert (sum (task.ytest), 0);
%! assert (task.Xtrain(201:231,:,[1 17 100]), repmat (eye (31), [1 1 3]));
%! assert (any (task.Xtrain(1:200,1,:)(:)), false);
%! assert (cellfun (@size, task.heads, "UniformOutput", false), {[231 231 2], [231 231 2]});
%! assert (task.path_names, {"good"; "adversarial 1"; "denoising"; "adversarial 2"});

%!test % chains stay with 0.7 (label +1) or 0.3 (label -1), and start in either state alike
%! s = states (task.Xtest);
%! stays = mean (s(2:end,:) == s(1:end-1,:), 1)';
%! tol = 5 * sqrt (0.7 * 0.3 / (29 * 200));              % 5800 transitions of each label
%! assert (mean (stays(task.ytest == 1)), 0.7, tol);
%! assert (mean (stays(task.ytest == -1)), 0.3, tol);
%! assert (mean (s(1,:)), 0, 5 / sqrt (400));

%!test % Stay = 1: constant chains against alternating ones
%! t = attnpath_task_markov ("Stay", 1, "P", 20, "Ptest", 2);
%! s = states (t.Xtrain);
%! assert (s(2:end,:), s(1:end-1,:) .* t.ytrain');

%!test % without noise a token is v_+ or v_-
%! t = attnpath_task_markov ("Parallel", 0, "Perpendicular", 0, "P", 4, "Ptest", 2);
%! x = tokens (t.Xtrain);
%! up = x(1,:) > 0.5;
%! assert (any (up) && any (~up));
%! assert (x, sqrt (2) * [repmat(up, 100, 1); repmat(~up, 100, 1)], 8 * eps);

%!test % each noise has its own strength, that of either direction of the plane too, and the directions are independent
%! t = attnpath_task_markov ("Parallel", [2 0.5], "Perpendicular", 3, "P", 2, "Ptest", 400, "Seed", 5);
%! clean = attnpath_task_markov ("Parallel", 0, "Perpendicular", 0, "P", 2, "Ptest", 400, "Seed", 5);
%! noise = tokens (t.Xtest) - tokens (clean.Xtest);      % the same chains, whatever the noise
%! odd = [ones(1, 100), -ones(1, 100)] / sqrt (200) * noise;
%! even = ones (1, 200) / sqrt (200) * noise;
%! rest = noise - ([ones(100, 1); -ones(100, 1)] * odd + even) / sqrt (200);
%! n = 30 * 400;
%! assert (mean (odd .^ 2), 4, 5 * 4 * sqrt (2 / n));
%! assert (mean (even .^ 2), 0.25, 5 * 0.25 * sqrt (2 / n));
%! assert (mean (odd .* even), 0, 5 / sqrt (n));
%! assert (sum (rest(:) .^ 2) / (198 * n), 9, 5 * 9 * sqrt (2 / (198 * n)));
%! assert (mean (noise(7,:) .* noise(107,:)), 0, 5 * 9 / sqrt (n));
%! one = attnpath_task_markov ("Parallel", [1 1], "Ptest", 400, "Seed", 3);
%! assert (isequal (one.Xtrain, task.Xtrain));            % one number: both

%!test % layer 1, head 1 attends to the previous token in the same state, otherwise to the empty one
%! t = attnpath_task_markov ("Parallel", 0, "Perpendicular", 0, "P", 4, "Ptest", 2);
%! A = ref_attention (struct ("heads", {t.heads}, "H", [2 2], "attention", "softmax", "causal", false), ...
%!                    t.Xtrain, []);
%! s = states (t.Xtrain);
%! for mu = 1:4
%!   for q = 3:31                                         % token q has state s(q-1)
%!     if s(q-1,mu) == s(q-2,mu)
%!       % scores 20, 15 and at most 28 times 10: 1 / (1 + e^-5 + 28 e^-10) = 0.992
%!       assert (A{1}(q-1,q,1,mu) > 0.99);
%!     else
%!       % scores 15 and at most 29 times 10: 1 / (1 + 29 e^-5) = 0.837
%!       assert (A{1}(1,q,1,mu) > 0.83);
%!     endif
%!   endfor
%! endfor
%! assert (A{2}(:,:,1,:), ones (31, 31, 1, 4) / 31, 4 * eps);
%! assert (any (abs (A{1}(:,:,2,:)(:) - 1/31) > 0.1), true);

%!test % the random heads: every block of scores of order beta
%! W = [task.heads{1}(:,:,2), task.heads{2}(:,:,2)] / 10;
%! Wf = W(1:200,[1:200, 232:431]);  Wp = W(201:231,[201:231, 432:462]);  Wx = W(1:200,[201:231, 432:462]);
%! assert (var (Wf(:)) * 200^2, 1, 5 * sqrt (2 / numel (Wf)));
%! assert (var (Wp(:)), 1, 5 * sqrt (2 / numel (Wp)));
%! assert (var (Wx(:)) * 200, 1, 5 * sqrt (2 / numel (Wx)));
%! assert (isequal (task.heads{1}(:,:,2), task.heads{2}(:,:,2)), false);

%!test % experiment two: a denoising path beside the good one, stronger noise, uniform heads
%! t = attnpath_task_markov ("Experiment", "TWO", "P", 2, "Ptest", 2);
%! assert (t.path_names, {"good"; "denoising"});
%! assert (t.settings.Experiment, "two");
%! assert (t.settings.Perpendicular, 5);
%! assert (size (t.heads{1}), [231 231 2]);
%! assert (size (t.heads{2}), [231 231]);
%! assert (t.heads{1}(:,:,1), task.heads{1}(:,:,1));
%! assert (any (t.heads{1}(:,:,2)(:)), false);
%! assert (t.heads{2}, task.heads{2}(:,:,1));
%! t = attnpath_task_markov ("Experiment", "two", "Perpendicular", 2, "P", 2, "Ptest", 2);
%! assert (t.settings.Perpendicular, 2);

%!test % Beta scales the heads and nothing else
%! t = attnpath_task_markov (setfield (task.settings, "Beta", 5));
%! assert (t.heads, cellfun (@(W) W / 2, task.heads, "UniformOutput", false), 1e-14);
%! assert (t.Xtrain, task.Xtrain);

%!test % same seed, same task; another seed, another; settings give the task again, names in any case
%! again = attnpath_task_markov ("ptest", 400, "SEED", 3, "Classes", 2, "Features", 200);     # their defaults
%! assert (isequal (again, task));
%! assert (isequal (attnpath_task_markov (task.settings), task));
%! other = attnpath_task_markov ("Ptest", 400, "Seed", 4);
%! assert (isequal (other.Xtrain, task.Xtrain), false);
%! assert (isequal (other.heads, task.heads), false);
%! assert (isequal (task.Xtrain(:,:,1:2), task.Xtest(:,:,1:2)), false);   % prefixes are nested (below)

%!test % P leaves the test set and the heads alone, Ptest the training set; a larger P extends a smaller one
%! t = attnpath_task_markov ("P", 6, "Ptest", 400, "Seed", 3);
%! assert (isequal (t.Xtest, task.Xtest) && isequal (t.heads, task.heads));
%! assert (t.Xtrain, task.Xtrain(:,:,1:6), 4 * eps);      # a product with fewer columns may round otherwise
%! t = attnpath_task_markov ("Ptest", 6, "Seed", 3);
%! assert (isequal (t.Xtrain, task.Xtrain));

%!test % the user's own random numbers run on as if nothing had happened
%! keeps_generators (@() attnpath_task_markov ("P", 2, "Ptest", 2));

%!test % probabilities of staying by label and state: what a literal chain makes of the same numbers
%! stay = [0.9 0.4; 0.2 0.7];
%! t = attnpath_task_markov ("Stay", stay, "P", 2, "Ptest", 400, "Seed", 3);
%! s = states (t.Xtest);
%! for label = [1 -1]
%!   for state = [1 -1]
%!     mine = s(:,t.ytest == label);
%!     in = mine(1:end-1,:) == state;
%!     p = stay((3 - label) / 2,(3 - state) / 2);
%!     stays = mine(2:end,:)(in) == state;
%!     assert (mean (stays), p, 5 * sqrt (p * (1 - p) / sum (in(:))));
%!   endfor
%! endfor
%! same = attnpath_task_markov ("Stay", [0.5 + [1 1; -1 -1] * (0.7 - 0.5)], "P", 100, "Ptest", 400, "Seed", 3);
%! assert (isequal ({same.Xtrain, same.Xtest, same.heads}, {task.Xtrain, task.Xtest, task.heads}));

%!test % any number of layers and heads: what each is, and the names of the paths
%! t = attnpath_task_markov ("Heads", [3 1 2], "P", 2, "Ptest", 2, "Seed", 3);
%! assert (cellfun (@(W) size (W, 3), t.heads), [3 1 2]);
%! assert (t.heads{1}(:,:,1:2), task.heads{1});           # drawn first in both
%! assert (t.heads{2}, task.heads{2}(:,:,1));             # uniform
%! assert (t.heads{3}(:,:,1), task.heads{2}(:,:,1));
%! assert (t.path_names, {"good"; "adversarial 1"; "denoising 1"; "adversarial 2"; "denoising 2"; "adversarial 3"});
%! W = [t.heads{1}(1:200,1:200,3), t.heads{3}(1:200,1:200,2)] / 10;
%! assert (var (W(:)) * 200^2, 1, 5 * sqrt (2 / numel (W)));
%! two = attnpath_task_markov ("Experiment", "two", "Heads", [3 1], "P", 2, "Ptest", 2);
%! assert (any (two.heads{1}(:,:,2)(:)), false);
%! assert (any (two.heads{1}(:,:,3)(:)), true);
%! assert (two.path_names, {"good"; "denoising 1"; "denoising 2"});
%! assert (attnpath_task_markov (t.settings), t);

%!test % perturbed heads: good and uniform ones, each block by its strength, random ones not
%! t = attnpath_task_markov ("Perturbation", [0.5 0 2], "P", 2, "Ptest", 400, "Seed", 3);
%! assert (isequal (t.Xtest, task.Xtest));
%! for l = 1:2
%!   assert (t.heads{l}(:,:,2), task.heads{l}(:,:,2));
%!   d = (t.heads{l}(:,:,1) - task.heads{l}(:,:,1)) / 10;
%!   f = d(1:200,1:200) * 200;  p = d(201:231,201:231);  x = [d(1:200,201:231), d(201:231,1:200)'] * sqrt (200);
%!   assert (p, zeros (31));
%!   assert (var (f(:)), 0.25, 5 * 0.25 * sqrt (2 / numel (f)));
%!   assert (var (x(:)), 4, 5 * 4 * sqrt (2 / numel (x)));
%! endfor
%! one = attnpath_task_markov ("Perturbation", 1, "Experiment", "two", "P", 2, "Ptest", 2);
%! assert (any (one.heads{1}(:,:,2)(:)), true);           # the uniform head beside the good one

%!test % sizes other than the published ones
%! t = attnpath_task_markov ("Features", 4, "Tokens", 2, "P", 2, "Ptest", 2);
%! assert (size (t.Xtrain), [7 3 2]);
%! assert (t.heads{1}(:,:,1) / 10, blkdiag ([1 1 -1 -1]' * [1 1 -1 -1] / 8, [0 1.5 1.5; 0 0 1; 0 0 0]), eps);
%! t = attnpath_task_markov ("P", single (2), "Ptest", 2, "Features", 2);
%! assert (class (t.settings.P), "double");

%!testif ; thorough ()
%! % the task is as hard as published: the GP limit classifies about 82.6 % (one draw), and chance is 50 %
%! net = struct ("heads", {task.heads}, "H", [2 2], "variance", ones (1, 4), "temperature", 0.01, ...
%!               "readout", "last", "attention", "softmax", "causal", false);
%! Xi = ref_paths (net, task.Xtrain, ref_attention (net, task.Xtrain, []), []);
%! Xit = ref_paths (net, task.Xtest, ref_attention (net, task.Xtest, []), []);
%! K = ref_kernel (net, Xi, eye (4), Xi) + 0.01 * eye (100);
%! mu = ref_kernel (net, Xi, eye (4), Xit)' * (K \ task.ytrain);
%! % draws differ by about 2 %, 400 test examples add sqrt (0.83 * 0.17 / 400) = 1.9 %
%! assert (mean (sign (mu) == task.ytest), 0.826, 5 * 0.028);

%!function s = ring_states (t)                            % the state whose v is nearest, of tokens with little noise
%!  [F, C] = deal (t.settings.Features, t.settings.Classes);
%!  v = kron (eye (C), ones (F / C, 1));
%!  [~, s] = max (v' * reshape (t.Xtest(1:F,2:end,:), F, []));
%!  s = reshape (s, t.settings.Tokens, []);
%!endfunction

%!test % more classes: chains move on by the step of their class with 0.7, by each other one with 0.3 / (C - 1)
%! for C = 3:5
%!   t = attnpath_task_markov ("Classes", C, "P", 2, "Ptest", 80 * C, "Parallel", 0.5, "Seed", 7);
%!   assert (t.settings.Features, C * round (200 / C));
%!   assert (t.ytest, int32 (repmat ((1:C)', 80, 1)));
%!   s = ring_states (t);                                % v' token differs by F against 0.5 sqrt (2 F): 20 sigma
%!   moved = mod (diff (s), C);
%!   for c = 1:C
%!     own = moved(:,t.ytest == c);
%!     for step = 0:C-1
%!       want = 0.3 / (C - 1);
%!       if step == c - 1, want = 0.7; endif
%!       assert (mean (own(:) == step), want, 5 * sqrt (want * (1 - want) / numel (own)));
%!     endfor
%!   endfor
%!   assert (histc (s(1,:), 1:C) / (80 * C), ones (1, C) / C, 5 * sqrt ((C - 1) / C ^ 2 / (80 * C)));
%! endfor

%!test % Stay = 1: only that step; Stay = 0: never that step
%! t = attnpath_task_markov ("Classes", 3, "Stay", 1, "P", 2, "Ptest", 9, "Parallel", 0, "Perpendicular", 0);
%! assert (mod (diff (ring_states (t)), 3), repmat (double (t.ytest' - 1), 29, 1));
%! F = t.settings.Features;
%! x = reshape (t.Xtest(1:F,2:end,:), F, []);
%! assert (x, kron (eye (3), ones (F / 3, 1))(:,ring_states (t)(:)) * sqrt (3), 8 * eps);
%! t = attnpath_task_markov ("Classes", 3, "Stay", 0, "P", 2, "Ptest", 9, "Parallel", 0);
%! assert (! any ((mod (diff (ring_states (t)), 3) == double (t.ytest' - 1))(:)));

%!test % more classes: noise in the space of the C vectors, and orthogonal to it
%! t = attnpath_task_markov ("Classes", 4, "Parallel", 2, "Perpendicular", 3, "P", 4, "Ptest", 200, "Seed", 5);
%! clean = attnpath_task_markov ("Classes", 4, "Parallel", 0, "Perpendicular", 0, "P", 4, "Ptest", 200, "Seed", 5);
%! noise = reshape ((t.Xtest - clean.Xtest)(1:200,2:end,:), 200, []);
%! plane = kron (eye (4), ones (50, 1)) / sqrt (50);
%! inside = plane' * noise;
%! n = 30 * 200;
%! assert (cov (inside'), 4 * eye (4), 5 * 4 * sqrt (2 / n));
%! rest = noise - plane * inside;
%! assert (sum (rest(:) .^ 2) / (196 * n), 9, 5 * 9 * sqrt (2 / (196 * n)));

%!test % more classes: the c-th head finds the previous token where it is c - 1 states behind, otherwise the empty one
%! C = 3;
%! t = attnpath_task_markov ("Classes", C, "P", 2, "Ptest", 6, "Parallel", 0, "Perpendicular", 0);
%! assert (t.path_names, {"good 1"; "adversarial 1"; "good 2"; "adversarial 2"; "good 3"; "adversarial 3"; "denoising"; ...
%!                        "adversarial 4"});
%! assert (cellfun (@(W) size (W, 3), t.heads), [4 2]);
%! A = ref_attention (struct ("heads", {t.heads}, "H", [4 2], "attention", "softmax", "causal", false), t.Xtest, []);
%! s = ring_states (t);
%! for mu = 1:6
%!   for q = 3:31
%!     for c = 1:C
%!       if mod (s(q-1,mu) - s(q-2,mu), C) == c - 1      % weights as for two classes, above
%!         assert (A{1}(q-1,q,c,mu) > 0.99);
%!       else
%!         assert (A{1}(1,q,c,mu) > 0.83);
%!       endif
%!     endfor
%!   endfor
%! endfor
%! assert (A{2}(:,:,1,:), ones (31, 31, 1, 6) / 31, 4 * eps);
%! t = attnpath_task_markov ("Classes", C, "Experiment", "two", "P", 2, "Ptest", 6);
%! assert (t.path_names, {"good 1"; "good 2"; "good 3"; "denoising"});
%! assert (cellfun (@(W) size (W, 3), t.heads), [4 1]);
%! assert (t.settings.Perpendicular, 5);

%!test % more classes: settings give the task again, P and Ptest leave the other set alone, and a larger one extends
%! t = attnpath_task_markov ("Classes", 3, "P", 20, "Ptest", 30, "Seed", 2, "Features", 30);
%! assert (isequal (attnpath_task_markov (t.settings), t));
%! more = attnpath_task_markov (setfield (t.settings, "P", 7));
%! assert ({more.Xtrain, more.ytrain, more.Xtest, more.heads}, {t.Xtrain(:,:,1:7), t.ytrain(1:7), t.Xtest, t.heads});

%!testif ; thorough () % more classes: easy enough to be learnt, by one fit for each class against the rest
%! t = attnpath_task_markov ("Classes", 3, "P", 100, "Ptest", 300, "Experiment", "two", "Perpendicular", 1, "Seed", 1);
%! net = attnpath_net (t.heads, "Width", 10, "Temperature", 0.01);
%! for c = 1:3
%!   sol = attnpath_solve (net, t.Xtrain, t.ytrain == c, "Certificate", false);
%!   mu(:,c) = attnpath_predict (sol, t.Xtest);
%! endfor
%! [~, best] = max (mu, [], 2);
%! assert (mean (best == t.ytest) > 1/3 + 5 * sqrt (2/9 / 300));

%!test % what is refused, with which identifier, and that the message names the option and the value
%! refused ("task_markov", @attnpath_task_markov, {"notFinite", "P", {NaN, Inf}; "badShape", "P", {[10 20]}
%!          "badClass", "P", {"ten", int32(10), {10}, true}; "empty", "P", {[]}; "notReal", "P", {2+1i}
%!          "sparse", "P", {sparse(10)}; "badValue", "P", {10.5, 0, -4, 7}; "badValue", "Ptest", {9, 0}
%!          "badValue", "Tokens", {1, 3.5}; "badValue", "Features", {201}; "badValue", "Classes", {1, 2.5}
%!          "badClass", "Classes", {{"a", "b"}}; "badValue", "Stay", {1.1, -0.1, [1 0; 2 1]}
%!          "notFinite", "Stay", {NaN}; "badValue", "Parallel", {-1, [1 -1]}; "badValue", "Perpendicular", {-2}
%!          "notFinite", "Perpendicular", {Inf}; "badValue", "Beta", {-10}; "badValue", "Experiment", {"three"}
%!          "badClass", "Experiment", {4}; "badShape", "Stay", {[0.7 0.3]}; "badShape", "Parallel", {[1 1 1]}
%!          "badValue", "Perturbation", {-1}; "badShape", "Perturbation", {[1 2]}
%!          "badValue", "Heads", {4, [2 1.5], [0 2]}; "badValue", "Seed", {-1, 2^32, 0.5}
%!          "unknownOption", "Temperature", {0.01}; "unknownOption", "Tokeen", {30}; "nameValue", 5, {30}});

%!error <Features must be a multiple of Classes: 200 features are not 3 blocks> attnpath_task_markov ("Classes", 3, "Features", 200)
%!error id=attnpath:task_markov:nameValue attnpath_task_markov ("P")
%!error id=attnpath:task_markov:nameValue attnpath_task_markov ("P", 10, "Seed")
%!error id=attnpath:task_markov:nameValue attnpath_task_markov (struct ("P", {10, 20}))
%!error id=attnpath:task_markov:unknownOption attnpath_task_markov (struct ("Q", 10))

%!test % ap_seeded puts the generators back also when the function fails, and its streams differ
%! back = to_private ();
%! fails = @() ap_seeded (7, @() error ("attnpath:oops:id", "%g", rand + randn));
%! keeps_generators (@() refuses ("oops:id", fails));
%! draws = [ap_seeded(7, @() rand (1, 3)); ap_seeded([7 1], @() rand (1, 3)); ap_seeded([7 2], @() rand (1, 3))];
%! assert (numel (unique (draws)), 9);
%! assert (ap_seeded ([7 2], @() rand (1, 3)), draws(3,:));
%! % rand and randn are two generators on two seeds: no correlation, 5 standard errors
%! [u, z] = ap_seeded (7, @() deal (rand (1e4, 1), randn (1e4, 1)));
%! assert (corr (u, z), 0, 5 / sqrt (1e4));

%!test % more than 8 GiB is refused before anything is drawn, with the numbers
%! for bad = {{"P", 1e6}, {"Ptest", 1e9}, {"Features", 2e4}}
%!   refuses ("task_markov:tooLarge", ...
%!            @() attnpath_task_markov (bad{1}{:}), sprintf ("%.10g", bad{1}{2} + strcmp (bad{1}{1}, "Features") * 31));
%! endfor
%!error <900 classes have 903 heads, each 931 x 931, which would take 5.83 GiB, and 1 is allowed: fewer Classes>
%! attnpath_task_markov ("Classes", 900);

%!test % without an output a line
%! text = evalc ("attnpath_task_markov ('P', 10, 'Ptest', 4, 'Features', 20, 'Tokens', 6)");
%! assert (text, "10 training and 4 test sequences, of 7 tokens with 27 features\n");
%! text = evalc ("attnpath_task_exchangeable ('P', 6, 'Ptest', 2)");
%! assert (regexp (text, '^6 training and 2 test sequences, [^\n]*\n$'), 1);

%!test % labels at tokens: states, which stay with one probability, and noise that hides them
%! task = attnpath_task_markov ("Labels", "tokens", "P", 40, "Ptest", 400, "Features", 50, "Tokens", 20);
%! assert ({size(task.ytrain), size(task.ytest)}, {[21 40], [21 400]});
%! assert (all (isnan (task.ytest(1,:))));
%! s = task.ytest(2:end,:);
%! assert (unique (s(:))', [-1 1]);
%! assert (mean ((s(2:end,:) == s(1:end-1,:))(:)), 0.9, 5 * sqrt (0.09 / 7600));
%! assert (task.settings.Parallel, [5 1]);
%! q = [ones(25, 1); -ones(25, 1)] / sqrt (50);
%! along = reshape (q' * reshape (task.Xtest(1:50,2:end,:), 50, []), 20, 400) .* s;
%! assert (mean (along(:)), 5, 5 * 5 / sqrt (8000));
%! assert (std (along(:)), 5, 5 * 5 / sqrt (16000));
%! assert (cellfun (@(W) size (W, 3), task.heads), [4 4]);
%! A = attnpath_attention (attnpath_net (task.heads), task.Xtest(:,:,1));
%! window = mean (cat (3, A{1}(4:6,5,1), A{1}(4:6,5,2), A{1}(4:6,5,3)), 4);
%! assert (reshape (window, 3, 3), [1/2 0 1/3; 1/2 1/2 1/3; 0 1/2 1/3], 1e-3);
%! assert (task.path_names{2}, "forward, backward");
%! again = attnpath_task_markov (task.settings);
%! assert (again.ytrain, task.ytrain);

%!test % three states, and networks without random heads
%! task = attnpath_task_markov ("Labels", "tokens", "Classes", 3, "P", 30, "Ptest", 300, "Features", 30, ...
%!                              "Tokens", 10, "Experiment", "two");
%! s = task.ytest(2:end,:);
%! assert (unique (s(:))', 1:3);
%! assert (mean ((s(2:end,:) == s(1:end-1,:))(:)), 0.9, 5 * sqrt (0.09 / 2700));
%! assert (cellfun (@(W) size (W, 3), task.heads), [3 3]);
%! net = attnpath_net (task.heads, "Readout", "all", "Width", 30, "Temperature", 0.3);
%! sol = attnpath_solve (net, task.Xtrain, task.ytrain, "Classes", true, "Display", false);
%! [~, ~, class] = attnpath_predict (sol, task.Xtest);
%! assert (mean ((class(2:end,:) == s)(:)) > 0.6);                  % a third by chance

%!error id=attnpath:task_markov:badValue attnpath_task_markov ("Labels", "tokens", "Heads", [3 2])
%!error id=attnpath:task_markov:badShape attnpath_task_markov ("Labels", "tokens", "Stay", [0.9 0.9; 0.1 0.1])
