% attention.tst: attention maps (T1) against ref_attention, and what they must satisfy whatever the heads.
% Scores here are of order 10 and sums of at most N0^2 = 25 products, so they agree to about 25 * 10 * eps = 6e-14,
% and exp turns an absolute error of the score into a relative one of the map: tolerance 1e-12.

%!function net = random_net (H, kind, varargin)
%!  N0 = 5;
%!  for l = 1:numel (H)
%!    if strcmp (kind, "bilinear") || (strcmp (kind, "mixed") && mod (l, 2))
%!      heads{l} = randn (N0, N0, H(l)) / 3;
%!    else
%!      G = 3 + 4 * mod (l, 2);                       % fewer and more than N0
%!      heads{l} = struct ("Q", randn (G, N0, H(l)), "K", randn (G, N0, H(l)));
%!    endif
%!  endfor
%!  net = attnpath_net (heads, varargin{:});
%!endfunction

%!test % against the reference, every kind of network
%! randn ("twister", 1);
%! X = randn (5, 6, 4);
%! for H = {2, [1 3], [2 1 2], [1 2 1 2]}
%!   for kind = {"bilinear", "qk", "mixed"}
%!     for attention = {"softmax", "hardmax"}
%!       for causal = [false, true]
%!         for lengths = {[], [6 1 3 5]}
%!           net = random_net (H{1}, kind{1}, "Attention", attention{1}, "Causal", causal);
%!           A = attnpath_attention (net, X, "Lengths", lengths{1});
%!           R = ref_attention (net, X, lengths{1});
%!           assert (A, R, 1e-12);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % more examples than the core takes at a time (512 columns)
%! randn ("twister", 2);
%! net = random_net (2, "qk");
%! X = randn (5, 3, 400);
%! assert (attnpath_attention (net, X){1}, ref_attention (net, X, []){1}, 1e-12);

%!test % scores of 1e5 neither overflow nor lose mass
%! randn ("twister", 3);
%! A = attnpath_attention (attnpath_net ({1e5 * randn(5, 5, 3)}), randn (5, 7, 4)){1};
%! assert (all (A(:) >= 0));
%! assert (sum (A, 1), ones (1, 7, 3, 4), 7 * eps);

%!test % padding is zero, changes nothing, and is not looked at
%! randn ("twister", 5);
%! net = random_net ([2 2], "qk");
%! X = randn (5, 6, 2);
%! A = attnpath_attention (net, X, "Lengths", [4 6]);
%! X(:,5:6,1) = 1e3;
%! assert (attnpath_attention (net, X, "Lengths", [4; 6]), A);
%! alone = attnpath_attention (net, X(:,1:4,1));
%! for l = 1:2
%!   assert (A{l}(1:4,1:4,:,1), alone{l}, 1e-13);
%!   assert (any (A{l}(5:6,:,:,1)(:)) || any (A{l}(:,5:6,:,1)(:)), false);
%! endfor

%!test % hardmax: the first of equal scores takes all
%! A = attnpath_attention (attnpath_net ({zeros(2)}, "Attention", "hardmax"), ones (2, 3));
%! assert (A{1}, [1 1 1; 0 0 0; 0 0 0]);

%!test % single tokens are computed in double
%! randn ("twister", 9);
%! net = random_net (2, "bilinear");
%! X = randn (5, 4, 2, "single");
%! assert (attnpath_attention (net, X), attnpath_attention (net, double (X)));

%!function net = cme_net (H, varargin)
%!  for l = 1:numel (H)
%!    heads{l} = struct ("Q", randn (3 + l, 5, H(l)) / 2, "K", randn (3 + l, 5, H(l)) / 2);
%!  endfor
%!  net = attnpath_net (heads, "Attention", "cme", varargin{:});
%!endfunction

%!testif ; thorough () % cme against the reference: every kernel, causal or not, padded or not
%! % Kernel values are below k = exp (9), ridges at least 1e-2: the matrix has condition 6 k / 1e-2 = 5e6 and the
%! % weights are below k / 1e-2; 5e6 eps = 1e-9 of the largest weight.
%! randn ("twister", 10);
%! X = randn (5, 6, 3) / 2;
%! for kernel = {"exponential", "gaussian", "linear"}
%!   for options = {{"Ridge", 0.01}, {"Ridge", 0.5, "Bandwidth", 0.4}, {"Ridge", 0.05, "Bandwidth", 3}}
%!     for causal = [false, true]
%!       for lengths = {[], [6 1 4]}
%!         net = cme_net ([2 1], "Kernel", kernel{1}, "Causal", causal, options{1}{:});
%!         A = attnpath_attention (net, X, "Lengths", lengths{1});
%!         R = ref_attention (net, X, lengths{1});
%!         for l = 1:2
%!           assert (A{l}, R{l}, 1e-9 * max (abs (R{l}(:))));
%!           assert (A{l} == 0, R{l} == 0);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % cme: padding is not looked at; a prefix of a causal example is an example; one token alone is k / (k + ridge)
%! randn ("twister", 11);
%! X = randn (5, 6, 2) / 2;
%! net = cme_net (2, "Causal", true);
%! A = attnpath_attention (net, X, "Lengths", [4 6]);
%! Y = X;
%! Y(:,5:6,1) = 1e9;
%! assert (attnpath_attention (net, Y, "Lengths", [4 6]), A);
%! assert (attnpath_attention (net, X(:,1:4,:)){1}, A{1}(1:4,1:4,:,:), 1e-9 * max (abs (A{1}(:))));
%! net = cme_net (1, "Ridge", 0.3, "Bandwidth", 2);
%! k = net.heads{1}.K * X(:,1);
%! q = net.heads{1}.Q * X(:,1);
%! assert (attnpath_attention (net, X(:,1)){1}, exp (k' * q / 4) / (exp (k' * k / 4) + 0.3), 1e-14);

%!test % bandwidth: divides the scores of softmax, of both kinds of heads; hardmax does not care
%! randn ("twister", 13);
%! X = randn (5, 6, 3);
%! W = randn (5, 5, 2);
%! Q = randn (3, 5);  K = randn (3, 5);
%! A = attnpath_attention (attnpath_net ({W}, "Bandwidth", 2.5), X){1};
%! assert (A, attnpath_attention (attnpath_net ({W / 2.5}), X){1}, 1e-13);
%! A = attnpath_attention (attnpath_net ({struct("Q", Q, "K", K)}, "Bandwidth", 0.3), X){1};
%! assert (A, attnpath_attention (attnpath_net ({struct("Q", Q / 0.3, "K", K)}), X){1}, 1e-12);
%! hard = @(gamma) attnpath_attention (attnpath_net ({W}, "Attention", "hardmax", "Bandwidth", gamma), X);
%! assert ({hard(1e-310), hard(1e300)}, {hard(1), hard(1)});

%!test % cme: the example, the layer, the head that it cannot be done for are named
%! randn ("twister", 14);
%! X = randn (5, 6, 3) / 2;
%! X(:,4,3) = X(:,2,3);                                % equal tokens
%! net = cme_net ([1 2], "Ridge", 1e-300);
%! refuses ("attention:notPositiveDefinite", @() attnpath_attention (net, X), ...
%!          {"example 3", "layer 1", "head 1", "1e-300"});
%! refuses ("attention:notPositiveDefinite", @() attnpath_attention (setfield (net, "kernel", "gaussian"), X), ...
%!          {"example 3", "layer 1", "head 1"});
%! attnpath_attention (net, X, "Lengths", [6 6 3]);
%! net.heads{2}.K(:,:,2) = 0;
%! refuses ("attention:notPositiveDefinite", @() attnpath_attention (net, X, "Lengths", [6 6 3]), ...
%!          {"example 1", "layer 2", "head 2"});
%! net.ridge = 1e-3;
%! attnpath_attention (net, X);
%! net.heads{2}.K(:,:,2) = 1e3;
%! refuses ("attention:notFinite", @() attnpath_attention (net, X), {"example 1", "layer 2", "head 2", "bandwidth"});
%! net.heads{2}.K(:,:,2) = 1e200;
%! for kernel = {"exponential", "linear"}
%!   refuses ("attention:notFinite", @() attnpath_attention (setfield (net, "kernel", kernel{1}), X), ...
%!            {"example 1", "layer 2", "head 2", "bandwidth"});
%! endfor
%! refuses ("attention:badValue", @() attnpath_attention (setfield (net, "heads", {randn(5), net.heads{2}}), X), ...
%!          {"layer 1"});
