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

%!function l = log_posterior (alpha, b, w, mu, s2, y)
%!  z = y .* (alpha * mu / sqrt (mean (mu .^ 2)) + b) ./ sqrt (1 - w + w * s2 / mean (s2));
%!  l = sum (log (erfc (-z / sqrt (2)) / 2)) - alpha ^ 2 / 50 - b ^ 2 / 2;
%!endfunction

%!test % p is the mean of Phi over a Gaussian of a and b, and over shares: quadrature, whose error is far below 1e-12
%! [sol, test, labels] = noisy ();
%! [p, logloss, ece, fit] = attnpath_probability (sol, test);
%! [mu, s2] = attnpath_predict (sol, test);
%! want = zeros (size (p));
%! t = -12:0.01:12;
%! for k = 1:4
%!   m = fit.a(k) * mu + fit.b(k);
%!   q = sum (([mu, ones(100, 1)] * fit.covariance(:,:,k)) .* [mu, ones(100, 1)], 2);
%!   v = 1 - fit.share(k) + fit.share(k) * s2 / fit.noise;
%!   w = exp (-t .^ 2 / 2) / sum (exp (-t .^ 2 / 2));
%!   want += fit.weight(k) * erfc (-(m + sqrt (q) .* t) ./ sqrt (2 * v)) / 2 * w';
%! endfor
%! assert (p, want, 1e-12);
%! assert ({fit.share, sum(fit.weight)}, {0:0.25:0.75, 1}, 1e-14);
%! assert ([logloss, ece], [NaN NaN]);

%!test % a, b, covariance and weight are Laplace's approximation: slopes and curvature of the posterior by differences
%! sol = noisy ();
%! loo = attnpath_loo (sol);
%! [prob, logloss, ~, fit] = attnpath_probability (sol);
%! u = sqrt (mean (loo.mean .^ 2));
%! assert (fit.noise, mean (loo.variance), 1e-14);
%! h = 1e-3;
%! evidence = zeros (1, 4);
%! for k = 1:4
%!   f = @(d) log_posterior (fit.a(k) * u + d(1), fit.b(k) + d(2), fit.share(k), loo.mean, loo.variance, sol.y);
%!   e = h * eye (2);
%!   H = zeros (2);
%!   for i = 1:2
%!     g(i) = (f (e(i,:)) - f (-e(i,:))) / (2 * h);
%!     for j = 1:2
%!       [p, q] = deal (e(i,:), e(j,:));
%!       H(i,j) = -(f (p + q) - f (p - q) - f (q - p) + f (-p - q)) / (4 * h ^ 2);
%!     endfor
%!   endfor
%!   assert (g, [0 0], 60 * h ^ 2);                      % third derivatives of each of 60 terms are of order 1
%!   V = diag ([u 1]) * fit.covariance(:,:,k) * diag ([u 1]);
%!   assert (V * H, eye (2), 1e-4);                      % h^2 of fourth derivatives, eps / h^2 of values of order 30
%!   evidence(k) = f ([0 0]) + log (det (V)) / 2;
%! endfor
%! assert (fit.weight, exp (evidence - max (evidence)) / sum (exp (evidence - max (evidence))), 1e-9);
%! % the training examples, each left out, with their log loss
%! assert (logloss, -mean (log (abs ((sol.y < 0) - prob))), 1e-9);
%! assert (fit.logloss, logloss, 1e-14);

%!testif ; thorough ()
%! % against the exact posterior. Laplace's approximation errs by the order of 1 / P: 60 examples, some of them sure
%! [sol, test] = noisy ();
%! loo = attnpath_loo (sol);
%! [mu, s2] = attnpath_predict (sol, test);
%! exact = ref_probability (loo.mean, loo.variance, sol.y, mu, s2);
%! assert (attnpath_probability (sol, test), exact, 1 / 60);

%!test % examples that are all right do not make p 0 or 1; where mu is 0 nothing is known; log p far out is finite
%! y = [1; -1; 1; -1; 1; -1; 1; -1];
%! fit = in_private (@() ap_probit_fit (y .* (1:8)', ones (8, 1), y));
%! [p, l] = in_private (@() ap_probit (fit, [-1e9; -8; 0; 8; 1e9], ones (5, 1), -[-1; -1; 1; 1; 1]));
%! assert (all (diff (p) > 0) && p(1) > 0.001 && p(5) < 0.999);
%! assert (all (isfinite (l)));
%! y = [1; -1; 1; -1];
%! even = in_private (@() ap_probit_fit (y, ones (4, 1), y));
%! assert (in_private (@() ap_probit (even, 0, 1)), 0.5, 1e-12);

%!test % predictions that are worse than chance are not turned round, and all that is known is the share of +1
%! y = [1; -1; 1; 1; -1; 1; 1; -1; 1; 1];
%! fit = in_private (@() ap_probit_fit (-y, ones (10, 1), y));
%! assert (fit.a, repmat (1e-3, 1, 4), 1e-15);
%! p = in_private (@() ap_probit (fit, [-1; 1], [1; 1]));
%! assert (p(2) > p(1) && p(2) - p(1) < 0.001 && p(1) > 0.5 && p(2) < 0.7);

%!test % variances 0, outputs 0
%! y = [1; -1; 1];
%! fit = in_private (@() ap_probit_fit ([0; 0; 0], zeros (3, 1), y));
%! p = in_private (@() ap_probit (fit, [0; 0], [0; 0]));
%! assert (p(1) == p(2) && p(1) > 0.5 && p(1) < 2 / 3);

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

%!testif ; thorough () % calibrated: on the Markov task better than the bare regression's own probability, Phi (mu / sqrt (s2 + T))
%! task = attnpath_task_markov ();
%! for N = [10 100]
%!   sol = attnpath_solve (attnpath_net (task.heads, "Width", N), task.Xtrain, task.ytrain);
%!   [p, logloss, ece] = attnpath_probability (sol, task.Xtest, "Labels", task.ytest);
%!   [mu, s2] = attnpath_predict (sol, task.Xtest);
%!   raw = erfc (-mu ./ sqrt (2 * (s2 + sol.net.temperature))) / 2;
%!   assert (logloss < -mean (log (abs ((task.ytest < 0) - raw))));
%!   assert (logloss < log (2));
%!   [~, off] = in_private (@() ap_reliability (raw, task.ytest, 10));
%!   assert (ece < off / 2);
%! endfor

%!test % tokens, their lengths, and path inputs made of them
%! task = attnpath_task_markov ("P", 40, "Ptest", 6, "Features", 20, "Tokens", 6);
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 20), task.Xtrain, task.ytrain);
%! short = [7 3 5 7 7 4];
%! p = attnpath_probability (sol, task.Xtest, "Lengths", short);
%! assert (p, attnpath_probability (sol, attnpath_paths (sol.net, task.Xtest, "Lengths", short)), 1e-12);
%! assert (norm (p - attnpath_probability (sol, task.Xtest)) > 1e-6);

%!test % a sample
%! y = [1; -1; 1; 1; -1; -1];
%! post = sampled (attnpath_net (1, "Width", 6, "Temperature", 0.5), struct ("Xi", [y'; magic(6)(1:4,:) / 20]), y, ...
%!                 "Draws", 50);
%! p = attnpath_probability (post, struct ("Xi", [3 -3; zeros(4, 2)]));
%! assert (p(1) > 0.5 && p(2) < 0.5);

%!function S = covariances (C, P, kind)
%!  S = zeros (C, C, P);
%!  for k = 1:P
%!    switch kind
%!      case "any",    L = randn (C) / sqrt (C);  S(:,:,k) = L * L';
%!      case "equal",  S(:,:,k) = diag (0.1 + rand (1, C)) + 0.3;
%!    endswitch
%!  endfor
%!endfunction

%!test % C classes: the probability that one is the largest of all, against nested integrals
%! % their trapezoidal rule errs by h^2 / 12 times the slope at its end: 1200 steps of 18 deviations of up to 2, and a
%! % slope below 0.1, 1e-5; the same again because probabilities are scaled to add up to 1
%! randn ("twister", 4);  rand ("twister", 4);
%! for a = [0.5 3]
%!   for kind = {"any", "equal"}
%!     mu = randn (3, 3);  b = [0.3 -0.5 0.2];  S = covariances (3, 3, kind{1});
%!     p = in_private (@() ap_class_probability (struct ("a", a, "b", b), mu, S));
%!     assert (sum (p, 2), ones (3, 1), 4 * eps);
%!     for k = 1:3
%!       assert (p(k,:), ref_class_probability (a, b, mu(k,:), S(:,:,k)), 2e-5);
%!     endfor
%!   endfor
%! endfor

%!testif ; thorough ()
%! % C = 4: exact where one factor is enough; otherwise within the 2 % that correlations of any kind were seen to make
%! randn ("twister", 5);  rand ("twister", 5);
%! mu = randn (2, 4);  b = [0.3 -0.5 0.4 -0.2];
%! S = cat (3, covariances (4, 1, "equal"), covariances (4, 1, "any"));
%! p = in_private (@() ap_class_probability (struct ("a", 2, "b", b), mu, S));
%! assert (p(1,:), ref_class_probability (2, b, mu(1,:), S(:,:,1)), 2e-5);
%! assert (p(2,:), ref_class_probability (2, b, mu(2,:), S(:,:,2)), 0.02);

%!test % slopes of the integral, by differences: h^2 = 1e-8 and eps / h = 2e-12, times derivatives of order 10
%! randn ("twister", 6);  rand ("twister", 6);
%! m = randn (5, 4);  alpha = randn (5, 4);  rest = 0.5 + rand (5, 4);  which = [1 2 3 4 2]';
%! f = @(m, alpha, rest) in_private (@() ap_class_largest (m, alpha, rest, which));
%! [l, dm, da, dr] = in_private (@() ap_class_largest (m, alpha, rest, which));
%! own = (1:5)' + 5 * (which - 1);
%! for k = 1:4
%!   h = zeros (5, 4);  h(:,k) = 1e-4;
%!   assert ((f (m + h, alpha, rest) - f (m - h, alpha, rest)) / 2e-4, dm(:,k), 1e-6);
%!   assert ((f (m, alpha + h, rest) - f (m, alpha - h, rest)) / 2e-4, da(:,k), 1e-6);
%!   assert ((f (m, alpha, rest + h) - f (m, alpha, rest - h)) / 2e-4, dr(:,k), 1e-6);
%! endfor
%! assert ({da(own), dr(own)}, {zeros(5, 1), zeros(5, 1)});

%!function [mu, S, number, a, b] = drawn (P)
%!  % outputs, and classes drawn as the model of probabilities says
%!  randn ("twister", 7);  rand ("twister", 7);
%!  [a, b] = deal (2, [0.4 -0.6 0.2]);
%!  mu = randn (P, 3);
%!  S = covariances (3, P, "any");
%!  f = zeros (P, 3);
%!  for k = 1:P, f(k,:) = mu(k,:) + (chol (S(:,:,k) + 1e-12 * eye (3))' * randn (3, 1))'; endfor
%!  [~, number] = max (a * f + b + randn (P, 3) / sqrt (2), [], 2);
%!endfunction

%!test % a and b are those of greatest likelihood, and near those that the classes were drawn with
%! [mu, S, number, a, b] = drawn (300);
%! fit = in_private (@() ap_class_fit (mu, S, number));
%! loss = @(a, b) in_private (@() ap_class_losses (ap_class_probability (struct ("a", a, "b", b), mu, S), number, 10));
%! assert (loss (fit.a, fit.b), fit.logloss, 1e-6);      % rows that add up to 1, here and there
%! assert (sum (fit.b), 0, 1e-10);
%! % curvature by differences: standard errors. 5 of them; and nothing near is better
%! h = 0.05;
%! for d = [1 0 0; 0 1 -1; 0 0 1; 0 -1 0]'                % a; b along three directions of sum 0
%!   step = @(s) loss (fit.a * (1 + s * h * d(1)), fit.b + s * h * [d(2), d(3), -d(2) - d(3)]);
%!   bend = (step (1) + step (-1) - 2 * fit.logloss) / h ^ 2;
%!   assert (bend > 0);
%!   assert (abs (step (1) - step (-1)) / (2 * h * bend) < 0.02);          % the minimum is nearer than h^2 effects
%!   if d(1), assert (fit.a / a, 1, 5 / sqrt (300 * bend) + h); endif
%! endfor
%! assert (fit.b / fit.a, b / a, 5 * 0.15);              % 300 examples: each b / a to some 0.15

%!test % calibrated: log loss and calibration error from their definitions, and small where the model is right
%! [mu, S, number, a, b] = drawn (2000);
%! p = in_private (@() ap_class_probability (struct ("a", a, "b", b), mu, S));
%! [logloss, ece, largest, right] = in_private (@() ap_class_losses (p, number, 10));
%! want = 0;  error_of = 0;
%! for k = 1:2000, want -= log (p(k,number(k))) / 2000; endfor
%! assert (logloss, want, 1e-12);
%! [top, best] = max (p, [], 2);
%! for k = 1:10
%!   in = top >= (k - 1) / 10 & (top < k / 10 | k == 10);
%!   if any (in), error_of += sum (in) / 2000 * abs (mean (top(in)) - mean (best(in) == number(in))); endif
%! endfor
%! assert (ece, error_of, 1e-12);
%! assert ({largest, right}, {top, 2 * (best == number) - 1});
%! % each class is there as often as its probabilities say, in tenths of these: chi-square, 5 deviations
%! for c = 1:3
%!   at = 1 + floor (10 * p(:,c));
%!   n = accumarray (at, 1, [10 1]);
%!   expected = accumarray (at, p(:,c), [10 1]);
%!   spread = accumarray (at, p(:,c) .* (1 - p(:,c)), [10 1]);
%!   seen = accumarray (at, number == c, [10 1]);
%!   assert (abs (seen - expected) <= 5 * sqrt (spread));
%! endfor
%! % too sure by a factor of three: worse by both
%! [worse, off] = in_private (@() ap_class_losses (ap_class_probability (struct ("a", 3 * a, "b", 3 * b), mu, S / 9), number, 10));
%! assert (worse > logloss && off > ece);

%!testif ; thorough ()
%! % many examples: some of them are looked at, of every class even where labels come in turns
%! [mu, S, number] = drawn (7500);
%! [~, rank] = sort (number);
%! within = zeros (7500, 1);
%! for c = 1:3, within(number == c) = (1:sum (number == c))'; endfor
%! [~, turns] = sortrows ([within, number]);
%! for at = {rank, turns}
%!   fit = in_private (@() ap_class_fit (mu(at{1},:), S(:,:,at{1}), number(at{1})));
%!   % standard errors from 3333 examples: those of 300 in the test above, 0.15 of b / a and less of a, over sqrt (11)
%!   assert (fit.b / fit.a, [0.2 -0.3 0.1], 5 * 0.15 / sqrt (11));
%!   assert (fit.a / 2, 1, 5 * 0.15 / sqrt (11));
%! endfor

%!test % exchanging classes exchanges columns; a constant on all outputs changes nothing
%! [mu, S, number] = drawn (100);
%! fit = in_private (@() ap_class_fit (mu, S, number));
%! p = in_private (@() ap_class_probability (fit, mu, S));
%! turn = [3 1 2];
%! other = in_private (@() ap_class_fit (mu(:,turn) + 5, S(turn,turn,:) + 2, turn(turn)(number)'));
%! assert ([other.a, other.b], [fit.a, fit.b(turn)], 1e-3 * fit.a);      % two searches that end at a slope of 1e-7
%! assert (in_private (@() ap_class_probability (other, mu(:,turn) + 5, S(turn,turn,:) + 2)), p(:,turn), 1e-3);

%!test % what is refused; one class alone, and labels that are no classes
%! [sol, test, labels] = noisy ();
%! two = @(y) struct ("net", attnpath_net (1), "paths", struct ("Xi", [2 1]), "y", y, "U", 1);
%! for c = {"usage", {}; "badClass", {3}; "badValue", {two([1; 1])}; "badValue", {two([5; 3])}
%!          "badValue", {sol, test, "Labels", 2 * labels}; "badShape", {sol, test, "Labels", [1; -1]}
%!          "badValue", {sol, "Lengths", 3}}'
%!   refuses (["probability:" c{1}], @() attnpath_probability (c{2}{:}));
%! endfor

%!test % left-out examples that are no guide to new ones are told from those that are, of two classes and of three
%! randn ("twister", 9);
%! for C = 2:3
%!   classes = 1 + mod ((1:60)', C);
%!   corner = 3 * eye (3)(:,1:C);
%!   near = corner(:,classes) + 0.3 * randn (3, 60);
%!   other = classes;                                    % a third of the new ones are of another class than they look
%!   other(1:20) = 1 + mod (classes(1:20), C);
%!   sol = attnpath_solve (attnpath_net (1, "Width", 50, "Temperature", 0.05), struct ("Xi", near), classes, ...
%!                         "Classes", true, "Display", false);
%!   for case_ = {classes, false; other, true}'
%!     id = warned (@() attnpath_probability (sol, struct ("Xi", near), "Labels", case_{1}, "Display", false));
%!     assert (strcmp (id, "attnpath:probability:seen"), case_{2});
%!   endfor
%! endfor

%!test % the calibration error with 1, 37 and 1000 bins, by its definition, bin for bin; also at p = 0 and 1, and at edges
%! rand ("twister", 3);
%! p = [rand(200, 1); 0; 1; (1:36)' / 37; 0.5; 0.5];
%! y = 2 * (rand (numel (p), 1) < p) - 1;
%! for count = [1 37 1000]
%!   [bins, ece] = in_private (@() ap_reliability (p, y, count));
%!   want = 0;
%!   for k = 1:count
%!     in = floor (count * p) == k - 1;
%!     if k == count, in = in | p == 1; endif
%!     if any (in), want += sum (in) * abs (mean (p(in)) - mean (y(in) > 0)); endif
%!   endfor
%!   assert (ece, want / numel (p), 1e-13);
%!   assert (sum (bins(:,3)), numel (p));
%!   if count == 1, assert (ece, abs (mean (p) - mean (y > 0)), 1e-14); endif
%! endfor

%!test % a warning for a solution that has not converged or is a saddle, none for a struct of a user
%! sol = doubted ("probability", @(sol) attnpath_probability (sol, "Display", false));
%! lastwarn ("", "");
%! own = warning ("error", "attnpath:loo:notConverged");                      % of this function alone, and not left off
%! unwind_protect
%!   warned (@() attnpath_probability (setfield (sol, "converged", false), "Display", false));
%!   assert (warning ("query", "attnpath:loo:notConverged").state, "error");
%! unwind_protect_cleanup
%!   warning (own);
%! end_unwind_protect

%!test % without the correction for the example that is left out: fitted to what attnpath_loo has then
%! randn ("twister", 12);
%! y = sign (randn (20, 1));
%! sol = attnpath_solve (attnpath_net ([2 1], "Width", 8, "Temperature", 0.3), struct ("Xi", randn (5, 20, 2)), y, ...
%!                       "Display", false);
%! loo = @(flag) attnpath_loo (sol, "Corrected", flag, "Display", false);
%! fit = @(loo) in_private (@() ap_probit_fit (loo.mean, loo.variance, y));
%! for flag = [true false]
%!   [~, ~, ~, got] = attnpath_probability (sol, "Corrected", flag, "Display", false);
%!   assert (got, fit (loo (flag)));
%! endfor
%! assert (abs (fit (loo (true)).logloss - fit (loo (false)).logloss) > 1e-3);
