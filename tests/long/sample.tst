% sample.tst: statistics of long runs of attnpath_sample, for `make test-long`. Seeds are fixed, but a chain remembers its
% last bit: where BLAS rounds differently the draws are others.

%!function post = sample (varargin)
%!  % quietly, and not minding how few the draws are
%!  warning ("off", "attnpath:sample:notConverged", "local");
%!  post = attnpath_sample (varargin{:}, "Display", false);
%!endfunction

%!function list = methods ()
%!  list = {{"Method", "collapsed"}, {"Method", "langevin"}, {"Method", "langevin-all"}};
%!endfunction

%!test % simulation-based calibration: the truth's rank among the draws is uniform
%! % Weights from the prior, labels of the network with them, token by token, and noise of variance T: then the truth is
%! % a draw from the posterior, and its rank among independent others uniform on 0..59 (60 values, 6 to a bin; at these
%! % thinnings lag-one correlations are below 0.1). The last quantity is the log likelihood, which sees y.
%! randn ("twister", 6);
%! net = attnpath_net ({randn(5, 5, 2), randn(5, 5, 2)}, "Width", 4, "Temperature", 0.1);
%! X = randn (5, 4, 10);
%! A = ref_attention (net, X, []);
%! probe = attnpath_paths (net, X);
%! train.Xi = probe.Xi(:,1:8,:);
%! replicas = [200 200 100];
%! thin = [3 2 8];
%! for k = 1:3
%!   rank = zeros (5, replicas(k));
%!   for r = 1:replicas(k)
%!     weights = ref_prior (net, 5);
%!     f = ref_network (net, weights, X, A, []);
%!     U = ref_order (net, weights);
%!     y = f(1:8) + sqrt (0.1) * randn (8, 1);
%!     post = sample (net, train, y, "Probe", probe, "Chains", 1, "Warmup", 200, "Draws", 59, "Thin", thin(k), ...
%!                    "Seed", 1000 * k + r, methods (){k}{:});
%!     fit = @(f) -sum ((f(1:8,:) - y) .^ 2, 1) / 0.2;
%!     truth = [f(9:10); U(1,1); U(1,2); fit(f)];
%!     draws = [post.f(9:10,:); squeeze(post.U(1,1,:))'; squeeze(post.U(1,2,:))'; fit(post.f)];
%!     rank(:,r) = sum (draws < truth, 2);
%!   endfor
%!   expected = replicas(k) / 10;
%!   for q = 1:5
%!     chi2 = sum ((accumarray (1 + floor (rank(q,:)' / 6), 1, [10 1]) - expected) .^ 2) / expected;
%!     assert (gammainc (chi2 / 2, 9 / 2, "upper") > 0.01 / 15);     % 15 histograms
%!   endfor
%! endfor
