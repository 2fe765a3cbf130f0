% tokens.tst: labels at every token (T38): net.readout 'all' in all functions.
% Examples are pairs of a sequence and a token. The same problem, with these examples as a flat list of a network that
% reads one token, is solved by what other files test: the numbers must be equal, but for the order of sums. Its
% tolerance is 1e-8, that of both solutions, times what numbers depend on U by; at equal U it is 1e-10.

%!shared heads, X, lengths, net, y, noise, sol, flat, keep, place
%! randn ("twister", 3);
%! rand ("twister", 3);
%! heads = {randn(5, 5, 2) / 3, randn(5, 5, 2) / 3};
%! lengths = 2 + mod (1:14, 5);
%! X = randn (5, 6, 14);
%! y = NaN (6, 14);
%! for mu = 1:14
%!   X(:,lengths(mu)+1:end,mu) = 0;
%!   y(1:lengths(mu),mu) = sign (randn (lengths(mu), 1));
%! endfor
%! y([8 20 33]) = NaN;
%! y(:,5) = NaN;                                        % a sequence without labels
%! net = attnpath_net (heads, "Width", 40, "Readout", "all", "Causal", true, "Temperature", 0.3);
%! sol = attnpath_solve (net, X, y, "Lengths", lengths, "Display", false);
%! place = sol.paths.token' + 6 * (sol.paths.example' - 1);
%! keep = ~isnan (y(place));
%! one = net;
%! one.readout = "last";
%! flat = attnpath_solve (one, struct ("Xi", sol.paths.Xi(:,keep,:)), y(place(keep)), "Display", false);

%!test % path inputs: the definition, and those of T readouts of one token; maps of the heads, or brought
%! want = ref_paths (net, X, ref_attention (net, X, lengths), lengths);
%! assert (sol.paths.Xi, want, 1e-13);
%! assert ({sol.paths.example(1:4), sol.paths.token(1:4), sol.paths.tokens}, {[1 1 1 2], [1 2 3 1], 6});
%! assert (numel (sol.paths.token), sum (lengths));
%! for t = 1:6
%!   single = net;
%!   single.readout = t;
%!   there = lengths >= t;
%!   got = attnpath_paths (single, X(:,:,there), "Lengths", lengths(there)).Xi;
%!   assert (sol.paths.Xi(:,sol.paths.token == t,:), got, 1e-14);
%! endfor
%! A = attnpath_attention (net, X, "Lengths", lengths);
%! brought = attnpath_paths (attnpath_net ([2 2], "Readout", "all"), X, A, "Lengths", lengths);
%! assert (brought.Xi, sol.paths.Xi, 1e-14);
%! assert (brought.token, sol.paths.token);

%!test % other networks: layers, skip connections, scales, cme, chunks
%! randn ("twister", 4);
%! Z = randn (4, 3, 300);
%! QK = @(H) struct ("Q", randn (3, 4, H), "K", randn (3, 4, H));
%! for options = {{"Skip", 0.7}, {"HeadScale", {[1 0.5], [2 0 1]}}, {"Attention", "cme", "Ridge", 0.3}, ...
%!                {"Attention", "hardmax"}}
%!   net2 = attnpath_net ({QK(2), QK(3)}, "Readout", "all", options{1}{:});
%!   want = ref_paths (net2, Z(:,:,1:30), ref_attention (net2, Z(:,:,1:30), []), []);
%!   got = attnpath_paths (net2, Z);
%!   assert (got.Xi(:,1:90,:), want, 1e-11 * max (1, max (abs (want(:)))));
%!   assert (got.example(end), 300);
%! endfor

%!test % the solution, its evidence, and the action, by a flat list
%! assert (sol.U, flat.U, 1e-6 * norm (sol.U));
%! assert (sol.action, flat.action, 1e-8);
%! assert (sol.evidence, flat.evidence, 1e-8);
%! [S, grad] = attnpath_action (net, sol.paths, y, sol.order);
%! assert (S, sol.action, 1e-9);
%! assert (max (abs ([grad{1}(:); grad{2}(:)])) / 40 <= 1e-8);
%! assert (attnpath_evidence (sol), attnpath_evidence (flat), 1e-6);
%! assert (sol.y, y);
%! assert (isfield (sol, "noise"), false);
%! again = attnpath_solve (net, sol.paths, y, "Display", false);
%! assert (again.U, sol.U, 1e-9);

%!test % predictions: T x P, NaN where there is no token, variances and classes likewise
%! [mu, s2, class] = attnpath_predict (sol, X, "Lengths", lengths);
%! [want, spread] = attnpath_predict (flat, struct ("Xi", sol.paths.Xi));
%! assert (mu(place), want, 1e-6);
%! assert (s2(place), spread, 1e-6);
%! assert (isnan (mu), isnan (s2));
%! assert (sum (~isnan (mu(:))), numel (place));
%! assert (class(place), sign (want));
%! assert (all (isnan (class(isnan (mu)))));
%! [of_paths, s2_paths] = attnpath_predict (sol, sol.paths);
%! assert ({isnan(of_paths), size(s2_paths)}, {isnan(mu), [6 14]});
%! assert (of_paths(place), mu(place), 1e-12);
%! gp = attnpath_predict (sol, X, "Lengths", lengths, "Limit", "gp");
%! assert (gp(place), attnpath_predict (flat, struct ("Xi", sol.paths.Xi), "Limit", "gp"), 1e-12);

%!test % without a sequence: at fixed U by (T10), exactly; joint densities
%! loo = attnpath_loo (sol, "Corrected", false);
%! A = attnpath_kernel (net, sol.paths, sol.U) + 0.3 * eye (numel (place));
%! labels = y(place);
%! for mu = 1:14
%!   own = keep & sol.paths.example' == mu;
%!   others = keep & sol.paths.example' ~= mu;
%!   if ~any (own), assert (isnan (loo.logdensity(mu))); continue; endif
%!   B = A(own,others) / A(others,others);
%!   mean_of = B * labels(others);
%!   V = A(own,own) - B * A(others,own);
%!   assert (loo.mean(place(own)), mean_of, 1e-10);
%!   assert (loo.variance(place(own)), diag (V) - 0.3, 1e-10);
%!   r = labels(own) - mean_of;
%!   assert (loo.logdensity(mu), -(r' * (V \ r) + log (det (2 * pi * V))) / 2, 1e-9);
%! endfor
%! assert (isnan (loo.mean), isnan (y));
%! assert (loo.elpd, sum (loo.logdensity(~isnan (loo.logdensity))), 1e-10);
%! assert (loo.mse, mean ((loo.mean(~isnan (y)) - y(~isnan (y))) .^ 2), 1e-12);
%! token = attnpath_loo (sol, "Leave", "token");
%! want = attnpath_loo (flat);
%! assert (token.mean(place(keep)), want.mean, 1e-5);
%! assert (token.logdensity(place(keep)), want.logdensity, 1e-5);
%! assert (size (token.logdensity), [6 14]);
%! assert (token.elpd, want.elpd, 1e-4);

%!testif ; thorough () % the correction, against solutions without each sequence: falls with N
%! share = zeros (1, 3);
%! widths = [20 60 200];
%! for k = 1:3
%!   wide = net;
%!   wide.width(:) = widths(k);
%!   all_of = attnpath_solve (wide, sol.paths, y, "Display", false);
%!   loo = attnpath_loo (all_of);
%!   seen = attnpath_loo (all_of, "Corrected", false);
%!   [got, before, want] = deal ([]);
%!   for mu = [1:4 6:14]
%!     without = y;
%!     without(:,mu) = NaN;
%!     again = attnpath_solve (wide, sol.paths, without, "Display", false);
%!     f = attnpath_predict (again, sol.paths);
%!     here = ~isnan (y(:,mu));
%!     got = [got; loo.mean(here,mu)];
%!     before = [before; seen.mean(here,mu)];
%!     want = [want; f(here,mu)];
%!   endfor
%!   whole = attnpath_predict (all_of, sol.paths);
%!   change = whole(~isnan (y(:)) & kron ((1:14)' ~= 5, ones (6, 1))) - want;
%!   share(k) = norm (got - want) / norm (change);
%! endfor
%! assert (share(2) < 0.05);
%! assert (all (diff (share) < 0));

%!test % what is aggregated over examples: scores by U, expansion, alignment, gradient, moments
%! [a, largest] = attnpath_scores (sol, "By", "share");
%! [b, of_flat] = attnpath_scores (flat, "By", "share");
%! assert ({a(:,1:2), largest}, {b(:,1:2), of_flat}, 1e-6);
%! ex = attnpath_expand (sol);
%! want = attnpath_expand (flat);
%! assert (ex.U, want.U, 1e-5);
%! mu = attnpath_predict (ex, sol.paths);
%! assert (mu(place), attnpath_predict (want, struct ("Xi", sol.paths.Xi)), 1e-5);
%! [overlap, lambda] = attnpath_align (sol);
%! [o, l] = attnpath_align (flat);
%! assert (lambda, l, 1e-6 * l(1));
%! assert (overlap(1:5), o(1:5), 1e-5);
%! g = attnpath_gradient (sol, "With", {"temperature", "heads", "variance", "noise", "paths"});
%! h = attnpath_gradient (flat, "With", {"temperature", "heads", "variance", "noise", "paths"});
%! assert ([g.temperature, g.heads{:}, g.variance], [h.temperature, h.heads{:}, h.variance], 1e-5);
%! assert (g.noise(place(keep)), h.noise', 1e-5);
%! assert (all (g.noise(place(~keep)) == 0) && all (isnan (g.noise(setdiff (1:84, place)))));
%! assert (g.paths(:,keep,:), h.paths, 1e-5);
%! assert (! any (g.paths(:,~keep,:)(:)));

%!test % through the chain to heads, maps and bandwidth: differences of the evidence
%! g = attnpath_gradient (sol, X, "Lengths", lengths, "With", {"bandwidth", "W", "maps"});
%! value = @(n) attnpath_solve (n, X, y, "Lengths", lengths, "Display", false).evidence;
%! step = 1e-4;
%! [up, down] = deal (net);
%! up.bandwidth = exp (step);
%! down.bandwidth = exp (-step);
%! assert (g.bandwidth, (value (up) - value (down)) / (2 * step), 1e-5);
%! randn ("twister", 5);
%! for l = 1:2
%!   D = randn (size (heads{l}));
%!   [up, down] = deal (net);
%!   up.heads{l} = heads{l} + step * D;
%!   down.heads{l} = heads{l} - step * D;
%!   assert (sum (g.W{l}(:) .* D(:)), (value (up) - value (down)) / (2 * step), 1e-5);
%! endfor
%! A = attnpath_attention (net, X, "Lengths", lengths);
%! assert (cellfun (@size, g.maps, "UniformOutput", false), cellfun (@size, A, "UniformOutput", false));

%!test % moments in parts, from a source, merged; and leaving out from them
%! m = attnpath_moments (net, X, y, "Lengths", lengths, "Form", "factor", "Display", false);
%! assert ({m.P, isfield(m, "lognoise"), isfield(m, "signs")}, {sum(keep), false, true});
%! part = {struct("X", X(:,1:5,1:3), "y", y(1:5,1:3), "Lengths", lengths(1:3)), ...
%!         struct("X", X(:,:,4:14), "y", y(:,4:14), "Lengths", lengths(4:14)), []};
%! in_parts = attnpath_moments (net, @(k) part{k}, "Form", "factor", "Display", false);
%! assert (in_parts.P, sum (keep));
%! assert (in_parts.sums' * in_parts.sums, m.sums' * m.sums, 1e-10);
%! m1 = attnpath_moments (net, X(:,:,1:6), y(:,1:6), "Lengths", lengths(1:6), "Display", false);
%! m2 = attnpath_moments (net, X(:,:,7:14), y(:,7:14), "Lengths", lengths(7:14), "Display", false);
%! both = attnpath_moments (m1, m2);
%! assert (both.sums, m.sums' * m.sums, 1e-10);
%! of_moments = attnpath_solve (net, m);
%! assert (of_moments.U, sol.U, 1e-6);
%! mu = attnpath_predict (of_moments, X, "Lengths", lengths);
%! assert (mu(place), attnpath_predict (sol, X, "Lengths", lengths)(place), 1e-6);
%! loo = attnpath_loo (of_moments, X, y, "Lengths", lengths);
%! assert (loo.mean(place(keep)), attnpath_loo (sol).mean(place(keep)), 1e-5);
%! % a part without labels, first, in the midst or last, adds nothing; of words as well
%! bare = struct ("X", 2 * X(:,:,1:3), "y", NaN (6, 3), "Lengths", lengths(1:3));
%! for more = {{bare, part{:}}, {part{1}, bare, part{2:3}}, {part{1:2}, bare, []}}
%!   same = attnpath_moments (net, @(k) more{1}{k}, "Form", "factor", "Display", false);
%!   assert ({same.P, size(same.parts, 1)}, {sum(keep), 3});
%!   assert (same.sums' * same.sums, m.sums' * m.sums, 1e-10);
%! endfor
%! words = part;
%! text = {"minus", "", "plus"};
%! for k = 1:2
%!   labels = part{k}.y;
%!   labels(isnan (labels)) = 0;
%!   words{k}.y = text(2 + labels);
%! endfor
%! options = {"Form", "factor", "Classes", {"minus", "plus"}, "Display", false};
%! gather = @(list) attnpath_moments (net, @(k) list{k}, options{:});
%! none = setfield (bare, "y", repmat ({""}, 6, 3));
%! [a, b] = deal (gather (words), gather ({none, words{:}}));
%! assert ({a.P, a.classes}, {b.P, b.classes});
%! assert (a.sums' * a.sums, b.sums' * b.sums, 1e-10);
%! gather = @(varargin) attnpath_moments (net, @(k) varargin{k}, "Display", false);
%! refuses ("moments:badSource", @() gather (bare, []), "some token has a label");
%! refuses ("moments:badShape", @() gather (part{1}, setfield (bare, "y", NaN (5, 3)), []), "6 tokens x 3");
%! [paths, labels, ~, none] = attnpath_paths (net, @(k) part{k});
%! assert (paths.Xi, sol.paths.Xi, 1e-14);
%! assert ({paths.example, paths.token, paths.tokens, none}, {sol.paths.example, sol.paths.token, 6, []});
%! assert (labels(place), y(place));
%! assert (size (labels), [6 14]);

%!test % scores and searches that leave sequences out, and influence
%! [score, largest] = attnpath_scores (sol, "By", "loo", "Display", false);
%! whole = attnpath_loo (sol).mse;
%! [small, paths] = attnpath_prune (net, [2 1], sol.paths);
%! less = attnpath_loo (attnpath_solve (small, paths, y, "Display", false)).mse;
%! assert (score(score(:,1) == 2 & score(:,2) == 1,3) * largest, less - whole, 1e-6);
%! ablated = attnpath_scores (sol, "By", "ablation");
%! assert (size (ablated), [4 4]);
%! [heads_out, curve] = attnpath_prune (sol, "By", "loo", "Left", 3, "Display", false);
%! [~, at] = min (score(:,3));
%! assert (heads_out, score(at,1:2));
%! in = attnpath_influence (sol, X, "Lengths", lengths, "Display", false);
%! assert ({in.groups', size(in.mean)}, {1:14, [14 numel(place)]});
%! same = attnpath_influence (flat, struct ("Xi", sol.paths.Xi), "Groups", sol.paths.example(keep), "Display", false);
%! assert (in.U(:,:,[1:4 6:14]), same.U, 1e-5);
%! assert (in.mean([1:4 6:14],:), same.mean, 1e-5);
%! assert (in.logp([1:4 6:14]), same.logp, 1e-5);
%! assert ({in.U(:,:,5), in.logp(5)}, {zeros(4), NaN});
%! loo = attnpath_loo (sol);
%! assert (in.logp, loo.logdensity, 1e-6);              % solves with f end at smaller residuals (ap_shifted.c)
%! token = attnpath_influence (sol, "Leave", "token", "Display", false);
%! assert (token.U(:,:,keep), attnpath_influence (flat, "Display", false).U, 1e-5);
%! % token by token, as the flat network, of which each example is left out alone
%! for by = {"loo", "ablation", "predictor"}
%!   [got, size_] = attnpath_scores (sol, "By", by{1}, "Leave", "token", "Display", false);
%!   [want, size_of] = attnpath_scores (flat, "By", by{1}, "Display", false);
%!   assert (got(:,1:2), want(:,1:2));
%!   assert (got(:,3:4) * size_, want(:,3:4) * size_of, 1e-5);
%!   assert (norm (got(:,3:4) * size_ - attnpath_scores (sol, "By", by{1}, "Display", false)(:,3:4)) > 1e-3);
%! endfor
%! [got, curve] = attnpath_prune (sol, "By", "loo", "Leave", "token", "Left", 3, "Display", false);
%! [want, curve_of] = attnpath_prune (flat, "By", "loo", "Left", 3, "Display", false);
%! assert (got, want);
%! assert (curve.value, curve_of.value, 1e-5);
%! halves = attnpath_influence (sol, "Groups", 1 + mod (1:14, 2), "Display", false);
%! assert (halves.groups, [1; 2]);

%!test % by the predictor, sequences left out, from the definition: y times what paths through a head add
%! [score, largest] = attnpath_scores (sol, "By", "predictor");
%! list = attnpath_paths (net, X(:,:,1)).heads;
%! labels = y(place);
%! total = zeros (4, 1);
%! for mu = 1:14
%!   own = find (keep & sol.paths.example' == mu);
%!   others = keep & sol.paths.example' ~= mu;
%!   if isempty (own), continue; endif
%!   b = (attnpath_kernel (net, sol.paths.Xi(:,others,:), sol.U) + 0.3 * eye (sum (others))) \ labels(others);
%!   for p = 1:4
%!     only = zeros (4);
%!     only(p,:) = sol.U(p,:);
%!     C = attnpath_pathkernels (net, sol.paths.Xi(:,own,:), sol.paths.Xi(:,others,:));
%!     add = zeros (numel (own), 1);
%!     for q = 1:4, add = add + sol.U(p,q) / 4 * C(:,:,p,q) * b; endfor
%!     gain = labels(own)' * add / sum (keep);
%!     total = total + gain * [list(p,1) == 1; list(p,1) == 2; list(p,2) == 1; list(p,2) == 2];
%!   endfor
%! endfor
%! [~, rank] = ismember (score(:,1:2), [1 1; 1 2; 2 1; 2 2], "rows");
%! assert (score(:,3) * largest, total(rank), 1e-8);

%!test % noise T x P, or 1 x P for sequences; Inf as no label
%! rand ("twister", 6);
%! noise = 0.5 + rand (6, 14);
%! noise(setdiff (1:84, place)) = NaN;                   % where no token is
%! noise(y == 1 & rand (6, 14) < 0.2) = Inf;
%! with = attnpath_solve (net, sol.paths, y, "Noise", noise, "Display", false);
%! some = keep & isfinite (noise(place));
%! want = attnpath_solve (flat.net, struct ("Xi", sol.paths.Xi(:,some,:)), y(place(some)), "Noise", noise(place(some)));
%! assert (with.U, want.U, 1e-6);
%! assert (with.noise(place), noise(place));
%! assert (! any (isnan (with.noise(:))));
%! a = attnpath_loo (with, "Leave", "token");
%! b = attnpath_loo (want);
%! assert (a.mean(place(some)), b.mean, 1e-5);
%! assert (a.logdensity(place(some)), b.logdensity, 1e-5);
%! a = attnpath_loo (with);
%! in = attnpath_influence (want, "Groups", sol.paths.example(some), "Display", false);
%! assert (a.logdensity(unique (sol.paths.example(some))), in.logp, 1e-5);
%! row = attnpath_solve (net, sol.paths, y, "Noise", 1:14, "Display", false);
%! assert (row.U, attnpath_solve (net, sol.paths, y, "Noise", repmat (1:14, 6, 1), "Display", false).U, 1e-10);
%! m = attnpath_moments (net, sol.paths, y, "Noise", noise, "Display", false);
%! assert (m.P, sum (some));
%! g = attnpath_gradient (with, "With", "noise");
%! assert (g.noise(place(some)), attnpath_gradient (want, "With", "noise").noise', 1e-5);

%!test % words, two of them and three; coupled and shared outputs; probabilities
%! words = {"a", "b", "c"};
%! rand ("twister", 7);
%! said = repmat ({""}, 6, 14);
%! said(place(keep)) = words(1 + floor (3 * rand (sum (keep), 1)));
%! two = said;
%! two(strcmp (two, "c")) = {"a"};
%! of_two = attnpath_solve (net, sol.paths, two, "Display", false);
%! assert (of_two.classes, {"a"; "b"});
%! assert (of_two.y(place(keep)), 2 * strcmp (two(place(keep)), "b") - 1);
%! [mu, ~, class] = attnpath_predict (of_two, sol.paths);
%! assert (class(place), words(1 + (mu(place) > 0))');
%! assert (all (strcmp (class(isnan (mu)), "")));
%! p = attnpath_probability (of_two, X, "Lengths", lengths);
%! assert (isnan (p), isnan (mu));
%! [p, logloss] = attnpath_probability (of_two, sol.paths, "Labels", two);
%! right = p(place(keep));
%! right(of_two.y(place(keep)) < 0) = 1 - right(of_two.y(place(keep)) < 0);
%! assert (logloss, -mean (log (right)), 1e-10);
%! [p, logloss] = attnpath_probability (of_two);
%! assert (isnan (p), isnan (of_two.y));
%! for outputs = {"coupled", "shared"}
%!   of_three = attnpath_solve (net, sol.paths, said, "Outputs", outputs{1}, "Display", false);
%!   assert (size (of_three.y), [6 14 3]);
%!   same = attnpath_solve (flat.net, struct ("Xi", sol.paths.Xi(:,keep,:)), said(place(keep)), "Outputs", outputs{1});
%!   assert (of_three.U, same.U, 1e-6);
%!   [mu, s2, class] = attnpath_predict (of_three, X, "Lengths", lengths);
%!   assert ({size(mu), size(s2), size(class)}, {[6 14 3], [3 3 6 14], [6 14]});
%!   [want, spread, named] = attnpath_predict (same, struct ("Xi", sol.paths.Xi));
%!   assert (reshape (mu, 84, 3)(place,:), want, 1e-5);
%!   assert (reshape (s2, 3, 3, 84)(:,:,place), spread, 1e-5);
%!   assert (class(place), named);
%!   loo = attnpath_loo (of_three);
%!   in = attnpath_influence (same, struct ("Xi", sol.paths.Xi(:,keep,:)), "Groups", sol.paths.example(keep), ...
%!                            "Display", false);
%!   assert (loo.logdensity([1:4 6:14]), in.logp, 1e-5);
%!   f = attnpath_predict (same, struct ("Xi", sol.paths.Xi(:,keep,:)));
%!   example = sol.paths.example(keep);
%!   got = reshape (loo.mean, 84, 3)(place(keep),:);
%!   for mu = 1:13
%!     own = example == in.groups(mu);
%!     assert (got(own,:), f(own,:) + reshape (in.mean(mu,own,:), sum (own), 3), 2e-4);
%!   endfor
%!   assert (size (loo.variance), [3 3 6 14]);
%! endfor
%! p = attnpath_probability (of_three, X, "Lengths", lengths, "Display", false);
%! assert (sum (p, 3)(place), ones (numel (place), 1), 1e-10);

%!test % numbers of several outputs, classes of numbers with NaN, integers with lengths
%! Y = cat (3, y, 2 * y);
%! of_two = attnpath_solve (net, sol.paths, Y, "Display", false);
%! assert ({size(of_two.y), of_two.outputs}, {[6 14 2], "coupled"});
%! numbers = y;
%! numbers(y == 1) = 7;
%! coded = attnpath_solve (net, sol.paths, numbers, "Classes", true, "Display", false);
%! assert (coded.classes, [-1; 7]);
%! assert (coded.U, sol.U, 1e-8);
%! whole = int8 (3 * ones (6, 14));
%! whole(1:2:end) = 4;
%! coded = attnpath_solve (net, X, whole, "Lengths", lengths, "Display", false);
%! assert (sum (~isnan (coded.y(:))), sum (lengths));

%!test % draws: f at all tokens, order parameters, predictions, leaving sequences out; a checkpoint with NaN in y
%! file = [tempname() ".mat"];
%! clean = onCleanup (@() delete (file));
%! call = {net, sol.paths, y, "Draws", 60, "Chains", 2, "Warmup", 40, "Probe", sol.paths, "Display", false};
%! off = warning ("off", "attnpath:sample:notConverged");
%! post = attnpath_sample (call{:}, "Checkpoint", file);
%! again = attnpath_sample (call{:}, "Checkpoint", file);
%! want = attnpath_sample (flat.net, struct ("Xi", sol.paths.Xi(:,keep,:)), y(place(keep)), call{4:9}, "Probe", ...
%!                         struct ("Xi", sol.paths.Xi), "Display", false);
%! warning (off);
%! assert (again.U, post.U);
%! assert (post.U, want.U, 1e-9);
%! assert (post.f, want.f, 1e-9);
%! assert (post.y, y);
%! mu = attnpath_predict (post, sol.paths);
%! assert (mu(place), attnpath_predict (want, struct ("Xi", sol.paths.Xi)), 1e-9);
%! off = warning ("off", "attnpath:loo:unreliable");
%! loo = attnpath_loo (post);
%! token = attnpath_loo (post, "Leave", "token");
%! assert (attnpath_compare (token, token).khat, max (token.khat(:)) * [1; 1]);
%! of_flat = attnpath_loo (want);
%! warning (off);
%! assert ({size(loo.khat), size(loo.mean), size(token.khat)}, {[14 1], [6 14], [6 14]});
%! assert (token.mean(place(keep)), of_flat.mean, 1e-9);
%! assert (attnpath_diagnose (post).rhat, want.diagnostics.rhat, 1e-9);
%! three = post;
%! three.y = cat (3, y, y);
%! refuses ("diagnose:badShape", @() attnpath_diagnose (three));

%!test % hyperparameters by sequences left out, by tokens, and by the evidence
%! off = warning ("off", "all");
%! common = {net, sol.paths, y, "MaxPoints", 6, "Tune", "temperature", "Scale", "net", "Display", false};
%! [a, info] = attnpath_tune (common{:});
%! [~, token] = attnpath_tune (common{:}, "Leave", "token");
%! warning (off);
%! for k = 1:numel (info.tried.loo)
%!   there = net;
%!   there.temperature = info.tried.temperature(k);
%!   again = attnpath_solve (there, sol.paths, y, "Display", false);
%!   assert (info.tried.loo(k), attnpath_loo (again).mse, 1e-4 * info.tried.loo(k));
%!   assert (info.tried.density(k), attnpath_loo (again).elpd, 1e-3 * abs (info.tried.density(k)));
%! endfor
%! assert (a.y, y);
%! assert (abs (token.tried.loo(1) - info.tried.loo(1)) > 1e-6);

%!test % figures of a model whose tokens have labels
%! if ! drawable (), return; endif
%! for kind = {"kernel", "alignment", "order", "confusion", "reliability", "scores"}
%!   f = figure ("visible", "off");
%!   attnpath_plot (sol, kind{1});
%!   close (f);
%! endfor

%!test % the number of missing labels is printed once, and nothing without Display
%! text = evalc ("s = attnpath_solve (net, sol.paths, y, 'Certificate', false);");
%! assert (numel (strfind (text, sprintf ("%d of %d tokens have no label", sum (! keep), sum (lengths)))), 1);
%! assert (evalc ("s = attnpath_solve (net, sol.paths, y, 'Display', false, 'Certificate', false);"), "");
%! assert (! isempty (strfind (evalc ("attnpath_loo (sol)"), "each of 13 sequences")));

% ---- refusals ----

%!test % shapes, labels behind the end, parts of outputs, none at all
%! refuses ("solve:badShape", @() attnpath_solve (net, X, y', "Lengths", lengths));
%! refuses ("solve:badShape", @() attnpath_solve (net, X, y(:), "Lengths", lengths));
%! refuses ("solve:badShape", @() attnpath_solve (net, X, cat (4, y, y), "Lengths", lengths));
%! beyond = y;
%! beyond(6,1) = 1;
%! refuses ("solve:badValue", @() attnpath_solve (net, X, beyond, "Lengths", lengths));
%! part = cat (3, y, y);
%! part(1,1,2) = NaN;
%! refuses ("solve:notFinite", @() attnpath_solve (net, X, part, "Lengths", lengths));
%! refuses ("solve:empty", @() attnpath_solve (net, X, NaN (6, 14), "Lengths", lengths));
%! infinite = y;
%! infinite(1) = Inf;
%! refuses ("solve:notFinite", @() attnpath_solve (net, X, infinite, "Lengths", lengths));
%! refuses ("solve:badClass", @() attnpath_solve (net, X, {1 2}, "Lengths", lengths));
%! refuses ("solve:tooFew", @() attnpath_solve (net, X, repmat ({"a"}, 6, 14)));

%!test % NaN is no label of other readouts; noise of other shapes, or Inf wherever there is a label
%! refuses ("solve:notFinite", @() attnpath_solve (flat.net, X, [NaN; ones(13, 1)], "Lengths", lengths));
%! refuses ("solve:badShape", @() attnpath_solve (net, sol.paths, y, "Noise", ones (14, 6)));
%! none = ones (6, 14);
%! none(! isnan (y)) = Inf;
%! refuses ("solve:badValue", @() attnpath_solve (net, sol.paths, y, "Noise", none));
%! refuses ("loo:badValue", @() attnpath_loo (flat, "Leave", "token"));
%! refuses ("influence:badValue", @() attnpath_influence (flat, "Leave", "sequence"));
%! refuses ("scores:badValue", @() attnpath_scores (flat, "Leave", "token"));
%! alone = attnpath_solve (net, X(:,:,1:2), [y(:,1), NaN(6, 1)], "Lengths", lengths(1:2), "Display", false);
%! refuses ("scores:tooFew", @() attnpath_scores (alone));
%! refuses ("prune:tooFew", @() attnpath_prune (alone, "By", "loo"));
%! refuses ("tune:tooFew", @() attnpath_tune (net, X(:,:,1), y(:,1), "Lengths", lengths(1), "Display", false));
%! assert (isfinite (attnpath_loo (alone, "Leave", "token").mse));
%! refuses ("scores:badValue", @() attnpath_scores (sol, "By", "share", "Leave", "token"));
%! refuses ("prune:badValue", @() attnpath_prune (flat, "By", "loo", "Leave", "token"));
%! refuses ("prune:badValue", @() attnpath_prune (sol, "By", "evidence", "Leave", "token"));

%!test % path inputs without their tokens, of another readout, or changed
%! refuses ("solve:missingField", @() attnpath_solve (net, struct ("Xi", sol.paths.Xi), y));
%! refuses ("predict:missingField", @() attnpath_predict (sol, struct ("Xi", sol.paths.Xi)));
%! refuses ("solve:otherNet", @() attnpath_solve (flat.net, sol.paths, ones (numel (place), 1)));
%! changed = sol.paths;
%! changed.token = fliplr (changed.token);
%! refuses ("solve:badValue", @() attnpath_solve (net, changed, y));
%! changed = sol.paths;
%! changed.example = changed.example(1:end-1);
%! refuses ("solve:badShape", @() attnpath_solve (net, changed, y));
%! changed = sol;
%! changed.y = y(1:5,:);
%! refuses ("loo:badShape", @() attnpath_loo (changed));

%!test % what takes one label a sequence
%! task = struct ("Xtrain", X, "ytrain", ones (14, 1), "Xtest", X, "ytest", ones (14, 1));
%! refuses ("train:badValue", @() attnpath_train (task, "Readout", "all"));
%! gd = struct ("net", net, "w", randn (5, 4));
%! refuses ("scores:badValue", @() attnpath_scores (gd, X, ones (14, 1)));
%! refuses ("net:badValue", @() attnpath_net (heads, "Readout", "every"));

%!test % contributions of paths, and models compared by sequences
%! f = attnpath_predict (sol, X, "Lengths", lengths, "ByPath", true);
%! mu = attnpath_predict (sol, X, "Lengths", lengths);
%! assert (size (f), [6 14 1 4]);
%! assert (sum (f, 4)(place), mu(place), 1e-10);
%! wide = net;
%! wide.width(:) = 400;
%! other = attnpath_solve (wide, sol.paths, y, "Display", false);
%! off = warning ("off", "attnpath:compare:unreliable");
%! cmp = attnpath_compare (sol, other, "Display", false);
%! of_tokens = attnpath_compare (attnpath_loo (sol, "Leave", "token"), attnpath_loo (other, "Leave", "token"));
%! warning (off);
%! a = attnpath_loo (sol);
%! b = attnpath_loo (other);
%! d = a.logdensity([1:4 6:14]) - b.logdensity([1:4 6:14]);
%! assert ({cmp.examples, of_tokens.examples}, {13, sum(keep)});
%! assert (cmp.elpd_diff(2), abs (sum (d)), 1e-10);
%! assert (cmp.elpd_diff_se(2), sqrt (13) * std (d), 1e-10);
%! assert (abs (cmp.mse_diff(2)), abs (a.mse - b.mse), 1e-10);
%! squares = (a.mean - y) .^ 2 - (b.mean - y) .^ 2;
%! each = count = zeros (1, 13);
%! for mu = [1:4 6:14]
%!   here = ! isnan (squares(:,mu));
%!   k = find ([1:4 6:14] == mu);
%!   [each(k), count(k)] = deal (mean (squares(here,mu)), sum (here));
%! endfor
%! m = sum (each .* count) / sum (count);
%! assert (cmp.mse_diff_se(2), norm (count .* (each - m)) / sum (count) * sqrt (13 / 12), 1e-10);
%! refuses ("compare:badValue", @() attnpath_compare (a, attnpath_loo (other, "Leave", "token")));
%! refuses ("compare:badShape", @() attnpath_compare (a, attnpath_loo (flat)));

%!test % sentences about labels and noise have the shape that was given
%! [X3, one] = deal (randn (5, 3, 4), attnpath_net ({heads{1}}, "Readout", "all"));
%! words = repmat ({"a", "b"}, [3 2 2]);
%! calls = {"badShape", words, {}, "3 x 4 x 2 cell"; "badShape", ones(3, 4, 2), {"Classes", true}, "3 x 4 x 2 double"
%!          "badClass", repmat("ab", 3, 2), {}, "3 x 4 char"; "badShape", ones(3, 4), {"Noise", 2}, "not 2"
%!          "badShape", ones(3, 4), {"Noise", ones(1, 12)}, "1 x 12"}';
%! for call = calls
%!   refuses (["solve:" call{1}], @() attnpath_solve (one, X3, call{2}, call{3}{:}), call{4});
%! endfor
%! refuses ("loo:badValue", @() attnpath_loo (sol, "Leave", "tokens"), "one of sequence, token, not");

%!test % one sequence with labels has no standard error
%! alone = NaN (6, 14);
%! alone(:,5) = y(:,5);
%! alone(1,5) = 1;
%! loo = attnpath_loo (attnpath_solve (net, X, alone, "Lengths", lengths, "Display", false));
%! assert (isfinite (loo.elpd) && isnan (loo.elpd_se));
