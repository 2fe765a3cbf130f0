% paths.tst: path inputs (T3) against ref_paths, golden numbers and identities.
% A path input is a convex combination of tokens, so its entries are at most max |X| = 4, and rounding is that of the
% attention maps, 1e-12 at worst (attention.tst), times L layers: tolerance 1e-11 where maps are computed anew.

%!function net = random_net (H, varargin)
%!  N0 = 5;
%!  for l = 1:numel (H)
%!    heads{l} = randn (N0, N0, H(l)) / 3;
%!  endfor
%!  net = attnpath_net (heads, varargin{:});
%!endfunction

%!test % against the reference: L = 1..4, every readout, causal or not, padded or not
%! randn ("twister", 1);
%! X = randn (5, 6, 4);
%! for H = {3, [2 3], [2 1 2], [1 2 2 2]}
%!   for readout = {"last", "first", "mean", 2}
%!     for causal = [false, true]
%!       for lengths = {[], [6 2 3 5]}
%!         net = random_net (H{1}, "Readout", readout{1}, "Causal", causal);
%!         paths = attnpath_paths (net, X, "Lengths", lengths{1});
%!         R = ref_paths (net, X, ref_attention (net, X, lengths{1}), lengths{1});
%!         assert (size (paths.Xi), size (R));
%!         assert (paths.Xi, R, 1e-11);
%!         assert (paths.heads, ref_pathlist (H{1}));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % maps that are brought give what the heads give, for every readout and with padding
%! randn ("twister", 2);
%! X = randn (5, 6, 4);
%! for readout = {"last", "first", "mean", 2}
%!   for lengths = {[], [6 2 3 5]}
%!     for attention = {"softmax", "hardmax"}
%!       net = random_net ([2 3], "Readout", readout{1}, "Attention", attention{1});
%!       counts = attnpath_net ([2 3], "Readout", readout{1});
%!       A = attnpath_attention (net, X, "Lengths", lengths{1});
%!       brought = attnpath_paths (counts, X, A, "Lengths", lengths{1});
%!       assert (brought.Xi, attnpath_paths (net, X, "Lengths", lengths{1}).Xi, 1e-13);
%!       assert (brought.heads, ref_pathlist ([2 3]));
%!       assert ({brought.brought, attnpath_paths(net, X).brought}, {true, false});
%!       assert (attnpath_paths (net, X, A, "Lengths", lengths{1}), brought);       % maps win over heads
%!     endfor
%!   endfor
%! endfor

%!test % more examples than the core takes at a time (512 columns)
%! randn ("twister", 4);
%! X = randn (5, 3, 400);
%! for readout = {"last", "mean"}
%!   net = random_net ([2 2], "Readout", readout{1});
%!   assert (attnpath_paths (net, X).Xi, ref_paths (net, X, ref_attention (net, X, []), []), 1e-11);
%! endfor

%!test % an example's path inputs do not depend on the others, nor on its padding
%! randn ("twister", 5);
%! net = random_net ([2 2], "Readout", "mean");
%! X = randn (5, 6, 3);
%! Xi = attnpath_paths (net, X, "Lengths", [6 4 1]).Xi;
%! X(:,5:6,2) = 0;  X(:,2:6,3) = 0;
%! assert (attnpath_paths (net, X, "Lengths", [6; 4; 1]).Xi, Xi);
%! assert (attnpath_paths (net, X(:,1:4,2)).Xi, Xi(:,2,:), 1e-13);
%! assert (attnpath_paths (net, X(:,1,3)).Xi, repmat (X(:,1,3), [1 1 4]), 1e-15);  % one token: nothing to average

%!test % single tokens are computed in double
%! randn ("twister", 9);
%! net = random_net ([2 2]);
%! X = randn (5, 4, 2, "single");
%! assert (attnpath_paths (net, X), attnpath_paths (net, double (X)));

%!test % maps rounded to half precision are taken as they are: sums are off by T 2^-12 at most, path inputs by 4 L times that
%! randn ("twister", 10);
%! X = randn (5, 30, 4);
%! net = random_net ([2 2]);
%! A = attnpath_attention (net, X);
%! half = cellfun (@(a) 2 .^ (floor (log2 (a)) - 10) .* round (a ./ 2 .^ (floor (log2 (a)) - 10)), A, "UniformOutput", false);
%! assert (max (abs (sum (half{1}, 1)(:) - 1)) > 1e-6);
%! assert (attnpath_paths (net, X, half).Xi, attnpath_paths (net, X).Xi, 30 * 2^-12 * 4 * 2);

%!test % in chunks of examples: the same, with padding, with maps, bilinear or not; errors keep their place
%! back = to_private ();
%! randn ("twister", 11);
%! pair = struct ("Q", randn (2, 5, 3), "K", randn (2, 5, 3));
%! net = attnpath_net ({randn(5, 5, 2) / 3, pair}, "Readout", "mean");
%! X = randn (5, 6, 7);
%! for lengths = {[], [6 2 3 5 6 1 4]}
%!   A = attnpath_attention (net, X, "Lengths", lengths{1});
%!   for flops = [0 2e4 1e10]                        % one at a time, a few, all
%!     assert (ap_inputs ("paths", net, X, lengths{1}, [], false, flops), ...
%!             attnpath_paths (net, X, "Lengths", lengths{1}).Xi, 1e-13);
%!     assert (ap_inputs ("paths", net, X, lengths{1}, A, false, flops), ...
%!             attnpath_paths (net, X, A, "Lengths", lengths{1}).Xi, 1e-13);
%!   endfor
%! endfor
%! net.readout = 5;
%! refuses ("paths:badValue", @() ap_inputs ("paths", net, X, [6 6 6 5 6 1 4], [], false, 0), ...
%!          "example 1 has 1 tokens (example 1 being number 6 of X)");

%!function net = cme_net (H, varargin)
%!  for l = 1:numel (H)
%!    heads{l} = struct ("Q", randn (3 + l, 5, H(l)) / 2, "K", randn (3 + l, 5, H(l)) / 2);
%!  endfor
%!  net = attnpath_net (heads, "Attention", "cme", "Ridge", 0.1, varargin{:});
%!endfunction

%!testif ; thorough ()
%! % cme heads against the reference: every readout and kernel, causal or not, padded or not; maps give what heads give
%! % Kernel values are below exp (9) = 8e3: weights agree to 6 * 8e3 / 0.1 * eps = 1e-10 (attention.tst), times L layers
%! randn ("twister", 12);
%! X = randn (5, 6, 3) / 2;
%! sums = 0;
%! for H = {3, [2 2]}
%!   for kernel = {"exponential", "gaussian", "linear"}
%!     for causal = [false, true]
%!       for lengths = {[], [6 2 5]}
%!         net = cme_net (H{1}, "Causal", causal, "Kernel", kernel{1}, "Bandwidth", 1.7);
%!         maps = ref_attention (net, X, lengths{1});
%!         A = attnpath_attention (net, X, "Lengths", lengths{1});
%!         sums = max ([sums; abs(sum (A{1}(:,1,:,:), 1)(:) - 1)]);
%!         for readout = {"last", "first", "mean", 2}
%!           net.readout = readout{1};
%!           paths = attnpath_paths (net, X, "Lengths", lengths{1});
%!           R = ref_paths (net, X, maps, lengths{1});
%!           assert (size (paths.Xi), size (R));
%!           assert (paths.Xi, R, 1e-9 * max (abs (R(:))));
%!           brought = attnpath_paths (net, X, A, "Lengths", lengths{1});
%!           assert (brought.Xi, paths.Xi, 1e-9 * max (abs (R(:))));
%!           assert (brought.brought);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! assert (sums > 0.5);                                % these were no distributions

%!test % cme: more examples than the core takes at a time, more tokens than queries are taken at a time (64), in chunks
%! randn ("twister", 13);
%! for sizes = {[3 400], [150 5]}
%!   X = randn (5, sizes{1}(1), sizes{1}(2)) / 2;
%!   for readout = {"last", "mean"}
%!     for causal = [false, true]
%!       net = cme_net (2, "Readout", readout{1}, "Causal", causal, "Kernel", "gaussian");
%!       Xi = attnpath_paths (net, X).Xi;
%!       R = ref_paths (net, X(:,:,[1 end]), attnpath_attention (net, X(:,:,[1 end])), []);
%!       assert (Xi(:,[1 end],:), R, 1e-9 * max (abs (R(:))));
%!     endfor
%!   endfor
%! endfor

%!test % maps that are brought to a net with cme heads need no sums, but must be finite; others must still have theirs
%! randn ("twister", 14);
%! X = randn (5, 4, 2);
%! A = {randn(4, 4, 2, 2)};
%! net = attnpath_net (2, "Attention", "cme", "Readout", "mean");
%! assert (attnpath_paths (net, X, A).Xi, ref_paths (net, X, A, []), 1e-13);
%! for what = {"cme", NaN, "notFinite"; "softmax", 0.5, "badSum"}'
%!   A{1}(2,3,1,2) = what{2};
%!   refuses (["paths:" what{3}], @() attnpath_paths (setfield (net, "attention", what{1}), X, A));
%! endfor

%!test % what comes after does not know of cme: solution, kernel, prediction and draws from path inputs of the reference
%! randn ("twister", 15);
%! X = randn (5, 6, 12) / 2;
%! Xt = randn (5, 6, 3) / 2;
%! y = sign (randn (12, 1));
%! lengths = [6 * ones(1, 10), 4, 5];
%! net = cme_net ([2 2], "Width", 8, "Temperature", 0.2, "Readout", "mean", "Ridge", 0.5);
%! Xi = ref_paths (net, X, ref_attention (net, X, lengths), lengths);
%! Xit = ref_paths (net, Xt, ref_attention (net, Xt, []), []);
%! sol = attnpath_solve (net, X, y, "Lengths", lengths);
%! assert (sol.converged);
%! K = attnpath_kernel (net, sol.paths, sol.U);
%! R = ref_kernel (net, Xi, sol.U, Xi);
%! assert (K, R, 1e-9 * max (abs (R(:))));
%! [mu, s2] = attnpath_predict (sol, Xt);
%! [want, want2] = ref_predict (net, Xi, y, sol.U, Xit);
%! assert ([mu, s2], [want, want2], 1e-7 * max (abs ([want; want2])));
%! post = sampled (net, X, y, "Lengths", lengths, "Probe", Xt, "Chains", 2, "Warmup", 20, "Draws", 5);
%! assert (post.paths.Xi, Xi, 1e-9 * max (abs (Xi(:))));
%! assert (all (isfinite (post.U(:))));
%! small = attnpath_prune (net, [1 2]);
%! assert ({small.attention, small.ridge, small.H}, {"cme", 0.5, [1 2]});
%! assert (attnpath_paths (small, Xt).Xi, Xit(:,:,1:2), 1e-9 * max (abs (Xit(:))));

%!test % padded queries may hold anything, also NaN, as a softmax over masked keys does in PyTorch; real ones may not
%! randn ("twister", 16);
%! X = randn (5, 4, 2);
%! for readout = {"last", "mean"}
%!   net = random_net ([2 2], "Readout", readout{1});
%!   A = attnpath_attention (net, X, "Lengths", [4 2]);
%!   B = A;
%!   B{2}(:,3:4,1,2) = NaN;
%!   B{1}(:,3:4,:,2) = 0.25;
%!   B{1}(4,4,2,2) = Inf;
%!   assert (attnpath_paths (net, X, B, "Lengths", [4 2]), attnpath_paths (net, X, A, "Lengths", [4 2]));
%!   part = struct ("X", X, "A", {B}, "Lengths", [4 2]);
%!   assert (attnpath_paths (net, @(k) {part, []}{k}).Xi, attnpath_paths (net, X, A, "Lengths", [4 2]).Xi);
%! endfor
%! B{1}(1,2,1,2) = NaN;
%! fail ("attnpath_paths (net, X, B, 'Lengths', [4 2])", "A\\{1\\}");

%!function message = said (f)
%!  [~, message] = refuses ("paths:*", f);
%!endfunction

%!test % attention on padding, and padding that was not told, are named by their remedy, and not by a division of maps
%! randn ("twister", 17);
%! X = randn (5, 4, 2);
%! net = random_net (2);
%! A = attnpath_attention (net, X);
%! message = said (@() attnpath_paths (net, X, A, "Lengths", [4 2]));
%! assert (strfind (message, "by 'Lengths' example 2 has 2 tokens, but in A{1} query "), 17);
%! assert (isempty (strfind (message, "./")));
%! A{1}(:,3:4,:,2) = 0;
%! message = said (@() attnpath_paths (net, X, A));
%! assert (! isempty (strfind (message, "all zero")) && ! isempty (strfind (message, "'Lengths'")));

%!test % last tokens of zeros: a warning where they are read and their lengths were not given
%! randn ("twister", 18);
%! X = randn (5, 4, 3);
%! X(:,3:4,2) = 0;
%! for readout = {"last", true; "mean", true; "first", false; 2, false}'
%!   net = random_net (2, "Readout", readout{1});
%!   for lengths = {[], [4 2 4]}
%!     id = warned (@() attnpath_paths (net, X, "Lengths", lengths{1}));
%!     assert (strcmp (id, "attnpath:paths:padding"), readout{2} && isempty (lengths{1}));
%!   endfor
%! endfor

%!test % last tokens that no query attends to, as a model's mask makes them, and which are not zero: likewise
%! randn ("twister", 20);
%! X = randn (5, 4, 3);
%! A = attnpath_attention (random_net (2), X, "Lengths", [4 2 4]);
%! for l = 1:numel (A), A{l}(1,3:4,:,2) = 1; endfor            # queries of padding attend to the first key alone
%! for readout = {"last", true; "mean", true; "first", false}'
%!   [id, text] = warned (@() attnpath_paths (random_net (2, "Readout", readout{1}), X, A));
%!   assert (strcmp (id, "attnpath:paths:padding"), readout{2});
%!   assert (isempty (text) || ! isempty (strfind (text, "1 of 3 examples (first: number 2)")));
%! endfor
%! assert (warned (@() attnpath_paths (random_net (2), X, A, "Lengths", [4 2 4])), "");
%! X(2,3,2) = NaN;
%! message = said (@() attnpath_paths (random_net (2), X, A, "Lengths", [4 2 4]));
%! assert (message, "attnpath_paths: X must be finite, but element 32 is NaN, at (2,3,2)");

%!test % chosen heads: their paths, bit for bit, of tokens, maps, parts; and the network of attnpath_prune
%! randn ("twister", 19);
%! X = randn (5, 4, 6);
%! net = random_net ([3 2 2]);
%! wanted = [3 1; 1 3; 2 2; 1 1; 2 1];
%! whole = attnpath_paths (net, X);
%! [small, same] = attnpath_prune (net, [1 2; 3 2], whole);
%! [paths, of] = attnpath_paths (net, X, "Heads", wanted);
%! assert (of, small);
%! assert (paths.heads, same.heads);
%! assert (paths.Xi, same.Xi, 1e-13);                 % rounding: one product takes other numbers of columns
%! A = attnpath_attention (net, X);
%! [paths, of] = attnpath_paths (attnpath_net ([3 2 2]), X, A, "Heads", wanted);
%! assert ({of.H, paths.brought}, {[2 2 1], true});
%! assert (paths.Xi, same.Xi, 1e-13);
%! y = (1:6)';
%! first = struct ("X", X(:,:,1:4), "A", {cellfun(@(a) a(:,:,:,1:4), A, "UniformOutput", false)}, "y", y(1:4));
%! second = struct ("X", X(:,:,5:6), "A", {cellfun(@(a) a(:,:,:,5:6), A, "UniformOutput", false)}, "y", y(5:6));
%! parts = {first, second, []};
%! [paths, labels, of] = attnpath_paths (attnpath_net ([3 2 2]), @(k) parts{k}, "Heads", wanted);
%! assert ({of.H, labels}, {[2 2 1], y});
%! assert (paths.Xi, same.Xi, 1e-13);
%! [~, unchanged] = attnpath_paths (net, X);
%! assert (unchanged, net);

%!error id=attnpath:paths:badValue attnpath_paths (attnpath_net ({zeros(2, 2, 2), zeros(2)}), ones (2, 3), "Heads", [1 1])
%!error id=attnpath:paths:badValue attnpath_paths (attnpath_net ({zeros(2, 2, 2)}), ones (2, 3), "Heads", [1 3])
%!error id=attnpath:paths:badShape attnpath_paths (attnpath_net ({zeros(2, 2, 2)}), ones (2, 3), "Heads", [1 1 1])
%!error id=attnpath:paths:badShape attnpath_paths (attnpath_net (2), ones (2, 3), {ones(3, 3, 4) / 3}, "Heads", [1 1])
%!error id=attnpath:paths:badValue attnpath_paths (attnpath_net (2), @(k) [], "Lengths", 3)

%!test % without an output: a summary instead of a struct
%! assert (evalc ("attnpath_paths (attnpath_net ({zeros(2, 2, 3)}), ones (2, 4, 5))"), "3 paths of 5 examples, 2 features\n");

%!test % arrays as PyTorch has them, or as a model gives them unless told otherwise: what is wrong, and what to do
%! [N0, T, P, H] = deal (24, 6, 10, 4);
%! X = ones (N0, T, P);
%! a = ones (T, T, H, P) / T;
%! net = attnpath_net (H, "Readout", "mean");
%! left = a;                                            % example 3: two tokens of padding in front
%! left(:,:,:,3) = 0;
%! left(3:6,:,:,3) = 1 / 4;
%! lengths = [6 6 4 6 6 6 6 6 6 6];
%! by_head = mean (a, 3);
%! table = {"badShape", {permute(X, [3 2 1]), {a}}, "X is 10 x 6 x 24", "permute (X, [3 2 1])"
%!          "badShape", {permute(X, [3 2 1]), {permute(a, [4 3 2 1])}}, "X is 10 x 6 x 24", "permute (X, [3 2 1])"
%!          "badShape", {X, {permute(a, [4 3 2 1])}}, "A{1} must be", "permute (A{1}, [4 3 2 1])"
%!          "badShape", {X, {reshape(by_head, T, T, P)}}, "means over heads", "average_attn_weights=False"
%!          "badShape", {X, {permute(reshape (by_head, T, T, P), [3 2 1])}}, "means over heads", "average_attn_weights"
%!          "badShape", {X, {a(:,:,:,1:9)}}, "A{1} must be 6 x 6 x 4 x 10", ""
%!          "badSum", {X, {left}, "Lengths", lengths}, "example 3 has 4 tokens", "precede"
%!          "badSum", {X, {a}, "Lengths", lengths}, "example 3 has 4 tokens", "attention mask"
%!          "badSum", {X, {a / 2}}, "off by 0.5", "more than rounding"
%!          "badSum", {X, {a / 2}}, "off by 0.5", "norms="};
%! nets = [repmat({net}, rows (table) - 1, 1); {attnpath_net(H, "Readout", "mean", "Skip", true)}];
%! for row = [table, nets]'
%!   refuses (["paths:" row{1}], @() attnpath_paths (row{5}, row{2}{:}), row(3:4));
%! endfor

%!test % maps in single precision, with padding
%! lengths = 30 * ones (1, 100);
%! A = ones (32, 32, 12, 100, "single") / 30;
%! A(31:32,:,:,:) = 0;
%! paths = attnpath_paths (attnpath_net (12, "Readout", "mean"), ones (2, 32, 100, "single"), {A}, "Lengths", lengths);
%! assert (paths.Xi, ones (2, 100, 12), 1e-6);           % sums of 30 numbers in single

%!testif ; isempty (strfind (getenv ("LD_PRELOAD"), "asan"))
%! % more paths than there is memory for are refused before any work, with their size
%! % (the address sanitizer ends a process that asks for so much by C++)
%! net = attnpath_net (repmat ({ones(3, 3, 12)}, 1, 12));
%! refuses ("paths:tooLarge", @() attnpath_paths (net, ones (3, 4, 6), "Many", true), "8.916e+12");

%!test % tokens with examples first, as in PyTorch, are told by their lengths
%! net = attnpath_net (2);
%! X = randn (7, 4, 5);                                  % P x T x N0
%! A = {ones(4, 4, 2, 7) / 4};
%! part = {struct("X", X, "y", ones (7, 1), "Lengths", 4 * ones (1, 7), "A", {A}), []};
%! for call = {@() attnpath_paths(net, X, A, "Lengths", 4 * ones (1, 7))
%!             @() attnpath_paths(net, @(k) part{k})
%!             @() attnpath_moments(net, @(k) part{k})}'
%!   refuses ("*:badShape", call{1}, "permute (X, [3 2 1])");
%! endfor
%! paths = attnpath_paths (net, permute (X, [3 2 1]), A, "Lengths", 4 * ones (1, 7));
%! assert (size (paths.Xi), [5 7 2]);

%!test % path inputs name their network: another one, which has as many paths, refuses them wherever they go
%! randn ("twister", 4);
%! X = randn (3, 4, 6);  y = sign (randn (6, 1));
%! pairs = @() struct ("Q", randn (2, 3, 2), "K", randn (2, 3, 2));
%! heads = {pairs(), pairs()};
%! of = {"Attention", "cme"};
%! net = attnpath_net (heads, of{:});
%! paths = attnpath_paths (net, X);
%! sol = attnpath_solve (net, paths, y, "Display", false);
%! assert (sol.paths.of, paths.of);
%! assert (attnpath_solve (net, X, y, "Display", false).paths, paths);
%! others = {attnpath_net({heads{1}, pairs()}, of{:}),        "other heads"
%!           attnpath_net({pairs(), heads{2}}, of{:}),        "other heads"
%!           attnpath_net(heads, of{:}, "Bandwidth", 2),      "another rule"
%!           attnpath_net(heads, of{:}, "Ridge", 1),          "another rule"
%!           attnpath_net(heads, of{:}, "Kernel", "linear"),  "another rule"
%!           attnpath_net(heads, of{:}, "Causal", true),      "another rule"
%!           attnpath_net(heads),                             "another rule"
%!           attnpath_net(heads, of{:}, "Readout", "mean"),   "another readout"
%!           attnpath_net(heads, of{:}, "Readout", 4),        "another readout"
%!           attnpath_net([4 1]),                             "another number of heads"
%!           attnpath_net([2 2], "Readout", "mean"),          "another readout"};
%! for other = others'
%!   net2 = other{1};
%!   order = {eye(4), eye(net2.H(2))};
%!   calls = {@() attnpath_solve(net2, paths, y),     @() attnpath_action(net2, paths, y, order)
%!            @() attnpath_kernel(net2, paths, eye (4)), @() attnpath_pathkernels(net2, paths)
%!            @() attnpath_sample(net2, paths, y),     @() attnpath_moments(net2, paths, y)
%!            @() attnpath_tune(net2, paths, y),       @() attnpath_prune(net2, [1 1], paths)
%!            @() attnpath_predict(setfield (sol, "net", net2), X), ...
%!            @() attnpath_predict(attnpath_solve (net2, struct ("Xi", paths.Xi), y, "Display", false), paths)};
%!   refuses ("*:otherNet", calls(:)', other{2});
%! endfor
%! % what may differ, and what knows nothing of the network
%! may = {attnpath_net(heads, of{:}, "Width", 7, "Variance", 2, "Temperature", 1)
%!        attnpath_net(heads, of{:}, "HeadScale", {[1 2], [3 1]})
%!        attnpath_net([2 2], "Bandwidth", 2, "Causal", true)};
%! for k = 1:3, attnpath_kernel (may{k}, paths, eye (4)); endfor
%! attnpath_kernel (others{1}, rmfield (paths, "of"), eye (4));
%! attnpath_kernel (others{1}, paths.Xi, eye (4));
%! some = paths;  some.Xi = paths.Xi(:,[1 4],:);
%! assert (attnpath_kernel (net, some, eye (4)), attnpath_kernel (net, paths, eye (4))([1 4],[1 4]), 1e-12);
%! % brought maps belong to no heads; those of a network without heads, of a part, of fewer heads
%! brought = attnpath_paths (attnpath_net ([2 2], of{:}), X, attnpath_attention (net, X));
%! assert (brought.of(3:4), [0 0]);
%! assert (brought.of(1:2), paths.of(1:2));
%! assert (attnpath_kernel (others{1}, brought, eye (4)), attnpath_kernel (net, paths, eye (4)), 1e-12);
%! [few, less] = attnpath_paths (net, X, "Heads", [1 2; 2 1; 2 2]);
%! [less2, few2] = attnpath_prune (net, [1 1], paths);
%! assert (few2.of, few.of);
%! assert (attnpath_kernel (less, few2, eye (2)), attnpath_kernel (less2, few, eye (2)), 1e-14);
%! fail ("attnpath_kernel (less, setfield (few, 'of', paths.of), eye (2))", "otherNet|another number of heads");
%! parts = @(k) {struct("X", X), struct("X", paths), []}{k};
%! assert (attnpath_paths (net, parts).of, paths.of);
%! parts = @(k) {struct("X", X), struct("X", rmfield (paths, "of")), []}{k};
%! assert (isfield (attnpath_paths (net, parts), "of"), false);
%! paths.of = 1:3;
%! fail ("attnpath_kernel (net, paths, eye (4))", "paths.of must be 1 x 4");

%!test % so many paths that what follows takes hours are refused, in parts too, unless wanted; minutes are told
%! ask = @(H, P, varargin) attnpath_paths (attnpath_net (H), ones (100, 1, P), arrayfun (@(h) ones (1, 1, h, P), H, ...
%!                                                                                 "UniformOutput", false), varargin{:});
%! refuses ("paths:manyPaths", @() ask ([12 12 12 12], 300), {"20736 paths of 300 examples", "'Heads'", "'Many', true", ...
%!                                                                    " h, a tuning", "over 1000 days, and 24.5 days"});
%! part = struct ("X", ones (100, 1, 300), "A", {{ones(1, 1, 40, 300), ones(1, 1, 50, 300)}}, "y", ones (300, 1));
%! parts = {part, []};
%! refuses ("paths:manyPaths", @() attnpath_paths (attnpath_net ([40 50]), @(k) parts{k}), "2000 paths");
%! told = evalc ("few = ask ([40 50], 2, 'Many', true);");
%! assert (size (few.Xi), [100 2 2000]);
%! assert (evalc ("some = ask ([6 6], 300);"), "");
%! said = evalc ("some = ask ([9 9], 300);");
%! assert (! isempty (strfind (said, "81 paths of 300 examples")));
%! % more examples than features times paths, for which so many stand
%! assert (evalc ("many = attnpath_paths (attnpath_net ({eye(4), eye(4)}), randn (4, 1, 1e5));"), "");
%! % where all tokens are read each counts as an example
%! all_read = attnpath_net ([9 9], "Readout", "all");
%! maps = @(w, P) repmat ({repmat(w, [1 3 9 P])}, 1, 2);
%! part = struct ("X", ones (100, 3, 50), "A", {maps([0; 0; 1], 50)}, "y", ones (3, 50));
%! parts = {part, part, []};
%! told = {evalc("some = attnpath_paths (all_read, ones (100, 3, 100), maps ([0; 0; 1], 100));"), ...
%!         evalc("some = attnpath_paths (all_read, ones (100, 3, 150), maps ([1; 0; 0], 150), 'Lengths', 2 * ones (1, 150));"), ...
%!         evalc("some = attnpath_paths (all_read, @(k) parts{k});")};
%! assert (told, repmat ({strrep(said, "examples", "tokens")}, 1, 3));
%! part = struct ("X", ones (100, 30, 50), "A", {{ones(30, 30, 30, 50) / 30, ones(30, 30, 30, 50) / 30}}, "y", ones (30, 50));
%! parts = {part, []};
%! wide = attnpath_net ([30 30], "Readout", "all");
%! refuses ("paths:manyPaths", @() attnpath_paths (wide, @(k) parts{k}), "1500 tokens");
%! refuses ("paths:badValue", @() ask (2, 3, "Many", 2), "Many");
