% action.tst: action (T7, T8) and gradient (T9) against golden numbers, ref_action and their own definitions.
% Actions are of order 100 and the kernels' condition numbers below 1e3, so values agree to 1e-12 relative.

%!function [net, Xi, y, order] = random_case (H, P, seed)
%!  randn ("twister", seed);  rand ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", 5 + 20 * rand (1, L + 1), "Variance", 0.5 + rand (1, L + 2), "Temperature", 0.3);
%!  Xi = randn (6, P, prod (H));
%!  y = randn (P, 1);
%!  for l = 1:L
%!    n = prod (H(l:end));
%!    order{l} = eye (n) + 0.3 * randn (n) * randn (n)' / n;
%!    order{l} = expm ((order{l} + order{l}') / 4);
%!    order{l} = (order{l} + order{l}') / 2;
%!  endfor
%!endfunction

%!function net = package_net (ref)
%!  net = attnpath_net (ref.heads, "Width", ref.width, "Variance", ref.variance, "Readout", ref.readout, ...
%!                      "Temperature", ref.temperature);
%!endfunction

%!test % golden: at a point that is no solution, and at the solution
%! for name = {"one_layer_last", "two_layer_mean_qk", "three_layer_last"}
%!   [ref, gold] = ref_golden (name{1});
%!   net = package_net (ref);
%!   [S, grad, part] = attnpath_action (net, gold.Xi, gold.y, gold.probe_order);
%!   assert ([part.ua, part.entropy, part.energy], [gold.probe_ua, gold.probe_entropy, gold.probe_energy], -1e-12);
%!   assert (S, part.energy + part.entropy, -4 * eps);
%!   assert (apart (grad, gold.probe_grad) < 1e-12);
%!   [S, ~, part] = attnpath_action (net, attnpath_paths (net, gold.X), gold.y, gold.order);
%!   assert ([part.ua, S], [gold.ua, gold.entropy + gold.energy], -1e-12);
%!   assert (part.gradnorm, gold.gradmax, 1e-12);       % a small difference of terms of order 1
%! endfor

%!test % against the reference: L = 1..4, few and many examples
%! for H = {1, 3, [2 3], [2 1 2], [1 2 2 2]}
%!   for P = [1 5 40]
%!     [net, Xi, y, order] = random_case (H{1}, P, P);
%!     [S, grad, part] = attnpath_action (net, struct ("Xi", Xi), y, order);
%!     [R, Rgrad, Rpart] = ref_action (net, Xi, y, order);
%!     assert ([S, part.energy, part.entropy, part.ua], [R, Rpart.energy, Rpart.entropy, Rpart.ua], -1e-12);
%!     assert (apart (grad, Rgrad) < 1e-11);            % inverses: one more condition number
%!     for l = 1:net.L, assert (grad{l}, grad{l}'); endfor
%!     assert (part.gradnorm, ref_gradnorm (net, Xi, y, order), 1e-11);
%!     assert (attnpath_action (net, Xi, y, order), S);
%!   endfor
%! endfor

%!test % T -> infinity: energy P log T, and the GP point is stationary, with u_a = sigma_a^2
%! [net, Xi, y] = random_case ([2 1 2], 9, 11);
%! net.temperature = 1e14;
%! [~, grad, part] = attnpath_action (net, Xi, y, ref_gp (net));
%! assert (part.energy, 9 * log (1e14), 1e-11);       % corrections of order |K| / T
%! assert (part.ua, net.variance(end), 1e-13);
%! for l = 1:3
%!   assert (grad{l}, zeros (size (grad{l})), 1e-12); % terms of order N / u ~ 50, a few roundings each
%! endfor

%!test % one head per layer, temperature 0: the closed form is stationary
%! randn ("twister", 12);
%! net = attnpath_net ([1 1 1], "Width", [30 12 25 40], "Variance", [1.3 0.6 2 1.1 0.8], "Temperature", 0);
%! Xi = randn (60, 20);  y = sign (randn (20, 1));
%! [u1, order] = ref_one_head (net, Xi, y);
%! [~, ~, part] = attnpath_action (net, Xi, y, order);
%! assert (part.gradnorm < 1e-11);
