% probability.tst: calibrated class probabilities, their losses, and the reliability diagram's bins.

%!function [sol, test, labels] = noisy ()
%!  % labels that the inputs decide but for noise, and examples enough to know the function: a is finite then
%!  randn ("twister", 2);
%!  Xi = randn (2, 160, 2);
%!  y = sign (sum (Xi(:,:,1), 1)' + randn (160, 1));
%!  sol = attnpath_solve (attnpath_net (2, "Width", 20, "Temperature", 0.5), struct ("Xi", Xi(:,1:60,:)), y(1:60));
%!  test = struct ("Xi", Xi(:,61:160,:));
%!  labels = y(61:160);
%!endfunction

%!test % p is the mean of Phi (a f + b) over f: quadrature, whose error is far below 1e-12
%! [sol, test, labels] = noisy ();
%! [p, logloss, ece, fit] = attnpath_probability (sol, test);
%! [mu, s2] = attnpath_predict (sol, test);
%! assert (p, ref_probability (fit.a, fit.b, mu, s2), 1e-12);
%! assert ([logloss, ece], [NaN NaN]);

%!test % a and b are those of greatest likelihood: nothing near them is better, nor a coarse grid far around
%! sol = noisy ();
%! loo = attnpath_loo (sol);
%! [p, logloss, ~, fit] = attnpath_probability (sol);
%! loss = @(a, b) -mean (log (max (realmin, erfc (-sol.y .* (a * loo.mean + b) ./ sqrt (2 + 2 * a^2 * loo.variance)) / 2)));
%! assert (logloss, loss (fit.a, fit.b), 1e-12);
%! assert (fit.logloss, logloss, 1e-12);
%! most = 1000 / sqrt (mean (loo.mean .^ 2 + loo.variance));
%! assert (fit.a < 0.9 * most);                          % an inner optimum
%! for h = [1e-3 1e-2]
%!   for d = [1 0; -1 0; 0 1; 0 -1; 1 1; -1 1]' * h
%!     assert (loss (fit.a * (1 + d(1)), fit.b + d(2)) > logloss);
%!   endfor
%! endfor
%! for a = most * 10 .^ (-6:0.25:0)
%!   for c = -2:0.25:2
%!     assert (loss (a, c * a) >= logloss - 1e-12);
%!   endfor
%! endfor
%! assert (p, erfc (-(fit.a * loo.mean + fit.b) ./ sqrt (2 + 2 * fit.a^2 * loo.variance)) / 2, 1e-12);

%!test % log loss and calibration error from their definitions
%! [sol, test, labels] = noisy ();
%! [p, logloss, ece] = attnpath_probability (sol, test, "Labels", labels, "Bins", 7);
%! assert (logloss, -mean (log (abs ((labels < 0) - p))), 1e-9);
%! want = 0;
%! for k = 1:7
%!   in = p >= (k - 1) / 7 & (p < k / 7 | k == 7);
%!   if any (in), want += sum (in) / numel (p) * abs (mean (p(in)) - mean (labels(in) > 0)); endif
%! endfor
%! assert (ece, want, 1e-12);

%!test % calibrated: on the Markov task better than the bare regression's own probability, Phi (mu / sqrt (s2 + T))
%! task = attnpath_task_markov ();
%! for N = [10 100]
%!   sol = attnpath_solve (attnpath_net (task.heads, "Width", N), task.Xtrain, task.ytrain);
%!   [p, logloss, ece] = attnpath_probability (sol, task.Xtest, "Labels", task.ytest);
%!   [mu, s2] = attnpath_predict (sol, task.Xtest);
%!   raw = -mean (log (erfc (-task.ytest .* mu ./ sqrt (2 * (s2 + sol.net.temperature))) / 2));
%!   assert (logloss < raw);
%!   assert (logloss < log (2));
%! endfor

%!test % tokens, their lengths, and path inputs made of them
%! task = attnpath_task_markov ("P", 40, "Ptest", 6, "Features", 20, "Tokens", 6);
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 20), task.Xtrain, task.ytrain);
%! short = [7 3 5 7 7 4];
%! p = attnpath_probability (sol, task.Xtest, "Lengths", short);
%! assert (p, attnpath_probability (sol, attnpath_paths (sol.net, task.Xtest, "Lengths", short)), 1e-12);
%! assert (norm (p - attnpath_probability (sol, task.Xtest)) > 1e-6);

%!test % turning all labels round turns the probabilities round
%! sol = noisy ();
%! turned = sol;
%! turned.y = -sol.y;
%! [p, ~, ~, fit] = attnpath_probability (sol);
%! [q, ~, ~, back] = attnpath_probability (turned);
%! assert (q, 1 - p, 1e-5);                              % a and b to the root of rounding, 1e-8, times their condition
%! assert ([back.a, back.b], [fit.a, -fit.b], 1e-4 * fit.a);

%!test % variances that are too large already: a stops, and p is Phi ((mu + b/a) / sqrt (s2))
%! task = attnpath_task_markov ();
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 10), task.Xtrain, task.ytrain);
%! loo = attnpath_loo (sol);
%! [p, ~, ~, fit] = attnpath_probability (sol);
%! assert (fit.a * sqrt (mean (loo.mean .^ 2 + loo.variance)), 1000, 1e-9);
%! assert (p, erfc (-(loo.mean + fit.b / fit.a) ./ sqrt (2 * loo.variance)) / 2, 1e-3);

%!test % a sample
%! warning ("off", "attnpath:sample:notConverged", "local");
%! y = [1; -1; 1; 1; -1; -1];
%! post = attnpath_sample (attnpath_net (1, "Width", 6, "Temperature", 0.5), struct ("Xi", [y'; magic(6)(1:4,:) / 20]), y, ...
%!                         "Draws", 50, "Display", false);
%! p = attnpath_probability (post, struct ("Xi", [3 -3; zeros(4, 2)]));
%! assert (p(1) > 0.5 && p(2) < 0.5);

%!error id=attnpath:probability:usage attnpath_probability ()
%!error id=attnpath:probability:badClass attnpath_probability (3)
%!error id=attnpath:probability:badValue % one class alone
%! attnpath_probability (struct ("net", attnpath_net (1), "paths", struct ("Xi", [2 1]), "y", [1; 1], "U", 1));
%!error id=attnpath:probability:badValue
%! [sol, test, labels] = noisy ();
%! attnpath_probability (sol, test, "Labels", 2 * labels);
%!error id=attnpath:probability:badShape
%! [sol, test, labels] = noisy ();
%! attnpath_probability (sol, test, "Labels", [1; -1]);
%!error id=attnpath:probability:badValue
%! attnpath_probability (noisy (), "Lengths", 3);
