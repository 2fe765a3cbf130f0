% task_exchangeable.tst: tokens that are i.i.d. given a latent vector (theory.md section 11), and its posterior.
% Statistical checks run on fixed seeds and allow 5 standard errors, written out beside each.

%!function task = linear ()                              % nothing large is shared, since a failure prints what is
%!  task = attnpath_task_exchangeable ("P", 30, "Ptest", 400, "Tokens", 20, "TestTokens", 50, "Seed", 3);
%!endfunction

%!function task = cosine (varargin)
%!  task = attnpath_task_exchangeable ("Map", "cosine", "Features", 7, "P", 30, "Ptest", 300, "Tokens", 20, ...
%!                                     "Seed", 4, varargin{:});
%!endfunction

%!function [k, v, q] = parts (X, d)                      % keys d x n x P, values 1 x n x P, queries d x P
%!  k = X(1:d,1:end-1,:);
%!  v = X(d+1,1:end-1,:);
%!  q = reshape (X(d+2:2*d+1,end,:), d, []);
%!endfunction

%!function same (a, b)                                   % two tasks, but for their function handles
%!  assert (isequal (rmfield (a, {"phi", "infer"}), rmfield (b, {"phi", "infer"})));
%!endfunction

%!test % shapes, and which rows of a token hold what
%! t = linear ();
%! assert (size (t.Xtrain), [8 21 30]);
%! assert (size (t.Xtest), [8 51 400]);
%! assert ({size(t.ytrain), size(t.ytest)}, {[30 1], [400 1]});
%! assert ({size(t.latent.train), size(t.latent.test)}, {[3 30], [3 400]});
%! assert ({size(t.truth.train), size(t.truth.test)}, {[30 1], [400 1]});
%! p = t.posterior.test;
%! assert ({size(p.mean), size(p.cov), size(p.prediction), size(p.variance)}, {[3 400], [3 3 400], [400 1], [400 1]});
%! assert (t.path_names, {"bandwidth 0.3"});
%! assert ({size(t.heads), size(t.heads{1}.Q), size(t.heads{1}.K)}, {[1 1], [4 8], [4 8]});
%! assert (any (t.Xtest(5:8,1:end-1,:)(:)), false);        % no query and no marker but in the last token
%! assert (any (t.Xtest(1:4,end,:)(:)), false);            % and there no key and no value
%! assert (t.Xtest(8,end,:), ones (1, 1, 400));
%! t = cosine ();
%! assert ({size(t.latent.test), size(t.posterior.test.cov), size(t.map.W), size(t.map.b)}, ...
%!         {[7 300], [7 7 300], [7 3], [7 1]});
%! assert (size (t.phi (ones (3, 5))), [7 5]);

%!test % the smallest task: one token, one dimension
%! t = attnpath_task_exchangeable ("P", 1, "Ptest", 1, "Tokens", 1, "Dimension", 1);
%! assert (size (t.Xtrain), [4 2]);
%! assert (abs (t.Xtrain(1,1)), 1);                        % the sphere in one dimension

%!test % keys: uniform on the sphere, or normal with variances that fall geometrically
%! [k, ~, q] = parts (linear ().Xtest, 3);
%! k = [reshape(k, 3, []), q];
%! assert (norm (k(:,1:9), 2, "columns"), ones (1, 9), 4 * eps);
%! n = columns (k);
%! assert (mean (k, 2), zeros (3, 1), 5 * sqrt (1 / 3 / n));
%! % k_1^2 on the sphere has mean 1/3 and variance 1/5 - 1/9, k_1 k_2 has mean 0 and variance 1/15
%! assert (k * k' / n, eye (3) / 3, 5 * sqrt ((1/5 - 1/9) / n));
%! t = attnpath_task_exchangeable ("Keys", "gaussian", "Condition", 100, "Ptest", 400, "Tokens", 50, "P", 1);
%! s2 = [1; 0.1; 0.01] / 1.11;
%! assert (t.key_variance, s2, 4 * eps);
%! [k, ~, q] = parts (t.Xtest, 3);
%! k = [reshape(k, 3, []), q] ./ sqrt (s2);
%! n = columns (k);
%! assert (mean (k, 2), zeros (3, 1), 5 / sqrt (n));
%! assert (k * k' / n, eye (3), 5 * sqrt (2 / n));
%! assert (linear ().key_variance, ones (3, 1) / 3, eps);

%!test % latents are N(0, I), values are phi' z plus white noise, which knows nothing of the features
%! for t = {linear(), cosine()}
%!   t = t{1};
%!   z = t.latent.test;
%!   [D, P] = size (z);
%!   assert (mean (z, 2), zeros (D, 1), 5 / sqrt (P));
%!   assert (z * z' / P, eye (D), 5 * sqrt (2 / P));
%!   [k, v, q] = parts (t.Xtest, 3);
%!   n = columns (k);
%!   for mu = 1:P
%!     phi(:,:,mu) = t.phi (k(:,:,mu));
%!     noise(:,mu) = v(:,:,mu) - z(:,mu)' * phi(:,:,mu);
%!   endfor
%!   assert (mean (noise(:)), 0, 5 * 0.5 / sqrt (n * P));
%!   assert (mean (noise(:) .^ 2), 0.25, 5 * 0.25 * sqrt (2 / (n * P)));
%!   assert (mean (noise(1:end-1,:)(:) .* noise(2:end,:)(:)), 0, 5 * 0.25 / sqrt ((n - 1) * P));
%!   phi = reshape (phi, D, []);
%!   assert (phi * noise(:) / (n * P), zeros (D, 1), 5 * 0.5 * sqrt (max (mean (phi .^ 2, 2)) / (n * P)));
%!   assert (t.truth.test, sum (t.phi (q) .* z, 1)', 1e-14);
%!   clear phi noise
%! endfor

%!test % the maps: the key itself; cosines, computed one by one
%! k = [1 2 3; -1 0.5 2]';
%! assert (linear ().phi (k), k);
%! t = cosine ("Frequency", 3);
%! for i = 1:7
%!   for m = 1:2
%!     want(i,m) = sqrt (2 / 7) * cos (t.map.W(i,:) * k(:,m) + t.map.b(i));
%!   endfor
%! endfor
%! assert (t.phi (k), want, 1e-15);
%! assert (cosine ().map.W, t.map.W * 2 / 3, 1e-15);
%! t = attnpath_task_exchangeable ("Map", "cosine", "Features", 800, "P", 1, "Ptest", 1);
%! assert (mean (t.map.W(:) .^ 2), 4, 5 * 4 * sqrt (2 / 2400));
%! assert (mean (t.map.b), pi, 5 * 2 * pi / sqrt (12 * 800));
%! assert (mean (exp (1i * t.map.b)), 0, 5 / sqrt (800));
%! % phi (k)' phi (l) tends to exp (-Frequency^2 |k - l|^2 / 2); a term is the product of two cosines, twice
%! assert (t.phi (k(:,1) / 4)' * t.phi (k(:,2) / 4), exp (-2 * sumsq (k(:,1) - k(:,2)) / 16), 5 * sqrt (2 / 800));

%!test % the posterior is that of Bayes' rule, token by token
%! for t = {linear(), cosine(), cosine("Noise", 1e-3), cosine("Noise", 100)}
%!   t = t{1};
%!   s = t.settings.Noise;
%!   [k, v, q] = parts (t.Xtrain, 3);
%!   for mu = 1:5
%!     phi = t.phi (k(:,:,mu));
%!     [m, S] = ref_exchangeable (phi, v(:,:,mu), s);
%!     % rounding times the condition of I + phi phi' / s^2, with room for the subtractions of the reference
%!     tol = 100 * eps * cond (eye (rows (phi)) + phi * phi' / s ^ 2);
%!     p = t.posterior.train;
%!     assert (p.mean(:,mu), m, tol * max (1, norm (m)));
%!     assert (p.cov(:,:,mu), S, tol);
%!     assert (p.prediction(mu), t.phi (q(:,mu))' * m, tol * max (1, norm (m)));
%!     assert (p.variance(mu), t.phi (q(:,mu))' * S * t.phi (q(:,mu)), tol);
%!     [m2, S2] = t.infer (k(:,:,mu), v(:,:,mu));
%!     assert ({m2, S2}, {p.mean(:,mu), p.cov(:,:,mu)});
%!   endfor
%! endfor

%!test % labels: the conditional mean, its sign, a noisy value; all else is the same
%! t = linear ();
%! assert (t.ytest, t.truth.test);
%! assert (t.ytrain, t.truth.train);
%! s = attnpath_task_exchangeable (setfield (t.settings, "Label", "sign"));
%! assert (s.ytest, sign (t.truth.test));
%! assert (isequal (s.Xtest, t.Xtest) && isequal (s.posterior, t.posterior) && isequal (s.truth, t.truth));
%! m = attnpath_task_exchangeable (setfield (t.settings, "Label", "MASKED"));
%! assert (m.settings.Label, "masked");
%! assert (isequal (m.Xtest, t.Xtest) && isequal (m.truth, t.truth));
%! u = (m.ytest - t.truth.test) / 0.5;
%! assert (mean (u), 0, 5 / sqrt (400));
%! assert (mean (u .^ 2), 1, 5 * sqrt (2 / 400));
%! % not the noise of a token that is shown
%! [k, v] = parts (t.Xtest, 3);
%! shown = squeeze (v) - squeeze (sum (k .* reshape (t.latent.test, 3, 1, 400), 1));
%! assert (shown * u / 400, zeros (50, 1), 5 * 0.5 / sqrt (400));

%!test % the heads: softmax of keys with the query, and nothing from the token that asks
%! t = attnpath_task_exchangeable ("P", 3, "Ptest", 1, "Tokens", 9, "Bandwidth", [0.3; 2], "Keys", "gaussian");
%! assert (t.settings.Bandwidth, [0.3 2]);
%! assert (t.path_names, {"bandwidth 0.3"; "bandwidth 2"});
%! net = struct ("heads", {t.heads}, "H", 2, "attention", "softmax", "causal", false);
%! A = ref_attention (net, t.Xtrain, []);
%! [k, v, q] = parts (t.Xtrain, 3);
%! for h = 1:2
%!   for mu = 1:3
%!     w = exp (k(:,:,mu)' * q(:,mu) / t.settings.Bandwidth(h));
%!     % what is left to the last token is exp (-60) / sum (w) = 1e-26 / sum (w)
%!     assert (A{1}(1:9,10,h,mu), w / sum (w), 1e-13);
%!     assert (A{1}(10,10,h,mu), 0, 1e-25 / sum (w));
%!   endfor
%! endfor

%!test % in the network: values of what comes out, of a task as of the paths
%! t = attnpath_task_exchangeable ("P", 4, "Ptest", 1, "Tokens", 12);
%! net = attnpath_net (t.heads);
%! paths = attnpath_paths (net, t.Xtrain);
%! assert (size (paths.Xi), [8 4]);
%! [k, v, q] = parts (t.Xtrain, 3);
%! for mu = 1:4
%!   w = exp (k(:,:,mu)' * q(:,mu) / 0.3);
%!   assert (paths.Xi(:,mu), [[k(:,:,mu); v(:,:,mu)] * w / sum(w); zeros(4, 1)], 1e-13);
%! endfor
%! sol = attnpath_solve (net, t.Xtrain, t.ytrain);
%! assert (sol.converged);

%!test % as kernels: the linear one, ridge Noise^2, gives the posterior mean at the query; the query's token is no key
%! t = attnpath_task_exchangeable ("P", 4, "Ptest", 1, "Tokens", 12, "Bandwidth", 1);
%! net = attnpath_net (t.heads, "Attention", "cme", "Kernel", "linear", "Ridge", 0.25);
%! % rounding times the condition of G + ridge I, at most (60 + 12) / 0.25 + 1
%! assert (attnpath_paths (net, t.Xtrain).Xi(4,:)', t.posterior.train.prediction, 100 * eps * 289);
%! t = attnpath_task_exchangeable ("P", 4, "Ptest", 1, "Tokens", 12, "Bandwidth", [0.5 2]);
%! [k, v, q] = parts (t.Xtrain, 3);
%! for kernel = {"exponential", "gaussian"}
%!   if strcmp (kernel{1}, "gaussian"), t.heads{1}.Q(end,:,:) = 0; endif
%!   net = attnpath_net (t.heads, "Attention", "cme", "Kernel", kernel{1}, "Ridge", 0.25);
%!   Xi = attnpath_paths (net, t.Xtrain).Xi;
%!   for h = 1:2
%!     for mu = 1:4
%!       want = attnpath_attend (q(:,mu), k(:,:,mu), v(:,:,mu), "Attention", "cme", "Kernel", kernel{1}, ...
%!                               "Bandwidth", t.settings.Bandwidth(h), "Ridge", 0.25);
%!       % Its kernel with itself is exp (60) beside 1 with the others, or 1 beside exp (-30) = 1e-13, and what that
%!       % changes is multiplied by at most the condition of the others' matrix, 12 exp (2) / 0.25 + 1 = 356
%!       assert (Xi(4,mu,h), want, 1e-13 * 356 * norm (v(:,:,mu)));
%!     endfor
%!   endfor
%! endfor

%!test % same seed, same task; another seed, another; settings give the task again, names in any case
%! t = linear ();
%! same (t, attnpath_task_exchangeable ("p", 30, "PTEST", 400, "tokens", 20, "testtokens", 50, "seed", 3));
%! same (t, attnpath_task_exchangeable (t.settings));
%! c = cosine ();
%! same (c, attnpath_task_exchangeable (c.settings));
%! other = attnpath_task_exchangeable (setfield (c.settings, "Seed", 5));
%! assert (isequal (other.Xtrain, c.Xtrain) || isequal (other.map, c.map), false);
%! equal = attnpath_task_exchangeable (setfield (c.settings, "Ptest", 30));
%! assert (isequal (equal.latent.test, equal.latent.train), false);
%! assert (isequal (equal.Xtest, equal.Xtrain), false);

%!test % streams: P and Ptest leave each other alone, more of either extends it, latents and queries do not know n
%! t = linear ();
%! u = attnpath_task_exchangeable (setfield (t.settings, "P", 7));
%! assert (isequal (u.Xtest, t.Xtest) && isequal (u.ytest, t.ytest));
%! assert (isequal (u.Xtrain, t.Xtrain(:,:,1:7)) && isequal (u.ytrain, t.ytrain(1:7)));
%! u = attnpath_task_exchangeable (setfield (t.settings, "Ptest", 7));
%! assert (isequal (u.Xtrain, t.Xtrain) && isequal (u.Xtest, t.Xtest(:,:,1:7)));
%! u = attnpath_task_exchangeable (setfield (t.settings, "TestTokens", 3));
%! assert (isequal (u.Xtrain, t.Xtrain) && isequal (u.latent, t.latent) && isequal (u.truth, t.truth));
%! assert (u.Xtest(:,end,:), t.Xtest(:,end,:));

%!test % the user's own random numbers run on as if nothing had happened
%! keeps_generators (@() attnpath_task_exchangeable ("P", 2, "Ptest", 2));

%!test % what is refused, with which identifier, and that the message names the option and the value
%! refused ("task_exchangeable", @attnpath_task_exchangeable, {"notFinite", "P", {NaN}; "badValue", "P", {0}
%!          "badValue", "Ptest", {2.5}; "badValue", "Tokens", {0}; "badClass", "Tokens", {int32(10)}
%!          "badShape", "TestTokens", {[10 20]}; "badValue", "TestTokens", {-1}; "badValue", "Dimension", {0}
%!          "badValue", "Keys", {"cube"}; "badClass", "Map", {5}; "badValue", "Label", {"class"}
%!          "badValue", "Condition", {0.5, 10}; "badValue", "Features", {4}; "badClass", "Features", {"many"}
%!          "badValue", "Frequency", {-1}; "badValue", "Noise", {0}; "notReal", "Noise", {2+1i}
%!          "badValue", "Bandwidth", {0, [1 -2]}; "notFinite", "Bandwidth", {[1 NaN]}
%!          "badShape", "Bandwidth", {eye(2)}; "empty", "Bandwidth", {[]}; "badClass", "Bandwidth", {"wide"}
%!          "badValue", "Seed", {-1}; "unknownOption", "Length", {30}; "nameValue", 5, {30}});

%!error id=attnpath:task_exchangeable:nameValue attnpath_task_exchangeable ("P", 10, "Seed")
%!error id=attnpath:task_exchangeable:badValue ...
%! attnpath_task_exchangeable ("Keys", "gaussian", "Dimension", 1, "Condition", 2)

%!test % more than 8 GiB is refused before anything is drawn, with the numbers
%! for bad = {{"P", 1e8}, {"TestTokens", 1e8}, {"Tokens", 1e9}}
%!   refuses ("task_exchangeable:tooLarge", ...
%!            @() attnpath_task_exchangeable (bad{1}{:}), sprintf ("%.10g", bad{1}{2} + (bad{1}{1}(1) == "T")));
%! endfor
