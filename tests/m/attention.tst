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
%!           assert (size (A), size (R));
%!           for l = 1:numel (R)
%!             assert (A{l}, R{l}, 1e-12);
%!           endfor
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

%!test % columns are distributions; scores of 1e5 neither overflow nor lose mass
%! randn ("twister", 3);
%! for scale = [1, 1e5]
%!   A = attnpath_attention (attnpath_net ({scale * randn(5, 5, 3)}), randn (5, 7, 4)){1};
%!   assert (all (A(:) >= 0));
%!   assert (sum (A, 1), ones (1, 7, 3, 4), 7 * eps);
%! endfor

%!test % causal: no later key, and the maps of a prefix do not depend on what follows
%! randn ("twister", 4);
%! net = random_net (2, "bilinear", "Causal", true);
%! X = randn (5, 6, 2);
%! A = attnpath_attention (net, X){1};
%! assert (A, A .* (triu (ones (6))));
%! assert (A(1:4,1:4,:,:), attnpath_attention (net, X(:,1:4,:)){1}, 1e-14);

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

%!test % without causality tokens have no order
%! randn ("twister", 6);
%! net = random_net (2, "bilinear");
%! X = randn (5, 6);
%! p = [3 1 6 2 5 4];
%! assert (attnpath_attention (net, X(:,p)){1}, attnpath_attention (net, X){1}(p,p,:), 1e-13);

%!test % hardmax is the limit of large scores: exp (-1e3 * gap) is 0 unless the gap is below 0.04
%! randn ("twister", 7);
%! W = randn (5, 5, 2);
%! X = randn (5, 6, 3);
%! hard = attnpath_attention (attnpath_net ({W}, "Attention", "hardmax"), X){1};
%! soft = attnpath_attention (attnpath_net ({1e6 * W}), X){1};
%! assert (soft, hard, 1e-12);

%!test % hardmax: the first of equal scores takes all
%! A = attnpath_attention (attnpath_net ({zeros(2)}, "Attention", "hardmax"), ones (2, 3));
%! assert (A{1}, [1 1 1; 0 0 0; 0 0 0]);

%!test % scores of queries and keys are those of W = K' Q / sqrt (G)
%! randn ("twister", 8);
%! Q = randn (3, 5);  K = randn (3, 5);  X = randn (5, 4, 2);
%! A = attnpath_attention (attnpath_net ({struct("Q", Q, "K", K)}), X);
%! assert (A{1}, attnpath_attention (attnpath_net ({K' * Q / sqrt(3)}), X){1}, 1e-12);

%!test % single tokens are computed in double
%! randn ("twister", 9);
%! net = random_net (2, "bilinear");
%! X = randn (5, 4, 2, "single");
%! assert (attnpath_attention (net, X), attnpath_attention (net, double (X)));

%!test % the example of the help text
%! A = attnpath_attention (attnpath_net ({log(3) * [0 1; 0 0]}), eye (2));
%! assert (A{1}, [1/2 3/4; 1/2 1/4], 2 * eps);
