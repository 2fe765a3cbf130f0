% tune.tst: temperature, width and scale chosen without a test set: what is tried, what is chosen, and from which units.

%!function [net, X, y] = random_case (H, P, seed)
%!  % labels of two features along the first path, and noise: some temperature is best
%!  randn ("twister", seed);
%!  net = attnpath_net (H, "Width", 30, "Variance", 0.5 + (1:numel (H)+2) / 3);
%!  X = struct ("Xi", randn (6, P, prod (H)));
%!  y = (X.Xi(1,:,1) - 0.5 * X.Xi(2,:,1))' + 0.7 * randn (P, 1);
%!endfunction

%!function says (text, fun)
%!  refuses ("tune:*", fun, text);
%!endfunction

%!function [tried, f, how] = searched (fun, plan)
%!  % the search by itself, as attnpath_tune does it
%!  run = struct ("at", zeros (rows (plan.low), 0), "f", [], "each", {{}});
%!  while true
%!    [x, how] = in_private (@() ap_tune_next (run, plan));
%!    [tried, f] = deal (run.at, run.f);
%!    if isempty (x), return; endif
%!    assert (all (x >= plan.low & x <= plan.high));
%!    run.at(:,end+1) = x;
%!    run.f(end+1) = fun (x);
%!    run.each{end+1} = zeros (0, 1);
%!  endwhile
%!endfunction

%!function plan = box (d)
%!  ticks = cell (1, d);
%!  [ticks{:}] = ndgrid ([-4 -2 0 2 4]);
%!  plan = struct ("grid", cell2mat (cellfun (@(t) t(:)', ticks(:), "UniformOutput", false)), ...
%!                 "low", -4 * ones (d, 1), "high", 4 * ones (d, 1), "most", 1000, "tolerance", [], "slopes", false);
%!endfunction

%!function y = ifelse_ (condition, a, b)
%!  y = b;
%!  if condition, y = a; endif
%!endfunction

%!testif ; thorough ()
%! % the search: quadratic forms, whose minimum lies off the grid. A step promises less than 1e-3 at the end, so
%! % f is above its minimum by about as much, or 1e-2 with BFGS' curvature wrong by ten
%! for d = 1:3
%!   randn ("twister", d);
%!   A = randn (d);
%!   A = A * A' + eye (d);
%!   at = [0.7; -1.3; 2.2](1:d);
%!   [tried, f] = searched (@(x) 20 + (x - at)' * A * (x - at), box (d));
%!   assert (min (f), 20, 1e-2);
%!   assert (columns (tried) < 5 ^ d + 10 * (2 * d + 2));
%! endfor

%!test % the search: a curved valley, scaled to what a coarse grid can tell
%! [tried, f, how] = searched (@(x) 3 * (x(2) - x(1) ^ 2 / 2) ^ 2 + (x(1) - 1.4) ^ 2, box (2));
%! assert (min (f), 0, 1e-2);
%! assert (how, "a further step would gain less than 0.001 nats");

%!test % the search: a minimum at a bound, or beyond, in one coordinate or all of them, is found on the bound
%! [tried, f] = searched (@(x) (x(1) - 0.3) ^ 2 + (x(2) - 6) ^ 2 / 4, box (2));
%! [~, k] = min (f);
%! assert (tried(2,k), 4);
%! assert (tried(1,k), 0.3, 0.1);
%! [tried, f] = searched (@(x) x(1) - x(2), box (2));
%! [~, k] = min (f);
%! assert (tried(:,k), [-4; 4]);

%!test % the search: points without a value are walked around; where there is none the search says so
%! [tried, f] = searched (@(x) ifelse_ (x(1) < 0.95, (x(1) - 1) ^ 2 * 5, Inf), box (1));
%! assert (min (f), 0, 0.1);
%! [~, f, how] = searched (@(x) Inf, box (2));
%! assert ({numel(f), how}, {25, "no point has a value"});
%! plan = box (2);
%! plan.most = 27;
%! [~, f, how] = searched (@(x) sum ((x - 0.5) .^ 2), plan);
%! assert ({numel(f), how}, {27, "the limit of 27 points was reached"});

%!function net = at_point (net, c)                  % a choice of info as a network
%!  for name = intersect (fieldnames (c), {"temperature", "width", "bandwidth", "ridge", "headscale"})'
%!    net.(name{1}) = c.(name{1});
%!  endfor
%!  net.variance(1) = c.variance;
%!endfunction

%!function loo = chosen_rightly (sol, c, X, Y, varargin)   % a choice of info has what public functions return there
%!  again = attnpath_solve (at_point (sol.net, c), X, Y, varargin{:});
%!  loo = attnpath_loo (again);
%!  assert ([c.loo, c.density], [loo.mse, loo.elpd], -1e-6);
%!  assert (c.leading, again.evidence, 1e-6);
%!  if ! isnan (c.evidence), assert (c.evidence, attnpath_evidence (again), 1e-6); endif
%!endfunction

%!testif ; thorough () % every criterion of every choice is what the public functions say there
%! % at whatever scale: kernels are made once
%! for H = {2, [2 2]}
%!   [net, X, y] = random_case (H{1}, 5 * prod (H{1}), 3);            % fewer than features: none stands for others
%!   [sol, info] = tuned (net, X, y, "By", "evidence", "Tune", {"scale", "temperature", "width"}, "MaxPoints", 40);
%!   assert (numel (info.tried.loo), 40);
%!   for c = info.chosen
%!     loo = chosen_rightly (sol, c, X, y);
%!     assert (! isnan (c.evidence));
%!     assert (c.accuracy, loo.accuracy, 1e-12);
%!   endfor
%!   assert (numel (unique (info.tried.scale)) > 1);
%! endfor
%! [net, X, y] = random_case ([2 1], 10, 14);                       % several outputs, likewise
%! Y = [y, X.Xi(2,:,2)' + 0.3 * randn(10, 1), 0.5 * y];
%! for outputs = {"coupled", "shared"}
%!   [sol, info] = tuned (net, X, Y, "By", "density", "Outputs", outputs{1}, "MaxPoints", 24);
%!   assert (sol.outputs, outputs{1});
%!   assert (numel (info.chosen), 3 + strcmp (outputs{1}, "coupled"));        % shared outputs have no (T25)
%!   for c = info.chosen
%!     chosen_rightly (sol, c, X, Y, "Outputs", outputs{1});
%!     if isnan (c.evidence), assert (strcmp (outputs{1}, "shared") || any (c.width < [6 3 3])); endif
%!   endfor
%! endfor

%!testif ; thorough () % the choice is the best of all that was tried, and its neighbours are no better
%! [net, X, y] = random_case ([2 2], 30, 4);
%! for by = {"loo", "density", "evidence"}
%!   [sol, info] = tuned (net, X, y, "By", by{1}, "Tune", {"temperature", "width"}, "Tolerance", 1e-3);
%!   best = info.chosen(1);
%!   sign_ = 1 - 2 * strcmp (by{1}, "loo");
%!   assert (best.(by{1}), sign_ * max (sign_ * info.tried.(by{1})));
%!   assert ({sol.net.temperature, sol.net.width, sol.net.variance(1)}, {best.temperature, best.width, best.variance});
%!   assert (sol.converged);
%!   value = struct ("loo", @(s) -15 * log (attnpath_loo (s).mse), "density", @(s) attnpath_loo (s).elpd, ...
%!                   "evidence", @(s) attnpath_evidence (s)).(by{1});
%!   for factor = [1.05, 1 / 1.05]
%!     near = sol.net;
%!     near.temperature = near.temperature * factor;
%!     assert (value (attnpath_solve (near, X, y)) < value (sol) + 2e-3);
%!     near = sol.net;
%!     near.width = near.width * factor;
%!     if near.width(1) < 10 || near.width(1) > 1e4, continue; endif          % the range ends there
%!     assert (value (attnpath_solve (near, X, y)) < value (sol) + 2e-3);
%!   endfor
%! endfor

%!testif ; thorough () % fewer points than a search to 0.001 nats, whose choice is better by less than a standard error over
%! % examples. The mean square's logarithm changes with an example by its influence, (e^2 / mse - 1) / 2 each
%! share = struct ("loo", @(loo, y) (log (loo.mse) + (loo.mean - y) .^ 2 / loo.mse - 1) / 2, ...
%!                 "density", @(loo, y) -loo.logdensity);
%! for seed = 1:4
%!   [net, X, y] = random_case ([2 2], 30, seed);
%!   for by = {"loo", "density"}
%!     [sol, info] = tuned (net, X, y, "By", by{1}, "Tune", {"temperature", "width"});
%!     [finer, more] = tuned (net, X, y, "By", by{1}, "Tune", {"temperature", "width"}, "Tolerance", 1e-3);
%!     assert (numel (info.tried.loo) < numel (more.tried.loo));
%!     assert (! isempty (strfind (info.reason, "nats, its standard error over examples")));
%!     d = share.(by{1}) (attnpath_loo (sol), y) - share.(by{1}) (attnpath_loo (finer), y);
%!     assert (sum (d) <= sqrt (30) * std (d));
%!   endfor
%! endfor

%!testif ; thorough () % units of tokens and of labels: the same predictions to 1e-6, in units of the labels
%! [net, X, y] = random_case ([2 2], 30, 5);
%! probe = struct ("Xi", randn (6, 9, 4));
%! for by = {"loo", "evidence"}
%!   [sol, info] = tuned (net, X, y, "By", by{1});
%!   want = attnpath_predict (sol, probe);
%!   for k = [-1.5, -0.5, 1.5]
%!     [sol2, info2] = tuned (net, struct ("Xi", 10 ^ k * X.Xi), y, "By", by{1});
%!     assert (attnpath_predict (sol2, struct ("Xi", 10 ^ k * probe.Xi)), want, 1e-6 * max (abs (want)));
%!     assert (sol2.net.temperature, sol.net.temperature, -1e-6);
%!     assert (sol2.net.width, sol.net.width, -1e-6);
%!   endfor
%!   [sol2, info2] = tuned (net, X, 300 * y, "By", by{1});
%!   assert (attnpath_predict (sol2, probe), 300 * want, 300e-6 * max (abs (want)));
%!   assert (sol2.net.temperature, 9e4 * sol.net.temperature, -1e-6);
%!   assert ([info2.chosen.loo], 9e4 * [info.chosen.loo], -1e-6);
%! endfor

%!test % where the scale is held: at the labels' size, or at that of the net, whose variances then stay as they are
%! [net, X, y] = random_case (2, 20, 6);
%! [sol, info] = tuned (net, X, 3 * y, "Tune", "temperature", "Scale", "data");
%! assert (sol.diagonal, mean (9 * y .^ 2), -1e-12);
%! assert (sol.net.variance(2:end), net.variance(2:end));
%! assert ([info.tried.temperature(1), info.tried.temperature(11)], [10, 1e-4] * sol.diagonal, -1e-12);
%! [held, info] = tuned (net, X, 3 * y, "Tune", "temperature", "Scale", "net");
%! assert (held.net.variance, net.variance);
%! assert (info.tried.temperature(1), 10 * held.diagonal, -1e-12);
%! assert (held.net.width, net.width);

%!test % widths keep their proportions, whole ones are asked for; one hyperparameter alone leaves the others
%! [net, X, y] = random_case ([2 2], 20, 7);
%! net.width = [20 40 10];
%! [sol, info] = tuned (net, X, y, "Tune", "width", "Ranges", struct("width", [35 150]));
%! assert (sol.net.width / sol.net.width(1), [1 2 0.5], 1e-12);
%! assert (sol.net.temperature, net.temperature);
%! assert (all (info.tried.width >= 35 - 1e-9 & info.tried.width <= 150 + 1e-9));
%! net.width(:) = 30;
%! [sol, info] = tuned (net, X, y, "Tune", {"Width", "temperature"}, "Whole", true, "Ranges", struct("width", [4.3 80.7]));
%! assert (sol.net.width, round (sol.net.width), 1e-9);
%! assert (abs (sol.net.width - info.chosen(1).width) < 1);             # 4.3 is 5, as 4 is out of its range
%! net.width = [30 11 20];                               % every width is whole, the largest in its range
%! for range = {[4 30], [4.2 7.4], [10 45.4]}'
%!   [sol, info] = tuned (net, X, y, "Tune", {"width", "temperature"}, "Whole", true, "Ranges", struct("width", range{1}), "MaxPoints", 20);
%!   assert (sol.net.width, round (sol.net.width));
%!   assert (max (sol.net.width) >= range{1}(1) && max (sol.net.width) <= range{1}(2));
%!   assert (abs (sol.net.width - info.chosen(1).width) < 1);
%! endfor
%! net.width = [30 30 15];                               % and equal along a residual connection
%! args = {"Tune", "width", "Whole", true, "Ranges", struct("width", [5.7 6.6])};
%! sol = tuned (setfield (net, "skip", [0.5 0]), struct ("Xi", randn (6, 20, 6)), y, args{:});
%! assert (sol.net.width, [6 6 3]);
%! refuses = @() tuned (net, X, y, "Whole", true, "Ranges", struct("width", [4.2 4.8]));
%! says ("Ranges.width [4.2 4.8] has no whole width", refuses);

%!test % exp (log (n)) is below n for 5, 7 and 8: widths at their number of paths are none the less not below it
%! for heads = [5 7 8]
%!   [net, X, y] = random_case (heads, 12, heads);
%!   [~, info] = tuned (net, X, y, "By", "evidence", "Tune", {"temperature", "width"}, "Ranges", struct("width", [1 100]), "MaxPoints", 12);
%!   assert ({info.failed, min(info.tried.width)}, {0, heads});
%! endfor

%!test % labels whose squares overflow, or vanish, are refused by name
%! [net, X, y] = random_case (2, 10, 14);
%! for size_of = [1e-160 1e-130 1e130 1e160]
%!   says ("bring the labels and the tokens to a size near 1", @() tuned (net, X, size_of * y));
%! endfor

%!test % the evidence's range of widths begins where no order parameter is singular; otherwise the leading order, said
%! [net, X, y] = random_case ([3 2], 20, 8);
%! [sol, info] = tuned (net, X, y, "By", "evidence", "Ranges", struct("width", [2 500]), "Tune", {"temperature", "width"});
%! assert (min (info.tried.width), 6, 1e-9);
%! assert (! any (isnan (info.tried.evidence)));
%! assert (info.by, "evidence");
%! [sol, info] = tuned (net, X, y, "By", "evidence", "Ranges", struct("width", [2 5]), "Tune", {"temperature", "width"});
%! assert ({info.by, info.chosen(1).criterion}, {"evidence, leading order", "evidence, leading order"});
%! assert (all (isnan (info.tried.evidence)));
%! assert (info.chosen(1).leading, max (info.tried.leading));
%! net.width(:) = 4;
%! [sol, info] = tuned (net, X, y, "By", "evidence", "Tune", "temperature");
%! assert (info.by, "evidence, leading order");
%! [sol, info] = tuned (net, X, y, "Ranges", struct("width", [2 500]));
%! assert (any (isnan (info.tried.evidence)) && ! any (isnan (info.tried.loo)));

%!testif ; thorough () % tokens, path inputs and moments; many examples, for which fewer stand, are left out themselves
%! task = attnpath_task_markov ("P", 30, "Ptest", 2, "Features", 4, "Tokens", 6);
%! net = attnpath_net (task.heads, "Width", 30);
%! paths = attnpath_paths (net, task.Xtrain);
%! options = {"By", "evidence", "MaxPoints", 20};
%! a = tuned (net, task.Xtrain, task.ytrain, options{:});
%! b = tuned (net, paths, task.ytrain, options{:});
%! assert (a.U, b.U);
%! [c, info] = tuned (net, attnpath_moments (net, task.Xtrain, task.ytrain), options{:});
%! assert (c.U, a.U, 1e-6 * norm (a.U));                  % square moments: eps |K| / T, and gradients of 1e-8
%! assert (isfield (c, "moments") && all (isnan (info.tried.loo)));
%! [net, X, y] = random_case (2, 60, 9);                  % 12 numbers an example
%! [sol, info] = tuned (net, X, y, "Tune", "temperature", "MaxPoints", 12);
%! chosen_rightly (sol, info.chosen(1), X, y);
%! assert (! isnan (info.chosen(1).evidence));
%! [sol, info] = tuned (net, X, y, "Tune", "temperature", "MaxPoints", 12, "Corrected", false);
%! loo = attnpath_loo (sol, "Corrected", false);
%! assert (info.chosen(1).loo, loo.mse, -1e-6);

%!function [net, X, y] = tokens_case (seed, varargin)      % labels of the second head of layer 1, and noise
%!  randn ("twister", seed);
%!  pair = @(H) struct ("Q", randn (3, 4, H) / 2, "K", randn (3, 4, H) / 2);
%!  net = attnpath_net ({pair(2), pair(3)}, "Width", 40, "Temperature", 0.2, "Bandwidth", 1.4, varargin{:});
%!  X = randn (4, 5, 25);
%!  plain = attnpath_paths (setfield (net, "bandwidth", 0.7), X);
%!  y = (plain.Xi(1,:,4) - plain.Xi(2,:,5))' + 0.3 * randn (25, 1);
%!endfunction

%!testif ; thorough () % a run that was cut goes on from its checkpoint, by gradient and without: the same bit for bit
%! [by_gradient, points] = deal (cell (1, 3));
%! [by_gradient{:}] = tokens_case (24);
%! [points{:}] = random_case ([2 2], 15, 10);
%! for c = {by_gradient, {"Tune", {"heads", "bandwidth", "temperature"}}, [5 17 21]; points, {}, 7}'
%!   [file, gone] = scratch ("run");
%!   call = @(varargin) tuned (c{1}{:}, c{2}{:}, varargin{:});
%!   [sol, info] = call ();
%!   for most = c{3}
%!     [~, part] = call ("Checkpoint", file, "MaxPoints", most);
%!     assert ({numel(part.tried.leading), part.reason}, {most, sprintf("the limit of %d points was reached", most)});
%!   endfor
%!   for again = 1:2                                        % the second time nothing is left to be done
%!     [sol2, info2] = call ("Checkpoint", file);
%!     assert ({info2, sol2}, {info, sol});
%!   endfor
%! endfor
%! [net, X, y] = points{:};
%! both = {"temperature", "width"};
%! says ("options.By differs", @() tuned (net, X, y, "Checkpoint", file, "By", "density", "Tune", both));
%! says ("y differs", @() tuned (net, X, 2 * y, "Checkpoint", file));

%!test % warnings: a bound, and criteria that disagree by more than chance and by more than a tenth
%! [net, X, y] = random_case ([2 2], 20, 11);
%! few = struct ("temperature", [1e-4 1e-3]);
%! [id, text, ~, info] = warned (@() attnpath_tune (net, X, y, "Tune", "temperature", "Ranges", few, "Display", false));
%! assert (id, "attnpath:tune:bound");
%! assert (numel (info.bounds), 1);
%! assert (isempty (strfind (info.bounds{1}, "hopeful")));  # the upper one
%! randn ("twister", 12);
%! paths = struct ("Xi", randn (6, 20, 2));
%! high = struct ("temperature", [1 2]);
%! for corrected = [true false]                            # labels without noise
%!   [~, ~, ~, low] = warned (@() attnpath_tune (attnpath_net (2), paths, paths.Xi(1,:,1)', "Tune", "temperature", ...
%!                                                "Ranges", high, "Corrected", corrected, "Display", false));
%!   assert (! isempty (strfind (low.bounds{1}, "lower bound")));
%!   assert (isempty (strfind (low.bounds{1}, "hopeful")), corrected);
%! endfor
%! assert (! isempty (strfind (info.bounds{1}, "the best temperature is at the upper bound of its range")));
%! assert (regexp (info.bounds{1}, "which 'Ranges' has as 0.001$") > 0);
%! [~, ~, ~, both] = warned (@() attnpath_tune (net, X, y, "Tune", {"temperature", "scale"}, "Ranges", few, "By", ...
%!                                              "density", "Display", false));
%! assert (! isempty (regexp (both.bounds{1}, "^the best ratio of temperature to scale is .* which 'Ranges' has as 0.001")));
%! [~, ~, ~, widest] = warned (@() attnpath_tune (net, X, y, "Tune", "width", "Ranges", struct ("width", [1 4.5]), ...
%!                                                "By", "evidence", "Display", false));
%! assert (isempty (strfind ([widest.bounds{:}], "'Ranges'")));
%! assert (! isempty (strfind (text, info.bounds{1})));

%!test % the dispute: errors left out, of the choices of two criteria, are compared example by example, by public functions
%! told = [];
%! for seed = 1:8
%!   [net, X, y] = random_case (2, 30, seed);
%!   y(1:3) = 5 * y(1:3);                                           % the density minds them more than the error
%!   [sol, info] = tuned (net, X, y, "Tune", "temperature", "MaxPoints", 11);
%!   errors = {};
%!   for c = info.chosen
%!     errors{end+1} = (attnpath_loo (attnpath_solve (at_point (sol.net, c), X, y)).mean - y) .^ 2;
%!   endfor
%!   apart = cellfun (@(e) abs (mean (e - errors{1})) / max (0.1 * min (mean (e), mean (errors{1})), ...
%!                                                           2 * std (e - errors{1}) / sqrt (30)), errors(2:end));
%!   assert (! isempty (info.disagree), max (apart) > 1);
%!   assert (isempty (info.disagree) || any (strfind (info.disagree, "info.chosen has both, and 'By'")));
%!   told(end+1) = max (apart);
%! endfor
%! assert (any (told > 1) && any (told < 1) && all (abs (told - 1) > 1e-3));

%!testif ; thorough ()
%! % of heads: what the evidence chooses at a fixed temperature, and the net before, where a part of the labels is wrong
%! told = [];
%! for wrong = [0 0 15 15 15 15]
%!   task = attnpath_task_markov ("P", 50, "Ptest", 2, "Seed", numel (told) + 1);
%!   task.ytrain(1:wrong) *= -1;
%!   net = attnpath_net (task.heads, "Width", 100);
%!   [sol, info] = tuned (net, task.Xtrain, task.ytrain, "Tune", "heads", "Scale", "net", "MaxPoints", 60);
%!   errors = @(net) (attnpath_loo (attnpath_solve (net, task.Xtrain, task.ytrain)).mean - task.ytrain) .^ 2;
%!   [before, after] = deal (errors (net), errors (sol.net));
%!   least = max (0.1 * min (mean (before), mean (after)), 2 * std (after - before) / sqrt (50));
%!   told(end+1) = mean (after - before) / least;
%!   assert (! isempty (info.disagree), told(end) > 1);
%!   assert (isempty (info.disagree) || ! isempty (strfind (info.disagree, "tune 'temperature' too")));
%! endfor
%! assert (any (told > 1) && any (told < 1) && all (abs (told - 1) > 1e-3), mat2str (told));

%!test % what leave-one-out of coupled outputs takes is said before, beside the price of shared ones
%! price = @(skip, times) evalc (sprintf (["in_private (@() ap_say_price ('tune', struct ('skip', [%d 0], 'width', [50 50]), " ...
%!                                         "{eye(40), eye(10)}, [5 30 4], 10, %d, true));"], skip, times));
%! said = "attnpath_tune: .* 875 unknowns takes about .* each time, 1000000 times or so, and .* GiB.*'shared'.* take .* GiB\n$";
%! assert (! isempty (regexp (price (0, 1e6), said)), price (0, 1e6));
%! assert (price (0, 1), "");
%! assert (! isempty (strfind (price (1, 1e6), "of 820 unknowns")), price (1, 1e6));     % U_2 is a block of U_1

%!test % without an output the table is printed, with every criterion
%! [net, X, y] = random_case (2, 15, 12);
%! text = evalc ("attnpath_tune (net, X, y, 'Tune', 'temperature', 'MaxPoints', 12, 'Display', 'final')");
%! last = regexp (text, "attnpath_tune: 12 points[^\n]*", "match"){end};
%! assert (! isempty (regexp (last, "squared error .* variances: .* 'By', 'density'$")), text);
%! told = evalc ("attnpath_tune (net, X, y, 'Tune', 'temperature', 'MaxPoints', 12, 'Display', 'final', 'By', 'density')");
%! assert (isempty (strfind (told, "squared error")) && ! isempty (strfind (told, "attnpath_tune: 12 points")), told);
%! tells (text, {"leave-one-out error", "leave-one-out density", "evidence, leading order", "temperature", ...
%!               "12 points"});

%!test % labels beyond the prior are none where the search has the scale, also if it ends there
%! [net, X, y] = random_case (2, 20, 11);
%! few = struct ("temperature", [1e-4 1e-3], "scale", [0.01 0.02]);
%! for c = {{"Tune", {"temperature", "scale"}, "Ranges", few}, {"Tune", "temperature", "Scale", "net"}; 0, 1}
%!   text = evalc ("sol = attnpath_tune (net, X, 100 * y, c{1}{:}, 'Display', false);");
%!   labels = sqrt (mean ((100 * y) .^ 2) / (sol.diagonal + sol.net.temperature));
%!   assert (labels > sqrt (30));
%!   assert (any (strfind (text, "times as large as the prior's")), c{2} == 1);
%! endfor

%!test % no point with a value: the reason is told. Moments know no single example
%! net = attnpath_net (2, "Temperature", 0);
%! X = struct ("Xi", cat (3, [1 1 1; 2 2 2], [1 1 1; 0 0 0]));        % three equal examples, and no noise
%! says ("none of 4 points has a minimum of the action: the kernel", @() tuned (net, X, [1; 2; 3], "Tune", "width"));

%!error id=attnpath:tune:usage attnpath_tune (attnpath_net (1))
%!test % two classes, as texts: the same as -1 and +1, and the solution knows their names
%! [net, X, y] = random_case (2, 20, 13);
%! names = {"no"; "yes"};
%! [a, info] = tuned (net, X, sign (y), "Tune", "temperature", "MaxPoints", 12);
%! [b, info2] = tuned (net, X, names((y > 0) + 1), "Tune", "temperature", "MaxPoints", 12);
%! assert ({b.U, b.classes, info2}, {a.U, names, info});
%! assert (info.chosen(1).accuracy, mean (sign (attnpath_loo (a).mean) == sign (y)), 1e-12);

%!testif ; thorough () % two outputs by the evidence: moments as well; widths do not fall below paths times outputs
%! [net, X, y] = random_case (2, 40, 15);
%! Y = [y, 0.5 * X.Xi(3,:,2)' + 0.3 * randn(40, 1)];
%! options = {"By", "evidence", "MaxPoints", 20, "Ranges", struct("width", [1 100])};
%! [a, info] = tuned (net, X, Y, options{:});
%! assert (info.by, "evidence");
%! assert (min (info.tried.width) >= 4 && ! any (isnan (info.tried.evidence)));
%! b = tuned (net, attnpath_moments (net, X, Y), options{:});
%! assert (b.U, a.U, 1e-5 * norm (a.U));
%! [~, info] = tuned (net, X, Y, options{:}, "Outputs", "shared");
%! assert (info.by, "evidence, leading order");

%!test % turning the outputs turns U and nothing else; classes keep their names, and accuracy counts them
%! [net, X, y] = random_case (2, 12, 16);
%! Y = [y, 0.5 * X.Xi(3,:,2)'];
%! Q = [cos(1) sin(1); -sin(1) cos(1)];
%! [a, info] = tuned (net, X, Y, "Tune", "temperature", "MaxPoints", 6);
%! [b, other] = tuned (net, X, Y * Q, "Tune", "temperature", "MaxPoints", 6);
%! assert (other.tried.temperature, info.tried.temperature, -1e-12);
%! assert (other.tried.loo, info.tried.loo, -1e-6);
%! assert (other.tried.density, info.tried.density, 1e-5);
%! R = kron (eye (2), Q);
%! assert (b.U, R' * a.U * R, 1e-6 * norm (a.U));
%! names = {"low"; "mid"; "top"};
%! [~, rank] = sort (y);
%! number = ones (12, 1);
%! number(rank(5:8)) = 2;
%! number(rank(9:12)) = 3;
%! [sol, info] = tuned (net, X, names(number), "Tune", "temperature", "MaxPoints", 4);
%! assert (sol.classes, names);
%! loo = attnpath_loo (sol);
%! assert (info.chosen(1).accuracy, loo.accuracy, 1e-12);

%!function nearby (sol, X, y, words, varargin)      % nothing near by has more evidence, to what the search promises
%!  value = @(net) attnpath_solve (net, X, y, varargin{:}, "Certificate", false).evidence;
%!  for e = [-0.1 0.1]
%!    for name = intersect (words, {"temperature", "bandwidth", "ridge", "width"})
%!      assert (value (setfield (sol.net, name{1}, sol.net.(name{1}) * exp (e))) < sol.evidence + 5e-3, name{1});
%!    endfor
%!    if any (strcmp (words, "scale"))
%!      one = 1:numel (sol.net.variance) == 1;
%!      assert (value (setfield (sol.net, "variance", sol.net.variance .* exp (e * one))) < sol.evidence + 5e-3);
%!    endif
%!    for l = find (sol.net.H > 1 & any (strcmp (words, "heads")))
%!      for h = 1:sol.net.H(l)
%!        scale = sol.net.headscale;
%!        scale{l}(h) *= exp (e);
%!        scale{l} /= sqrt (mean (scale{l} .^ 2));
%!        assert (value (setfield (sol.net, "headscale", scale)) < sol.evidence + 5e-3, "scale %d %d", l, h);
%!      endfor
%!    endfor
%!  endfor
%!endfunction

%!testif ; thorough ()
%! % by the gradient: a maximum in all that is tuned, and what info says is what the public functions say
%! cme = {"Attention", "cme", "Ridge", 0.2};
%! cases = {{"heads"}, {}; {"bandwidth", "heads"}, {}; {"heads", "temperature", "scale"}, {"Skip", [0 1]};
%!          {"ridge", "bandwidth", "temperature"}, cme; {"heads", "width"}, {"HeadScale", {[0.4 0.6], [2 0 1]}}};
%! counted = [];
%! for c = cases'
%!   [net, X, y] = tokens_case (20, c{2}{:});
%!   [sol, info] = tuned (net, X, y, "Tune", c{1});
%!   assert (info.by, "evidence, leading order");
%!   assert (info.reason, "a further step would gain less than 0.001 nats");
%!   assert (sol.converged);
%!   assert (sol.evidence, info.chosen.leading, 1e-6);
%!   assert (sol.evidence > info.before.leading);
%!   edges = ! isempty (strfind ([info.bounds{:}, " "], "bound"));
%!   if ! edges, nearby (sol, X, y, c{1}); endif
%!   loo = attnpath_loo (sol);
%!   assert ([info.chosen.loo, info.chosen.accuracy, info.chosen.density], [loo.mse, loo.accuracy, loo.elpd], 1e-5);
%!   assert (info.chosen.evidence, attnpath_evidence (sol), 1e-5);
%!   for l = find (net.H > 1 & any (strcmp (c{1}, "heads")))
%!     assert (mean (sol.net.headscale{l} .^ 2), 1, 1e-12);
%!   endfor
%!   was = attnpath_solve (at_point (sol.net, info.before), X, y);
%!   assert (was.evidence, info.before.leading, 1e-6);
%!   for name = setdiff (fieldnames (info.gained)', {"heads", "scale", "width"})
%!     back = setfield (sol.net, name{1}, net.(name{1}));
%!     assert (sol.evidence - attnpath_solve (back, X, y).evidence, info.gained.(name{1}), 1e-5);
%!   endfor
%!   for l = find (net.H > 1 & any (strcmp (c{1}, "heads")))
%!     for h = find (! isnan (info.gained.heads{l}))   % one as it was, the others have what is left, in proportion
%!       back = sol.net;
%!       others = (1:net.H(l)) != h;
%!       back.headscale{l}(h) = info.before.headscale{l}(h);
%!       left = net.H(l) - back.headscale{l}(h) ^ 2;
%!       back.headscale{l}(others) *= sqrt (left / sum (back.headscale{l}(others) .^ 2));
%!       assert (sol.evidence - attnpath_solve (back, X, y).evidence, info.gained.heads{l}(h), 1e-5);
%!       counted(end+1) = h;
%!     endfor
%!   endfor
%! endfor
%! assert (numel (counted) > 10);
%! assert (sol.net.headscale{2}(2), 0);               % of the last case: what is 0 stays so, and has gained nothing
%! assert (info.gained.heads{2}(2), NaN);
%! own = {[0.4 0.6] / sqrt(0.26), [2 0 1] / sqrt(5/3)};
%! assert (info.before.headscale, own, 1e-12);
%! assert (info.before.leading <= sol.evidence);

%!testif ; thorough () % scales of heads that are no 1 in the mean are the layer's variance: the search begins at the same network
%! [net, X, y] = random_case ([2 3], 20, 21);
%! net.headscale = {[0.5 1], [2 1 0.3]};
%! sol = attnpath_solve (net, setfield (X, "headscale", net.headscale), y);
%! [best, info] = tuned (net, setfield (X, "headscale", net.headscale), y, "Tune", "heads", "Scale", "net");
%! assert (info.before.leading, sol.evidence, 1e-7);
%! [~, bare] = tuned (net, X, y, "Tune", "heads", "Scale", "net");      % of path inputs that say nothing, the net's own
%! assert (bare.before.leading, sol.evidence, 1e-7);
%! assert (best.net.variance ./ net.variance, [1, 0.625, (4 + 1 + 0.09) / 3, 1], 1e-12);
%! assert (info.tried.headscale(1,:), [[0.5 1] / sqrt(0.625), [2 1 0.3] / sqrt(5.09 / 3)], 1e-12);

%!testif ; thorough () % a head that says nothing goes to nothing, which is said; brought maps, moments, and outputs that share U too
%! randn ("twister", 22);
%! net = attnpath_net ([3 1], "Width", 60, "Temperature", 0.1);
%! X = struct ("Xi", randn (6, 40, 3));
%! y = (X.Xi(1,:,1) + X.Xi(2,:,1) - X.Xi(3,:,3) + X.Xi(5,:,3))' + 0.3 * randn (40, 1);
%! [id, ~, sol, info] = warned (@() attnpath_tune (net, X, y, "Tune", "heads", "Display", false));
%! assert (id, "attnpath:tune:bound");
%! assert (sol.net.headscale{1}(2), 0);
%! assert (info.bounds, {"head 2 of layer 1 has scale 0"});
%! assert (info.gained.heads{1}(2) > 1);
%! m = attnpath_moments (net, X, y, "Form", "factor", "Display", false);
%! [same, more] = tuned (net, m, "Tune", "heads");
%! assert ([same.net.headscale{:}], [sol.net.headscale{:}], 1e-4);
%! assert (isnan (more.chosen.loo) && ! isnan (more.chosen.evidence));
%! for outputs = {"coupled", "shared"}
%!   Y = [y, 2 * y];
%!   [two, more] = tuned (net, X, Y, "Tune", {"heads", "width", "temperature"}, "Outputs", outputs{1}, "Ranges", ...
%!                        struct ("width", [20 200], "temperature", [0.01 1]));
%!   assert (two.outputs, outputs{1});
%!   if isempty (strfind ([more.bounds{:}], "width")), nearby (two, two.paths, Y, {"width"}, "Outputs", outputs{1}); endif
%!   nearby (two, two.paths, Y, {"temperature", "heads"}, "Outputs", outputs{1});
%!   assert (isnan (more.chosen.evidence), strcmp (outputs{1}, "shared"));
%! endfor

%!test % what is told where there is no output: the network as it was, and what each has gained
%! [net, X, y] = random_case ([2 1], 20, 25);
%! warning ("off", "attnpath:tune:bound", "local");
%! text = evalc ("attnpath_tune (net, X, y, 'Tune', {'heads', 'scale'}, 'Ranges', struct ('scale', [0.5 2]))");
%! tells (text, {"what the net has", "scales of heads, layer 1: [", "gained", "scale: ", "evidence, leading order"});

%!test % what cannot be tuned so is refused by name
%! [net, X, y] = tokens_case (26);
%! paths = attnpath_paths (net, X);
%! says ("heads are tuned by 'evidence', which has a gradient, and not by 'loo'", ...
%!       @() tuned (net, X, y, "Tune", "heads", "By", "loo"));
%! says ("not by 'density'", @() tuned (net, X, y, "Tune", {"bandwidth", "width"}, "By", "density"));
%! says ("give the tokens", @() tuned (net, paths, y, "Tune", "bandwidth"));
%! says ("bandwidth and ridge belong to", @() tuned (net, attnpath_moments (net, X, y), "Tune", {"ridge", "bandwidth"}));
%! says ("attention softmax has no ridge", @() tuned (net, X, y, "Tune", "ridge"));
%! says ("hardmax jumps", @() tuned (setfield (net, "attention", "hardmax"), X, y, "Tune", "bandwidth"));
%! says ("no layer has two heads", @() tuned (attnpath_net ([1 1]), struct ("Xi", ones (2, 3)), [1; 2; 3], "Tune", "heads"));
%! says ("the temperature is 0", @() tuned (setfield (net, "temperature", 0), X, y, "Tune", "heads"));
%! says ("Ranges.bandwidth must be two increasing", @() tuned (net, X, y, "Ranges", struct("bandwidth", [2 1])));
%! says ("Ranges has a field depth, which must be one of temperature, width, scale, bandwidth, ridge", ...
%!       @() tuned (net, X, y, "Ranges", struct("depth", [1 2])));
%! says ("Ranges must be one struct", @() tuned (net, X, y, "Ranges", [1 2]));
%! says ("Tune must be one of temperature, width, scale, bandwidth, ridge, heads", @() tuned (net, X, y, "Tune", "noise"));

%!test % labels or tokens without size, a class, moments by leave-one-out
%! net = attnpath_net (1);
%! Xi = struct ("Xi", ones (2, 3));
%! refuses ("tune:badValue", @() attnpath_tune (net, Xi, zeros (3, 1)), "labels");
%! refuses ("tune:badValue", @() attnpath_tune (net, struct ("Xi", zeros (2, 3)), ones (3, 1)), "path inputs");
%! refuses ("tune:badClass", @() attnpath_tune (net, Xi, ones (3, 1), "Tune", 3), "Tune");
%! refuses ("tune:badValue", @() attnpath_tune (net, attnpath_moments (net, Xi, ones (3, 1))), "moments");

%!testif ; ! ispc ()
%! % Ctrl-C before the first point is known: an error that says so, and nothing else
%! [net, X, y] = random_case (2, 20, 6);
%! held = press ();
%! refuses ("tune:interrupted", @() tuned (net, X, y));
%! attnpath_interrupt_mex ("forget");

%!test % where moments would do, leave-one-out recommends them beside its price
%! price = @(P) evalc (sprintf ("in_private (@() ap_say_price ('loo', struct ('skip', 0, 'width', 9), {eye(4)}, [5 %d 4], 1, 1, true));", P));
%! assert (! isempty (strfind (price (5000), "With more examples than features times paths, attnpath_moments")));
%! assert (price (15), "");

%!test % bounds of what is not tuned are refused; those of bandwidth are multiples of the net's; a checkpoint names Ranges
%! randn ("twister", 2);
%! net = attnpath_net ({randn(3, 3, 2)}, "Width", 10, "Bandwidth", 0.5);
%! [X, y] = deal (randn (3, 4, 12), randn (12, 1));
%! tune = @(varargin) attnpath_tune (net, X, y, "Display", false, "MaxPoints", 3, varargin{:});
%! refuses ({"tune:badValue", @() tune("Tune", "temperature", "Ranges", struct ("temperature", [1 2], "width", [1 2])), ...
%!           "width, which is not tuned: Tune is temperature"});
%! warning ("off", "attnpath:tune:bound", "local");
%! sol = tune ("Tune", "bandwidth", "Ranges", struct ("bandwidth", [3 4]));
%! assert (sol.net.bandwidth >= 1.5 && sol.net.bandwidth <= 2);
%! [file, gone] = scratch ("run.mat");
%! tune ("Tune", "temperature", "Checkpoint", file);
%! refuses ({"tune:otherRun", @() tune("Tune", "temperature", "Checkpoint", file, "Ranges", struct ("temperature", [0.1 1])), ...
%!           "options.Ranges.temperature differs"});
