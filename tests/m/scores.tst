% scores.tst: what is read off a solution: attnpath_scores, attnpath_prune, attnpath_align.

%!test % scores: against the reference, indefinite U included
%! randn ("twister", 1);
%! for H = {1, 4, [2 3], [3 1 2], [2 2 1 2]}
%!   U = randn (prod (H{1}));  U = U + U';
%!   model = struct ("net", attnpath_net (H{1}), "U", U);
%!   assert (attnpath_scores (model, "By", "order"), ref_scores (model.net, U), 1e-14);
%! endfor

%!test % scores: of a sample, those of the mean over draws and chains
%! randn ("twister", 2);
%! U = randn (4, 4, 3, 2);
%! for k = 1:6
%!   U(:,:,k) = U(:,:,k) * U(:,:,k)';
%! endfor
%! net = attnpath_net ([2 2]);
%! [score, largest] = attnpath_scores (struct ("net", net, "U", U), "By", "order");
%! assert (score(:,1:3), attnpath_scores (struct ("net", net, "U", mean (mean (U, 4), 3)), "By", "order"), 1e-14);
%! for k = 1:6
%!   [~, most] = attnpath_scores (struct ("net", net, "U", U(:,:,k)), "By", "order");
%!   each(:,k) = sortrows (ref_scores (net, U(:,:,k)))(:,3) * most;
%! endfor
%! assert (sortrows (score)(:,4), std (each, 0, 2) / largest, 1e-13);

%!test % scores: identical heads score alike and keep their order; the example of the help text
%! score = attnpath_scores (struct ("net", attnpath_net ([2 2]), "U", ones (4)));
%! assert (score, [1 1 1; 1 2 1; 2 1 1; 2 2 1]);
%! score = attnpath_scores (struct ("net", attnpath_net ([2 1]), "U", [3 1; 1 1]), "By", "order");
%! assert (score, [1 2 3/6; 1 1 5/6; 2 1 1], eps);
%! assert (attnpath_scores (struct ("net", attnpath_net (2), "U", zeros (2))), [1 1 0; 1 2 0]);

%!test % by share: row and column, times the heads of the layer; 1 for all at the GP point, whatever the heads
%! randn ("twister", 11);
%! H = [2 3 1];
%! U = randn (6);  U = U * U';
%! net = attnpath_net (H);
%! score = attnpath_scores (struct ("net", net, "U", U));             % the default of net and U alone
%! assert (attnpath_scores (struct ("net", net, "U", U), "By", "share"), score);
%! assert (score, ref_scores (net, U, "share"), 1e-13);
%! assert (attnpath_scores (struct ("net", net, "U", 0.7 * eye (6)), "By", "share")(:,3), ones (6, 1), 1e-14);
%! post = struct ("net", net, "U", cat (3, U, 3 * U));                % of draws, one standard deviation
%! [score, largest] = attnpath_scores (post, "By", "share");
%! assert (score(:,4), score(:,3) * std ([1 3]) / 2, 1e-13);

%!test % by ablation: example by example, with standard errors; coupled outputs in parts that add up
%! randn ("twister", 8);
%! for case_ = {3, 1; [2 3], 1; [2 1 2], 1; [2 2], 2}'
%!   [H, C] = case_{:};
%!   n = prod (H) * C;
%!   U = randn (n);
%!   model = struct ("net", attnpath_net (H, "Variance", 0.5 + (1:numel (H)+2) / 3, "Temperature", 0.3), ...
%!                   "paths", struct ("Xi", randn (6, 9, prod (H))), "y", randn (9, C), "U", U * U' + eye (n) / 10);
%!   [want, each] = ref_head_ablation (model.net, model.paths.Xi, model.y, model.U);
%!   [score, largest, classes] = attnpath_scores (model, "By", "ablation");
%!   assert (issorted (score(:,3)));
%!   [got, rank] = sortrows (score, [1 2]);
%!   assert (got(:,3) * largest, sum (want, 2), 1e-9 * max (want(:)));           % cond A is below 1e4
%!   assert (got(:,4) * largest, std (each)' / 3, 1e-9 * max (want(:)));
%!   if C > 1, assert (classes(rank,:), want / max (want(:)), 1e-9); else, assert (isempty (classes)); endif
%! endfor

%!test % by ablation: examples of noise t weigh one over it, of noise Inf nothing; a skip connection is not rescaled
%! randn ("twister", 9);
%! net = attnpath_net ([2 2], "Temperature", 0.3);
%! model = struct ("net", net, "paths", struct ("Xi", randn (6, 9, 4)), "y", randn (9, 1), "U", eye (4) + 0.3);
%! model.noise = [1 2 0.5 1 3 1 1 Inf 2];
%! [score, largest] = attnpath_scores (model, "By", "ablation");
%! left = [1:7 9];
%! net.noise = model.noise(left);
%! [want, each] = ref_head_ablation (net, model.paths.Xi(:,left,:), model.y(left), model.U);
%! got = sortrows (score, [1 2]);
%! assert (got(:,3) * largest, want, 1e-10 * max (want));
%! w = 1 ./ net.noise' / sum (1 ./ net.noise);
%! assert (got(:,4) * largest, sqrt (sum ((w .* (each - want')) .^ 2) * 8 / 7)', 1e-10 * max (want));
%! net = attnpath_net (2, "Skip", 0.7, "Temperature", 0.3);
%! model = struct ("net", net, "paths", struct ("Xi", randn (6, 9, 3)), "y", randn (9, 1), "U", eye (3));
%! f = ref_left_out (struct ("H", 3, "variance", net.variance, "temperature", 0.3), model.paths.Xi, model.y, model.U);
%! other = [3 2];                                        % path 1 goes past the heads
%! for h = 1:2
%!   want(h,1) = mean ((f(:,1) + sqrt (2) * f(:,other(h)) - model.y) .^ 2 - (sum (f, 2) - model.y) .^ 2);
%! endfor
%! [score, largest] = attnpath_scores (model, "By", "ablation");
%! assert (sortrows (score)(:,3) * largest, want(1:2), 1e-10);

%!test % standard errors of leave-one-out, and of evidence none; what is printed without an output
%! [sol, task] = markov (20);
%! [score, largest] = attnpath_scores (sol, "By", "loo", "Display", false);
%! whole = (attnpath_loo (sol).mean - sol.y) .^ 2;
%! [net, paths] = attnpath_prune (sol.net, score(1,1:2), sol.paths);
%! less = (attnpath_loo (attnpath_solve (net, paths, sol.y)).mean - sol.y) .^ 2;
%! assert (score(1,4) * largest, std (less - whole) / sqrt (30), 1e-4);        % two starts, tolerance 1e-8 each
%! assert (columns (attnpath_scores (sol, "By", "evidence", "Display", false)), 3);
%! shown = evalc ("attnpath_scores (sol, 'By', 'loo', 'Display', false);");
%! assert (! isempty (strfind (shown, "by 'loo'")) && numel (strfind (shown, " ~\n")) >= 1);
%! assert (isempty (strfind (evalc ("attnpath_scores (sol, 'By', 'order');"), "~")));
%! alike = struct ("net", attnpath_net (2, "Temperature", 0.5), "y", randn (12, 1), "U", eye (2), ...
%!                 "paths", struct ("Xi", repmat (randn (4, 12), [1 1 2])));
%! assert (! isempty (strfind (evalc ("attnpath_scores (alike, 'By', 'ablation');"), "find no order")));

%!test % scores by loo and by evidence: solved anew without each head, from the GP limit
%! [sol, task] = markov (20);
%! cost = {@(s) attnpath_loo(s).mse, @(s) -attnpath_evidence(s)};
%! words = {"loo", "evidence"};
%! for k = 1:2
%!   [score, largest] = attnpath_scores (sol, "By", words{k});
%!   assert (issorted (score(:,3)) && score(end,3) == 1);
%!   for row = score'
%!     [net, paths] = attnpath_prune (sol.net, row(1:2)', sol.paths);
%!     less = attnpath_solve (net, paths, sol.y);
%!     assert (less.converged && less.hessian_min > 0);
%!     assert (row(3) * largest, cost{k} (less) - cost{k} (sol), 1e-4);     % two starts, tolerance 1e-8 each
%!   endfor
%! endfor

%!test % scores: without a layer's only head nothing is left
%! randn ("twister", 7);
%! sol = attnpath_solve (attnpath_net ([1 2], "Width", 20, "Temperature", 0.5), struct ("Xi", randn (5, 8, 2)), randn (8, 1));
%! [score, largest] = attnpath_scores (sol, "By", "loo");
%! only = score(score(:,1) == 1,3) * largest;
%! assert (only, mean (sol.y .^ 2) - attnpath_loo (sol).mse, 1e-12);
%! [score, largest] = attnpath_scores (sol, "By", "evidence");
%! none = -(8 * log (2 * pi * 0.5) + sol.y' * sol.y / 0.5) / 2;
%! assert (score(score(:,1) == 1,3) * largest, attnpath_evidence (sol) - none, 1e-10);

%!test % scores: without a layer's only head its skip connection is left, which is a network without that layer
%! randn ("twister", 8);
%! Xi = randn (6, 30, 4);                              % h_1 slowest, the skip of layer 2 before its head
%! y = Xi(:,:,1)' * randn (6, 1) / 2 + randn (30, 1);
%! net = attnpath_net ([2 1], "Width", 40, "Temperature", 0.1, "Skip", [0 0.7]);
%! less = attnpath_net (2, "Width", 40, "Temperature", 0.1);            % path inputs have the gain already
%! by = {"loo", "evidence", "evidence", "evidence"};
%! for k = 1:4
%!   given = @(net, Xi) {struct("Xi", Xi), y};
%!   forms = {"square", "factor"};
%!   if k > 2, given = @(net, Xi) {attnpath_moments(net, struct ("Xi", Xi), y, "Form", forms{k-2})}; endif
%!   whole = attnpath_solve (net, given (net, Xi){:});
%!   rest = attnpath_solve (less, given (less, Xi(:,:,[1 3]) / sqrt (2)){:});
%!   if k == 1, want = attnpath_loo (rest).mse - attnpath_loo (whole).mse;
%!   else, want = attnpath_evidence (whole) - attnpath_evidence (rest); endif
%!   [score, largest] = attnpath_scores (whole, "By", by{k});
%!   assert (score(score(:,1) == 2,3) * largest, want, 1e-4);                   % as above
%! endfor

%!test % scores: one head left below several paths, where a search from the whole solution ends in a higher minimum
%! for case_ = {9, [2 3 2], {}, 2; 17, [3 3 2], {"HeadScale", {[1 1 0], [1 1 1], [1 1]}}, 1}'
%!   randn ("seed", case_{1});
%!   [Xi, y] = deal (randn (5, 12, 12), 60 * randn (12, 1));
%!   if case_{1} == 17, Xi = cat (3, sqrt (2) * Xi, zeros (5, 12, 6)); endif              % a third head, of scale 0
%!   sol = attnpath_solve (attnpath_net (case_{2}, "Width", 20, case_{3}{:}), struct ("Xi", Xi), y, "Starts", 10);
%!   [score, largest] = attnpath_scores (sol, "By", "evidence");
%!   [net, paths] = attnpath_prune (sol.net, [1 case_{4}], sol.paths);
%!   want = attnpath_evidence (sol) - attnpath_evidence (attnpath_solve (net, paths, y));
%!   assert (score(score(:,1) == 1 & score(:,2) == case_{4},3) * largest, want, 1e-3);
%! endfor

%!test % prune: bilinear heads, queries and keys, counts
%! randn ("twister", 3);
%! W = randn (3, 3, 3);
%! pair = struct ("Q", randn (2, 3, 4), "K", randn (2, 3, 4));
%! net = attnpath_net ({W, pair}, "Width", [3 4 5]);
%! small = attnpath_prune (net, [2 4; 1 2; 2 1]);
%! assert (small.H, [2 2]);
%! assert (small.heads{1}, W(:,:,[1 3]));
%! assert (small.heads{2}, struct ("Q", pair.Q(:,:,2:3), "K", pair.K(:,:,2:3)));
%! assert (rmfield (small, {"H", "heads", "headscale"}), rmfield (net, {"H", "heads", "headscale"}));
%! assert (small.headscale, {[1 1], [1 1]});
%! assert (attnpath_prune (attnpath_net ([3 4]), [2 4; 1 2; 2 1]).H, [2 2]);
%! assert (attnpath_prune (net, zeros (0, 2)), net);
%! assert (attnpath_prune (net, []), net);
%! assert (attnpath_prune (net, single ([1 1])).H, [2 4]);

%!test % prune: what is left has the path inputs that it had
%! randn ("twister", 4);
%! net = attnpath_net ({randn(3, 3, 2), randn(3, 3, 3)});
%! X = randn (3, 5, 4);
%! paths = attnpath_paths (net, X);
%! kept = attnpath_paths (attnpath_prune (net, [1 1; 2 2]), X);
%! [~, p] = ismember ([2 1; 2 3], paths.heads, "rows");
%! assert (kept.Xi, paths.Xi(:,:,p), 1e-14);

%!test % align: overlaps are those of an orthonormal basis, eigenvalues fall
%! randn ("twister", 5);
%! K = randn (6);  K = K * K';  y = randn (6, 1);
%! [overlap, lambda] = attnpath_align (K, y);
%! assert (norm (overlap), 1, 1e-14);
%! assert (all (overlap >= 0));
%! assert (issorted (flipud (lambda)));
%! assert (sum (lambda .* overlap .^ 2), y' * K * y / (y' * y), 1e-12);
%! assert (sum (overlap .^ 2 ./ lambda), y' * (K \ y) / (y' * y), -1e-9);     % condition number below 1e5

%!test % align: the kernel y y' has all of y first, labels scale out; the example of the help text
%! y = [1; -1; 1; 1];
%! [overlap, lambda] = attnpath_align (y * y', -3 * y);
%! assert (overlap, [1; 0; 0; 0], 1e-14);
%! assert (lambda, [4; 0; 0; 0], 1e-14);
%! [overlap, lambda] = attnpath_align ([2 1; 1 2], [1; 1]);
%! assert ([overlap, lambda], [1 3; 0 1], 1e-14);

%!function gd = trained (H, C, N0)
%!  % weights as if learned
%!  gd = struct ("net", attnpath_net (H), "w", randn (N0, prod (H) * C));
%!endfunction

%!function value = squared (gd, paths, y)
%!  value = mean (sum ((attnpath_predict (gd, paths) - y) .^ 2, 2));
%!endfunction

%!test % ablation of a trained network: the growth of its squared error, by attnpath_prune and attnpath_predict
%! randn ("twister", 21);
%! for case_ = {[2 3], 1; 3, 1; [2 2 1], 1; [2 2], 3}'
%!   [H, C] = case_{:};
%!   gd = trained (H, C, 5);
%!   paths = struct ("Xi", randn (5, 12, prod (H)));
%!   y = randn (12, C);
%!   whole = squared (gd, paths, y);
%!   [score, largest, classes] = attnpath_scores (gd, paths, y, "By", "ablation");
%!   assert (isempty (classes) && issorted (score(:,3)));
%!   assert (score(end,3), 1);
%!   for k = 1:rows (score)
%!     without = mean (sum (y .^ 2, 2));                   % a layer's only head: no output
%!     if H(score(k,1)) > 1
%!       [less, left] = attnpath_prune (gd, score(k,1:2), paths);
%!       without = squared (less, left, y);
%!     endif
%!     assert (score(k,3) * largest, without - whole, 1e-12 * (abs (without) + whole));   % sums of some hundred terms
%!   endfor
%! endfor
%! assert (attnpath_scores (gd, paths, y), score);        % what is asked unless another word is given

%!test % importance of a trained network: |d loss / d mask| by differences, over the norm of the layer's
%! randn ("twister", 22);
%! for case_ = {[2 3], 1; [2 2], 3}'
%!   [H, C] = case_{:};
%!   gd = trained (H, C, 4);
%!   paths = struct ("Xi", randn (4, 9, prod (H)));
%!   y = randn (9, C);
%!   list = ref_pathlist (H);
%!   [score, largest] = attnpath_scores (gd, paths, y, "By", "importance");
%!   score = sortrows (score, [1 2]);
%!   for k = 1:rows (score)
%!     through = kron (list(:,score(k,1)) == score(k,2), ones (C, 1))' > 0;
%!     step = 1e-3;                                        % the loss is a parabola: central differences are exact
%!     loss = zeros (9, 2);
%!     for side = 1:2
%!       scaled = gd;
%!       scaled.w(:,through) *= 1 + (2 * side - 3) * step;
%!       loss(:,side) = sum ((attnpath_predict (scaled, paths) - y) .^ 2, 2);
%!     endfor
%!     want(k,1) = mean (abs (diff (loss, 1, 2))) / (2 * step);
%!   endfor
%!   for l = 1:numel (H), want(score(:,1) == l) /= norm (want(score(:,1) == l)); endfor
%!   assert (score(:,3) * largest, want, 1e-10);           % eps over the step, times losses of some ten
%!   clear want
%! endfor

%!test % of tokens, with lengths and classes, as of their path inputs
%! task = attnpath_task_markov ("P", 12, "Ptest", 2, "Features", 6, "Tokens", 4);
%! gd = attnpath_train (task, "Heads", [2 2], "Width", 8, "Keys", 3, "Steps", 20, "Display", false);
%! X = task.Xtrain;
%! X(:,4,1:5) = 0;
%! lengths = [3 3 3 3 3 4 4 4 4 4 4 4];
%! y = task.ytrain > 0;
%! gd.classes = [false; true];
%! for word = {"ablation", "importance"}
%!   got = attnpath_scores (gd, X, y, "By", word{1}, "Lengths", lengths);
%!   assert (got, attnpath_scores (gd, attnpath_paths (gd.net, X, "Lengths", lengths), y, "By", word{1}));
%! endfor

%!function file = costs (change)
%!  % as head_costs writes them, in no order
%!  file = [tempname() ".mat"];
%!  s = struct ("layer", [2 1 1], "head", [1 2 1], "cost", [0.5 -0.1 0.2], "cost_se", [0.05 0.02 0.03], ...
%!              "importance", [3 1 2], "importance_se", [0.3 0.1 0.2]);
%!  if nargin > 0, s = change (s); endif
%!  save ("-v6", file, "-struct", "s");
%!endfunction

%!test % costs of one's own model: rows with the least first, undivided, and their standard errors
%! file = costs ();
%! [cost, se] = attnpath_scores (file);
%! assert (cost, [1 2 -0.1 0.02; 1 1 0.2 0.03; 2 1 0.5 0.05]);
%! assert (se, [0.02; 0.03; 0.05]);
%! [cost, se] = attnpath_scores (file, "By", "importance");
%! assert (cost, [1 2 1 0.1; 1 1 2 0.2; 2 1 3 0.3]);
%! assert (se, [0.1; 0.2; 0.3]);
%! delete (file);

%!test % further columns by name: mean and resampled outputs in place of zeros, and norms, which have no errors
%! file = costs (@(s) setfield (setfield (setfield (s, "norm", [1 4 2]), "mean", [3 2 1]), "mean_se", [1 1 2]));
%! [cost, se] = attnpath_scores (file, "By", "norm");
%! assert ({cost, se}, {[2 1 1; 1 1 2; 1 2 4], zeros(3, 0)});
%! table = evalc ("attnpath_scores (file, 'By', 'norm')");
%! assert (strfind (table, "norm of W_O W_V") > 0 && isempty (strfind (table, "~")));
%! assert (attnpath_scores (file, "By", "mean"), [1 1 1 2; 1 2 2 1; 2 1 3 1]);
%! refuses ("scores:badFile", @() attnpath_scores (file, "By", "resampled"), {"resampled", "ablations"});
%! delete (file);
%!test % costs of groups: rows of heads, with the number of the group, from the file or drawn
%! of_groups = @(s) setfield (setfield (s, "groups", [2 1]), "heads", [4 3]);
%! file = costs (of_groups);
%! [cost, se] = attnpath_scores (file);
%! assert (cost, [1 3 -0.1 0.02 2 2; 1 4 -0.1 0.02 2 2; 1 1 0.2 0.03 1 2; 1 2 0.2 0.03 1 2; 2 1 0.5 0.05 1 3
%!                2 2 0.5 0.05 1 3; 2 3 0.5 0.05 1 3]);
%! assert (se, cost(:,4));
%! assert (attnpath_mask (attnpath_net ([4 3]), cost(1:2,1:2)), [1 1 0 0; 1 1 1 1]);
%! assert (attnpath_mask (attnpath_net ([4 3]), cost(1:2,:)), [1 1 0 0; 1 1 1 1]);
%! refuses ("mask:badValue", @() attnpath_mask (attnpath_net ([4 3]), cost(1:3,:)), {"1 of the 2 heads of group 1 in layer 1"});
%! shown = strsplit (evalc ("attnpath_scores (file);"), "\n");
%! assert (shown{2}, "  layer  head group    score       +-");
%! assert (shown{3}, "      1     3     2  -0.1000   0.0200 ~");
%! delete (file);
%! file = costs (@(s) struct ("layer", 1, "head", 1, "cost", 0.5, "cost_se", 0.1, "groups", 1, "heads", 2));
%! assert (attnpath_scores (file), [1 1 0.5 0.1 1 2; 1 2 0.5 0.1 1 2]);
%! delete (file);
%! same = costs (@(s) setfield (setfield (s, "groups", [2 1]), "heads", [2 1]));         % of one head each
%! assert (attnpath_scores (same), [1 2 -0.1 0.02; 1 1 0.2 0.03; 2 1 0.5 0.05]);
%! delete (same);
%! for wrong = {@(s) setfield(s, "groups", [2 1]), "heads"; @(s) setfield(of_groups (s), "heads", [3 3]), "[3 3]"
%!              @(s) setfield(of_groups (s), "groups", [1 1]), "[1 1]"; @(s) setfield(of_groups (s), "groups", 2), "groups"}'
%!   file = costs (wrong{1});
%!   refuses ("scores:badFile", @() attnpath_scores (file), strrep (wrong{2}, " ", "  "));
%!   delete (file);
%! endfor

%!test % what cannot be asked is refused, in words that say what can
%! gd = trained ([2 1], 1, 3);
%! paths = struct ("Xi", randn (3, 5, 2));
%! sol = struct ("net", gd.net, "U", eye (2));
%! file = costs ();
%! lacks = costs (@(s) rmfield (s, "cost_se"));
%! odd = costs (@(s) setfield (s, "cost", [1 2]));
%! text = costs (@(s) setfield (s, "cost", {1, 2, 3}));
%! twice = costs (@(s) setfield (s, "head", [1 1 1]));
%! gap = costs (@(s) setfield (s, "layer", [3 1 1]));
%! known = setfield (setfield (sol, "paths", paths), "y", ones (5, 1));
%! table = {"missingField", {sol, "By", "predictor"}, "paths"
%!          "missingField", {known, "By", "loo"}, "order"
%!          "badValue", {sol, "By", "luck"}, "luck"
%!          "unknownOption", {sol, "Bye", "order"}, "Bye"
%!          "badValue", {sol, "By", "importance"}, "attnpath_scores (gd, X, y"
%!          "badValue", {gd, paths, ones(5, 1), "By", "loo"}, "score of the theory"
%!          "badValue", {gd, paths, ones(5, 1), "By", "norm"}, "head_costs"
%!          "badValue", {file, "By", "order"}, "score of the theory"
%!          "badValue", {sol, "Lengths", 3}, "there is no X"
%!          "badShape", {gd, paths, ones(5, 2)}, "y must have 1 labels"
%!          "badShape", {gd, paths, ones(4, 1)}, "y must be"
%!          "missingField", {sol, paths, ones(5, 1)}, "attnpath_train"
%!          "noFile", {"no such file.mat"}, "no such file.mat"
%!          "badFile", {which("attnpath_scores")}, "cannot be read"
%!          "badFile", {lacks}, "cost_se"
%!          "badFile", {odd}, "finite number"
%!          "badFile", {text}, "finite number"
%!          "badFile", {twice}, " twice"
%!          "badFile", {gap}, "number layers"};
%! for row = table'
%!   refuses (["scores:" row{1}], @() attnpath_scores (row{2}{:}), row{3});
%! endfor
%! cellfun (@delete, {file, lacks, odd, text, twice, gap});

%!test % alignment: examples of noise Inf are left out
%! randn ("twister", 47);
%! net = attnpath_net ([2 2], "Width", 40, "Temperature", 0.3);
%! [paths, y] = deal (struct ("Xi", randn (5, 8, 4)), randn (8, 1));
%! sol = attnpath_solve (net, paths, y, "Noise", [1 1 Inf 1 1 Inf 1 1]);
%! left = [1 2 4 5 7 8];
%! [overlap, lambda] = attnpath_align (sol);
%! [want, eigenvalues] = attnpath_align (attnpath_kernel (net, struct ("Xi", paths.Xi(:,left,:)), sol.U), y(left));
%! assert ([overlap, lambda], [want, eigenvalues], 1e-12);

%!test % alignment of a sample: that of the mean of its draws' kernels; of a solution that of its own
%! randn ("twister", 41);
%! model = struct ("net", attnpath_net ([2 2]), "paths", struct ("Xi", randn (5, 6, 4)), "y", sign (randn (6, 1)));
%! K = 0;
%! for k = 1:6
%!   R = randn (4);
%!   model.U(:,:,k) = R * R';
%!   K = K + attnpath_kernel (model.net, model.paths, R * R') / 6;
%! endfor
%! model.U = reshape (model.U, 4, 4, 3, 2);
%! [overlap, lambda] = attnpath_align (model);
%! [want, eigenvalues] = attnpath_align ((K + K') / 2, model.y);
%! assert ([overlap, lambda], [want, eigenvalues], 1e-10);

%!test % by |U| with skip connections and scales of heads: the definition, weights of both paths
%! randn ("twister", 43);
%! for case_ = {[2 2], [0 0.7]; [2 3], [1.5 0.2]; [2 1 2], [0.3 0 2]; 3, 1}'
%!   [H, skip] = case_{:};
%!   net = attnpath_net (H, "Width", 9, "Skip", skip, "HeadScale", arrayfun (@(h) 0.5 + (1:h) / 3, H, "UniformOutput", false));
%!   U = randn (prod (H + (skip > 0)));  U = U + U';
%!   for by = {"order", "share"}
%!     assert (attnpath_scores (struct ("net", net, "U", U), "By", by{1}), ref_scores (net, U, by{1}), 1e-13);
%!   endfor
%! endfor

%!test % by share in the GP limit: equal where s_l / sigma_l is, 1 / (1 + s_l^2 / sigma_l^2) elsewhere (theory, section 17)
%! share = @(varargin) sortrows (attnpath_scores (struct ("net", attnpath_net ([4 2], varargin{:}), ...
%!                                                        "U", ref_gp (attnpath_net ([4 2], varargin{:})){1}), "By", "share"));
%! for of = {{"Skip", 1}, {"Skip", [0.3 0.6], "Variance", [1 0.5 2 3]}, {"Variance", [1 0.5 2 3]}}
%!   assert (share (of{1}{:})(:,3), ones (6, 1), 1e-14);
%! endfor
%! got = share ("Skip", [0.5 2], "Variance", [1 0.7 1.3 3])(:,3);
%! want = 1 ./ (1 + [0.25 / 0.7, 4 / 1.3])([1 1 1 1 2 2])';
%! assert (got, want / max (want), 1e-14);
%! sol = attnpath_solve (attnpath_net ([4 2], "Width", 1e12, "Skip", 1), struct ("Xi", randn (5, 6, 15)), randn (6, 1));
%! assert (attnpath_scores (sol, "By", "share")(:,3), ones (6, 1), 1e-9);      % U is I but for the order of 1 / N

%!test % a skip connection of gain 1e-6 changes no score
%! randn ("twister", 44);
%! [X, y, heads] = deal (randn (4, 3, 8), randn (8, 1), {randn(4, 4, 3), randn(4, 4, 2)});
%! of = @(skip) attnpath_solve (attnpath_net (heads, "Width", 20, "Skip", skip, "Temperature", 0.1), X, y, "Display", false);
%! [without, with] = deal (of (0), of (1e-6));
%! for by = {"share", "order", "loo", "ablation", "predictor"}
%!   [want, most] = attnpath_scores (without, "By", by{1});
%!   [got, now] = attnpath_scores (with, "By", by{1});
%!   assert (got(:,1:2), want(:,1:2));
%!   assert (got(:,3) * now, want(:,3) * most, 1e-5 * most);   % |U| of mixed pairs enters in first order of the gain
%! endfor

%!test % expansions whose scores leave out the weights of skip connections, as those of 0.3.0, are refused
%! sol = attnpath_solve (attnpath_net ([2 1], "Width", 40, "Skip", 0.5), struct ("Xi", randn (5, 6, 6)), randn (6, 1));
%! ex = attnpath_expand (sol, "Display", false);
%! score = attnpath_scores (ex);
%! want = sortrows (ref_scores (sol.net, ex.U, "share"));
%! assert (sortrows (score)(:,3), want(:,3), 1e-12);
%! for by = {"share", "order"}
%!   old = ex;
%!   if strcmp (by{1}, "share"), old.worth.score(1,3) *= 0.9; else, old.worth.order.score(1,3) *= 0.9; endif
%!   refuses ("scores:badValue", @() attnpath_scores (old, "By", by{1}), {"skip connections", "attnpath_expand (ex.sol)"});
%! endfor

%!test % the score by default, for each kind of model; what it falls back to is printed with the reason
%! task = attnpath_task_markov ("P", 30, "Ptest", 2, "Features", 20, "Tokens", 6);
%! net = attnpath_net (task.heads, "Width", 20);
%! sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%! m = attnpath_moments (net, task.Xtrain, task.ytrain);
%! many = setfield (rmfield (sol, "order"), "U", repmat (sol.U, [1 1 3]));
%! gd = struct ("net", net, "w", randn (rows (sol.paths.Xi), 4));
%! table = {{sol}, "loo"; {attnpath_solve(net, m)}, "evidence"; {rmfield(sol, "order")}, "ablation"
%!          {many}, "ablation"; {rmfield(many, {"paths", "y"})}, "share"; {attnpath_expand(sol)}, "share"
%!          {struct("net", net, "U", sol.U)}, "share"; {gd, sol.paths, sol.y}, "ablation"
%!          {setfield(gd, "U", eye (4))}, "share"};
%! for row = table'
%!   [score, largest, ~, by] = attnpath_scores (row{1}{:});
%!   assert (by, row{2});
%!   assert (strncmp (evalc ("attnpath_scores (row{1}{:});"), ["by '" by "'"], numel (by) + 5));
%!   if numel (row{1}) == 1, assert (attnpath_scores (row{1}{:}, "By", by), score); endif
%! endfor
%! narrow = attnpath_solve (attnpath_net (task.heads, "Width", 3), m);
%! shown = evalc ("[~, ~, ~, by] = attnpath_scores (narrow); attnpath_scores (narrow);");
%! assert (by, "share");
%! assert (! isempty (strfind (shown, "by 'share' ('evidence' needs widths N_l >= Pi_l), ")));
%! refuses ("scores:badValue", @() attnpath_scores (many, "By", "loo"), "of a sample");

%!test % by default no Hessian of many paths
%! randn ("twister", 45);
%! [net, n] = deal (attnpath_net ([8 10], "Width", 1000), 80);
%! model = struct ("net", net, "paths", struct ("Xi", randn (3, 40, n)), "y", randn (40, 1), "U", eye (n), ...
%!                 "order", {{eye(n), eye(10)}});
%! [score, ~, ~, by] = attnpath_scores (model);
%! assert (by, "ablation");
%! assert (attnpath_scores (model, "By", "ablation"), score);
%! assert (regexp (evalc ("attnpath_scores (model);"), "^by 'ablation' \\('loo' takes about ") == 1);

%!test % a solution that has not converged, or that is a saddle: refused where heads are removed, and a warning elsewhere
%! [sol, task] = markov (20);
%! for bad = {setfield(setfield (sol, "converged", false), "reason", "it was interrupted"), "notConverged", "it was interrupted"
%!            setfield(sol, "hessian_min", -1), "saddle", "curvature -1"}'
%!   for call = {@() attnpath_scores(bad{1}), @() attnpath_scores(bad{1}, "By", "evidence")}
%!     refuses (["scores:" bad{2}], call, bad{3});
%!   endfor
%!   for by = {"loo", "evidence"}
%!     refuses (["prune:" bad{2}], @() attnpath_prune (bad{1}, "By", by{1}), bad{3});
%!   endfor
%!   for by = {"share", "order", "predictor", "ablation"}
%!     [id, text, score] = warned (@() attnpath_scores (bad{1}, "By", by{1}));
%!     assert (id, ["attnpath:scores:" bad{2}]);
%!     assert (! isempty (strfind (text, bad{3})));
%!     assert (score, attnpath_scores (sol, "By", by{1}));
%!   endfor
%! endfor
%! assert (warned (@() attnpath_scores (struct ("net", sol.net, "U", sol.U))), "");

%!function v = grouped (score)
%!  % a value of each group
%!  score = sortrows (score);
%!  [~, first] = unique (score(:,[1 5]), "rows", "first");
%!  v = score(first,3);
%!endfunction

%!test % groups of heads: two groups of two. By U the entries between paths of a group, by removal solutions without both
%! randn ("twister", 6);
%! net = attnpath_net ([4 2], "Width", 40, "Temperature", 0.3);
%! [Xi, y] = deal (randn (5, 12, 8), randn (12, 1));
%! sol = attnpath_solve (net, struct ("Xi", Xi), y);
%! list = [kron((1:4)', [1; 1]), repmat([1; 2], 4, 1)];       % heads of each path
%! of = {ceil(list(:,1) / 2) == 1, ceil(list(:,1) / 2) == 2, list(:,2) == 1, list(:,2) == 2};
%! for g = 1:4
%!   share(g,1) = 2 * sum (abs (sol.U(of{g},of{g}))(:));
%!   order(g,1) = sum (abs (sol.U(of{g} | of{g}'))(:));
%! endfor
%! for c = {"share", share; "order", order}'
%!   [score, largest] = attnpath_scores (sol, "By", c{1}, "Groups", [2 2]);
%!   assert (sortrows (score)(:,[1 2 5]), [1 1 1; 1 2 1; 1 3 2; 1 4 2; 2 1 1; 2 2 2]);
%!   assert (isnan (score(:,4)) & issorted (score(:,3)));
%!   assert (any (diff (score(score(:,1) == 1,5)) == 0));
%!   assert (grouped (score) * largest, c{2}, 1e-12 * max (c{2}));
%! endfor
%! for c = {"loo", @(s) attnpath_loo (s).mse; "evidence", @(s) -attnpath_evidence(s)}'
%!   [score, largest] = attnpath_scores (sol, "By", c{1}, "Groups", 2, "Display", false);
%!   for g = 1:2
%!     [small, fewer] = attnpath_prune (net, [1 2*g-1; 1 2*g], struct ("Xi", Xi));
%!     want(g,1) = c{2} (attnpath_solve (small, fewer, y)) - c{2} (sol);
%!   endfor
%!   assert (grouped (score)(1:2) * largest, want, 1e-6 * max (abs (want)));
%! endfor
%! whole = attnpath_scores (sol, "By", "predictor");
%! [score, largest] = attnpath_scores (sol, "By", "predictor", "Groups", [2 1]);      % what heads add is summed
%! [~, each] = attnpath_scores (sol, "By", "predictor");
%! heads = sortrows (whole)(:,3) * each;
%! assert (grouped (score) * largest, [heads(1) + heads(2); heads(3) + heads(4); heads(5) + heads(6)], 1e-12);
%! gd = struct ("net", net, "w", randn (5, 8));
%! f = attnpath_predict (gd, struct ("Xi", Xi));
%! [score, largest] = attnpath_scores (gd, struct ("Xi", Xi), y, "Groups", 2);
%! for g = 1:2
%!   [small, fewer] = attnpath_prune (gd, [1 2*g-1; 1 2*g], struct ("Xi", Xi));
%!   lost(g,1) = mean ((attnpath_predict (small, fewer) - y) .^ 2 - (f - y) .^ 2);
%! endfor
%! assert (grouped (score)(1:2) * largest, lost, 1e-12 * max (abs (lost)));

%!test % rows of groups are rows of heads: the first groups, removed, are the groups of the least scores; the table
%! randn ("twister", 46);
%! net = attnpath_net ([4 2], "Width", 40, "Temperature", 0.3);
%! sol = attnpath_solve (net, struct ("Xi", randn (5, 12, 8)), randn (12, 1));
%! for by = {"loo", "evidence", "ablation", "predictor", "share", "order"}
%!   score = attnpath_scores (sol, "By", by{1}, "Groups", [2 2], "Display", false);
%!   assert (columns (score), 6);
%!   first = score(1:1+(score(1,1) == 1),1:2);              % the heads of the first group
%!   members = {[1 1; 1 2], [1 3; 1 4]; [2 1], [2 2]}{score(1,1),score(1,5)};
%!   assert (sortrows (first), members);
%!   mask = ones (2, 4);
%!   mask(sub2ind ([2 4], members(:,1), members(:,2))) = 0;
%!   assert (attnpath_mask (net, first), mask);
%!   assert (attnpath_prune (net, score(1:rows (first),:)).H, attnpath_prune (net, first).H);
%!   cut = find (score(:,6) == 2, 1);                       # the first head of a group of two
%!   refuses ("prune:badValue", @() attnpath_prune (net, score(1:cut,:)), {sprintf("1 of the 2 heads of group %d", score(cut,5))});
%!   assert (attnpath_prune (net, first).H, [4 2] - [sum(members(:,1) == 1), sum(members(:,1) == 2)]);
%!   lines = strsplit (strtrim (evalc (["attnpath_scores (sol, 'By', '" by{1} "', 'Groups', 2, 'Display', false);"])), "\n");
%!   assert (strncmp (lines{2}, "  layer  head group    score", 28));
%!   assert (sscanf (strrep (lines{3}, "~", ""), "%g")(1:3)', score(1,[1 2 5]));
%! endfor
%! one = struct ("net", attnpath_net (4), "U", diag ([4 3 1 2]));              % of one layer
%! assert (attnpath_scores (one, "Groups", 2), [1 3 3/7 NaN 2 2; 1 4 3/7 NaN 2 2; 1 1 1 NaN 1 2; 1 2 1 NaN 1 2], eps);
%! alone = attnpath_scores (sol, "By", "loo", "Groups", [4 2]);               % groups of one head: as without
%! assert (alone(:,1:4), attnpath_scores (sol, "By", "loo"));
%! assert (alone(:,5:6), [alone(:,2), ones(6, 1)]);

%!test % scores of an expansion: errors and marks by the whole covariance over its draws
%! task = attnpath_task_markov ("P", 30, "Ptest", 2, "Features", 10, "Tokens", 5);
%! ex = attnpath_expand (attnpath_solve (attnpath_net (task.heads, "Width", 60), task.Xtrain, task.ytrain));
%! V = ex.worth.covariance;
%! assert (sqrt (diag (V)), ex.worth.score(:,4), 1e-12);
%! assert (min (eig (V)) > -1e-12 && max (abs (V(1,2:end))) > 1e-3 * V(1,1));        % they vary together
%! gap = ex.worth.score(:,3) - ex.worth.score(1,3);
%! sure = gap > sqrt (2) * erfinv (1 - 0.1 / 12) * sqrt (max (diag (V) + V(1) - 2 * V(:,1), 0));
%! lines = strsplit (strtrim (evalc ("attnpath_scores (ex);")), "\n")(3:6);
%! assert (cellfun (@(l) any (l == "~"), lines)', ! sure);

%!test % calls that lack something of a trained network
%! gd = struct ("net", attnpath_net (2), "w", [2 3]);
%! X = struct ("Xi", ones (1, 3, 2));
%! assert (attnpath_scores (setfield (gd, "U", diag ([1 2]))), [1 1 0.5; 1 2 1]);
%! for c = {@() attnpath_scores(gd), "missingField", "attnpath_scores (gd, X, y"
%!          @() attnpath_scores(setfield (gd, "U", eye (2)), "By", "ablation"), "missingField", "attnpath_scores (gd, X, y"
%!          @() attnpath_scores(gd, X), "usage", "without labels"
%!          @() attnpath_scores(gd, X, "By", "ablation"), "usage", "without labels"
%!          @() attnpath_scores(gd, X, ones (3, 1), "Groups", 3), "badValue", "must divide the 2 heads of layer 1"
%!          @() attnpath_scores(gd, X, ones (3, 1), "Groups", [1 1]), "badShape", "Groups"}'
%!   refuses (["scores:" c{2}], c{1}, c{3});
%! endfor

%!test % what a function that is called refuses is refused in the name of the one that was; moments of shared outputs
%! randn ("twister", 2);
%! net = attnpath_net ({randn(3, 3, 2), randn(3, 3, 2)}, "Width", 30);
%! [X, y] = deal (randn (3, 4, 24), randn (24, 3));
%! shared = attnpath_solve (net, attnpath_moments (net, X, y), "Outputs", "shared");
%! [~, ~, ~, by] = attnpath_scores (shared);
%! assert (by, "share");
%! sol = attnpath_solve (net, X, y(:,1));
%! [moved, ex] = deal (setfield (sol, "U", 2 * sol.U), attnpath_expand (sol));
%! moved.order{1} = moved.U;
%! [ex.lines.F, ex.sol.U] = deal (double (single (ex.lines.F)), double (single (ex.sol.U)));        % by -float-hdf5
%! ex.sol.order{1} = ex.sol.U;
%! refuses ({"scores:badValue", {@() attnpath_scores (shared, "By", "evidence")}, "share one U"
%!           "prune:badValue", {@() attnpath_prune (shared, "By", "evidence")}, "share one U"
%!           "scores:notStationary", {@() attnpath_scores (moved)}, "Solve again"
%!           "prune:notStationary", {@() attnpath_prune (moved, "By", "loo")}, "Solve again"
%!           "scores:badClass", {@() attnpath_scores (sol, "Groups", int8 (2))}, "int8"
%!           "scores:badValue", {@() attnpath_scores (ex)}, "single precision"
%!           "influence:badClass", {@() attnpath_influence (sol, "Groups", @sin)}, "function_handle"
%!           "influence:nameValue", {@() attnpath_influence(sol, ["aa"; "bb"])}, "2 x 2 char"});

%!test % heads of a network without any effect have no order, not even by rounding
%! sol = attnpath_solve (attnpath_net ({ones(1, 1, 2), ones(1, 1, 2)}, "Width", 10), reshape (1:3, 1, 3), 1);
%! assert (attnpath_scores (sol)(:,3), zeros (4, 1));

%!test % below the table: which call has standard deviations, by the same word, where it can be made; that copies are two
%! randn ("twister", 3);
%! net = attnpath_net ([3 1], "Width", 20, "Temperature", 0.3);
%! Xi = randn (6, 20, 3);
%! Xi(:,:,2) = Xi(:,:,1);
%! sol = attnpath_solve (net, struct ("Xi", Xi), randn (20, 1), "Display", false);
%! deviations = "for standard deviations use attnpath_scores (attnpath_expand (sol), 'By', '%s'), or attnpath_scores (post, 'By', '%s')";
%! for by = {"order", "share"}
%!   shown = evalc ("attnpath_scores (sol, 'By', by{1});");
%!   assert (! isempty (strfind (shown, sprintf (deviations, by{1}, by{1}))), shown);
%!   assert (isempty (strfind (shown, "equal scores")));
%! endfor
%! sol.net.width(1) = 20.5;
%! assert (! isempty (strfind (evalc ("attnpath_scores (sol, 'By', 'order');"), "of a sample of whole widths\n")));
%! sol.net.width(1) = 20;
%! for by = {"loo", "evidence", "ablation"}
%!   shown = evalc ("attnpath_scores (sol, 'By', by{1}, 'Display', false);");
%!   assert (! isempty (strfind (shown, "heads 1 and 2 of layer 1 have equal scores")), shown);
%! endfor
%! Xi(:,:,2) = randn (6, 20);
%! sol = attnpath_solve (net, struct ("Xi", Xi), sol.y, "Display", false);
%! assert (isempty (strfind (evalc ("attnpath_scores (sol, 'By', 'loo', 'Display', false);"), "equal scores")));
