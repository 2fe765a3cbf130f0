% noise.tst: the option 'Noise', a variance of the labels' noise for each example (T35): A = K + T diag (t), literally.
% References look for it in the net, where ref_noise has it: `known` puts it there. That neither the order of examples
% nor copies of them change an answer, with noise too, is tried in tests/fuzz/try_answer.m.

%!function [net, paths, y, t] = a_case (H, P, C, seed, varargin)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", 20 + 3 * (0:L) * isempty (varargin), "Variance", 0.8 + (1:L+2) / 10, ...
%!                      "Temperature", 0.3, varargin{:});
%!  branches = H;
%!  if ! isempty (varargin), branches = H + (varargin{2} > 0); endif
%!  paths.Xi = randn (5, P, prod (branches));
%!  y = randn (P, C);
%!  t = exp (randn (1, P));                              % about a factor of 100 between the largest and the smallest
%!endfunction

%!function net = known (net, t)
%!  net.noise = t;
%!endfunction

%!function order = an_order (net, C)
%!  n = [arrayfun(@(l) prod (net.H(l:end)), 1:net.L), ones(1, C > 1)] * C;
%!  order = cell (1, numel (n));
%!  for l = 1:numel (n)
%!    B = randn (n(l)) / 3;
%!    order{l} = B * B' + eye (n(l)) / 2;
%!  endfor
%!endfunction

%!function varargout = quiet (fun)                       % temperatures against kernels are none of this file's subjects
%!  warning ("off", "attnpath:solve:noise", "local");
%!  [varargout{1:nargout}] = fun ();
%!endfunction

%!function [S, grad, part] = literal (net, t, paths, y, order)
%!  % of one output, of several that are coupled, or of several that share U
%!  C = columns (y);
%!  shared = C > 1 && rows (order{1}) == size (paths.Xi, 3);
%!  reference = {@ref_action, @ref_outputs_action, @ref_outputs_shared}{1 + (C > 1) + shared};
%!  [S, grad, part] = reference (known (net, t), paths.Xi, y, order);
%!  copies = C ^ shared;
%!  S *= copies;
%!  grad = cellfun (@(g) copies * g, grad, "UniformOutput", false);
%!  part = struct ("energy", copies * part.energy, "entropy", copies * part.entropy);
%!endfunction

%!function U = of_all (sol)                              % U of all outputs, where they share one
%!  U = sol.U;
%!  if rows (U) == size (sol.paths.Xi, 3), U = kron (U, eye (columns (sol.y))); endif
%!endfunction

%!test % the action, its gradient and parts, at any point: one output, coupled ones, shared ones, moments of both forms.
%! % cond A is below 1e4: 1e-10 leaves room for eps cond
%! for H = {1, [2 2], [2 1 2]}
%!   for outputs = [1 3 3; 1 3 1]                         % and those that have an order parameter of their own
%!     [net, paths, y, t] = a_case (H{1}, 9, outputs(1), outputs(1));
%!     order = an_order (net, outputs(2));
%!     [S, grad, part] = attnpath_action (net, paths, y, order, "Noise", t);
%!     [want, slope, parts] = literal (net, t, paths, y, order);
%!     assert (apart ({S, part.energy, grad{:}}, {want, parts.energy, slope{:}}) < 1e-10);
%!     for form = {"square", "factor"}
%!       m = attnpath_moments (net, paths, y, "Form", form{1}, "Noise", t);
%!       [again, slope] = attnpath_action (net, m, order);
%!       assert (again, S, 1e-9 * (1 + abs (S)));
%!       assert (apart (slope, grad) < 1e-8);
%!     endfor
%!     assert (abs (S - attnpath_action (net, paths, y, order)) > 0.1);        % there is something to tell
%!   endfor
%! endfor

%!test % the solution: a minimum of the literal action, its predictor, its evidence (T10b); a skip connection, outputs
%! for k = 1:4
%!   C = {1, 1, 2, 2}{k};
%!   skip = {{}, {"Skip", [1 0]}, {}, {}}{k};
%!   [net, paths, y, t] = a_case ([2 2], 12, C, k, skip{:});
%!   mode = {"coupled", "coupled", "coupled", "shared"}{k};
%!   sol = attnpath_solve (net, paths, y, "Noise", t, "Outputs", mode);
%!   assert (sol.converged && sol.hessian_min > 0);
%!   assert ({sol.noise, sol.paths.Xi, sol.y}, {t, paths.Xi, y});            % as given
%!   [S, grad, part] = literal (net, t, paths, y, sol.order);
%!   assert ([sol.action, sol.energy], [S, part.energy], 1e-9 * (1 + abs (S)));
%!   assert (max (cellfun (@(g) max (abs (g(:))), grad)) / max (net.width) < 1e-7);
%!   gp = ref_gp (net);
%!   if k == 3, gp = cellfun (@(U) kron (U, eye (C)), [gp(:)', {net.variance(end)}], "UniformOutput", false); endif
%!   [~, ~, none] = literal (net, t, paths, y, gp);
%!   logp = -(S - none.entropy) / 2 - numel (y) / 2 * log (2 * pi);
%!   assert (sol.evidence, logp, 1e-9 * (1 + abs (logp)));
%!   Xit = randn (5, 4, size (paths.Xi, 3));
%!   [mu, s2] = attnpath_predict (sol, struct ("Xi", Xit));
%!   [want, spread] = ref_predict (known (net, t), paths.Xi, y, of_all (sol), Xit);
%!   assert (apart ({mu, s2}, {want, spread}) < 1e-10);
%!   assert (attnpath_action (net, paths, y, sol.order, "Noise", t), sol.action, 1e-11 * abs (S));
%!   assert (attnpath_predict (sol, struct ("Xi", Xit), "Limit", "gp"), ...
%!           attnpath_predict (setfield (rmfield (sol, "order"), "U", ref_gp (net){1}), struct ("Xi", Xit)), 1e-12);
%! endfor

%!test % noise c for all is the temperature times c: solution, evidence, predictor, leave-one-out, whatever C
%! for C = [1 2]
%!   [net, paths, y] = a_case ([2 2], 12, C, 7);
%!   c = 2.7;
%!   hot = net;
%!   hot.temperature = c * net.temperature;
%!   [a, b] = deal (attnpath_solve (net, paths, y, "Noise", c * ones (1, 12)), attnpath_solve (hot, paths, y));
%!   assert (a.U, b.U, 1e-9);
%!   assert ([a.action, a.evidence], [b.action, b.evidence], 1e-9 * abs (a.action));
%!   assert (attnpath_evidence (a), attnpath_evidence (b), 1e-7);
%!   [mu, s2] = attnpath_predict (a, paths);
%!   [want, spread] = attnpath_predict (b, paths);
%!   assert ({mu, s2}, {want, spread}, 1e-8);
%!   [l, m] = deal (attnpath_loo (a), attnpath_loo (b));
%!   for name = {"mean", "variance", "logdensity", "elpd", "elpd_se", "mse"}
%!     assert (l.(name{1}), m.(name{1}), 1e-6);
%!   endfor
%! endfor

%!test % ones change no bit: what is computed is what it was
%! [net, paths, y] = a_case ([2 2], 12, 1, 8);
%! plain = attnpath_solve (net, paths, y);
%! ones_too = attnpath_solve (net, paths, y, "Noise", ones (12, 1));
%! assert (isequal (rmfield (ones_too, "noise"), plain));
%! assert (ones_too.noise, ones (1, 12));
%! [a, b] = deal (attnpath_loo (ones_too), attnpath_loo (plain));
%! assert (isequaln (rmfield (a, {"mse", "examples"}), rmfield (b, {"mse", "examples"})));   # marks hold the noise
%! assert (a.mse, b.mse, 1e-14);                        % a sum in another order

%!test % noise Inf: the example might as well not be there, bit for bit; leave-one-out returns its prediction
%! for C = [1 3]
%!   [net, paths, y, t] = a_case ([2 2], 14, C, 9);
%!   out = [3 4 14];
%!   t(out) = Inf;
%!   left = setdiff (1:14, out);
%!   few = struct ("Xi", paths.Xi(:,left,:));
%!   sol = attnpath_solve (net, paths, y, "Noise", t);
%!   want = attnpath_solve (net, few, y(left,:), "Noise", t(left));
%!   for name = setdiff (fieldnames (want), {"paths", "y", "noise"})'
%!     assert (isequal (sol.(name{1}), want.(name{1})), name{1});
%!   endfor
%!   assert (size (sol.paths.Xi), size (paths.Xi));
%!   assert (isequal (attnpath_predict (sol, paths), attnpath_predict (want, paths)));
%!   assert (isequal (attnpath_evidence (sol), attnpath_evidence (want)));
%!   assert (isequal (attnpath_action (net, paths, y, sol.order, "Noise", t), ...
%!                    attnpath_action (net, few, y(left,:), sol.order, "Noise", t(left))));
%!   for corrected = [true false]
%!     loo = attnpath_loo (sol, "Corrected", corrected);
%!     rest = attnpath_loo (want, "Corrected", corrected);
%!     [mu, s2] = attnpath_predict (want, struct ("Xi", paths.Xi(:,out,:)));
%!     variance = reshape (loo.variance, C ^ 2, 14);
%!     assert ({loo.mean(out,:), variance(:,out)}, {mu, reshape(s2, C ^ 2, 3)}, 1e-12);
%!     assert (isequal (loo.mean(left,:), rest.mean));
%!     assert (isequal (variance(:,left), reshape (rest.variance, C ^ 2, 11)));
%!     assert (isequal (loo.logdensity(left), rest.logdensity) && all (isnan (loo.logdensity(out))));
%!     for name = {"elpd", "elpd_se", "mse", "accuracy"}
%!       assert (isequaln (loo.(name{1}), rest.(name{1})), name{1});
%!     endfor
%!   endfor
%! endfor

%!test % leave-one-out at fixed U (T23) and corrected (T24): the definitions; log density and the weighted error
%! [net, paths, y, t] = a_case ([2 2], 10, 1, 10);
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! [mu, s2, mu24, s224] = ref_loo (known (net, t), paths.Xi, y, sol.order);
%! loo = attnpath_loo (sol, "Corrected", false);
%! v = s2 + net.temperature * t';
%! assert ({loo.mean, loo.variance}, {mu, s2}, 1e-9);
%! assert (loo.logdensity, -log (2 * pi * v) / 2 - (y - mu) .^ 2 ./ (2 * v), 1e-9);
%! assert (loo.mse, sum ((mu - y) .^ 2 ./ t') / sum (1 ./ t), 1e-9);
%! loo = attnpath_loo (sol);                            % 1e-4 standard deviations, as in loo.tst
%! assert (loo.mean, mu24, 1e-4 * sqrt (max (s224) + net.temperature * max (t)));
%! assert (loo.variance, s224, 1e-3 * max (abs (s224 - s2)));
%! assert (isequaln (attnpath_loo (rmfield (sol, {"paths", "y"}), paths, y), loo));

%!test % of several outputs: the definition in blocks, coupled and shared
%! [net, paths, y, t] = a_case ([2 2], 10, 3, 11);
%! for mode = {"coupled", "shared"}
%!   sol = attnpath_solve (net, paths, y, "Noise", t, "Outputs", mode{1});
%!   [mu, s2, l] = ref_outputs_loo (known (net, t), paths.Xi, y, of_all (sol));
%!   loo = attnpath_loo (sol, "Corrected", false);
%!   assert ({loo.mean, loo.variance, loo.logdensity}, {mu, s2, l}, 1e-9);
%! endfor

%!test % the evidence beyond leading order: its definition (see evidence.tst for 2e-4), and of a model without a minimum
%! [net, paths, y, t] = a_case ([2 2], 7, 1, 13);
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! assert (attnpath_evidence (sol), ref_evidence (known (net, t), paths.Xi, y, sol.order), 2e-4);

%!testif ; thorough () % annealed: the mean over prior draws
%! [net, paths, y, t] = a_case ([2 2], 6, 1, 14);
%! net.width = [2 3 3];
%! model = struct ("net", net, "paths", paths, "y", y, "noise", t);
%! [logp, se] = attnpath_evidence (model, "Method", "annealed", "Display", false);
%! randn ("twister", 7);
%! want = ref_evidence (known (net, t), paths.Xi, y, 4000);
%! assert (want(2) < 0.1 && se < 0.1);
%! assert (logp, want(1), 4.5 * hypot (se, want(2)));
%! m = attnpath_moments (net, paths, y, "Noise", t);
%! [again, se2] = attnpath_evidence (struct ("net", net, "moments", m), "Method", "annealed", "Display", false);
%! assert (again, logp, 4.5 * hypot (se, se2));

%!test % many examples, which few stand for, are as if they did not
%! [net, paths, y, t] = a_case (2, 60, 1, 15);
%! t(7) = Inf;
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! left = isfinite (t);
%! [S, grad] = ref_action (known (net, t(left)), paths.Xi(:,left,:), y(left), sol.order);
%! assert (sol.action, S, 1e-9 * abs (S));
%! assert (max (abs (grad{1}(:))) / max (net.width) < 1e-7);
%! m = attnpath_moments (net, paths, y, "Noise", t);
%! assert (m.P, 59);
%! of_moments = attnpath_solve (net, m);
%! assert ([of_moments.action, of_moments.evidence], [sol.action, sol.evidence], 1e-8 * abs (S));
%! assert (attnpath_evidence (of_moments), attnpath_evidence (sol), 1e-6);
%! [mu, s2] = attnpath_predict (of_moments, paths);
%! [want, spread] = attnpath_predict (sol, paths);
%! assert ({mu, s2}, {want, spread}, 1e-8);

%!test % what cannot be noise is refused, everywhere alike
%! [net, paths, y, t] = a_case (2, 5, 1, 16);
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! order = sol.order;
%! calls = {@(v) attnpath_solve(net, paths, y, "Noise", v), @(v) attnpath_action(net, paths, y, order, "Noise", v), ...
%!          @(v) attnpath_moments(net, paths, y, "Noise", v), @(v) attnpath_sample(net, paths, y, "Noise", v), ...
%!          @(v) attnpath_tune(net, paths, y, "Noise", v), @(v) attnpath_predict(setfield (sol, "noise", v), paths), ...
%!          @(v) attnpath_loo(setfield (sol, "noise", v)), @(v) attnpath_evidence(setfield (sol, "noise", v))};
%! wrong = {[1 2 3 4 0], "badValue", "number 5 of 5 is 0"; [1 -2 3 4 5], "badValue", "number 2 of 5 is -2"
%!          [1 2 NaN 4 5], "notFinite", "number 3 of 5 is NaN"; [1 2 -Inf 4 5], "badValue", "number 3 of 5 is -Inf"
%!          [1 5e-324 3 4 5], "badValue", "1e-200 or more, but number 2 of 5 is 4.9"
%!          Inf(1, 5), "badValue", "Inf for all of 5"; 1:4, "badShape", "1 x 5, not a 1 x 4"
%!          2, "badShape", "1 x 5, not 2"; ones(5), "badShape", "1 x 5, not a 5 x 5"; "loud", "badClass", "loud"
%!          zeros(1, 0), "empty", "1 x 0"; {1:5}, "badClass", "cell"; int8(1:5), "badClass", "int8"
%!          sparse(1:5), "sparse", "sparse"; (1:5) + i, "notReal", "complex"; true(1, 5), "badClass", "logical"};
%! for k = 1:numel (calls)
%!   for row = wrong'
%!     refuses (["*:" row{2}], @() calls{k}(row{1}), row{3});
%!   endfor
%! endfor

%!test % noise where it does not belong, or not the model's own
%! [net, paths, y, t] = a_case (2, 5, 1, 17);
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! m = attnpath_moments (net, paths, y, "Noise", t);
%! refuses ("*:badValue", {@() attnpath_solve (net, m, "Noise", t), ...
%!                         @() attnpath_action (net, m, sol.order, "Noise", t)}, "attnpath_moments");
%! refuses ("*:badValue", {@() attnpath_moments (net, @(k) [], "Noise", t), @() attnpath_loo (sol, "Noise", 2 * t), ...
%!                         @() attnpath_loo (rmfield (sol, "noise"), "Noise", t)});
%! assert (isequaln (attnpath_loo (sol, "Noise", t), attnpath_loo (sol)));
%! of_moments = attnpath_solve (net, m);
%! refuses ("loo:badValue", @() attnpath_loo (of_moments, paths, y), "Noise");
%! refuses ("loo:otherRun", @() attnpath_loo (of_moments, paths, y, "Noise", t([2 1 3 4 5])));
%! assert (attnpath_loo (of_moments, paths, y, "Noise", t).mean, attnpath_loo (sol).mean, 1e-6);
%! plain = attnpath_solve (net, attnpath_moments (net, paths, y));
%! refuses ("loo:otherRun", @() attnpath_loo (plain, paths, y, "Noise", t));

% ---- what is made of a solution --------------------------------------------------------------------------------------

%!test % derivatives: the definitions (T33), (T34), of the noise too; those by path inputs in the shape that was given
%! for C = [1 3]
%!   [net, paths, y, t] = a_case ([2 2], 8, C, 30 + C);
%!   for out = {[], [2 7]}
%!     left = setdiff (1:8, out{1});
%!     t(out{1}) = Inf;
%!     sol = attnpath_solve (net, paths, y, "Noise", t);
%!     g = attnpath_gradient (sol, "With", {"temperature", "variance", "heads", "noise", "paths"});
%!     want = ref_gradient (known (net, t(left)), paths.Xi(:,left,:), y(left,:), sol.order);
%!     for name = {"temperature", "variance", "heads"}
%!       assert (g.(name{1}), want.(name{1}), 1e-8 * (1 + max (abs ([want.heads{:}, want.variance]))));
%!     endfor
%!     assert (g.noise(left), want.noise, 1e-9 * (1 + max (abs (want.noise))));
%!     assert (g.paths(:,left,:), want.paths, 1e-9 * max (abs (want.paths(:))));
%!     assert (! any (g.noise(out{1})) && ! any (g.paths(:,out{1},:)(:)));
%!     assert (sum (g.noise), g.temperature, 1e-8);       % all of it by one factor is the temperature
%!   endfor
%! endfor
%! shared = attnpath_solve (net, paths, y, "Noise", t, "Outputs", "shared");
%! g = attnpath_gradient (shared, "With", {"temperature", "noise"});
%! assert (sum (g.noise), g.temperature, 1e-8);
%! fail ("attnpath_gradient (attnpath_solve (net, attnpath_moments (net, paths, y)), 'With', 'noise')", "of moments");

%!test % by noise, solved anew: differences of solutions are good to 1e-10 / h, h^2 of them is 1e-6
%! [net, paths, y, t] = a_case ([2 2], 8, 1, 33);
%! at = @(t) attnpath_solve (net, paths, y, "Noise", t, "Tolerance", 1e-11).evidence;
%! g = attnpath_gradient (attnpath_solve (net, paths, y, "Noise", t, "Tolerance", 1e-11), "With", "noise").noise;
%! for k = [1 5]
%!   up = exp (1e-3 * ((1:8) == k));
%!   assert ((at (t .* up) - at (t ./ up)) / 2e-3, g(k), 1e-5 * (1 + abs (g(k))));
%! endfor

%!test % through maps and heads: by tokens, as by path inputs
%! randn ("twister", 34);
%! net = attnpath_net ({randn(4, 4, 2), randn(4)}, "Width", 30, "Temperature", 0.3);
%! X = randn (4, 5, 9);
%! y = randn (9, 1);
%! t = exp (randn (1, 9));
%! t(4) = Inf;
%! sol = attnpath_solve (net, X, y, "Noise", t, "Tolerance", 1e-11);
%! g = attnpath_gradient (sol, X, "With", {"W", "maps", "bandwidth"});
%! along = randn (4, 4, 2);
%! value = @(s) attnpath_solve (setfield (net, "heads", {net.heads{1} + s * along, net.heads{2}}), X, y, "Noise", t, ...
%!                              "Tolerance", 1e-11).evidence;
%! assert ((value (1e-3) - value (-1e-3)) / 2e-3, sum (g.W{1}(:) .* along(:)), 1e-4 * (1 + norm (g.W{1}(:))));
%! assert (size (g.maps{1}), [5 5 2 9]);
%! assert (! any (g.maps{1}(:,:,:,4)(:)));

%!testif ; thorough () % to the next order: the definition (see expand.tst), and what is asked of an expansion
%! for C = [1 2]
%!   [net, paths, y, t] = a_case (3 - C, 6, C, 35 + C);
%!   t(3) = Inf;
%!   left = isfinite (t);
%!   sol = attnpath_solve (net, paths, y, "Noise", t, "Tolerance", 1e-11);
%!   warning ("off", "attnpath:expand:unreliable", "local");
%!   ex = attnpath_expand (sol);
%!   Xit = randn (5, 2, 3 - C);
%!   [mu, s2] = attnpath_predict (ex, struct ("Xi", Xit));
%!   order = sol.order;
%!   if C == 1, order{end+1} = sol.ua; endif
%!   want = ref_expand (known (net, t(left)), paths.Xi(:,left,:), y(left,:), order, Xit);
%!   [n, first] = deal (numel (ex.U), numel (want.mean) - 2 * C - 2 * C ^ 2);
%!   assert ({ex.U(:), ex.U_sd(:), mu(:)}, {want.mean(1:n), want.sd(1:n), want.mean(first+(1:2*C))}, 2e-6);
%!   without = attnpath_expand (attnpath_solve (net, struct ("Xi", paths.Xi(:,left,:)), y(left,:), "Noise", t(left), ...
%!                                              "Tolerance", 1e-11));
%!   assert (isequal (ex.U, without.U) && isequal (ex.worth, without.worth));
%!   K = attnpath_kernel (net, paths, ex);                % of all examples, as they were given
%!   assert (size (K), [6 6] * C);
%!   assert (K, attnpath_kernel (net, paths, without), 1e-12);
%!   [~, lambda] = attnpath_align (ex);
%!   kept = repmat (left(:), C, 1);                       % alignment is that of the examples that were learned
%!   assert ([numel(lambda), sum(lambda)], [sum(kept), trace(K(kept,kept))], -1e-9);
%! endfor

%!test % scores: by the predictor with weights 1/t, and solved anew without each head
%! for C = [1 2]
%!   [net, paths, y, t] = a_case ([2 2], 9, C, 37 + C);
%!   t(5) = Inf;
%!   left = isfinite (t);
%!   sol = attnpath_solve (net, paths, y, "Noise", t, "Tolerance", 1e-11);
%!   [score, largest] = attnpath_scores (sol, "By", "predictor");
%!   score = sortrows (score, [1 2]);
%!   want = ref_outputs_gain (known (net, t(left)), paths.Xi(:,left,:), y(left,:), sol.U);
%!   assert (score(:,3) * largest, want, 1e-9 * (1 + max (abs (want))));
%!   cost = {@(s) attnpath_loo(s).mse, @(s) -attnpath_evidence(s)};
%!   for k = 1:2
%!     [score, largest] = attnpath_scores (sol, "By", {"loo", "evidence"}{k}, "Display", false);
%!     score = sortrows (score, [1 2]);
%!     for h = 1:4
%!       [small, kept] = attnpath_prune (net, score(h,1:2), setfield (paths, "heads", []));
%!       without = attnpath_solve (small, struct ("Xi", kept.Xi), y, "Noise", t, "Tolerance", 1e-11);
%!       assert (score(h,3) * largest, cost{k}(without) - cost{k}(sol), 1e-5);
%!     endfor
%!   endfor
%! endfor

%!test % a layer's only head: nothing at all is what it is compared with
%! [net, paths, y, t] = a_case (1, 9, 1, 40);
%! t(2) = Inf;
%! [z, v] = deal (y(isfinite (t)), net.temperature * t(isfinite (t))');
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! [~, largest] = attnpath_scores (sol, "By", "loo");
%! assert (attnpath_scores (sol, "By", "loo")(3) * largest, sum (z .^ 2 ./ v) / sum (1 ./ v) - attnpath_loo (sol).mse, 1e-9);
%! of_moments = attnpath_solve (net, attnpath_moments (net, paths, y, "Noise", t));
%! for model = {sol, of_moments}
%!   [score, largest] = attnpath_scores (model{1}, "By", "evidence");
%!   want = attnpath_evidence (sol) + sum (log (2 * pi * v) + z .^ 2 ./ v) / 2;
%!   assert (score(3) * largest, want, 1e-6 * (1 + abs (want)));
%! endfor

%!test % an example of noise Inf may have any number as its label: it is no class
%! warning ("off", "attnpath:solve:realLabels", "local");
%! paths.Xi = [1 1.1 0.9 -1 -0.9 -1.1 7];
%! sol = attnpath_solve (attnpath_net (1), paths, [1 1 1 -1 -1 -1 0]', "Noise", [1 1 1 1 1 1 Inf]);
%! [~, ~, class] = attnpath_predict (sol, struct ("Xi", [1 -1]));
%! assert (class, [1; -1]);
%! assert (attnpath_probability (sol, struct ("Xi", [1 -1])) > 0.5, logical ([1; 0]));

%!test % pruning: the search judges each network without a head as if solved by hand
%! [net, paths, y, t] = a_case ([2 2], 60, 1, 41);
%! t([5 60]) = Inf;
%! sol = attnpath_solve (net, paths, y, "Noise", t);
%! for by = {"loo", "evidence"}
%!   [heads, curve] = attnpath_prune (sol, "By", by{1}, "Left", 3, "Display", false);
%!   [small, kept] = attnpath_prune (net, heads, setfield (paths, "heads", []));
%!   without = attnpath_solve (small, struct ("Xi", kept.Xi), y, "Noise", t);
%!   if strcmp (by{1}, "loo"), want = attnpath_loo (without).mse; else, want = attnpath_evidence (without); endif
%!   assert (curve.value(2), want, 1e-5 * (1 + abs (want)));
%! endfor

%!test % probabilities: two classes and three; examples of noise Inf have one, and teach nothing
%! for C = [1 3]
%!   [net, paths, ~, t] = a_case (2, 30, C, 42);
%!   class = 1 + mod ((1:30)', 2 + (C > 1));
%!   for k = 1:30, paths.Xi(:,k,1) += 2 * ((1:5)' == class(k)); endfor
%!   t([4 9]) = Inf;
%!   left = isfinite (t);
%!   sol = quiet (@() attnpath_solve (net, paths, class, "Classes", true, "Noise", t));
%!   few = quiet (@() attnpath_solve (net, struct ("Xi", paths.Xi(:,left,:)), class(left), "Classes", [1 2 3](1:2+(C>1)), ...
%!                                    "Noise", t(left)));
%!   [p, logloss, ece, fit] = attnpath_probability (sol);
%!   [q, want, want_ece, want_fit] = attnpath_probability (few);
%!   assert ({p(left,:), logloss, ece, fit.b}, {q, want, want_ece, want_fit.b}, 1e-9);
%!   assert (p(! left,:), attnpath_probability (few, struct ("Xi", paths.Xi(:,! left,:))), 1e-9);
%!   new = struct ("Xi", randn (5, 4, 2));
%!   assert (attnpath_probability (sol, new), attnpath_probability (few, new), 1e-9);
%!   text = evalc ("attnpath_loo (sol)");
%!   assert (! isempty (strfind (text, "each of 28 examples")), "%s", text);
%! endfor

%!testif ; drawable () % figures of the training examples count those that were learned from
%! [net, paths, y, t] = a_case (2, 12, 1, 43);
%! t([1 8]) = Inf;
%! y = sign (y);
%! f = figure ("visible", "off");
%! gone = onCleanup (@() close (f));
%! sol = quiet (@() attnpath_solve (net, paths, y, "Noise", t));
%! for what = {"confusion", "reliability"}
%!   ax = axes ("parent", f);
%!   attnpath_plot (sol, what{1}, "Parent", ax);
%!   assert (regexp (strjoin (cellstr (get (get (ax, "title"), "string"))), "^10 examples"), 1);
%! endfor

% ---- tuning ----------------------------------------------------------------------------------------------------------

%!test % what is said at each point is what solution, leave-one-out and evidence say there
%! [net, paths, y, t] = a_case (2, 20, 1, 50);
%! t(7) = Inf;
%! for by = {"loo", "density", "evidence"}
%!   [sol, info] = tuned (net, paths, y, "Noise", t, "By", by{1}, "Tune", "temperature", "MaxPoints", 12);
%!   assert (sol.noise, t);
%!   loo = attnpath_loo (sol);
%!   c = info.chosen(1);
%!   assert ([c.evidence, c.leading], [attnpath_evidence(sol), sol.evidence], 1e-5);
%!   if ! strcmp (by{1}, "evidence"), assert ([c.loo, c.density], [loo.mse, loo.elpd], 1e-5); endif
%! endfor
%! m = attnpath_moments (net, paths, y, "Noise", t);
%! [of_moments, also] = tuned (net, m, "By", "evidence", "Tune", "temperature", "MaxPoints", 12);
%! assert (also.chosen(1).evidence, c.evidence, 1e-5);
%! assert (of_moments.net.temperature, sol.net.temperature, 1e-3 * sol.net.temperature);

%!testif ; thorough () % scales of heads, by the gradient: noise c is the temperature times c, Inf is not there, and so for a bandwidth
%! randn ("twister", 53);
%! net = attnpath_net ({randn(4, 4, 2)}, "Width", 30);
%! X = randn (4, 5, 16);
%! y = randn (16, 1);
%! args = {"Tune", {"heads", "bandwidth", "temperature", "width"}, "Ranges", struct("width", [20 200])};
%! few = {X(:,:,2:15), y(2:15)};
%! [a, first] = tuned (net, few{:}, args{:});
%! t = 4 * ones (1, 16);
%! t([1 16]) = Inf;
%! [b, second] = tuned (net, X, y, "Noise", t, args{:});
%! assert (b.noise, t);
%! assert (b.evidence, a.evidence, 1e-4);
%! assert (second.chosen.loo, first.chosen.loo, 1e-2 * first.chosen.loo);
%! assert (second.chosen.evidence, attnpath_evidence (b), 1e-5);
%! assert (b.net.temperature, a.net.temperature / 4, 0.02 * a.net.temperature);
%! [c, third] = tuned (net, few{:}, "Noise", t(2:15), args{:});
%! for name = fieldnames (third.tried)'                      % some BLAS round 14 of 16 examples otherwise
%!   assert (second.tried.(name{1}), third.tried.(name{1}), -1e-6);
%! endfor

%!test % equal noise c: the temperature found is 1/c of the one without, with the same predictions; Inf: as without it
%! [net, paths, y] = a_case (2, 20, 1, 51);
%! args = {"Tune", "temperature", "MaxPoints", 25};
%! [a, first] = tuned (net, paths, y, args{:});
%! [b, second] = tuned (net, paths, y, "Noise", 4 * ones (1, 20), args{:});
%! assert (b.net.temperature, a.net.temperature / 4, 1e-6 * a.net.temperature);
%! for name = {"loo", "density", "leading"}, assert (second.tried.(name{1}), first.tried.(name{1}), 1e-6); endfor
%! assert (attnpath_predict (b, paths), attnpath_predict (a, paths), 1e-6);
%! t = ones (1, 20);
%! t([1 20]) = Inf;
%! [c, third] = tuned (net, paths, y, "Noise", t, args{:});
%! [d, fourth] = tuned (net, struct ("Xi", paths.Xi(:,2:19,:)), y(2:19), "Noise", ones (1, 18), args{:});
%! assert (isequaln (third.tried, fourth.tried));
%! assert (isequal (c.U, d.U));

%!test % a checkpoint is of this noise
%! [net, paths, y, t] = a_case (2, 12, 1, 52);
%! [file, gone] = scratch ("run");
%! args = {"Tune", "temperature", "MaxPoints", 6, "Checkpoint", file};
%! [sol, info] = tuned (net, paths, y, "Noise", t, args{:});
%! [~, again] = tuned (net, paths, y, "Noise", t, args{:});
%! assert (isequaln (again.tried, info.tried));
%! refuses ("*:otherRun", {@() tuned(net, paths, y, "Noise", 2 * t, args{:}), ...
%!                         @() tuned(net, paths, y, args{:})}, "Noise");

% ---- samples ---------------------------------------------------------------------------------------------------------

%!test % the same draws as of the examples over the roots of their noise, bit for bit where its logarithms add up to 0, at
%! % new inputs, which are not divided
%! [net, paths, y] = a_case ([2 2], 6, 1, 60);
%! net.width = [3 4 5];
%! t = [4 Inf 0.25 1 0.5 2];
%! assert (sum (log (t(isfinite (t)))), 0);
%! left = isfinite (t);
%! root = sqrt (t(left));
%! probe = struct ("Xi", randn (5, 3, 4));
%! few = {struct("Xi", paths.Xi(:,left,:) ./ root), y(left) ./ root'};
%! for method = {"collapsed", "langevin", "langevin-all"}
%!   more = {"Method", method{1}, "Draws", 20, "Warmup", 30, "Chains", 2, "Probe", probe, "Weights", true};
%!   post = sampled (net, paths, y, "Noise", t, more{:});
%!   want = sampled (net, few{:}, more{:});
%!   for name = {"U", "f", "weights", "logpost"}, assert (isequal (post.(name{1}), want.(name{1})), name{1}); endfor
%!   assert (post.noise, t);
%!   assert (attnpath_predict (post, probe), attnpath_predict (want, probe), 1e-12);
%! endfor

%!testif ; thorough ()
%! % the law of the draws: moments of U and f by quadrature of the literal kernel, all methods; see sample.tst for 4.5
%! randn ("twister", 3);
%! net = attnpath_net (1, "Width", [4 5], "Variance", 0.5 + (1:3) / 3, "Temperature", 0.2);
%! Xi = randn (4, 3);  Xt = randn (4, 1);  y = 2 * randn (3, 1);  t = [0.1 3 1];
%! q = ref_quadrature (known (net, t), ref_pathkernels (net, Xi, Xi), y, ...
%!                     [ref_pathkernels(net, Xt, Xi), ref_pathkernels(net, Xt, Xt)]);
%! for method = {"collapsed", "langevin", "langevin-all"}
%!   post = sampled (net, struct ("Xi", Xi), y, "Noise", t, "Probe", struct ("Xi", Xt), "Draws", 3000, ...
%!                   "Weights", true, "Method", method{1});
%!   ua = sum (post.weights(end-4:end,:,:) .^ 2, 1) / 5;
%!   U = reshape (post.U, 1, 3000, []);
%!   d = attnpath_diagnose ([U; U.^2; post.f; post.f.^2; ua; ua.^2]);
%!   want = [q.U(1:2), q.f(1:2), q.ua]';
%!   assert (max (abs ((d.mean - want) ./ d.mcse)) < 4.5);
%! endfor
%! [logp, se] = attnpath_evidence (post, "Method", "annealed", "Particles", 1000, "Display", false);
%! assert (logp, q.evidence, 4.5 * se);

%!test % of draws: leave-one-out weighs them as the definition at each of them would
%! [net, paths, y, t] = a_case (2, 6, 1, 61);
%! t(4) = Inf;
%! left = isfinite (t);
%! post = sampled (net, paths, y, "Noise", t, "Draws", 100, "Chains", 2);
%! warning ("off", "attnpath:loo:unreliable", "local");
%! loo = attnpath_loo (post, "Display", false);
%! few = rmfield (post, "noise");
%! few.paths = struct ("Xi", paths.Xi(:,left,:) ./ sqrt (t(left)));
%! few.y = y(left) ./ sqrt (t(left))';
%! want = attnpath_loo (few, "Display", false);
%! assert ({loo.mean(left), loo.variance(left)}, {want.mean .* sqrt(t(left))', want.variance .* t(left)'}, 1e-12);
%! assert (loo.logdensity(left), want.logdensity - log (t(left))' / 2, 1e-12);
%! assert (loo.khat(left), want.khat, 1e-9);
%! [mu, s2] = attnpath_predict (post, struct ("Xi", paths.Xi(:,4,:)));
%! assert ([loo.mean(4), loo.variance(4), loo.khat(4), loo.logdensity(4)], [mu, s2, NaN, NaN], 1e-12);
%! assert (all (ismember (loo.unreliable, find (left))));

%!test % a sampler's checkpoint is of this noise, or of none: it is Noise that the message names
%! [net, paths, y, t] = a_case (2, 6, 1, 62);
%! [file, gone] = scratch ("run");
%! run = @(varargin) sampled (net, paths, y, "Draws", 10, "Warmup", 10, "Chains", 1, "Checkpoint", file, varargin{:});
%! post = run ("Noise", t);
%! assert (isequal (run ("Noise", t).U, post.U));
%! refuses ("*:otherRun", {@() run ("Noise", 2 * t), @() run ()}, "Noise");
%! delete (file);
%! run ();
%! refuses ("*:otherRun", @() run ("Noise", t), "Noise");

% ---- data in parts ---------------------------------------------------------------------------------------------------

%!test % moments in parts, put together, with noise in some; the noise is in the mark of a part
%! [net, paths, y, t] = a_case ([2 1], 30, 2, 70);
%! t([3 29]) = Inf;
%! some = @(k) struct ("X", struct ("Xi", paths.Xi(:,k,:)), "y", y(k,:), "Noise", t(k));
%! parts = {some(1:10), rmfield(some(11:20), "Noise"), some(21:30), []};
%! u = t;
%! u(11:20) = 1;
%! for form = {"square", "factor"}
%!   whole = attnpath_moments (net, paths, y, "Noise", u, "Form", form{1});
%!   of = @(list) attnpath_moments (net, @(k) parts{[list 4](k)}, "Form", form{1});
%!   [m, first, second, third] = deal (of (1:3), of (1), of (2), of (3));
%!   assert (isfield (second, "lognoise"), false);
%!   for n = {m, attnpath_moments(first, second, third), attnpath_moments(second, first, third)}
%!     assert (n{1}.P, 28);
%!     assert (n{1}.lognoise, sum (log (u(isfinite (u)))), 1e-12);
%!     a = attnpath_solve (net, n{1});
%!     b = attnpath_solve (net, whole);
%!     assert ([a.action, a.evidence], [b.action, b.evidence], 1e-8 * abs (a.action));
%!   endfor
%! endfor
%! other = some (1:10);
%! other.Noise *= 2;
%! fail ("attnpath_moments (first, attnpath_moments (net, @(k) parts{[1 4](k)}, 'Form', 'factor'))", "already");
%! assert (attnpath_moments (first, attnpath_moments (net, @(k) {other, []}{k}, "Form", "factor")).P, 18);
%! other.Noise(2) = 0;
%! refuses ("moments:badValue", @() attnpath_moments (net, @(k) {other, []}{k}), "source (1).Noise");
%! [paths2, y2, ~, noise] = attnpath_paths (net, @(k) {some(1:10), some(11:30), []}{k});
%! assert ({paths2.Xi, y2, noise}, {paths.Xi, y, t});
%! refuses ("paths:badSource", @() attnpath_paths (net, @(k) parts{k}), "Noise");

%!test % from files, under a name of its own
%! [net, paths, y, t] = a_case (2, 6, 1, 71);
%! net = attnpath_net ({randn(5, 5, 2)}, "Width", 20, "Temperature", 0.3);
%! X = randn (5, 3, 6);
%! [file, gone] = scratch ("run.mat");
%! save ("-v6", file, "X", "y", "t");
%! source = attnpath_source ({file}, "Names", {"X", "y", "A", "Lengths", "t"});
%! m = attnpath_moments (net, source);
%! want = attnpath_moments (net, X, y, "Noise", t);
%! assert ({m.sums, m.lognoise}, {want.sums, want.lognoise});
%! assert (isfield (attnpath_source ({file})(1), "Noise"), false);
%! fail ("attnpath_source ({file}, 'Names', {'X', 'y', 'A'})", "perhaps Noise");

%!test % pruned moments keep the sum of logarithms
%! [net, paths, y, t] = a_case ([2 1], 30, 1, 72);
%! [small, m] = attnpath_prune (net, [1 2], attnpath_moments (net, paths, y, "Noise", t));
%! want = attnpath_solve (small, struct ("Xi", paths.Xi(:,:,1)), y, "Noise", t);
%! assert (attnpath_solve (small, m).evidence, want.evidence, 1e-8 * abs (want.evidence));

%!test % examples twice are examples of half the noise: the smallest eigenvalue too, however cold, for all forms of outputs
%! warning ("off", "attnpath:solve:notConverged", "local");
%! for form = {{1, {}, 2, 20}, {2, {}, 2, 20}, {3, {"Outputs", "shared"}, 2, 20}, {1, {}, 7, 60}}
%!   [C, options, H, width] = form{1}{:};
%!   randn ("state", 5);
%!   X = randn (5, 4, 30);  d = 1:10;  y = randn (30, C);
%!   heads = {randn(5, 5, H), randn(5, 5, H)};
%!   for T = [1e-8 1e-10 1e-12]
%!     net = attnpath_net (heads, "Width", width, "Temperature", T);
%!     h = ones (1, 30);  h(d) = 0.5;
%!     a = attnpath_solve (net, cat (3, X, X(:,:,d)), [y; y(d,:)], options{:});
%!     b = attnpath_solve (net, X, y, "Noise", h, options{:});
%!     assert (b.hessian_min > 0 && b.hessian_doubt < b.hessian_min);
%!     assert (a.hessian_min, b.hessian_min, -1e-4);       # both certificates are good to that
%!   endfor
%! endfor

%!test % the same where the kernel is 1e10 and more times the temperature
%! for T = [1e-8 1e-9 1e-10]
%!   t = attnpath_task_markov ("P", 60, "Ptest", 2);  d = 1:20;
%!   net = attnpath_net (t.heads, "Width", 10, "Temperature", T);
%!   h = ones (1, 60);  h(d) = 0.5;
%!   a = attnpath_solve (net, cat (3, t.Xtrain, t.Xtrain(:,:,d)), [t.ytrain; t.ytrain(d)]);
%!   b = attnpath_solve (net, t.Xtrain, t.ytrain, "Noise", h);
%!   assert (a.hessian_min, b.hessian_min, -1e-4);
%! endfor
%! for s = 1:20
%!   randn ("state", s);  X = round (30000 * randn (6, 3, 8));  y = sign (randn (8, 1));
%!   net = attnpath_net ({1e-8 * randn(6, 6, 2)}, "Width", 20);
%!   a = attnpath_solve (net, cat (3, X, X(:,:,1:3)), [y; y(1:3)]);
%!   b = attnpath_solve (net, X, y, "Noise", [0.5 0.5 0.5 1 1 1 1 1]);
%!   assert (a.hessian_min, b.hessian_min, -1e-4);
%! endfor
