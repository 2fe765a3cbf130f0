% attend.tst: one head applied, against its definitions. d, n, m and dv all differ.
% Softmax: scores below 20, relative error of a weight below 20 eps times a few: 1e-13. cme: relative error
% n eps k / lambda, with the largest kernel value k.

%!function [q, K, V] = random_case (seed, d, n, m, dv)
%!  randn ("twister", seed);
%!  q = randn (d, m);
%!  K = randn (d, n);
%!  V = randn (dv, n);
%!endfunction

%!test % softmax and hardmax: the definition, with every bandwidth; the second output is what the first is made of
%! [q, K, V] = random_case (1, 3, 7, 5, 4);
%! for gamma = [0.3 1 20]
%!   W = exp (K' * q / gamma);
%!   W = W ./ sum (W, 1);
%!   [out, Omega] = attnpath_attend (q, K, V, "Bandwidth", gamma);
%!   assert ({Omega, out}, {W, V * W}, 1e-12);
%!   assert (attnpath_attend (q, K, V, "Bandwidth", gamma), out);
%! endfor
%! [~, best] = max (K' * q);
%! [out, Omega] = attnpath_attend (q, K, V, "Attention", "hardmax", "Bandwidth", 1e-310);
%! assert ({out, Omega}, {V(:,best), eye(7)(:,best)});

%!test % cme: the reference, every kernel; fewer values than queries and more, with the weights asked for and not
%! for sizes = {[3 7 5 4], [3 7 4 5], [6 2 9 3], [2 5 1 3]}
%!   [q, K, V] = random_case (2, num2cell (sizes{1}){:});
%!   for kernel = {"exponential", "gaussian", "linear"}
%!     for gamma = [0.8 3]
%!       for lambda = [0.05 4]
%!         [want, W] = ref_cme (q, K, V, kernel{1}, gamma, lambda);
%!         args = {"Attention", "cme", "Kernel", kernel{1}, "Bandwidth", gamma, "Ridge", lambda};
%!         [out, Omega] = attnpath_attend (q, K, V, args{:});
%!         alone = attnpath_attend (q, K, V, args{:});
%!         assert ({Omega, out, alone}, {W, want, want}, 1e-9 * max (abs (W(:))));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % unit norms: softmax is the Nadaraya-Watson smoother of the gaussian kernel, and of the exponential one
%! [q, K, V] = random_case (5, 3, 9, 6, 2);
%! q = q ./ sqrt (sum (q .^ 2));
%! K = K ./ sqrt (sum (K .^ 2));
%! gamma = 0.4;
%! for j = 1:6
%!   top = zeros (2, 1);  bottom = 0;  etop = top;  ebottom = 0;
%!   for i = 1:9
%!     k = exp (-sum ((K(:,i) - q(:,j)) .^ 2) / (2 * gamma));
%!     e = exp (K(:,i)' * q(:,j) / gamma);
%!     top = top + k * V(:,i);  bottom = bottom + k;
%!     etop = etop + e * V(:,i);  ebottom = ebottom + e;
%!   endfor
%!   out = attnpath_attend (q(:,j), K, V, "Bandwidth", gamma, "Unit", true);
%!   assert ({out, out}, {top / bottom, etop / ebottom}, 1e-12);
%! endfor

%!test % the numbers of a network with such heads: identity queries and keys, bandwidth over sqrt (G)
%! randn ("twister", 6);
%! X = randn (4, 6, 2) / 2;
%! pair = struct ("Q", eye (4), "K", eye (4));
%! for attention = {"softmax", "hardmax", "cme"}
%!   for kernel = {"exponential", "gaussian", "linear"}
%!     args = {"Attention", attention{1}, "Kernel", kernel{1}, "Ridge", 0.2};
%!     A = attnpath_attention (attnpath_net ({pair}, args{:}, "Bandwidth", 0.7), X){1};
%!     mean_of = attnpath_paths (attnpath_net ({pair}, args{:}, "Bandwidth", 0.7, "Readout", "mean"), X).Xi;
%!     for mu = 1:2
%!       [out, Omega] = attnpath_attend (X(:,:,mu), X(:,:,mu), X(:,:,mu), args{:}, "Bandwidth", 1.4);
%!       assert ({Omega, mean(out, 2)}, {A(:,:,1,mu), mean_of(:,mu)}, 1e-12);
%!     endfor
%!   endfor
%! endfor

%!test % single is computed in double
%! [q, K, V] = random_case (8, 3, 6, 5, 2);
%! for attention = {"softmax", "hardmax", "cme"}
%!   f = @(q, K, V) attnpath_attend (q, K, V, "Attention", attention{1}, "Ridge", 0.5);
%!   assert (f (single (q), single (K), single (V)), f (double (single (q)), double (single (K)), double (single (V))));
%! endfor

%!test % what is refused, and what is named; arrays spoiled in all other ways are in badinput.tst
%! [q, K, V] = random_case (9, 3, 6, 5, 2);
%! cme = {"Attention", "cme"};
%! refuses ("attend:badShape", @() attnpath_attend (q(1:2,:), K, V), {"q", "3"});
%! refuses ("attend:badShape", @() attnpath_attend (q, K, V(:,1:5)), {"V", "6"});
%! refuses ("attend:badValue", {@() attnpath_attend (q, K, V, "Attention", "mean"), ...
%!                              @() attnpath_attend (q, K, V, "Kernel", "cubic")});
%! refuses ("attend:unknownOption", @() attnpath_attend (q, K, V, "Gamma", 2), "Gamma");
%! refuses ("attend:nameValue", @() attnpath_attend (q, K, V, "Ridge"), "Ridge");
%! for name = {"Ridge", "Bandwidth"}
%!   for value = [0 -1]
%!     refuses ("attend:badValue", @() attnpath_attend (q, K, V, cme{:}, name{1}, value), {name{1}, num2str(value)});
%!   endfor
%!   refuses ("attend:notFinite", @() attnpath_attend (q, K, V, cme{:}, name{1}, NaN), name{1});
%!   refuses ("attend:badShape", @() attnpath_attend (q, K, V, cme{:}, name{1}, [1 2]), name{1});
%! endfor
%! refuses ("attend:badValue", @() attnpath_attend (q, K, V, "Unit", 2), "Unit");
%! u = @(x) x ./ sqrt (sum (x .^ 2, 1));
%! attnpath_attend ((1 + 1e-9) * u (q), u (K), V, "Unit", true);
%! off = u (q);  off(:,4) = 1.5 * off(:,4);
%! refuses ("attend:badValue", @() attnpath_attend (off, u (K), V, "Unit", true), {"1", "1e-8", "column 4", "1.5"});
%! off = u (K);  off(:,6) = (1 + 3e-8) * off(:,6);
%! refuses ("attend:badValue", @() attnpath_attend (u (q), off, V, "Unit", 1), {"1", "1e-8", "column 6", "1.00000003"});
%! for kernel = {"exponential", "gaussian", "linear"}
%!   refuses ("attend:notPositiveDefinite", ...
%!            @() attnpath_attend (q, [K, K(:,2)], [V, V(:,1)], cme{:}, "Ridge", 1e-300, "Kernel", kernel{1}), "1e-300");
%! endfor
%! refuses ("attend:notPositiveDefinite", @() attnpath_attend (q, K, V, cme{:}, "Ridge", 1e-300, "Kernel", ...
%!          "linear"));   % rank 3 of 6
%! refuses ("attend:notFinite", {@() attnpath_attend (q, 100 * K, V, cme{:}), ...
%!                               @() attnpath_attend (1e4 * q, K, V, cme{:}), ...
%!                               @() attnpath_attend (1e200 * q, 1e200 * K, V, cme{:}, "Kernel", "linear")}, "bandwidth");
%! refuses ("attend:notFinite", @() attnpath_attend (1e200 * q, 1e200 * K, V), "query 1");
%! refuses ("attend:notFinite", @() attnpath_attend (q, K, 1e308 * V, cme{:}, "Ridge", 1e-2));

%!test % far keys and queries of a gaussian kernel take nothing; exponents beyond 700 are no trouble while they are negative
%! K = [0 1 50; 0 0 0];
%! args = {"Attention", "cme", "Kernel", "gaussian", "Ridge", 0.5};
%! [~, W] = attnpath_attend ([0 1e3; 0 0], K, 1:3, args{:});
%! assert (W(:,2), zeros (3, 1));
%! G = [1 exp(-0.5); exp(-0.5) 1] + 0.5 * eye (2);
%! assert (W(:,1), [G \ [1; exp(-0.5)]; 0], 1e-14);
%! [~, W] = attnpath_attend (-40, 20, 1, "Attention", "cme", "Ridge", 0.5);
%! assert (W, exp (-800 - 400), 0);

%!error id=attnpath:attend:tooLarge attnpath_attend (1, ones (1, 1e6), ones (1, 1e6), "Attention", "cme")

%!test % rules: .m code and gateways know the same ones, and the flags of .m code are true
%! back = to_private ();
%! names = ap_rules ();
%! facts = cellfun (@ap_rules, names);
%! clear back
%! [~, known] = refuses ("attend:badValue", @() attnpath_attend_mex (1, 1, 1, struct ("attention", "none")));
%! listed = regexp (known, "one of (.*), not", "tokens"){1}{1};
%! assert (sort (strsplit (strrep (listed, "'", ""), ", ")), sort (names));
%! randn ("twister", 9);
%! for k = 1:numel (names)
%!   [~, W] = attnpath_attend (randn (2, 4), randn (2, 6), randn (1, 6), "Attention", names{k}, "Ridge", 0.3);
%!   assert (all (abs (sum (W, 1) - 1) < 1e-12), facts(k).sums_to_one);
%!   make = @() attnpath_net ({randn(2)}, "Attention", names{k});
%!   if facts(k).needs_pairs, refuses ("net:badValue", make); else, make (); endif
%! endfor
