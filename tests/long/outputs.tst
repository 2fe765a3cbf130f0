% outputs.tst: statistics of long runs with several outputs, for `make test-long`. Seeds are fixed, but a chain amplifies
% rounding: with another BLAS the draws differ.

%!function z = apart_by (a, b, ma, mb)      % the largest difference of two means, in standard errors
%!  s = sqrt (ma .^ 2 + mb .^ 2);
%!  z = max (abs (a(:) - b(:)) ./ max (s(:), 1e-12));
%!endfunction

%!function [U, f] = truth (net, weights, Xi)     % U_1 and the outputs of given weights, from (T4)
%!  C = columns (weights.a);
%!  u = [];
%!  for h = 1:net.H(1), u = [u, weights.V{1}(:,:,h)' * weights.a / sqrt(net.width(2))]; endfor
%!  U = u' * u / net.width(1);
%!  W = weights.V0' * u / sqrt (net.width(1));
%!  f = zeros (columns (Xi), C);
%!  for h = 1:net.H(1)
%!    f = f + Xi(:,:,h)' * W(:,(h-1)*C+(1:C)) / sqrt (rows (Xi) * net.H(1));
%!  endfor
%!endfunction

%!test % the posterior: collapsed and Langevin agree at C = 2 and 3, and U is that of the weights
%! for C = 2:3
%!   randn ("twister", C);
%!   net = attnpath_net (2, "Width", [4 5], "Temperature", 0.3);
%!   p = struct ("Xi", randn (4, 5, 2));  probe = struct ("Xi", randn (4, 3, 2));  Y = randn (5, C);
%!   post = {};
%!   for method = {"collapsed", "langevin", "langevin-all"}
%!     thin = 2 + 6 * strcmp (method{1}, "langevin-all");
%!     post{end+1} = attnpath_sample (net, p, Y, "Method", method{1}, "Draws", 3000, ...
%!                                    "Thin", thin, "Probe", probe, "Weights", true, "Display", false);
%!     assert (size (post{end}.f), [3 C 3000 4]);
%!     assert (post{end}.diagnostics.ess > 450);         % 5500 / 12, see tests/m/sample.tst
%!   endfor
%!   for k = 2:3
%!     for name = {"U", "f"}
%!       a = post{1}.diagnostics.(name{1});  b = post{k}.diagnostics.(name{1});
%!       assert (apart_by (a.mean, b.mean, a.mcse, b.mcse) < 4.5);
%!     endfor
%!   endfor
%!   for k = 1:3
%!     w = attnpath_weights (post{k}, 7, 2);
%!     assert (size (w.a), [5 C]);
%!     [U, f] = truth (net, w, probe.Xi);
%!     assert (U, post{k}.U(:,:,7,2), 1e-10);
%!     assert (post{k}.f(:,:,7,2), f, 1e-10);
%!   endfor
%! endfor

%!test % a singular U of coupled outputs, in turned coordinates: collapsed and Langevin agree
%! randn ("twister", 9);
%! net = attnpath_net ([4 2], "Width", 8, "Temperature", 0.1);
%! p = struct ("Xi", randn (3, 6, 8));  probe = struct ("Xi", randn (3, 2, 8));
%! Y = 3 * eye (3)([1 2 3 1 2 3],:) / 2 - 0.5;
%! a = attnpath_sample (net, p, Y, "Warmup", 600, "Draws", 3000, "Probe", probe, "Display", false);
%! b = attnpath_sample (net, p, Y, "Method", "langevin", "Draws", 3000, "Thin", 2, "Probe", probe, "Display", false);
%! assert ([a.diagnostics.ess, b.diagnostics.ess] > 450);
%! for name = {"U", "f"}
%!   [x, y] = deal (a.diagnostics.(name{1}), b.diagnostics.(name{1}));
%!   assert (apart_by (x.mean, y.mean, x.mcse, y.mcse) < 4.5);
%! endfor

%!test % simulation-based calibration at C = 2: the truth's rank among the draws is uniform on 0..59, 6 values to a bin
%! warning ("off", "attnpath:sample:notConverged", "local");
%! randn ("twister", 8);
%! net = attnpath_net (2, "Width", [4 4], "Temperature", 0.1);
%! Xi = randn (5, 8, 2);
%! methods = {{"Method", "collapsed", "Thin", 3}, {"Method", "langevin", "Thin", 2}};
%! replicas = 200;
%! for k = 1:2
%!   rank = zeros (5, replicas);
%!   for r = 1:replicas
%!     [~, weights] = ref_outputs_prior (net, 5, 2);
%!     [U, f] = truth (net, weights, Xi);
%!     Y = f(1:6,:) + sqrt (0.1) * randn (6, 2);
%!     post = attnpath_sample (net, struct ("Xi", Xi(:,1:6,:)), Y, "Probe", struct ("Xi", Xi), "Chains", 1, ...
%!                             "Warmup", 200, "Draws", 59, "Seed", 1000 * k + r, "Display", false, methods{k}{:});
%!     fit = @(f) -sum (sum ((f(1:6,:,:) - Y) .^ 2, 1), 2);
%!     want = [f(7,1); f(8,2); U(1,1); U(1,4); fit(f)];
%!     draws = [squeeze(post.f(7,1,:))'; squeeze(post.f(8,2,:))'; squeeze(post.U(1,1,:))'; squeeze(post.U(1,4,:))'
%!              squeeze(fit (post.f))'];
%!     rank(:,r) = sum (draws < want, 2);
%!   endfor
%!   for q = 1:5
%!     chi2 = sum ((accumarray (1 + floor (rank(q,:)' / 6), 1, [10 1]) - replicas / 10) .^ 2) / (replicas / 10);
%!     assert (gammainc (chi2 / 2, 9 / 2, "upper") > 0.01 / 10);     % 10 histograms
%!   endfor
%! endfor
