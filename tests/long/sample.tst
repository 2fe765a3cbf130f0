% sample.tst: statistics of long runs of attnpath_sample, for `make test-long`. Seeds are fixed, but a chain amplifies
% rounding: with another BLAS the draws differ. Draws against theory and expansion at several widths are in skip.tst,
% and by quadrature in tests/m/expand.tst.

%!test % a guide moves the chains and leaves no trace: the Langevin method, which has none, agrees
%! % 80 examples at T = 1, eigenvalues of the kernel at the GP limit from 40 to 1e-2, 27 of them in the guide. The largest
%! % of 32 dependent differences, in standard errors: U, f and their squares. Above 4.5 is one in 4000
%! randn ("twister", 8);
%! net = attnpath_net ({randn(24, 24, 2) / 5, randn(24, 24, 2) / 5}, "Width", 6, "Temperature", 1);
%! paths = attnpath_paths (net, reshape (diag (6 * 0.75 .^ (0:23)) * randn (24, 3 * 86), 24, 3, 86));
%! train.Xi = paths.Xi(:,1:80,:);
%! probe.Xi = paths.Xi(:,81:86,:);
%! y = sign (sum (sum (train.Xi, 1), 3))' + randn (80, 1);
%! both = {sampled(net, train, y, "Probe", probe, "Draws", 6000), ...
%!         sampled(net, train, y, "Probe", probe, "Draws", 4000, "Method", "langevin")};
%! assert (all (both{1}.guide > 0 & both{1}.guide < 40));
%! assert (both{2}.guide, zeros (1, 4));
%! for k = 1:2
%!   u = reshape (both{k}.U, 16, [], 4)(triu (true (4))(:),:,:);
%!   x = cat (1, u, u .^ 2, both{k}.f, both{k}.f .^ 2);
%!   d = attnpath_diagnose (struct ("U", both{k}.U, "f", x, "logpost", both{k}.logpost));
%!   assert (d.converged);
%!   average{k} = mean (x(:,:), 2);
%!   errors{k} = std (x(:,:), 0, 2) ./ sqrt (d.f.ess_bulk(:));
%! endfor
%! assert (max (abs ((average{1} - average{2}) ./ hypot (errors{:}))) < 4.5);

%!test % simulation-based calibration: the truth's rank among the draws is uniform
%! % Weights from the prior, labels of the network with them, token by token, and noise of variance T: then the truth is
%! % a draw from the posterior, and its rank among independent others uniform on 0..59 (60 values, 6 to a bin; at these
%! % thinnings lag-one correlations are below 0.1). The last quantity is the log likelihood, which sees y.
%! for kind = {{}, 2; {"Skip", [1 0.7]}, 9}'                % the second: N_l < Pi_l, and U(1,9) of 9 paths
%!   randn ("twister", 6);
%!   net = attnpath_net ({randn(5, 5, 2), randn(5, 5, 2)}, "Width", 4, "Temperature", 0.1, kind{1}{:});
%!   X = randn (5, 4, 10);
%!   A = ref_attention (net, X, []);
%!   probe = attnpath_paths (net, X);
%!   train.Xi = probe.Xi(:,1:8,:);
%!   replicas = [200 200 100];
%!   thin = [3 2 8];
%!   for k = 1:3
%!     rank = zeros (5, replicas(k));
%!     for r = 1:replicas(k)
%!       weights = ref_prior (net, 5);
%!       f = ref_network (net, weights, X, A, []);
%!       u = ref_partial (net, weights){1};
%!       U = u' * u / 4;
%!       y = f(1:8) + sqrt (0.1) * randn (8, 1);
%!       post = sampled (net, train, y, "Probe", probe, "Chains", 1, "Warmup", 200, "Draws", 59, "Thin", thin(k), ...
%!                       "Seed", 1000 * k + r, samplers (){k}{:});
%!       fit = @(f) -sum ((f(1:8,:) - y) .^ 2, 1) / 0.2;
%!       truth = [f(9:10); U(1,1); U(1,kind{2}); fit(f)];
%!       draws = [post.f(9:10,:); squeeze(post.U(1,1,:))'; squeeze(post.U(1,kind{2},:))'; fit(post.f)];
%!       rank(:,r) = sum (draws < truth, 2);
%!     endfor
%!     expected = replicas(k) / 10;
%!     for q = 1:5
%!       chi2 = sum ((accumarray (1 + floor (rank(q,:)' / 6), 1, [10 1]) - expected) .^ 2) / expected;
%!       assert (gammainc (chi2 / 2, 9 / 2, "upper") > 0.01 / 15);     % 15 histograms
%!     endfor
%!   endfor
%! endfor

% Two ways that share little against each other; z and the sample sizes asked for as in tests/m/sample.tst.
%!test
%! % hidden Markov chain, N = 10 and 30: collapsed and Langevin agree on U and on f at 100 test sequences
%! task = attnpath_task_markov ("P", 100, "Ptest", 100);
%! for c = {10, 1300, 1300; 30, 3200, 1000}'                  % draws of a chain: enough for 2000 effective ones
%!   net = attnpath_net (task.heads, "Width", c{1});
%!   train = attnpath_paths (net, task.Xtrain);
%!   test = attnpath_paths (net, task.Xtest);
%!   a = sampled (net, train, task.ytrain, "Probe", test, "Warmup", 500, "Draws", c{2});
%!   b = sampled (net, train, task.ytrain, "Probe", test, "Warmup", 500, "Draws", c{3}, ...
%!              "Method", "langevin");
%!   assert (a.net.temperature, 0.01);
%!   [z, ess] = samples_apart ([order_entries(a); a.f], [order_entries(b); b.f]);
%!   assert (max (z) < 4.5);
%!   assert (ess >= 200);
%! endfor

%!test
%! % 16 paths of random heads, N = 8: the Wishart is singular
%! randn ("twister", 4);
%! net = attnpath_net ({randn(24, 24, 4) / 5, randn(24, 24, 4) / 5}, "Width", 8, "Temperature", 0.1);
%! X = randn (24, 6, 140);
%! y = sign (randn (40, 1));
%! draws = [2200 1500];
%! for k = 1:2
%!   post{k} = sampled (net, X(:,:,1:40), y, "Probe", X(:,:,41:140), "Draws", draws(k), "Warmup", 600, samplers (){k}{:});
%! endfor
%! [z, ess] = samples_apart ([order_entries(post{1}); post{1}.f], [order_entries(post{2}); post{2}.f]);
%! assert (max (z) < 4.5);
%! assert (ess >= 200);
%! assert (rank (post{1}.U(:,:,end)), 8);
