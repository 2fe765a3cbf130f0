% skip.tst: statistics of networks with skip connections, for `make test-long`; their simulation-based calibration
% is in sample.tst. Seeds are fixed, but a chain amplifies rounding: with another BLAS the draws differ.

%!test % the chain (T28) has the moments of the weights (T26): of some 40 entries, means and squares, N_l about Pi_{l+1}
%! randn ("twister", 1);
%! list = {2, 1, [4 4]; [2 2], [1 0.6], [5 5 5]; [2 2], [1 0], [6 6 3]; [1 2], [1 1], [2 2 2]; ...
%!         [2 1 1], [1 0 1], [4 4 3 3]};
%! for c = list'
%!   net = attnpath_net (c{1}, "Skip", c{2}, "Width", c{3}, "Variance", 0.6 + 0.2 * (0:numel (c{1}) + 1));
%!   n = 4000;
%!   upper = find (triu (ones (prod (c{1} + (c{2} > 0)))));
%!   [A, B] = deal (zeros (numel (upper), n));
%!   for k = 1:n
%!     U = ref_chain (net){1};
%!     A(:,k) = U(upper);
%!     u = ref_partial (net, ref_prior (net, 1)){1};
%!     U = u' * u / net.width(1);
%!     B(:,k) = U(upper);
%!   endfor
%!   for power = 1:2
%!     apart = mean (A .^ power - B .^ power, 2);
%!     error_of = sqrt ((var (A .^ power, 0, 2) + var (B .^ power, 0, 2)) / n);
%!     assert (all (abs (apart) < 5 * error_of + 1e-12));         % 450 comparisons: 3e-4
%!   endfor
%! endfor

%!test % three samplers, saddle point and evidences against averages over prior draws, P = 8
%! randn ("twister", 3);
%! for c = {[2 2], [1 1], [20 20 20]; [2 2], [0 0.7], [20 18 18]; [2 1 2], [1 0 1], [24 24 20 20]}'
%!   net = attnpath_net (c{1}, "Skip", c{2}, "Width", c{3}, "Temperature", 0.3);
%!   paths = prod (c{1} + (c{2} > 0));
%!   Xi = randn (5, 11, paths);
%!   y = randn (8, 1);
%!   [train, probe] = deal (struct ("Xi", Xi(:,1:8,:)), struct ("Xi", Xi(:,9:11,:)));
%!   C = reshape (attnpath_pathkernels (net, Xi), 121, paths ^ 2) / paths;
%!   n = 20000;
%!   [l, f, U] = deal (zeros (n, 1), zeros (n, 3), zeros (n, paths ^ 2));
%!   for k = 1:n
%!     draw = ref_chain (net){1};
%!     K = reshape (C * draw(:), 11, 11);
%!     F = chol (K(1:8,1:8) + 0.3 * eye (8));
%!     b = F \ (F' \ y);
%!     l(k) = -sum (log (diag (F))) - y' * b / 2 - 4 * log (2 * pi);
%!     f(k,:) = (K(9:11,1:8) * b)';
%!     U(k,:) = draw(:)';
%!   endfor
%!   w = exp (l - max (l));
%!   logp = max (l) + log (mean (w));
%!   logp_se = std (w) / mean (w) / sqrt (n);
%!   w = w / sum (w);
%!   few = sum (w .^ 2);
%!   [want_f, want_U] = deal (w' * f, w' * U);
%!   se = @(x, mean_of) sqrt (w' * (x - mean_of) .^ 2 * few)';
%!   for k = 1:3
%!     post = sampled (net, train, y, samplers (){k}{:}, "Draws", 1500, "Probe", probe, "Seed", k);
%!     d = post.diagnostics;
%!     assert (d.U.rhat < 1.02);
%!     apart = mean (reshape (post.U, paths ^ 2, []), 2) - want_U';
%!     assert (all (abs (apart) < 4.5 * sqrt (se (U, want_U) .^ 2 + d.U.mcse(:) .^ 2)));
%!     apart = mean (post.f(:,:), 2) - want_f';
%!     assert (all (abs (apart) < 4.5 * sqrt (se (f, want_f) .^ 2 + d.f.mcse(:) .^ 2)));
%!   endfor
%!   sol = attnpath_solve (net, train, y);
%!   apart = @(mu) norm (mu' - want_f);                         % of order 1/N, and of order 1/N^2
%!   assert (apart (attnpath_predict (sol, probe)) < 3 / 18);
%!   assert (attnpath_evidence (sol), logp, 0.06 + 5 * logp_se);
%!   [annealed, error_of] = attnpath_evidence (sol, "Method", "annealed", "Display", false);
%!   assert (annealed, logp, 4.5 * sqrt (error_of ^ 2 + logp_se ^ 2));
%!   ex = attnpath_expand (sol, "Display", false);
%!   assert (norm (ex.U(:) - want_U') < norm (sol.U(:) - want_U'));
%!   assert (apart (attnpath_predict (ex, probe)) < apart (attnpath_predict (sol, probe)));
%! endfor

%!test % section 18's table: expansion and saddle point against draws, skips in both layers
%! randn ("twister", 3);
%! Xi = randn (5, 13, 9);
%! y = randn (8, 1);
%! [train, probe] = deal (struct ("Xi", Xi(:,1:8,:)), struct ("Xi", Xi(:,9:13,:)));
%! C = reshape (attnpath_pathkernels (attnpath_net ([2 2], "Skip", [1 1]), Xi), 169, 81) / 9;
%! list = [12 0.88; 25 0.95; 50 0.98; 100 0.99];                 % N, standard deviations of U over exact ones
%! for k = 1:4
%!   net = attnpath_net ([2 2], "Skip", [1 1], "Width", list(k,1), "Temperature", 0.3);
%!   sol = attnpath_solve (net, train, y);
%!   ex = attnpath_expand (sol, "Display", false);
%!   post = sampled (net, train, y, "Draws", 10000, "Seed", k);
%!   U = post.U(:,:,:);
%!   f = zeros (5, 2000);
%!   for d = 1:2000
%!     K = reshape (C * vec (U(:,:,20*d)), 13, 13);
%!     f(:,d) = K(9:13,1:8) * ((K(1:8,1:8) + 0.3 * eye (8)) \ y);
%!   endfor
%!   se_f = norm (std (f, 0, 2)) / sqrt (post.diagnostics.ess);
%!   se_U = norm (post.diagnostics.U.mcse(:));
%!   [mean_f, var_f] = attnpath_predict (post, probe);
%!   off = @(model) norm (attnpath_predict (model, probe) - mean_f);
%!   assert (off (ex) < off (sol) / 5 + 3 * se_f);
%!   assert (norm (ex.U(:) - mean (U, 3)(:)) < norm (sol.U(:) - mean (U, 3)(:)) / 5 + 3 * se_U);
%!   [~, s2] = attnpath_predict (ex, probe);
%!   assert (norm (s2 - var_f) < (1 / list(k,1) ^ 2 + 3 * sqrt (2 / 40000)) * norm (var_f));
%!   assert (norm (ex.U_sd(:)) / norm (std (U, 0, 3)(:)), list(k,2), 0.03);
%! endfor
