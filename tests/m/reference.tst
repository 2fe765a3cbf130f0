% reference.tst: the slow transcriptions in tests/reference against golden numbers, identities and limits.
% Everything faster is tested against them, so they come first.
% Golden files were computed in double precision by another program: agreement is asked to 1e-12 relative
% to the largest entry (condition numbers here are below 1e3, so 1e-13 is what rounding explains).

%!function [net, X, weights] = random_network (H, width, variance, readout, attention, causal, T, P)
%!  N0 = 5;  L = numel (H);
%!  net = struct ("H", H, "width", width, "variance", variance, "temperature", 0.3, ...
%!                "readout", readout, "attention", attention, "causal", causal);
%!  for l = 1:L
%!    net.heads{l} = randn (N0, N0, H(l)) / 3;
%!    weights.V{l} = randn (width(l+1), width(l), H(l));
%!  endfor
%!  weights.V0 = randn (width(1), N0);
%!  weights.a = randn (width(L+1), 1);
%!  X = randn (N0, T, P);
%!endfunction

%!function compare_with_golden (name, tol)
%!  [net, gold] = ref_golden (name);
%!  Xi = ref_paths (net, gold.X, ref_attention (net, gold.X, []), []);
%!  Xit = ref_paths (net, gold.Xt, ref_attention (net, gold.Xt, []), []);
%!  assert (relative (Xi, gold.Xi) < tol);
%!  assert (relative (Xit, gold.Xit) < tol);
%!  [~, grad, part] = ref_action (net, Xi, gold.y, gold.probe_order);
%!  assert (part.ua, gold.probe_ua, -tol);
%!  assert (part.entropy, gold.probe_entropy, -tol);
%!  assert (part.energy, gold.probe_energy, -tol);
%!  for l = 1:numel (grad)
%!    assert (relative (grad{l}, gold.probe_grad{l}) < tol);
%!  endfor
%!  [S, ~, part] = ref_action (net, Xi, gold.y, gold.order);
%!  assert (part.ua, gold.ua, -tol);
%!  assert (S, gold.entropy + gold.energy, -tol);
%!  % a solution's gradient is a difference of terms of order 1: rounding leaves tol, not tol relative
%!  assert (ref_gradnorm (net, Xi, gold.y, gold.order), gold.gradmax, tol);
%!  [mu, s2] = ref_predict (net, Xi, gold.y, gold.order{1}, Xit);
%!  assert (relative (mu, gold.mu) < tol);
%!  assert (relative (s2, gold.s2) < tol);
%!  gp = ref_gp (net);
%!  [mu, s2] = ref_predict (net, Xi, gold.y, gp{1}, Xit);
%!  assert (relative (mu, gold.mu_gp) < tol);
%!  assert (relative (s2, gold.s2_gp) < tol);
%!  if isfield (gold, "scores")
%!    assert (ref_scores (net, gold.order{1}), gold.scores, tol);
%!  endif
%!  % the published solution is a minimum, not only a stationary point
%!  assert (min (eig (ref_hessian (net, Xi, gold.y, gold.order))) > 0);
%!endfunction

%!test compare_with_golden ("one_layer_last", 1e-12);
%!test compare_with_golden ("two_layer_mean_qk", 1e-12);
%!test compare_with_golden ("three_layer_last", 1e-12);

%!test % (T1) equals (T4): the network, token by token, is the sum over paths, for every kind of network
%! randn ("twister", 1);  rand ("twister", 1);
%! for readout = {"last", "first", "mean", 2}
%!   for attention = {"softmax", "hardmax"}
%!     for causal = [false, true]
%!       for lengths = {[], [4 2 3]}
%!         [net, X, weights] = random_network ([2 1 3], [3 6 4 5], ones (1, 5), readout{1}, ...
%!                                             attention{1}, causal, 4, 3);
%!         A = ref_attention (net, X, lengths{1});
%!         Xi = ref_paths (net, X, A, lengths{1});
%!         w = ref_effective (net, weights);
%!         f = zeros (3, 1);
%!         for p = 1:6
%!           f = f + Xi(:,:,p)' * w(:,p) / sqrt (5 * 6);
%!         endfor
%!         % sums of a few hundred products of order 1
%!         assert (f, ref_network (net, weights, X, A, lengths{1}), 1e-13);
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % (T9) is the derivative of (T7) + (T8); the Hessian is its second derivative
%! [net, gold] = ref_golden ("two_layer_mean_qk");
%! randn ("twister", 3);
%! for l = 1:2
%!   D{l} = randn (size (gold.probe_order{l}));  D{l} = D{l} + D{l}';
%! endfor
%! along = @(t) ref_action (net, gold.Xi, gold.y, {gold.probe_order{1} + t * D{1}, gold.probe_order{2} + t * D{2}});
%! [S, grad] = along (0);
%! h = 1e-4;                                  % S ~ 400: rounding 400 eps / h ~ 1e-9; truncation ~ h^2 S'''
%! slope = (along (h) - along (-h)) / (2 * h);
%! assert (sum (sum (grad{1} .* D{1})) + sum (sum (grad{2} .* D{2})), slope, -1e-5);
%! bend = (along (h) - 2 * S + along (-h)) / h^2 / max (net.width);
%! d = [];
%! for l = 1:2
%!   for j = 1:rows (D{l})
%!     d = [d; sqrt(2) * D{l}(1:j-1,j); D{l}(j,j)];
%!   endfor
%! endfor
%! Hess = ref_hessian (net, gold.Xi, gold.y, gold.probe_order);
%! assert (d' * Hess * d, bend, -1e-5);

%!test % one head per layer, T = 0: the formula as printed in section 4 (action.tst: it is stationary)
%! randn ("twister", 4);
%! net = struct ("H", [1 1 1], "width", 50 * ones (1, 4), "variance", ones (1, 5), "temperature", 0);
%! Xi = randn (60, 20);  y = sign (randn (20, 1));
%! u1 = ref_one_head (net, Xi, y);
%! r = y' * (ref_kernel (net, Xi, 1, Xi) \ y) / 20;
%! assert (1 - u1^(1/4), 20 / 50 * (1 - r / u1), 1e-13);
