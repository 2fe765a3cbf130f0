% span.tst: path inputs that span few dimensions come to a basis of them, and nothing that is computed changes.

%!function [net, Xi, y, Xt] = data (N0, r, P, T, noise = 0)
%!  % two layers of two heads; path inputs in r of N0 dimensions, new ones in all
%!  randn ("twister", N0 + r + P);  rand ("twister", 1);
%!  net = attnpath_net ([2 2], "Width", [12 15 9], "Variance", [0.8 1.1 0.9 1.2], "Temperature", T);
%!  B = orth (randn (N0, r));
%!  Xi = reshape (B * randn (r, P * 4) * sqrt (N0 / r) + noise * randn (N0, P * 4), N0, P, 4);
%!  y = sign (randn (P, 1)) + 0.1 * randn (P, 1);
%!  Xt = randn (N0, 7, 4);
%!endfunction

%!function data = prepared (net, Xi, y, varargin)
%!  % as the functions prepare it for very many evaluations: then it pays for these small problems too; but for options
%!  use = struct ("memory", 0, "store", false, "reduce", true, "evaluations", 1e9, "threads", 1, ...
%!                "shared", false, "of", []);
%!  for k = 1:2:numel (varargin), use.(varargin{k}) = varargin{k+1}; endfor
%!  data = attnpath_prepare_mex (setfield (net, "N0", 0), Xi, y, use);
%!  if isempty (data.Xi), data.Xi = Xi; endif
%!  if isempty (data.y), data.y = y; endif
%!  whole = ready (data.Xi, data.y);
%!  for name = {"shared", "of", "lognoise", "gradrel"}, data.(name{1}) = whole.(name{1}); endfor
%!endfunction

%!shared order
%! order = {[2 .3 0 .1; .3 1 .2 0; 0 .2 1.5 0; .1 0 0 .7], [1.2 .4; .4 .9]};

%!test % stored kernels, path inputs, few for many: energy, gradient and solution as of the inputs as they are
%! for P = [6 19 20 90]                              % r Pi = 20
%!   [net, Xi, y] = data (12, 5, P, 0.3);
%!   [S, grad, part] = ref_action (net, Xi, y, order);
%!   for memory = [0 1e9]
%!     d = prepared (net, Xi, y, "memory", memory, "store", memory > 0);
%!     assert (size (d.basis), [12 5]);
%!     assert ([d.N0, d.P], [12, P]);
%!     assert (size (d.Xi), [5, min(P, 20), 4]);
%!     [S1, g1, E1] = attnpath_action_mex (net, d, order, 0);
%!     % eps lambda_max / T is below 1e-13 here
%!     assert (E1, part.energy, 1e-11 * (1 + abs (part.energy)));
%!     assert (relative (g1{1}, grad{1}) < 1e-9);
%!     assert (relative (g1{2}, grad{2}) < 1e-9);
%!     settings = struct ("tolerance", 1e-10, "maxiterations", 200, "memory", memory, "display", 0, ...
%!                        "certificate", true, "parts", false, "starts", 0, "seed", 0);
%!     start = {1.1 * 0.9 * 1.2 * eye(4), 0.9 * 1.2 * eye(2)};
%!     sol = attnpath_solve_mex (net, d, start, settings);
%!     [~, grad2] = ref_action (net, Xi, y, sol.order);
%!     assert (max (abs (grad2{1}(:))) / 15 < 2e-10 && max (abs (grad2{2}(:))) / 15 < 2e-10);
%!   endfor
%! endfor

%!test % moments of either form come to the basis as well
%! [net, Xi, y] = data (12, 5, 90, 0.3);
%! [S, grad, part] = ref_action (net, Xi, y, order);
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, struct ("Xi", Xi), y, "Form", form{1});
%!   d = prepared (net, m, []);
%!   assert (size (d.Xi), [5 20 4]);
%!   assert (d.P, 90);
%!   [~, g1, E1] = attnpath_action_mex (net, d, order, 0);
%!   assert (E1, part.energy, 1e-11 * (1 + abs (part.energy)));
%!   assert (relative (g1{1}, grad{1}) < 1e-9);
%! endfor

%!test % samplers: from the same random numbers the same draws, of weights and of outputs far outside the span
%! [net, Xi, y, Xt] = data (12, 5, 9, 0.3);
%! d = prepared (net, Xi, y);
%! raw = ready (Xi, y);
%! assert (size (d.basis), [12 5]);
%! for method = {"collapsed", "langevin", "langevin-all"}
%!   s = struct ("method", method{1}, "warmup", 0, "thin", 1, "chains", 2, "seed", 3, "weights", true, ...
%!              "accept", 0.8);
%!   [~, a] = attnpath_sample_mex (net, raw, Xt, s, [], 3);
%!   [~, b] = attnpath_sample_mex (net, d, Xt, s, [], 3);
%!   % three trajectories let rounding grow by some orders of magnitude, and not to 1e-6
%!   for field = {"U", "f", "weights", "logpost"}
%!     assert (relative (b.(field{1}), a.(field{1})) < 1e-6);
%!   endfor
%!   [~, again] = attnpath_sample_mex (net, d, Xt, setfield (s, "seed", 4), [], 3);
%!   assert (relative (again.f, a.f) > 1e-2);
%! endfor

%!test % leave-one-out in the basis is that of the examples as they are
%! [net, Xi, y] = data (12, 5, 9, 0.3);
%! d = prepared (net, Xi, y, "reduce", false);
%! [m1, v1] = attnpath_loo_mex (net, ready (Xi, y), order{1}, [], [], 0);
%! [m2, v2] = attnpath_loo_mex (net, d, order{1}, [], [], 0);
%! assert (size (d.basis), [12 5]);
%! assert (m2, m1, 1e-9);
%! assert (v2, v1, 1e-9);

%!test % several outputs, coupled and with one U: in the basis what they are without it
%! for P = [9 30]
%!   [net, Xi] = data (12, 5, P, 0.3);
%!   y = randn (P, 2);
%!   for shared = [false true]
%!     d = setfield (prepared (net, Xi, y, "shared", shared), "shared", shared);
%!     assert (size (d.basis), [12 5]);
%!     C = 2 - shared;
%!     make = @(n) eye (n) + 0.1 * ones (n) + 0.05 * diag (1:n);
%!     U = {make(4 * C), make(2 * C), make(2)};
%!     if shared, U = U(1:2); endif                    # u_a is eliminated there
%!     [~, g0, E0] = attnpath_action_mex (net, setfield (ready (Xi, y), "shared", shared), U, 0);
%!     [~, g1, E1] = attnpath_action_mex (net, d, U, 0);
%!     assert (E1, E0, 1e-11 * (1 + abs (E0)));
%!     assert (relative (g1{1}, g0{1}) < 1e-9);
%!   endfor
%! endfor

%!test % through the functions, where it pays: tokens of three equal channels, with one of two labels
%! randn ("twister", 3);
%! N0 = 96;  P = 150;
%! label = randn (N0, 2);
%! X = repmat (randn (N0 / 3, 4, P), 3, 1) + reshape (label(:,1 + (rand (1, 4 * P) > 0.5)), N0, 4, P);
%! y = sign (randn (P, 1));
%! W = @() struct ("Q", randn (4, N0, 4) / sqrt (N0), "K", randn (4, N0, 4) / sqrt (N0));
%! net = attnpath_net ({W(), W()}, "Width", 50, "Temperature", 0.5, "Readout", "mean");
%! paths = attnpath_paths (net, X);
%! assert (size (prepared (net, paths.Xi, y, "memory", 2^31, "evaluations", 15).basis), [96 34]);
%! sol = attnpath_solve (net, paths, y);
%! [S, grad] = attnpath_action (net, paths, y, sol.order);      % of the inputs as they are
%! assert (sol.action, S, 1e-11 * abs (S));
%! assert (max (abs (grad{1}(:))) / 50 < 2e-8);
%! assert (sol.diagonal, net.variance(1) / (N0 * 16) * sumsq (paths.Xi(:)) / P, 1e-9 * sol.diagonal);
%! post = attnpath_sample (net, paths, y, "Chains", 2, "Warmup", 5, "Draws", 4, "Weights", true, "Display", false);
%! w = attnpath_weights (post, 1, 1);
%! assert (size (w.V0), [50 96]);

%!test % single precision: what the basis does to an input outside the span is within the bound of attnpath_sample
%! for T = [1e-2 1e-6]
%!   [net, Xi, y, Xt] = data (12, 5, 90, T);
%!   Xi = double (single (Xi));
%!   d = prepared (net, Xi, y);
%!   raw = ready (Xi, y);
%!   U = 0.9 * 1.2 * 1.1 * eye (4);                  % the GP limit
%!   [f, v] = attnpath_predict_mex (net, d, U, Xt, []);
%!   g = attnpath_predict_mex (net, raw, U, Xt, []);
%!   Z = Xi(:,:) - d.basis * (d.basis' * Xi(:,:));
%!   assert (norm (Z, "fro") > 1e-9 * norm (Xi(:)));   % there is something to be noticed
%!   % k is off by s U xi' Z; |A^{-1} y| <= |y|/T. s = 0.8/(12 4), |xi_o| <= |xi|
%!   bound = 0.8 / 48 * U(1) * sqrt (sumsq (reshape (permute (Xt, [1 3 2]), 48, 7))') * norm (Z, "fro") * norm (y) / T;
%!   assert (all (abs (f - g) <= bound));
%!   assert (max (abs (f - g)) > 1e-3 * max (bound));  % and it is not far below
%! endfor

%!test % .. and the sampler leaves the basis where outputs would notice, and there alone
%! randn ("twister", 3);
%! N0 = 96;  P = 150;
%! X = double (single (repmat (randn (N0 / 3, 4, P), 3, 1) .* [1; 0.7; 1.3](ceil ((1:N0)' / (N0 / 3)))));
%! y = sign (randn (P, 1));
%! W = @() struct ("Q", randn (4, N0, 4) / sqrt (N0), "K", randn (4, N0, 4) / sqrt (N0));
%! heads = {W(), W()};
%! far = struct ("Xi", randn (N0, 3, 16));
%! for T = [0.5 1e-7]
%!   net = attnpath_net (heads, "Width", 50, "Temperature", T, "Readout", "mean");
%!   paths = attnpath_paths (net, X);
%!   near = struct ("Xi", paths.Xi(:,1:3,:));
%!   draws = @(probe) attnpath_sample (net, paths, y, "Chains", 1, "Warmup", 0, "Draws", 3, "Probe", probe, ...
%!                                     "Display", false);
%!   d = prepared (setfield (net, "heads", {}), paths.Xi, y, "memory", 2^31, "store", true, "evaluations", 0);
%!   s = struct ("method", "collapsed", "warmup", 0, "thin", 1, "chains", 1, "seed", 0, "weights", false, ...
%!               "accept", 0.8);
%!   [~, out] = attnpath_sample_mex (setfield (net, "heads", {}), d, far.Xi, s, [], 3);
%!   post = draws (far);
%!   assert (isequal (post.f, out.f), T < 0.1);       % bit for bit that without a basis
%!   assert (isequal (draws (near).f, out.f), false);
%! endfor

%!error <data.Xi must be 1 x any x 2, not 2 x 1 x 2>
%! data = setfield (ready (ones (2, 1, 2), 1), "basis", ones (3, 1));
%! attnpath_action_mex (attnpath_net (2), data, {eye(2)}, 0);
