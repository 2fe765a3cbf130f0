% learned.tst: statistics of long runs of attnpath_sample with Method 'attention', for `make test-long`. Seeds are fixed, but a
% chain amplifies rounding: with another BLAS the draws differ.

%!function heads = draw_of (post, k)
%!  heads = post.heads;
%!  if isstruct (heads{1})
%!    heads{1} = struct ("Q", heads{1}.Q(:,:,:,k), "K", heads{1}.K(:,:,:,k));
%!  else
%!    heads{1} = heads{1}(:,:,:,k);
%!  endif
%!endfunction

%!test % simulation-based calibration: the truth's rank among the draws is uniform
%! % Heads and weights from the prior, labels of the network with them, and noise of variance T: then the truth is a draw
%! % from the posterior, and its rank among independent others uniform on 0..59. Widths below the number of paths,
%! % above it, and the GP limit; bilinear heads, and queries and keys. Quantities that the order of heads does not change:
%! % f at two new sequences, the trace of U_1, the mean map's entry, squares of heads, the log likelihood
%! for kind = 1:3
%!   randn ("twister", 6);
%!   heads = {randn(3, 3, 2)};
%!   if kind == 2, heads = {struct("Q", randn (2, 3, 2), "K", randn (2, 3, 2))}; endif
%!   net = attnpath_net (heads, "Width", {[1 3], [5 4], 4}{kind}, "Temperature", 0.1);
%!   X = randn (3, 4, 10);
%!   limit = {{}, {}, {"Limit", "gp"}}{kind};
%!   scale = 2 / mean (sum (reshape (X(:,:,1:8), 3, []) .^ 2, 1));
%!   rank = zeros (6, 200);
%!   for r = 1:200
%!     if kind == 2
%!       net.heads = {struct("Q", sqrt (scale) * randn (2, 3, 2), "K", sqrt (scale) * randn (2, 3, 2))};
%!       squares = @(h) sum (h.Q(:) .^ 2) + sum (h.K(:) .^ 2);
%!     else
%!       net.heads = {scale * randn(3, 3, 2)};
%!       squares = @(h) sum (h(:) .^ 2);
%!     endif
%!     A = ref_attention (net, X, []);
%!     if kind == 3
%!       Xi = ref_paths (net, X, A, []);
%!       f = chol (ref_kernel (net, Xi, eye (2), Xi) + 1e-12 * eye (10))' * randn (10, 1);
%!       U = eye (2);
%!     else
%!       weights = ref_prior (net, 3);
%!       f = ref_network (net, weights, X, A, []);
%!       u = ref_partial (net, weights){1};
%!       U = u' * u / net.width(1);
%!     endif
%!     y = f(1:8) + sqrt (0.1) * randn (8, 1);
%!     post = sampled (net, X(:,:,1:8), y, "Method", "attention", "Probe", X, "Chains", 1, "Warmup", 300, "Draws", 59, ...
%!                     "Thin", 8, "AttentionScale", 2, "Seed", 1000 * kind + r, limit{:});
%!     fit = @(f) -sum ((f(1:8,:) - y) .^ 2, 1) / 0.2;
%!     truth = [f(9:10); trace(U); mean(A{1}(1,4,:,1)); squares(net.heads{1}); fit(f)];
%!     draws = [post.f(9:10,:); squeeze(post.U(1,1,:) + post.U(2,2,:))'; zeros(2, 59); fit(post.f)];
%!     for k = 1:59
%!       one = net;
%!       one.heads = draw_of (post, k);
%!       draws(4:5,k) = [mean(attnpath_attention (one, X(:,:,1)){1}(1,4,:)); squares(one.heads{1})];
%!     endfor
%!     rank(:,r) = sum (draws < truth, 2);
%!   endfor
%!   for q = setdiff (1:6, 3 * (kind == 3))             % U is fixed at the limit
%!     chi2 = sum ((accumarray (1 + floor (rank(q,:)' / 6), 1, [10 1]) - 20) .^ 2) / 20;
%!     assert (gammainc (chi2 / 2, 9 / 2, "upper") > 0.01 / 17);     % 17 histograms
%!   endfor
%! endfor

%!test % raw networks of two units drawn from the prior, with the likelihood as importance weight
%! randn ("twister", 3);
%! n = 4e5;
%! X = randn (2, 2, 3);                               % two sequences of training, one new
%! y = [1.2; -0.7];
%! net = attnpath_net ({zeros(2)}, "Width", 2, "Temperature", 0.5);
%! sd = 1.5 / mean (sum (reshape (X(:,:,1:2), 2, []) .^ 2, 1));
%! W = sd * randn (4, n);
%! [f, map] = deal (zeros (3, n));
%! v = randn (4, n);                                  % V_0 2 x 2, then V_1, then a
%! V = randn (4, n);
%! a = randn (2, n);
%! for mu = 1:3
%!   x = X(:,:,mu);
%!   score = zeros (2, n);
%!   for s = 1:2, score(s,:) = kron (x(:,2), x(:,s))' * W; endfor        % x_s' W x_2
%!   map(mu,:) = 1 ./ (1 + exp (score(2,:) - score(1,:)));
%!   xi = x(:,1) .* map(mu,:) + x(:,2) .* (1 - map(mu,:));
%!   z = [sum(v([1 3],:) .* xi, 1); sum(v([2 4],:) .* xi, 1)] / sqrt (2);
%!   z = [sum(V([1 3],:) .* z, 1); sum(V([2 4],:) .* z, 1)] / sqrt (2);
%!   f(mu,:) = sum (a .* z, 1) / sqrt (2);
%! endfor
%! w = exp (-sum ((f(1:2,:) - y) .^ 2, 1) / (2 * 0.5));
%! of = @(f, map, W) [f; f .^ 2; map; W; W .^ 2];
%! x = of (f, map, W);
%! want = x * w' / sum (w);
%! error_of = sqrt ((x - want) .^ 2 * (w' .^ 2)) / sum (w);
%! post = sampled (net, X(:,:,1:2), y, "Method", "attention", "Probe", X, "Draws", 8000, "AttentionScale", 1.5);
%! maps = zeros (3, 8000, 4);
%! one = net;
%! for k = 1:32000
%!   one.heads = {post.heads{1}(:,:,1,k)};
%!   maps(:,k) = attnpath_attention_mex (one, X, []){1}(1,2,1,:);
%! endfor
%! d = attnpath_diagnose (of (post.f, maps, reshape (post.heads{1}, 4, 8000, 4)));
%! assert (min (d.ess_mean) > 1000);
%! assert (max (abs (d.mean - want) ./ hypot (d.mcse, error_of)) < 4);          % 17 numbers: 1 in 900

%!test % heads and tokens in another order give the same posterior
%! randn ("twister", 9);
%! net = attnpath_net ({randn(3, 3, 2)}, "Width", 8, "Temperature", 0.2, "HeadScale", {[1 1]});
%! X = randn (3, 4, 7);
%! y = randn (7, 1);
%! order = [3 1 4 2];                                 % token 4 is read out, then third in order
%! moved = net;
%! moved.readout = 3;
%! runs = {sampled(net, X, y, "Method", "attention", "Probe", X, "Draws", 4000), ...
%!         sampled(moved, X(:,order,:), y, "Method", "attention", "Probe", X(:,order,:), "Draws", 4000, "Seed", 1, ...
%!                 "StartHeads", "given")};
%! for k = 1:2
%!   d = attnpath_diagnose (runs{k});
%!   f = attnpath_diagnose (cat (1, runs{k}.f .^ 2, permute (sum (runs{k}.heads{1}(:,1,:,:,:) .^ 2, 3), [1 4 5 2 3])));
%!   average{k} = [d.U.mean; d.f.mean; f.mean];
%!   errors{k} = [d.U.mcse; d.f.mcse; f.mcse];
%! endfor
%! assert (max (abs (average{1} - average{2}) ./ hypot (errors{:})) < 4);       % 23 numbers
