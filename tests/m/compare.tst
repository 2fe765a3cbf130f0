% compare.tst: attnpath_compare against its definition (ref_compare), and against ArviZ for the same pointwise values.

%!shared task, net, sols
%! task = attnpath_task_markov ("P", 30, "Ptest", 2, "Features", 20, "Tokens", 6);
%! net = attnpath_net (task.heads, "Width", 10);
%! sols = {};
%! for N = [1000 10 30]
%!   net.width(:) = N;
%!   sols{end+1} = attnpath_solve (net, task.Xtrain, task.ytrain);
%! endfor

%!function [id, text, cmp] = compared (varargin)
%!  [id, text, cmp] = warned (@() attnpath_compare (varargin{:}));
%!endfunction

%!function check (loos, cmp)
%!  % sums of n terms: 1e-12 of them is n eps and more
%!  [~, order] = sort (-cellfun (@(l) l.elpd, loos));
%!  assert (cmp.place, order(:));
%!  [first, n] = deal (loos{order(1)}, sum (! isnan (loos{1}.logdensity)));
%!  assert (cmp.examples, n);
%!  for k = 1:numel (order)
%!    l = loos{order(k)};
%!    left = ! isnan (l.logdensity);
%!    [d, se] = ref_compare (first.logdensity(left), l.logdensity(left));
%!    assert ([cmp.elpd_diff(k), cmp.elpd_diff_se(k)], [d, se], 1e-12 * max (1, abs (first.elpd)));
%!    w = ones (n, 1);
%!    if ! isempty (l.examples.noise), w = 1 ./ l.examples.noise(left)'; endif
%!    square = @(l) mean ((l.mean(left,:) - l.y(left,:)) .^ 2, 2);
%!    [d, se] = ref_compare (square (l), square (first), w);
%!    assert ([cmp.mse_diff(k), cmp.mse_diff_se(k)], [d, se], 1e-12);
%!    assert (cmp.mse(k) - cmp.mse(1), d, 1e-12);
%!    assert ([cmp.elpd(k), cmp.elpd_se(k), cmp.mse(k)], [l.elpd, l.elpd_se, l.mse]);
%!  endfor
%!endfunction

%!test % a warning of a model's leave-one-out has the name of this function, and no other
%! early = setfield (sols{2}, "converged", false);
%! shown = evalc ("cmp = attnpath_compare (sols{1}, early);");
%! assert (! isempty (strfind (shown, "attnpath_compare: sol has not converged")));
%! assert (isempty (strfind (shown, "warning: attnpath_loo")));

%!test % solutions, and their leave-one-out results: the definition; two models; names
%! loos = cellfun (@attnpath_loo, sols, "UniformOutput", false);
%! [~, ~, cmp] = compared (sols{:}, "Names", {"a", "b", "c"});
%! check (loos, cmp);
%! assert (cmp.names, {"a"; "b"; "c"}(cmp.place));
%! assert (all (isnan (cmp.khat)));
%! [~, ~, two] = compared (loos{1}, sols{2});
%! check (loos(1:2), two);
%! assert (two.names, {"model 1"; "model 2"}(two.place));

%!test % the values of ArviZ 0.23.4: arviz.compare ({..}, ic="loo", scale="log") of ELPDData with these loo_i gave
%! % elpd_diff and dse as below. Its variances have n in the denominator: n - 1 here, as in the package loo of R
%! i = (1:12)';
%! l = [-0.5 - sin(i) .^ 2, -0.6 - 1.1 * sin(i) .^ 2 - 0.2 * cos(3 * i), -1.5 + 0.3 * cos(i)];
%! for k = 1:3
%!   loos{k} = attnpath_loo (sols{k});
%!   [loos{k}.logdensity, loos{k}.elpd, loos{k}.elpd_se] = deal (l(:,k), sum (l(:,k)), sqrt (12) * std (l(:,k)));
%!   [loos{k}.y, loos{k}.mean] = deal (loos{k}.y(1:12), loos{k}.mean(1:12));
%!   loos{k}.examples.length = loos{k}.examples.length(1:12);
%! endfor
%! [~, ~, cmp] = compared (loos{[3 1 2]});
%! assert (cmp.place, [2; 3; 1]);
%! n_minus_1 = sqrt (12 / 11);
%! assert (cmp.elpd, [-12.2893215430143; -13.9984241440556; -18.1707504269206], 1e-12);
%! assert (cmp.elpd_se, [1.18848232886233; 1.43678220549532; 0.715214246761704] * n_minus_1, 1e-12);
%! assert (cmp.elpd_diff, [0; 1.70910260104124; 5.88142888390627], 1e-12);
%! assert (cmp.elpd_diff_se, [0; 0.478999842702162; 1.45172403461961] * n_minus_1, 1e-12);

%!test % several outputs, classes, noise of each example, one of them unused; draws
%! y = [task.ytrain, sin(1:30)'];
%! noise = [Inf, 1 + mod(1:29, 3)];
%! net.width(:) = 20;
%! models = {attnpath_solve(net, task.Xtrain, y, "Noise", noise)};
%! net.temperature = 0.1;
%! models{2} = attnpath_solve (net, task.Xtrain, y, "Noise", noise, "Outputs", "shared");
%! [~, ~, cmp] = compared (models{:});
%! check (cellfun (@attnpath_loo, models, "UniformOutput", false), cmp);
%! names = {"b"; "a"}(1 + (task.ytrain > 0));
%! classes = cellfun (@(T) attnpath_solve (attnpath_net (task.heads, "Width", 20, "Temperature", T), task.Xtrain, names), ...
%!                    {0.01, 1}, "UniformOutput", false);
%! [~, ~, cmp] = compared (classes{:});
%! check (cellfun (@attnpath_loo, classes, "UniformOutput", false), cmp);
%! randn ("twister", 1);
%! drawn = rmfield (sols{3}, "order");
%! drawn.U = cat (3, drawn.U, bsxfun (@plus, drawn.U, bsxfun (@times, eye (4), reshape (abs (randn (1, 40)), 1, 1, []))));
%! [~, ~, cmp] = compared (sols{2}, drawn);
%! loo = attnpath_loo (drawn);
%! check ({attnpath_loo(sols{2}), loo}, cmp);
%! assert (cmp.khat(cmp.place == 2), max (loo.khat));

%!test % one example has no standard error, and decides nothing
%! one = @(N) attnpath_solve (attnpath_net (task.heads, "Width", N), task.Xtrain(:,:,1), task.ytrain(1));
%! [id, ~, cmp] = compared (one (10), one (1000));
%! assert ({id, cmp.elpd_se, cmp.elpd_diff_se}, {"attnpath:compare:unreliable", [NaN; NaN], [0; NaN]});
%! assert (cmp.elpd_diff(2) > 0);

%!test % the warning: models that cannot be told apart, k-hat; none where the order is clear; the table
%! loo = attnpath_loo (sols{2});
%! [id, text] = compared (loo, loo, "Names", {"one", "other"});
%! assert (id, "attnpath:compare:unreliable");
%! assert (! isempty (strfind (text, "one is not decided to be better than other")), text);
%! worse = loo;
%! worse.logdensity -= 1 + 0.1 * cos (1:30)';
%! worse.elpd = sum (worse.logdensity);
%! [id, ~, cmp] = compared (worse, loo);
%! assert ({id, cmp.reason}, {"", ["model 2 is the best, by two standard errors or more; with " ...
%!         "fewer than 100 examples the errors of differences are too small"]});
%! worse.khat = [0.9; zeros(29, 1)];
%! [id, text] = compared (worse, loo);
%! assert (id, "attnpath:compare:unreliable");
%! assert (! isempty (strfind (text, "elpd of model 1 is unreliable, k-hat is above 0.7 for 1 of 30 examples and up to 0.90")), text);
%! warning ("off", "attnpath:compare:unreliable", "local");
%! lines = strsplit (strtrim (evalc ("attnpath_compare (worse, loo)")), "\n");
%! assert (lines{1}, "30 examples, each predicted from all others; differences to the first, by pairs of examples");
%! assert (regexp (strtrim (lines{2}), "  +", "split"), {"elpd", "elpd of the first - elpd", "mse", "mse - mse of the first", ...
%!                                                        "accuracy", "k-hat"});
%! numbers = @(line) cellfun (@str2double, regexp (line, '\s(-?\d[\d.]*)\>', "tokens"));
%! [first, second] = deal (numbers (lines{3}), numbers (lines{4}));   # the 2 of model 2, its elpd, ..
%! assert (first([1 4 5]), [2, loo.mse, loo.accuracy], 1e-3);
%! assert ([first(2:3), second(2:4)], [loo.elpd, loo.elpd_se, worse.elpd, worse.elpd_se, loo.elpd - worse.elpd], 0.5);
%! assert (second(end), 0.9);
%! assert (numel (lines), 5);

%!test % enough examples are not warned of; a model with a smaller squared error than the first shows its sign
%! many = attnpath_task_markov ("P", 100, "Ptest", 2, "Features", 8, "Tokens", 4);
%! loo = attnpath_loo (attnpath_solve (attnpath_net (many.heads, "Width", 100), many.Xtrain, many.ytrain));
%! other = loo;
%! [other.elpd, other.logdensity, other.mse, other.mean] = deal (loo.elpd - 300, loo.logdensity - 3, 0, loo.y);
%! [id, ~, cmp] = compared (other, loo);
%! assert ({id, cmp.reason}, {"", "model 2 is the best, by two standard errors or more"});
%! assert (! isempty (strfind (evalc ("attnpath_compare (other, loo)"), sprintf ("%.3f +- ", -loo.mse)(1:4))));

%!test % draws: one warning, with all k-hat
%! drawn = rmfield (sols{3}, "order");
%! randn ("twister", 2);
%! drawn.U = bsxfun (@times, drawn.U, reshape (exp (3 * randn (1, 40)), 1, 1, []));
%! id = warned (@() attnpath_loo (drawn));
%! assert (id, "attnpath:loo:unreliable");                  # by itself it warns
%! shown = evalc ("cmp = attnpath_compare (drawn, sols{2});");
%! assert (numel (strfind (shown, "warning: attnpath")), 1);
%! assert (! isempty (strfind (shown, "elpd of model 1 is unreliable, k-hat is above 0.7")), shown);
%! assert (warned (@() attnpath_loo (drawn)), "attnpath:loo:unreliable");              # nothing stays off

%!test % other examples are refused, by their labels or, under the same attention, by their tokens; and so is what is old
%! loo = attnpath_loo (sols{2});
%! X = task.Xtrain(:,:,[1 3 2 4:30]);
%! moved = attnpath_solve (net, X, task.ytrain);
%! turned = attnpath_solve (net, X, task.ytrain([1 3 2 4:30]));
%! flipped = attnpath_solve (net, task.Xtrain, [-task.ytrain(1); task.ytrain(2:30)]);
%! less = attnpath_solve (net, task.Xtrain(:,:,1:29), task.ytrain(1:29));
%! unused = attnpath_solve (net, task.Xtrain, task.ytrain, "Noise", [Inf, ones(1, 29)]);
%! with = @(varargin) @() attnpath_compare (sols{2}, varargin{:});
%! refuses ({"compare:usage", {@() attnpath_compare(), @() attnpath_compare(sols{1}), with("Names", {"a"})}, ""
%!           "compare:otherRun", {with(flipped)}, {"model 1", "model 2", "labels of number 1"}
%!           "compare:otherRun", {with(moved)}, {"path inputs of number 2"}
%!           "compare:otherRun", {with(sols{1}, turned, "Names", {"a", "b", "c"})}, {"a and c"}
%!           "compare:badShape", {with(less)}, {"30 examples", "29"}
%!           "compare:badValue", {with(unused)}, {"noise is Inf"}
%!           "compare:missingField", {with(rmfield (loo, "y")), with(rmfield (loo, "examples"))}, "model 2"
%!           "compare:badShape", {with(loo, "Names", {"a"})}, "2 texts"
%!           "compare:badClass", {with(loo, "Names", 3)}, "cell of 2 texts"
%!           "compare:unknownOption", {with(loo, "By", "mse")}, "By"
%!           "compare:badClass", {with(3), with(loo, 3), with([loo, loo])}, {"model", "attnpath_loo"}
%!           "compare:badValue", {with(loo, "Names", {"a", "a"})}, {"Names must differ", "a, a"}
%!           "compare:badValue", {with(setfield (loo, "elpd", NaN)), with(setfield (loo, "elpd", {1}))}, "elpd"
%!           "compare:badShape", {with(setfield (loo, "mean", 1)), with(setfield (loo, "examples", 1)), ...
%!                                with(setfield (loo, "logdensity", {1}))}, {"model 2", "logdensity"}});
%! % other attention, other features: the same labels are all that is known
%! other = attnpath_solve (attnpath_net ({randn(27, 27, 1)}, "Width", 10), 2 * X, task.ytrain);
%! [~, ~, cmp] = compared (sols{2}, other);
%! assert (cmp.examples, 30);
%! % other noise: densities of the labels can be compared, weighted squares cannot
%! noisy = attnpath_solve (net, task.Xtrain, task.ytrain, "Noise", [2, ones(1, 29)]);
%! [~, ~, cmp] = compared (sols{3}, noisy);
%! assert (isnan ([cmp.mse_diff(2), cmp.mse_diff_se(2), cmp.elpd_diff(2)]), [true true false]);
