% influence.tst: what would change without an example or a group (T37), against its definition and solutions without it.

%!function sol = solved (H, P, N, varargin)
%!  randn ("twister", 3);
%!  net = attnpath_net (H, "Width", N, "Temperature", 0.3, varargin{:});
%!  sol = attnpath_solve (net, struct ("Xi", randn (6, P, prod (H + (net.skip != 0)))), randn (P, 1));
%!  assert (sol.converged);
%!endfunction

%!function [dU, df] = anew (sol, Xt, groups, varargin)
%!  % the definition: solved again without the group
%!  f = attnpath_predict (sol, Xt);
%!  for j = 1:max (groups)
%!    left = find (groups != j);
%!    more = varargin;
%!    if isfield (sol, "noise") && ! isempty (sol.noise), more = [more, {"Noise", sol.noise(left)}]; end
%!    again = attnpath_solve (sol.net, struct ("Xi", sol.paths.Xi(:,left,:)), sol.y(left,:), "Start", sol.order, ...
%!                            "Certificate", false, more{:});
%!    assert (again.converged);
%!    dU(:,:,j) = again.U - sol.U;
%!    df(j,:,:) = attnpath_predict (again, Xt) - f;
%!  endfor
%!endfunction

%!function r = rms (x)
%!  r = sqrt (mean (x(:) .^ 2));
%!endfunction

%!function within (sol, groups, varargin)
%!  % what issue of first order allows: 15 % of the move of U, 6 % of that of f
%!  Xt = struct ("Xi", randn (6, 5, size (sol.paths.Xi, 3)));
%!  in = attnpath_influence (sol, Xt, "Groups", groups);
%!  [dU, df] = anew (sol, Xt, groups, varargin{:});
%!  assert (rms (in.U - dU) / rms (dU) < 0.15);
%!  assert (rms (in.mean - df) / rms (df) < 0.06);
%!endfunction

%!test % (T37) against its definition, single examples and groups; derivatives by differences are good to 1e-6
%! for H = {2, [2 2], [2 1 2]}
%!   sol = solved (H{1}, 14, 30);
%!   Xt = randn (6, 3, prod (H{1}));
%!   for groups = {(1:14)', ceil((1:14)' / 4)}
%!     in = attnpath_influence (sol, struct ("Xi", Xt), "Groups", groups{1});
%!     [dU, df] = ref_influence (sol.net, sol.paths.Xi, sol.y, sol.order, Xt, groups{1});
%!     assert (in.U, dU, 1e-4 * max (abs (dU(:))));
%!     assert (in.mean, df, 1e-5 * max (abs (df(:))) + 1e-6);
%!   endfor
%!   assert (rms (dU) > 1e-3);
%! endfor

%!test % solutions without: layers, skips, head scales
%! for c = {2, {}; [2 2], {}; [2 1 2], {}; [2 2], {"Skip", [0 1]}; [2 2], {"HeadScale", {[1 2], [1 0.5]}}}'
%!   sol = solved (c{1}, 24, 80, c{2}{:});
%!   within (sol, (1:24)');
%! endfor

%!test % noise, groups, three outputs, coupled and shared
%! sol = solved ([2 2], 24, 80);
%! within (sol, ceil ((1:24)' / 2));
%! noisy = attnpath_solve (sol.net, sol.paths, sol.y, "Noise", 0.5 + rand (24, 1));
%! within (noisy, (1:24)');
%! y = randn (24, 3);
%! for kind = {"coupled", "shared"}
%!   within (attnpath_solve (sol.net, sol.paths, y, "Outputs", kind{1}), (1:24)', "Outputs", kind{1});
%!   within (attnpath_solve (sol.net, sol.paths, y, "Outputs", kind{1}), ceil ((1:24)' / 3), "Outputs", kind{1});
%! endfor

%!test % the log density is that of attnpath_loo, its own part the difference of (T24) and (T23); scores are those of U
%! sol = solved ([2 2], 24, 30);
%! in = attnpath_influence (sol);
%! loo = attnpath_loo (sol);
%! assert (in.logp, loo.logdensity, 1e-6);
%! assert (in.dlogp, loo.logdensity - attnpath_loo (sol, "Corrected", false).logdensity, 1e-6);
%! [score, largest] = attnpath_scores (sol, "By", "share");
%! sol.U = sol.U + in.U(:,:,7);
%! sol.order{1} = sol.U;
%! [moved, now] = attnpath_scores (rmfield (sol, {"order"}), "By", "share");
%! both = sortrows (moved)(:,3) * now - sortrows (score)(:,3) * largest;
%! assert (in.scores(7,:)', both, 1e-10 * now);

%!test % an example of noise Inf changes nothing, and the others are those of a solution without it
%! sol = solved ([2 2], 24, 80);
%! noisy = attnpath_solve (sol.net, sol.paths, sol.y, "Noise", [Inf, ones(1, 23)]);
%! in = attnpath_influence (noisy);
%! rest = attnpath_influence (attnpath_solve (sol.net, struct ("Xi", sol.paths.Xi(:,2:end,:)), sol.y(2:end)));
%! assert (in.U(:,:,1), zeros (4));
%! assert (in.U(:,:,2:end), rest.U, 1e-6);
%! assert (isnan (in.logp(1)));

%!function [U, f, logp] = posterior_without (net, Xi, y, t, draws, Xt, own)
%!  % means over the posterior without the examples `own`, an exact sum over draws that weigh 1 / p (y_own | y_rest, U)
%!  [P, C] = size (y);
%!  at = @(i) reshape (i(:) + P * (0:C-1), [], 1);
%!  rest = setdiff (1:P, own);
%!  for s = 1:size (draws, 3)
%!    full = draws(:,:,s);
%!    if rows (full) < size (Xi, 3) * C, full = kron (full, eye (C)); endif
%!    K = ref_kernel (net, Xi, full, Xi);
%!    A = K(at (rest),at (rest)) + net.temperature * kron (eye (C), diag (t(rest)));
%!    z = A \ y(rest,:)(:);
%!    e = y(own,:)(:) - K(at (own),at (rest)) * z;
%!    S = K(at (own),at (own)) + net.temperature * kron (eye (C), diag (t(own))) ...
%!        - K(at (own),at (rest)) * (A \ K(at (rest),at (own)));
%!    l(s) = -(numel (e) * log (2 * pi) + log (det (S)) + e' * (S \ e)) / 2;
%!    f(:,s) = ref_kernel (net, Xt, full, Xi)(:,at (rest)) * z;
%!  endfor
%!  w = exp (min (l) - l)' / sum (exp (min (l) - l));
%!  logp = log (1 / mean (exp (-l)));
%!  U = reshape (reshape (draws, [], numel (w)) * w, size (full) * size (draws, 1) / rows (full));
%!  f = f * w;
%!endfunction

%!test % draws: the sum over them, exactly, of one and of several outputs, single examples and groups, with noise. Each
%! % draw comes seven times: then the largest ratios are equal, and weights are not smoothed
%! randn ("twister", 5);
%! net = attnpath_net ([2 1], "Width", 40, "Temperature", 0.3);
%! [Xi, Xt] = deal (randn (6, 9, 2), randn (6, 3, 2));
%! for c = {1, 2; 3, 6; 3, 2}'
%!   for noise = {[], [1 2 0.5 1 3 1 1 0.7 1]}
%!     for groups = {1:9, [1 1 2 3 3 3 2 4 4]}
%!       y = randn (9, c{1});
%!       for k = 1:4
%!         R = randn (c{2}, 3 * c{2});
%!         U(:,:,k) = R * R' / c{2};
%!       endfor
%!       model = struct ("net", net, "paths", struct ("Xi", Xi), "y", y, "U", repmat (U, [1 1 1 7]));
%!       if ! isempty (noise{1}), model.noise = noise{1}; endif
%!       in = attnpath_influence (model, struct ("Xi", Xt), "Groups", groups{1});
%!       whole = attnpath_predict (model, struct ("Xi", Xt));
%!       for j = 1:max (groups{1})
%!         [V, f, logp] = posterior_without (net, Xi, y, [noise{1}(:); ones(9, 1)](1:9), U, Xt, find (groups{1} == j));
%!         assert (in.U(:,:,j), V - mean (U, 3), 1e-10 * norm (mean (U, 3)));
%!         assert (reshape (in.mean(j,:,:), [], 1), f - whole(:), 1e-9);              % cond A is below 1e3
%!         assert (in.logp(j), logp, 1e-9);
%!       endfor
%!       assert (in.khat, -Inf (max (groups{1}), 1));
%!     endfor
%!   endfor
%!   clear U
%! endfor

%!test % tokens are their path inputs, with their lengths, of solutions and of draws
%! task = attnpath_task_markov ("P", 12, "Ptest", 6);
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 30, "Readout", "first"), task.Xtrain, task.ytrain);
%! post = rmfield (sol, {"order", "ua"});
%! post.U = bsxfun (@times, sol.U, reshape (1 + (1:40) / 400, 1, 1, []));
%! lengths = columns (task.Xtest) - [0 0 1 2 3 5];
%! for c = {{}, {"Lengths", lengths}}
%!   paths = attnpath_paths (sol.net, task.Xtest, c{1}{:});
%!   for model = {sol, post}
%!     got = attnpath_influence (model{1}, task.Xtest, c{1}{:});
%!     assert (got.mean, attnpath_influence (model{1}, paths).mean, 1e-13);
%!   endfor
%! endfor

%!test % at many inputs draws take the memory of their means, not of the means of each draw (here 1600 GB)
%! [S, P, P2] = deal (2e4, 20, 5e5);
%! model = struct ("net", attnpath_net (1), "paths", struct ("Xi", linspace (1, 2, P)), "y", ones (P, 1), ...
%!                 "U", reshape (linspace (1, 1.01, S), 1, 1, []));
%! in = attnpath_influence (model, struct ("Xi", linspace (1, 2, P2)), "Display", false);
%! few = attnpath_influence (model, struct ("Xi", [1 2]), "Display", false);
%! assert (in.mean(:,[1 end]), few.mean, 1e-15);
%! assert (diff (in.mean, 2, 2), zeros (P, P2 - 2), 1e-13);              # linear in the inputs

%!test % a warning where the step is too large
%! sol = solved ([2 2], 24, 4);
%! [id, ~, in] = warned (@() attnpath_influence (sol, "Groups", ceil ((1:24)' / 12)));
%! assert (isempty (in.unreliable) != strcmp (id, "attnpath:influence:unreliable"));
%! assert (in.unreliable, find (in.norm > 0.5));

%!testif ; ! isempty (available_graphics_toolkits ()) % the figures: what is drawn is what the fields hold, sorted
%! in = attnpath_influence (solved ([2 2], 24, 80), struct ("Xi", randn (6, 3, 4)));
%! ax = axes ("parent", figure ("visible", "off"));
%! h = attnpath_plot (in, "influence", "Parent", ax);
%! [~, rank] = sort (in.norm, "descend");
%! assert (get (h.image, "cdata"), in.scores(rank,:));
%! assert (get (ax, "xticklabel"), {"1.1"; "1.2"; "2.1"; "2.2"});
%! assert (! any (ismember (get (ax, "yticklabel"), {"1.1", "2.2"})));       # rows are examples
%! h = attnpath_plot (in, "influence", "Entry", [2 1], "Parent", ax);
%! [~, rank] = sort (abs (in.mean(:,2)), "descend");
%! corners = get (h.bar, "ydata");
%! assert (corners(2,:)', in.mean(rank(1:20),2), 1e-14);
%! close (get (ax, "parent"));

%!test % what is refused
%! sol = solved (2, 6, 30);
%! I = @(groups) @() attnpath_influence (sol, "Groups", groups);
%! net = attnpath_net (1, "Temperature", 1);
%! of_moments = attnpath_solve (net, attnpath_moments (net, struct ("Xi", [2 1]), [5; 3]));
%! alone = attnpath_solve (net, struct ("Xi", [2 1]), [5; 3], "Noise", [1 Inf]);
%! large_one = struct ("net", net, "paths", struct ("Xi", ones (1, 3e6)), "y", ones (3e6, 1), "U", ones (1, 1, 30));
%! large = [uint64(1:4), bitshift(uint64 (1), 60) + uint64(0:1)];             # as doubles they are one group
%! refuses ({"plot:missingField", @() attnpath_plot (struct ("a", 1), "influence"), ""
%!           "influence:usage", @() attnpath_influence (), ""
%!           "influence:badValue", {I(ones (6, 1)), I(large)}, ""
%!           "influence:badValue", @() attnpath_influence (alone), "1 example(s) in one group"
%!           "influence:badShape", {I(1:5), I(ones (6, 2))}, {"Groups", "6 x 1"}
%!           "influence:badShape", I(ones (3, 2)), "3 x 2"
%!           "influence:missingField", @() attnpath_influence (of_moments), "moments"
%!           "influence:badValue", {@() attnpath_influence (sol, "Lengths", 3), @() attnpath_influence (sol, [], "Lengths", 3)}, "no X"
%!           "influence:tooLarge", @() attnpath_influence (large_one), "fewer examples need less"
%!           "influence:badClass", {@() attnpath_influence (3), I({1, 2, 3, 4, 5, 6})}, ""
%!           "influence:notFinite", I([1:5 NaN]), ""});

%!test % without an output: the ten examples that change U, head scores and predictions most, each with its number
%! [sol, task] = markov (20);
%! in = attnpath_influence (sol, task.Xtest);
%! lines = strsplit (evalc ("attnpath_influence (sol, task.Xtest)"), "\n");
%! assert (lines{1}, "30 examples or groups; the largest changes when one is left out:");
%! assert (regexp (strtrim (lines{2}), "   *", "split"), {"left out", "U, relative", "left out", "head score", "layer.head", ...
%!                                                       "left out", "mean", "input"});
%! assert (numel (lines), 2 + 10 + 1);
%! changes = {in.norm, in.scores, in.mean};
%! for k = [1 10]
%!   found = str2double (strsplit (strtrim (lines{2+k})));
%!   for j = 1:3
%!     [~, rank] = sort (max (abs (changes{j}), [], 2), "descend");
%!     [~, at] = max (abs (changes{j}(rank(k),:)));
%!     where = {[], in.heads(at,:) * [1; 0.1], at}{j};
%!     column = [1 3 6](j);
%!     assert (found(column:column+1+(j > 1)), [rank(k), str2double(sprintf ("%.3g", changes{j}(rank(k),at))), where]);
%!   endfor
%! endfor
%! assert (numel (strsplit (strtrim (strsplit (evalc ("attnpath_influence (sol)"), "\n"){3}))), 5);

%!test % a warning for a solution that has not converged or is a saddle, none for a struct of a user
%! doubted ("influence", @(sol) attnpath_influence (sol, "Display", false));
