% predict.tst: predictor mean and variance (T10). Condition numbers of A = K + T I are below 1e3 here, so solutions
% agree to 1e-12; a variance is a difference of terms of order 10 and is compared in absolute terms.

%!function [model, Xit] = random_case (H, P, Pt, seed)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  model.net = attnpath_net (H, "Variance", 0.5 + (1:L+2) / 3, "Temperature", 0.3);
%!  model.paths.Xi = randn (6, P, prod (H));
%!  model.y = randn (P, 1);
%!  U = randn (prod (H));
%!  model.U = U * U' + eye (prod (H)) / 10;
%!  Xit = randn (6, Pt, prod (H));
%!endfunction

%!test % golden: at the solution and in the GP limit
%! for name = {"one_layer_last", "two_layer_mean_qk", "three_layer_last"}
%!   [ref, gold] = ref_golden (name{1});
%!   net = attnpath_net (ref.heads, "Width", ref.width, "Variance", ref.variance, "Readout", ref.readout, ...
%!                       "Temperature", ref.temperature);
%!   model = struct ("net", net, "paths", attnpath_paths (net, gold.X), "y", gold.y, "U", gold.order{1});
%!   [mu, s2] = attnpath_predict (model, gold.Xt);
%!   assert (mu, gold.mu, 1e-12 * max (abs (gold.mu)));
%!   assert (s2, gold.s2, 1e-12 * max (gold.s2));
%!   [mu, s2] = attnpath_predict (model, gold.Xt, "Limit", "gp");
%!   assert (mu, gold.mu_gp, 1e-12 * max (abs (gold.mu_gp)));
%!   assert (s2, gold.s2_gp, 1e-12 * max (gold.s2_gp));
%!   [mup, s2p] = attnpath_predict (rmfield (model, "U"), attnpath_paths (net, gold.Xt), "Limit", "GP");
%!   assert ([mup, s2p], [mu, s2], 1e-13 * max (abs (mu)));
%!   gp = ref_gp (net);
%!   assert (attnpath_predict (model, gold.Xt, "U", gp{1}), mu, 1e-13 * max (abs (mu)));   % variances in another order
%! endfor

%!test % against the reference, L = 1..4; the mean alone is the same mean
%! for H = {1, 3, [2 3], [2 1 2], [1 2 1 2]}
%!   for P = [1 9 30]
%!     [model, Xit] = random_case (H{1}, P, 5, P);
%!     [mu, s2] = attnpath_predict (model, struct ("Xi", Xit));
%!     [rmu, rs2] = ref_predict (model.net, model.paths.Xi, model.y, model.U, Xit);
%!     assert (mu, rmu, 1e-11);
%!     assert (s2, rs2, 1e-11);
%!     assert (attnpath_predict (model, struct ("Xi", Xit)), mu, 1e-13);
%!   endfor
%! endfor

%!test % tokens, their lengths, and more of them than one chunk of path inputs holds
%! randn ("twister", 3);
%! net = attnpath_net ({randn(5, 5, 2), randn(5, 5, 2)}, "Readout", "mean");
%! X = randn (5, 4, 6);
%! model = struct ("net", net, "paths", attnpath_paths (net, X), "y", randn (6, 1), "U", eye (4));
%! Xt = randn (5, 4, 3);
%! [mu, s2] = attnpath_predict (model, Xt, "Lengths", [4 2 3]);
%! [m, v] = attnpath_predict (model, attnpath_paths (net, Xt, "Lengths", [4 2 3]));
%! assert ([mu, s2], [m, v]);
%! [m, v] = attnpath_predict (model, Xt(:,1:2,2));
%! assert ([mu(2), s2(2)], [m, v], 1e-12);
%! [m, v] = attnpath_predict (model, single (Xt));
%! [md, vd] = attnpath_predict (model, double (single (Xt)));
%! assert ([m, v], [md, vd]);
%! N0 = 2^12;                                         % 2^24 / (2^12 * 2) = 2048 to a chunk
%! big = attnpath_net ({struct("Q", zeros (1, N0, 2), "K", zeros (1, N0, 2))});
%! model = struct ("net", big, "paths", struct ("Xi", randn (N0, 3, 2)), "y", [1; 2; 3]);
%! Xt = randn (N0, 1, 2050);
%! [mu, s2] = attnpath_predict (model, Xt, "Limit", "gp");
%! t = [1 2048 2049 2050];
%! [m, v] = attnpath_predict (model, Xt(:,:,t), "Limit", "gp");
%! assert ([m, v], [mu(t), s2(t)], 1e-11);

%!function [mu, s2] = over_draws (predict, U)
%!  % ref_predict draw after draw, (T10): mean of means, mean of variances plus covariance of means
%!  mu = 0;  s2 = 0;
%!  for k = 1:size (U, 3)
%!    [m(:,:,k), v(:,:,:,k)] = predict (U(:,:,k));
%!  endfor
%!  mu = mean (m, 3);
%!  for c = 1:size (mu, 2)
%!    for d = 1:size (mu, 2)
%!      apart = (m(:,c,:) - mu(:,c)) .* (m(:,d,:) - mu(:,d));
%!      s2(c,d,1:size (mu, 1)) = mean (apart, 3) + reshape (mean (v(c,d,:,:), 4), [], 1);
%!    endfor
%!  endfor
%!  s2 = reshape (squeeze (s2), [size(s2)(1:end-1), size(mu, 1)]);
%!endfunction

%!function [m, v] = by_reference (model, Xit, U)
%!  [m, v] = ref_predict (model.net, model.paths.Xi, model.y, U, Xit);
%!  v = reshape (v, columns (m), columns (m), []);
%!endfunction

%!function [m, v] = shared_by_reference (model, Xit, U)
%!  for c = 1:3
%!    [m(:,c), s2] = ref_predict (model.net, model.paths.Xi, model.y(:,c), U, Xit);
%!  endfor
%!  v = reshape (s2, 1, 1, []) .* eye (3);
%!endfunction

%!function [m, v] = one_draw (model, X, U)
%!  [m, v] = attnpath_predict (model, X, "U", U);
%!  v = reshape (v, 1, 1, []);
%!endfunction

%!function U = positive_draws (n, count)
%!  for k = 1:count
%!    R = randn (n);
%!    U(:,:,k) = R * R' / n + eye (n) / 10;
%!  endfor
%!endfunction

%!test % many draws, of two chains, against the reference: one output, three coupled ones, three that share U
%! for kind = {1, @by_reference, 4; 3, @by_reference, 12; 3, @shared_by_reference, 4}'
%!   [model, Xit] = random_case ([2 2], 9, 5, 21);
%!   model.y = randn (9, kind{1});
%!   U = positive_draws (kind{3}, 40);
%!   [rmu, rs2] = over_draws (@(U) kind{2} (model, Xit, U), U);
%!   model.U = reshape (U, kind{3}, kind{3}, 20, 2);
%!   [mu, s2] = attnpath_predict (model, struct ("Xi", Xit));
%!   assert (mu, rmu, 1e-11);
%!   assert (s2(:), rs2(:), 1e-11);
%!   assert (attnpath_predict (model, struct ("Xi", Xit)), rmu, 1e-11);
%!   [few, few2] = attnpath_predict (rmfield (model, "U"), struct ("Xi", Xit), "U", U(:,:,1:3));   % nothing is stored
%!   [rmu, rs2] = over_draws (@(U) kind{2} (model, Xit, U), U(:,:,1:3));
%!   assert (few, rmu, 1e-11);
%!   assert (few2(:), rs2(:), 1e-11);
%! endfor

%!test % draws of examples with noise of their own, of moments, with head scales and a skip connection
%! randn ("twister", 22);
%! net = attnpath_net ({randn(5, 5, 2), randn(5, 5)}, "Temperature", 0.3, "Skip", [0 0.7], "HeadScale", {[1 0.5], 2});
%! X = randn (5, 4, 9);  y = randn (9, 1);  Xt = randn (5, 4, 7);  noise = 0.5 + rand (1, 9);
%! sol = attnpath_solve (net, X, y, "Noise", noise);
%! U = positive_draws (4, 40);
%! [want, want2] = over_draws (@(U) one_draw (sol, Xt, U), U);
%! [mu, s2] = attnpath_predict (sol, Xt, "U", U);
%! assert ([mu, s2], [want, want2(:)], 1e-12);
%! assert (attnpath_predict (sol, Xt, "U", U), mu, 1e-12);
%! m = attnpath_moments (net, X, y, "Noise", noise);
%! [mu, s2] = attnpath_predict (struct ("net", net, "moments", m, "U", U), Xt);
%! assert ([mu, s2], [want, want2(:)], 1e-9);                                  % moments square the path inputs
%! assert (attnpath_predict (struct ("net", net, "moments", m, "U", U), Xt), mu, 1e-12);

%!testif ; thorough () % draws of U with more test examples than one call takes, 1e10 / (2 * 4e6 + 4e6) = 833
%! randn ("twister", 10);
%! model = struct ("net", attnpath_net (1, "Temperature", 0.3), "paths", struct ("Xi", randn (2000, 2000)), ...
%!                 "y", randn (2000, 1), "U", cat (3, 1.3, 2.6));
%! Xit = randn (2000, 840);
%! [mu, s2] = attnpath_predict (model, struct ("Xi", Xit));
%! t = [1 833 834 840];
%! [m, v] = attnpath_predict (model, struct ("Xi", Xit(:,t)));
%! assert ([m, v], [mu(t), s2(t)], 1e-12);

%!test % classes of draws
%! [model, Xit] = random_case ([2 2], 30, 30, 23);
%! model.U = positive_draws (4, 20);
%! model.classes = {"no", "yes"};  model.y = sign (model.y);
%! [mu, ~, class] = attnpath_predict (model, struct ("Xi", Xit));
%! assert (strcmp (class, "yes"), mu > 0);

%!test % a draw that is not one is named
%! [model, Xit] = random_case ([2 2], 9, 5, 24);
%! model.U = positive_draws (4, 30);
%! model.U(:,:,17) = -eye (4);
%! refuses ("predict:notPositiveDefinite", @() attnpath_predict (model, struct ("Xi", Xit)), "model.U(:,:,17)");
%! model.U(1,2,17) = 1;
%! refuses ("predict:notSymmetric", @() attnpath_predict (model, struct ("Xi", Xit)));

%!test % attention that was brought: path inputs of the test set, not its tokens
%! randn ("twister", 9);
%! net = attnpath_net ({randn(5, 5, 2), randn(5, 5, 2)}, "Width", 20);
%! X = randn (5, 4, 6);  y = randn (6, 1);  Xt = randn (5, 4, 3);
%! sol = attnpath_solve (net, attnpath_paths (net, X, attnpath_attention (net, X)), y);
%! assert (sol.paths.brought, true);
%! fail ("attnpath_predict (sol, Xt)", "attnpath_paths \\(net, Xtest, Atest\\)");
%! same = attnpath_solve (net, X, y);
%! assert (same.paths.brought, false);
%! assert (attnpath_predict (sol, attnpath_paths (net, Xt, attnpath_attention (net, Xt))), attnpath_predict (same, Xt), 1e-9);
%! sol.paths = rmfield (sol.paths, "brought");        % made by hand: nothing is known of it
%! assert (attnpath_predict (sol, Xt), attnpath_predict (same, Xt), 1e-9);

%!function class = class_of (varargin)
%!  [~, ~, class] = attnpath_predict (varargin{:});
%!endfunction

%!test % after moments of -1 and +1 the class is the sign, also of moments that are put together; of other numbers none
%! randn ("twister", 3);
%! X = randn (3, 4, 20);
%! y = sign (randn (20, 1));
%! net = attnpath_net ({randn(3, 3, 2)}, "Temperature", 0.1);
%! Xt = randn (3, 4, 6);
%! want = class_of (attnpath_solve (net, X, y, "Display", false), Xt);
%! two = {1:8, 9:20};
%! m = cellfun (@(k) attnpath_moments (net, X(:,:,k), y(k)), two, "UniformOutput", false);
%! for moments = {attnpath_moments(net, X, y), attnpath_moments(m{:})}
%!   [mu, ~, class] = attnpath_predict (attnpath_solve (net, moments{1}, "Display", false), Xt);
%!   assert (class, want);
%!   assert (class, sign (mu));
%! endfor
%! other = attnpath_moments (net, X(:,:,two{2}), 2 * y(two{2}));
%! for moments = {other, attnpath_moments(m{1}, other), attnpath_moments(other, m{1})}
%!   sol = attnpath_solve (net, moments{1}, "Display", false);
%!   refuses ("predict:badValue", @() class_of (sol, Xt));
%! endfor

%!test % README's words on its U, of which the diagonal alone: 0.9560, and the same with one entry set to 0
%! task = attnpath_task_markov ();
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 10), task.Xtrain, task.ytrain);
%! right = @(U) mean (sign (attnpath_predict (sol, task.Xtest, "U", U)) == task.ytest);
%! without = sol.U;  without(1,3) = without(3,1) = 0;
%! assert ([right(diag (diag (sol.U))), right(without)], [0.9560 0.9560], 0.001 + eps);   % an example on the fence

%!function f = alone (Xit, p)                             % test inputs that come along path p only
%!  f = zeros (size (Xit));
%!  f(:,:,p) = Xit(:,:,p);
%!endfunction

%!test % contributions of paths, f_p(x) = sigma^2 / (N0 Pi) x_p' sum_q U_pq Xi_q A^{-1} y: the predictor at inputs whose other
%! % paths are zero. Of one U, draws, the GP limit, tokens; of several outputs; sums are the mean
%! [model, Xit] = random_case ([2 3], 9, 4, 3);
%! f = attnpath_predict (model, struct ("Xi", Xit), "ByPath", true);
%! assert (size (f), [4 1 6]);
%! for p = 1:6
%!   assert (f(:,1,p), ref_predict (model.net, model.paths.Xi, model.y, model.U, alone (Xit, p)), 1e-12);
%! endfor
%! assert (sum (f, 3), attnpath_predict (model, struct ("Xi", Xit)), 1e-12);
%! U = cat (3, model.U, 2 * model.U + eye (6), eye (6));
%! f = attnpath_predict (model, struct ("Xi", Xit), "ByPath", true, "U", U);
%! for p = 1:6
%!   want = 0;
%!   for k = 1:3, want += ref_predict (model.net, model.paths.Xi, model.y, U(:,:,k), alone (Xit, p)) / 3; endfor
%!   assert (f(:,1,p), want, 1e-12);
%! endfor
%! gp = attnpath_predict (model, struct ("Xi", Xit), "ByPath", true, "Limit", "gp");
%! assert (sum (gp, 3), attnpath_predict (model, struct ("Xi", Xit), "Limit", "gp"), 1e-12);
%! model.y = [model.y, cos(model.y), model.y .^ 2];
%! B = randn (18);
%! for U = {model.U, B * B' / 10}
%!   f = attnpath_predict (model, struct ("Xi", Xit), "ByPath", true, "U", U{1});
%!   assert (size (f), [4 3 6]);
%!   whole = U{1};
%!   if rows (whole) == 6, whole = kron (whole, eye (3)); endif
%!   for p = 1:6
%!     assert (f(:,:,p), ref_predict (model.net, model.paths.Xi, model.y, whole, alone (Xit, p)), 1e-11);
%!   endfor
%! endfor

%!test % of tokens, a trained network, one path; without variance and class
%! task = attnpath_task_markov ("P", 20, "Ptest", 6, "Features", 20, "Tokens", 6);
%! net = attnpath_net (task.heads, "Width", 10);
%! sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%! gd = struct ("net", net, "w", randn (27, 4));
%! for model = {sol, gd}
%!   f = attnpath_predict (model{1}, task.Xtest, "ByPath", true);
%!   assert (size (f), [6 1 4]);
%!   assert (f, attnpath_predict (model{1}, attnpath_paths (net, task.Xtest), "ByPath", true), 1e-14);
%!   assert (sum (f, 3), attnpath_predict (model{1}, task.Xtest), 1e-12);
%! endfor
%! model = struct ("net", attnpath_net (1, "Temperature", 1), "paths", struct ("Xi", 2), "y", 5, "U", 1);
%! assert (attnpath_predict (model, struct ("Xi", 1), "ByPath", true), 2, 1e-14);
%! refuses ("predict:badValue", {@() class_of(sol, task.Xtest, "ByPath", true)}, "ByPath");

%!error id=attnpath:predict:empty % no draw was chosen
%! model = struct ("net", attnpath_net (1, "Temperature", 1), "paths", struct ("Xi", 2), "y", 5, "U", 1);
%! attnpath_predict (model, struct ("Xi", 1), "U", zeros (1, 1, 0));

%!function part = a_part (X, A, y, answer)
%!  part = struct ("X", X, "A", {A}, "y", {y}, "answer", {answer});
%!endfunction

%!test % a source: what its examples get one by one, and the accuracy of theory and transformer, with what follows
%! randn ("twister", 4);  rand ("twister", 4);
%! X = randn (5, 4, 40);
%! A = {rand(4, 4, 3, 40), rand(4, 4, 2, 40)};
%! A = cellfun (@(a) a ./ sum (a, 1), A, "UniformOutput", false);
%! y = sign (X(1,4,:)(:) + X(2,4,:)(:));
%! net = attnpath_net ([3 2], "Width", 50, "Temperature", 0.1);
%! few = @(k) cellfun (@(a) a(:,:,:,k), A, "UniformOutput", false);
%! sol = attnpath_solve (net, attnpath_paths (net, X(:,:,1:30), few(1:30)), y(1:30), "Display", false);
%! own = [y(31:38); -y(39:40)];
%! part = @(k) a_part (X(:,:,k), few(k), y(k), own(k-30));
%! parts = {part(31:36), part(37:40), []};
%! [mu, s2, class, answer] = attnpath_predict (sol, @(k) parts{k});
%! [want, want2, said] = attnpath_predict (sol, attnpath_paths (net, X(:,:,31:40), few(31:40)));
%! assert ({class, answer}, {said, own});
%! assert ([mu, s2], [want, want2], 1e-13);           % kernels of other numbers of columns
%! told = evalc ("attnpath_predict (sol, @(k) parts{k})");
%! right = @(x) sprintf ("%.3f +- %.3f", mean (x), std (double (x)) / sqrt (10));
%! tells (told, {"10 examples", ["maps " right(said == y(31:40))], ["model " right(own == y(31:40))], ...
%!               "most frequent class"});
%! bare = {rmfield(parts{1}, "answer"), []};
%! assert (! isempty (strfind (evalc ("attnpath_predict (sol, @(k) bare{k})"), "answer=")));
%! heads = [1 1; 1 3; 2 2];
%! [paths, small] = attnpath_paths (net, X(:,:,1:30), few(1:30), "Heads", heads);
%! sol = attnpath_solve (small, paths, y(1:30), "Display", false);
%! got = attnpath_predict (sol, @(k) parts{k}, "Heads", heads);
%! assert (got, attnpath_predict (sol, attnpath_paths (net, X(:,:,31:40), few(31:40), "Heads", heads)), 1e-13);
%! all_read = attnpath_net ([3 2], "Readout", "all");
%! refuses ({"predict:badValue", @() attnpath_predict(sol, @(k) parts{k}, "Heads", [1 4]), "layer 1"
%!           "predict:badValue", @() attnpath_predict(sol, @(k) parts{k}, "Lengths", 1:3), "parts"
%!           "predict:badValue", @() attnpath_predict(sol, paths, "Heads", heads), "source"
%!           "predict:missingField", @() attnpath_predict(struct(), @(k) parts{k}), "net"
%!           "predict:badValue", @() attnpath_predict(struct ("net", all_read), @(k) parts{k}), {"'all'", "attnpath_paths"}
%!           "predict:badSource", @() attnpath_predict(sol, @(k) []), "no examples"});

%!function told = carried (varargin)
%!  told = evalc ("ap_say_carried (varargin{:})");
%!endfunction

%!test % the sentences: of nothing to explain, all, a part, and too little; for numbers the explained variance
%! y = [ones(50, 1); -ones(50, 1)];
%! flip = @(n) [-y(1:n); y(n+1:end)];
%! for row = {49, 0, "nothing to explain"; 1, 3, "they suffice"; 1, 15, "about this part"; 1, 40, "mean little"}'
%!   told = in_private (@() carried (y, flip (row{2}), flip (row{1}), "right"));
%!   assert (! isempty (strfind (told, row{3})), told);
%! endfor
%! told = in_private (@() carried ((1:100)', (1:100)' + 5, (1:100)' - 1, "explained"));
%! for word = {sprintf("%.3f", 1 - 25 / 833.25), sprintf("%.3f", 1 - 1 / 833.25), "they suffice"}        # (100^2 - 1) / 12
%!   assert (! isempty (strfind (told, word{1})), told);
%! endfor

%!test % what a source says of classes is the same whether they are words or numbers
%! randn ("twister", 2);
%! X = randn (3, 4, 40);
%! net = attnpath_net ({randn(3, 3, 2)}, "Width", 30);
%! A = attnpath_attention (net, X);
%! yes = reshape (X(1,4,:) > 0, [], 1);
%! words = {"no"; "yes"};
%! for y = {words(1 + yes), int8(2 + yes), double(yes)}
%!   part = struct ("X", X, "A", {A}, "y", {y{1}}, "answer", {y{1}});
%!   sol = attnpath_solve (net, attnpath_paths (net, X, A), y{1}, "Classes", true);
%!   source = {part, []};
%!   text = evalc ("attnpath_predict (sol, @(k) source{k});");
%!   if iscell (y{1}), want = text; endif
%!   assert (text, want);
%! endfor
%! assert (! isempty (strfind (want, "40 examples, right")));
