% expand.tst: solutions to the next order in 1/N, (T30)-(T32), and what takes them.

%!function [sol, Xi2] = random_case (H, N, T, P, C, seed, varargin)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", N + (0:L) * isempty (varargin), "Variance", 0.8 + (1:L+2) / 10, ...
%!                      "Temperature", T, varargin{:});
%!  paths = prod (H);
%!  if ! isempty (varargin), paths = prod (H + (varargin{2} > 0)); endif
%!  Xi = randn (5, P, paths);
%!  sol = attnpath_solve (net, struct ("Xi", Xi), randn (P, C), "Tolerance", 1e-11);
%!  assert (sol.converged && sol.hessian_min > 0);
%!  Xi2 = randn (5, 2, paths);
%!endfunction

%!function compare (sol, Xi2)
%!  % differences of both leave 1e-7 (see ref_expand), relative to entries of the size of 1
%!  C = size (sol.y, 2);
%!  ex = attnpath_expand (sol);
%!  [mu, s2] = attnpath_predict (ex, struct ("Xi", Xi2));
%!  flat = @(order, ua) cell2mat (cellfun (@(A) A(:), [order(:); {ua}(1:double (C == 1))], "UniformOutput", false));
%!  whole = [sol.order(:)', {sol.ua}(1:double (C == 1))];
%!  want = ref_expand (sol.net, sol.paths.Xi, sol.y, whole, Xi2);
%!  got = flat (ex.order, ex.ua);
%!  n = numel (got);
%!  assert (got, want.mean(1:n), 2e-6);
%!  assert (flat (ex.order_sd, ex.ua_sd), want.sd(1:n), 2e-6);
%!  assert (mu(:), want.mean(n+(1:2*C)), 2e-6);
%!  whole = reshape (want.mean(n+2*C+1:end), C ^ 2, 2);
%!  own = 1:C+1:C ^ 2;                                 % the diagonal: of each output
%!  s2 = reshape (s2, C ^ 2, 2);
%!  assert (s2(own,:), whole(own,:) + reshape (want.sd(n+(1:2*C)) .^ 2, 2, C)', 2e-6);
%!  assert (attnpath_predict (ex, struct ("Xi", Xi2)), mu);
%!  f = attnpath_predict (ex, struct ("Xi", Xi2), "ByPath", true);       % by path: at inputs whose other paths are zero
%!  assert (sum (f, 3), mu, 1e-12);
%!  for p = 1:size (Xi2, 3)
%!    alone = zeros (size (Xi2));
%!    alone(:,:,p) = Xi2(:,:,p);
%!    assert (f(:,:,p), attnpath_predict (ex, struct ("Xi", alone)), 1e-12);
%!  endfor
%!endfunction

%!test % the mean by products is the mean by differences along each line (T30); outputs that share U, noise, many examples.
%! % Differences of step 1e-3 leave 1e-6 and, by rounding, 1e-16 / 1e-6
%! [sol, Xi2] = random_case ([2 2], 30, 0.3, 12, 1, 3);
%! shared = attnpath_solve (sol.net, sol.paths, [sol.y, cos(3 * sol.y)], "Outputs", "shared", "Tolerance", 1e-11);
%! coupled = attnpath_solve (sol.net, sol.paths, [sol.y, cos(3 * sol.y)], "Tolerance", 1e-11);
%! noisy = attnpath_solve (sol.net, sol.paths, sol.y, "Noise", [Inf, 1:11], "Tolerance", 1e-11);
%! many = attnpath_solve (sol.net, struct ("Xi", repmat (sol.paths.Xi, [1 3 1])), repmat (sol.y, 3, 1) + sin (1:36)', ...
%!                        "Tolerance", 1e-11);
%! for sol = {sol, shared, coupled, noisy, many}
%!   ex = attnpath_expand (sol{1});
%!   l = ex.lines;
%!   n = rows (l.F);
%!   at = @(U) attnpath_predict (sol{1}, struct ("Xi", Xi2), "U", U);
%!   [want, here] = deal (at (sol{1}.U));
%!   for k = 1:columns (l.root) + 1
%!     d = zeros (n);
%!     d(triu (true (n))) = [l.root, l.shift](:,k);
%!     d += triu (d, 1)';
%!     e = 1e-3 / norm (d, "fro");
%!     move = @(e) l.F * (eye (n) + e * d + e ^ 2 / 2 * d ^ 2) * l.F';
%!     [up, down] = deal (at ((move (e) + move (e)') / 2), at ((move (-e) + move (-e)') / 2));
%!     if k <= columns (l.root), want += (up + down - 2 * here) / e ^ 2; else, want += (up - down) / (2 * e); endif
%!   endfor
%!   assert (attnpath_predict (ex, struct ("Xi", Xi2)), want, 2e-6);
%! endfor

%!test % where rounding forbids a factor of the kernel, the mean comes by differences, and contributions are refused
%! [sol, Xi2] = random_case (2, 12, 0.3, 6, 1, 3);
%! ex = attnpath_expand (sol);
%! ex.sol.net.temperature = 1e-15;
%! ex.sol.paths.Xi(:,2,:) = ex.sol.paths.Xi(:,1,:);
%! ex.sol.y(2) = ex.sol.y(1);
%! assert (all (isfinite (attnpath_predict (ex, struct ("Xi", Xi2)))));
%! refuses ("predict:badValue", @() attnpath_predict (ex, struct ("Xi", Xi2), "ByPath", true), "ex.sol");

%!test % (T30), (T31) against differences of log det H, and of the predictor
%! for H = {2, [1 1]}
%!   [sol, Xi2] = random_case (H{1}, 12, 0.3, 6, 1, 3);
%!   compare (sol, Xi2);
%! endfor

%!testif ; thorough ()
%! [sol, Xi2] = random_case ([2 1], 12, 0.3, 6, 1, 4);
%! compare (sol, Xi2);
%! [sol, Xi2] = random_case (1, 12, 0.3, 5, 2, 5);
%! compare (sol, Xi2);

%!test % residual streams: order parameters that are leading blocks of others
%! [sol, Xi2] = random_case (1, 12, 0.3, 5, 1, 6, "Skip", 0.8);
%! compare (sol, Xi2);
%! [sol, Xi2] = random_case ([2 2], 30, 0.3, 8, 1, 7, "Skip", [1 0.7]);
%! ex = attnpath_expand (sol);
%! assert ({ex.order{2}, ex.ua, ex.ua_sd}, {ex.U(1:3,1:3), ex.U(1), ex.U_sd(1)}, 1e-12);
%! assert (ex.evaluations <= 3 * 45 + 20);
%! assert (size (attnpath_scores (ex)), [4 4]);

%!testif ; thorough ()
%! for skip = {[1 0], [0 1]}
%!   [sol, Xi2] = random_case ([1 1], 12, 0.3, 5, 1, 8, "Skip", skip{1});
%!   compare (sol, Xi2);
%! endfor
%! [sol, Xi2] = random_case (1, 14, 0.3, 4, 2, 9, "Skip", 1);
%! compare (sol, Xi2);

%!test % errors fall as 1/N^2 where the saddle point's fall as 1/N: one head, against quadrature
%! randn ("twister", 8);
%! Xi = randn (4, 6);
%! y = randn (6, 1);
%! Xi2 = randn (4, 1);
%! off = [];
%! for N = [25 50 100 200]
%!   net = attnpath_net ([1 1], "Width", N, "Temperature", 0.1);
%!   sol = attnpath_solve (net, struct ("Xi", Xi), y, "Tolerance", 1e-12);
%!   ex = attnpath_expand (sol);
%!   q = ref_quadrature (net, ref_pathkernels (net, Xi, Xi), y, ref_pathkernels (net, Xi2, [Xi, Xi2]));
%!   [mu0, s0] = attnpath_predict (sol, struct ("Xi", Xi2));
%!   [mu, s2] = attnpath_predict (ex, struct ("Xi", Xi2));
%!   off(:,end+1) = abs ([mu0 - q.f(1); mu - q.f(1); s0 - (q.f(2) - q.f(1) ^ 2); s2 - (q.f(2) - q.f(1) ^ 2);
%!                        sol.U - q.U(1); ex.U - q.U(1); sol.ua - q.ua(1); ex.ua - q.ua(1);
%!                        ex.U_sd ^ 2 - (q.U(2) - q.U(1) ^ 2); ex.ua_sd ^ 2 - (q.ua(2) - q.ua(1) ^ 2)]);
%! endfor
%! % the last halving of 1/N: of f by 2 at the saddle point, by 4 of the expansion, where a tenth of the next order is
%! % left. At fixed P, U itself goes over into the GP limit by one order faster
%! factor = off(:,3) ./ off(:,4);
%! assert (factor(1), 2, 0.1);
%! assert (factor([2 4]), [4; 4], 0.6);
%! assert (factor(9), 4, 0.3);                         % variances are of order 1/N, and known to leading order
%! assert (factor(10) > 3.5);
%! assert (off([2 4 6 8],4) < [0.02; 0.3; 0.01; 0.01] .* off([1 3 5 7],4));

%!test % what is linear in U, and what follows from definitions
%! [sol, Xi2] = random_case ([2 2], 16, 0.3, 8, 1, 6);
%! ex = attnpath_expand (sol, "Seed", 3);
%! assert ({ex.U, ex.U_sd}, {ex.order{1}, ex.order_sd{1}});
%! assert (ex.evaluations <= 3 * (10 + 3) + 20);
%! K = attnpath_kernel (sol.net, sol.paths, ex);
%! assert (K, attnpath_kernel (sol.net, sol.paths, ex.U), 1e-12);
%! [overlap, lambda] = attnpath_align (ex);
%! [overlap0, lambda0] = attnpath_align (attnpath_kernel (sol.net, sol.paths, sol.U), sol.y);
%! assert (overlap, overlap0, 1e-10);
%! assert (sum (lambda), trace (K), 1e-10);
%! ex.U(:,1) = ex.U(:,1) - 10 * (1:4)';               % not definite: the kernel is linear in it all the same
%! ex.U = (ex.U + ex.U') / 2;
%! C = ref_pathkernels (sol.net, sol.paths.Xi, sol.paths.Xi);
%! want = reshape (reshape (C, 64, 16) * ex.U(:), 8, 8) / 4;
%! assert (attnpath_kernel (sol.net, sol.paths, ex), want, 1e-11);
%! score = attnpath_scores (ex);
%! assert (score(end,3), 1);
%! assert (issorted (score(:,3)) && all (score(:,4) > 0) && size (score) == [4 4]);
%! assert (sum (ex.least), 1, 1e-12);
%! assert (attnpath_expand (sol, "Seed", 3).least, ex.least);
%! assert (any (attnpath_expand (sol).least != ex.least));

%!test % scores, where no entry of |U| has a kink near by: (T31), within 5 standard errors of 20 000 draws
%! randn ("twister", 5);
%! net = attnpath_net (2, "Width", 200, "Temperature", 0.1);
%! Xi = randn (20, 300, 2);
%! sol = attnpath_solve (net, struct ("Xi", Xi), (3 * randn (1, 20) * (Xi(:,:,1) + Xi(:,:,2)))');
%! ex = attnpath_expand (sol, "Draws", 20000);
%! assert (all (abs (ex.U(:)) > 5 * ex.U_sd(:)));      % so that |U| is smooth
%! [score, largest] = attnpath_scores (ex, "By", "order");
%! next = max (ex.U_sd(:) .^ 4 ./ abs (ex.U(:)) .^ 3);  % the fourth order of geodesics: relative variance squared
%! known = @(U, h) sum (sum (abs (U))) - abs (U(3-h,3-h));
%! for k = 1:2
%!   h = score(k,2);
%!   assert (largest * score(k,3), known (ex.U, h), 1e-10);
%! endfor

%!test % labels and outputs turned by an orthogonal matrix turn U: coupled outputs
%! [sol, Xi2] = random_case (2, 14, 0.3, 6, 2, 7);
%! Q = [cos(0.4), -sin(0.4); sin(0.4), cos(0.4)];
%! turned = attnpath_solve (sol.net, sol.paths, sol.y * Q, "Tolerance", 1e-11);
%! [a, b] = deal (attnpath_expand (sol), attnpath_expand (turned));
%! assert (a.ua, a.order{2});
%! [m, s] = attnpath_predict (a, struct ("Xi", Xi2));
%! [mq, sq] = attnpath_predict (b, struct ("Xi", Xi2));
%! T = kron (eye (2), Q);
%! assert ({b.order{2}, b.U, mq}, {Q' * a.order{2} * Q, T' * a.U * T, m * Q}, 1e-6);
%! for k = 1:2, assert (sq(:,:,k), Q' * s(:,:,k) * Q, 1e-6); endfor
%! assert (size (attnpath_scores (a)), [2 4]);

%!test % three equal columns that share one U: the action of one of them, three times, and so a third of the correction
%! [sol, Xi2] = random_case (2, 14, 0.3, 6, 1, 9);
%! three = attnpath_solve (sol.net, sol.paths, sol.y(:,[1 1 1]), "Outputs", "shared", "Tolerance", 1e-11);
%! [a, b] = deal (attnpath_expand (sol), attnpath_expand (three));
%! assert ({b.U - three.U, b.ua - three.ua, b.U_sd}, {(a.U - sol.U) / 3, (a.ua - sol.ua) / 3, a.U_sd / sqrt(3)}, 1e-7);
%! [m, s] = attnpath_predict (a, struct ("Xi", Xi2));
%! [m0, s0] = attnpath_predict (sol, struct ("Xi", Xi2));
%! [m3, s3] = attnpath_predict (b, struct ("Xi", Xi2));
%! assert ({m3, squeeze(s3(2,2,:))}, {repmat(m0 + (m - m0) / 3, 1, 3), s0 + (s - s0) / 3}, 1e-7);

%!test % moments, and attention that was brought, are the same training set
%! randn ("twister", 10);
%! net = attnpath_net (2, "Width", 20, "Temperature", 0.5);
%! Xi = randn (3, 30, 2);
%! y = randn (30, 1);
%! new = struct ("Xi", randn (3, 4, 2));
%! a = attnpath_expand (attnpath_solve (net, struct ("Xi", Xi), y, "Tolerance", 1e-10));
%! b = attnpath_expand (attnpath_solve (net, attnpath_moments (net, struct ("Xi", Xi), y), "Tolerance", 1e-10));
%! assert ({a.U, a.U_sd, attnpath_predict(a, new)}, {b.U, b.U_sd, attnpath_predict(b, new)}, 1e-6);
%! X = randn (3, 4, 30);
%! A = exp (randn (4, 4, 2, 30));
%! A = {A ./ sum(A, 1)};
%! sol = attnpath_solve (net, attnpath_paths (net, X, A), y);
%! ex = attnpath_expand (sol);
%! assert (ex.sol.paths.brought);
%! assert (size (attnpath_predict (ex, attnpath_paths (net, X(:,:,1:3), {A{1}(:,:,:,1:3)}))), [3 1]);
%! fail ("attnpath_predict (ex, X)", "attnpath_predict: .*your own attention maps");

%!test % classes: their names, and probabilities
%! task = attnpath_task_markov ("P", 30, "Ptest", 20, "Features", 20, "Tokens", 6);
%! names = {"no", "yes"};
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 20), task.Xtrain, names(1 + (task.ytrain > 0)));
%! ex = attnpath_expand (sol, "Display", false);
%! [mu, s2, class] = attnpath_predict (ex, task.Xtest);
%! assert (class, names(1 + (mu > 0))');
%! [p, ~, ~, fit] = attnpath_probability (ex, task.Xtest);
%! assert (all (p > 0 & p < 1));
%! [p0, ~, ~, fit0] = attnpath_probability (sol);
%! assert ({fit, attnpath_probability(ex)}, {fit0, p0});

%!testif ; thorough () % so many unknowns that their Hessian is made by panels: paths in another order, in another frame
%! randn ("twister", 12);
%! [Xi, y, order] = deal (randn (20, 10, 46), randn (10, 1), [46 20:-1:1 21:45]);
%! net = attnpath_net (46, "Width", 200, "Temperature", 0.5);
%! sol = @(order) attnpath_solve (net, struct ("Xi", Xi(:,:,order)), y, "Tolerance", 1e-11, "Display", false);
%! [a, b] = deal (attnpath_expand (sol (1:46), "Draws", 100), attnpath_expand (sol (order), "Draws", 100));
%! assert (b.U_sd, a.U_sd(order,order), 1e-12);
%! error = a.lines.step ^ 2 / 12 * max (a.U_sd(:)) ^ 2;   % of a line, of 46 * 47 / 2 other ones, in each
%! assert (b.U, a.U(order,order), 46 * 47 * error);
%! assert (a.gauge(1) < 1e-5 && norm (a.sol.U - a.U) > 0);

%!test % where it may not be believed: a warning, with numbers
%! randn ("twister", 105);
%! net = attnpath_net ([2 2], "Width", 4, "Temperature", 0.01);
%! Xi = randn (6, 8, 16);
%! sol = attnpath_solve (net, struct ("Xi", Xi(:,:,1:4)), 10 * randn (8, 1));
%! [id, ~, ex] = warned (@() attnpath_expand (sol));
%! assert ({id, ex.doubtful}, {"attnpath:expand:unreliable", true});
%! assert (! isempty (strfind (ex.reason, "the width 4 of layer 1 is less than twice the 4 rows")));
%! sol = attnpath_solve (attnpath_net ([2 2], "Width", 400, "Temperature", 0.1), sol.paths, sol.y / 10);
%! [id, ~, ex] = warned (@() attnpath_expand (sol));
%! assert ({id, ex.doubtful}, {"", false});

%!test % an expansion that was changed: each function that takes one says what is wrong
%! [sol, Xi2] = random_case (2, 9, 0.3, 5, 1, 1);
%! ex = attnpath_expand (sol);
%! new = struct ("Xi", Xi2);
%! other = attnpath_expand (random_case (2, 9, 0.3, 5, 1, 2));
%! calls = {"predict", @(ex) attnpath_predict(ex, new);  "scores", @(ex) attnpath_scores(ex)
%!          "kernel", @(ex) attnpath_kernel(sol.net, sol.paths, ex);  "align", @(ex) attnpath_align(ex)
%!          "plot", @(ex) attnpath_plot(ex, "scores")};
%! wrong = {rmfield(ex, "U"), "missingField";  rmfield(ex, "worth"), "missingField"
%!          setfield(ex, "worth", 1), "badClass";  setfield(ex, "sol", []), "badClass"
%!          setfield(ex, "sol", sol.net), "missingField";  setfield(ex, "lines", struct ()), "missingField"
%!          setfield(ex, "lines", "F", eye (3)), "badShape";  setfield(ex, "lines", "step", 0), "badValue"
%!          setfield(ex, "lines", "root", {}), "badClass";  setfield(ex, "lines", other.lines), "badValue"};
%! for call = calls'
%!   for k = 1:rows (wrong), refuses ([call{1} ":" wrong{k,2}], @() call{2} (wrong{k,1})); endfor
%! endfor
%! fail ("attnpath_scores (ex, 'Lengths', 3)", "there is no X");

%!error id=attnpath:expand:usage attnpath_expand ()
%!error id=attnpath:expand:badClass attnpath_expand (3)
%!error id=attnpath:expand:missingField attnpath_expand (struct ("net", attnpath_net (1)))
%!error id=attnpath:expand:unknownOption attnpath_expand (random_case (1, 9, 0.3, 5, 1, 1), "Lines", 3)
%!test % many examples, for which a few stand, take no longer than these
%! Xi = randn (3, 20000, 4);
%! given = {struct("Xi", Xi), Xi(1,:,1)'};
%! expand = @(varargin) attnpath_expand (attnpath_solve (attnpath_net ([2 2]), varargin{:})).U;
%! assert (expand (given{:}), expand (attnpath_moments (attnpath_net ([2 2]), given{:})), 1e-6);

%!error id=attnpath:expand:tooLarge attnpath_expand (random_case (1, 9, 0.3, 5, 1, 1), "Hours", 0)
%!test % no converged solution, no minimum, no stationary point, a narrow layer; what the expansion does not have
%! [sol, Xi2] = random_case (2, 9, 0.3, 5, 1, 1);
%! ex = attnpath_expand (sol);
%! with = @(varargin) @() attnpath_expand (setfield (sol, varargin{:}));
%! low = {1e-3 * sol.order{1}, sol.order{2:end}};
%! narrow = attnpath_solve (attnpath_net ([2 2], "Width", 3), struct ("Xi", randn (4, 6, 4)), randn (6, 1));
%! refuses ({"expand:notConverged", {with("converged", false), with("converged", NaN)}, ""
%!           "expand:saddle", {with("hessian_min", -1)}, ""
%!           "expand:notStationary", {@() attnpath_expand(setfield (setfield (sol, "order", low), "U", low{1}))}, ""
%!           "expand:badValue", {@() attnpath_expand(narrow)}, {"width 3 of layer 1", "attnpath_sample"}
%!           "expand:badValue", {@() attnpath_expand(ex)}, ""
%!           "expand:missingField", {@() attnpath_expand(rmfield (sol, "order"))}, ""
%!           "scores:badValue", {@() attnpath_scores(ex, "By", "loo")}, ""
%!           "predict:badValue", {@() attnpath_predict(ex, struct ("Xi", Xi2), "Limit", "gp")}, ""
%!           "loo:badValue", {@() attnpath_loo(ex)}, ""
%!           "evidence:badValue", {@() attnpath_evidence(ex)}, ""
%!           "expand:usage", {@() attnpath_expand_mex(1)}, ""});

%!test % without an output a summary
%! sol = random_case (2, 12, 0.3, 6, 1, 3);
%! ex = attnpath_expand (sol, "Display", false);
%! text = evalc ("attnpath_expand (sol, 'Display', false);");
%! row = attnpath_scores (ex)(1,:);
%! want = [sprintf("to the next order in 1/N, from %d evaluations: %s\n", ex.evaluations, ex.reason), ...
%!         "U =\n", evalc("disp (ex.U)"), "standard deviations of its entries =\n", evalc("disp (ex.U_sd)"), ...
%!         sprintf("least 'share' of |U|: head %d of layer %d, with probability %.2g\n", row([2 1]), ex.least(1))];
%! assert (text, want);
%! sol = random_case (9, 40, 0.3, 6, 1, 3);             # too large to print
%! text = evalc ("attnpath_expand (sol, 'Display', false);");
%! assert (sum (text == "\n"), 2);

%!test % temperature as noise, where a layer is much narrower than another: H^{-1} carries rounding of the wide one's
%! % gradient to the narrow one, step^2 / 12 of third derivatives and as much of truncation
%! randn ("twister", 5);
%! paths = struct ("Xi", randn (3, 5, 2));
%! net = attnpath_net (2, "Width", [1e6 11], "Temperature", 0.3);
%! one = attnpath_solve (net, paths, 1e-5 * randn (5, 1), "Tolerance", 1e-10);
%! net.temperature = 0.15;
%! two = attnpath_solve (net, paths, one.y, "Noise", 2 * ones (1, 5), "Start", one.order, "Tolerance", 1e-10);
%! [a, b] = deal (attnpath_expand (one), attnpath_expand (two));
%! assert (b.U, a.U, a.lines.step ^ 2 * max (a.U_sd(:)));       % a step for the wide one: off by 1.6e-4, not 3e-7
