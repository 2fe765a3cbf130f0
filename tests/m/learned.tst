% learned.tst: attnpath_sample with Method 'attention', and what is made of its samples: attnpath_predict,
% attnpath_attention, attnpath_diagnose; the functions that refuse them. The density and its gradient at finite widths are in
% test_ap_learned.c, calibration and networks drawn from the prior in tests/long/learned.tst.

%!function [net, X, y] = small (kind, varargin)
%!  % five sequences of up to 4 tokens, three features, two layers
%!  randn ("twister", 7);
%!  heads = {randn(3, 3, 2), randn(3, 3, 1)};
%!  if kind, heads = {struct("Q", randn (2, 3, 2), "K", randn (2, 3, 2)), randn(3, 3, 1)}; endif
%!  net = attnpath_net (heads, "Width", 6, "Temperature", 0.3, varargin{:});
%!  X = randn (3, 4, 5);
%!  y = randn (5, 1);
%!endfunction

%!function post = drawn (net, X, y, varargin)
%!  post = sampled (net, X, y, "Method", "attention", "Chains", 2, varargin{:});
%!endfunction

%!function heads = draw_of (post, k, c)
%!  for l = 1:numel (post.heads)
%!    if isstruct (post.heads{l})
%!      heads{l} = struct ("Q", post.heads{l}.Q(:,:,:,k,c), "K", post.heads{l}.K(:,:,:,k,c));
%!    else
%!      heads{l} = post.heads{l}(:,:,:,k,c);
%!    endif
%!  endfor
%!endfunction

%!test % the density at the GP limit is (T39), at every draw: kinds of heads, readouts, lengths, causal, outputs
%! for kind = 0:3
%!   options = {{}, {"Readout", "mean", "Causal", true}, {"Readout", "all", "Skip", [1 0]}, {"Readout", "first"}}{kind+1};
%!   [net, X, y] = small (mod (kind, 2), "Variance", [1.2 0.8 1.5 0.7], options{:});
%!   lengths = [];
%!   if kind > 1
%!     lengths = [4 3 4 2 4];
%!     for mu = 1:5, X(:,lengths(mu)+1:end,mu) = 0; endfor
%!   endif
%!   U = diag (repmat (0.7 * 1.5 * 0.8, 1, 2));
%!   flat = [y, sin(y)];
%!   if kind == 2                                      % all tokens; the skip has no sigma_1^2
%!     flat = randn (17, 2);
%!     y = NaN (20, 2);
%!     y(bsxfun (@le, (1:4)', lengths),:) = flat;
%!     y = reshape (y, 4, 5, 2);
%!     U = diag (0.7 * 1.5 * [1 0.8 0.8]);
%!   else
%!     y = flat;
%!   endif
%!   post = drawn (net, X, y, "Limit", "gp", "Lengths", lengths, "Draws", 5, "Warmup", 20, "AttentionScale", 3);
%!   assert (post.U(:,:,1,1), U, 1e-14);
%!   for k = 1:5
%!     want = ref_learned (net, X, flat, lengths, 3, draw_of (post, k, 2), U);
%!     assert (post.logpost(k,2), want, 1e-10 * (1 + abs (want)));
%!   endfor
%! endfor

%!testif ; thorough ()
%! % one number in the only head, widths 6 and 5: moments of it, of U and of f against quadrature
%! net = attnpath_net ({0}, "Width", [6 5], "Temperature", 0.3);
%! X = reshape ([1 -0.5 2 0.3 -1 1.5 -0.7 0.2 1.1 0.4 -1.6 0.9], 1, 3, 4);
%! y = [1; -0.4; 0.8; -0.6];
%! probe = reshape ([0.5 -1 1.3], 1, 3, 1);
%! post = drawn (net, X, y, "Probe", probe, "Draws", 6000, "Chains", 4, "AttentionScale", 2);
%! sd = 2 / mean (X(:) .^ 2);
%! t = linspace (-1, 1, 61);                          % 201 points give the same five digits
%! w = 6 * sd * (0.1 * t + 0.9 * t .^ 3);
%! for k = 1:numel (w)
%!   net.heads = {w(k)};
%!   Xi = ref_paths (net, cat (3, X, probe), ref_attention (net, cat (3, X, probe), []), []);
%!   C = ref_pathkernels (net, Xi, Xi);
%!   q = ref_quadrature (net, C(1:4,1:4), y, C(5,:));
%!   logw(k) = q.evidence - w(k) ^ 2 / (2 * sd ^ 2) + log (0.1 + 2.7 * t(k) ^ 2);
%!   of_w(:,k) = [w(k); w(k) ^ 2; q.U(1:2)'; q.ua(1); q.f(1:2)'];
%! endfor
%! p = exp (logw - max (logw))';
%! want = of_w * p / sum (p);
%! x = post.heads{1};
%! got = cat (1, x(1,1,1,:,:), x(1,1,1,:,:) .^ 2, permute (cat (1, post.U, post.U .^ 2), [1 5 2 3 4]));
%! got = [reshape(got, 4, 6000, 4); reshape(post.ua, 1, 6000, 4); post.f; post.f .^ 2];
%! d = attnpath_diagnose (got);
%! assert (min (d.ess_mean) > 400);
%! assert (max (abs (d.mean - want) ./ d.mcse) < 4);            % of 7 numbers: 1 in 2000

%!test % a small prior scale is even attention; outputs of several classes, both starts are near one another then
%! [net, X, y] = small (0);
%! y = [y, -y .^ 2];
%! post = drawn (net, X, y, "Limit", "gp", "Draws", 4, "Warmup", 4, "AttentionScale", 1e-7);
%! net.heads = {zeros(3, 3, 2), zeros(3)};
%! even = attnpath_solve (net, X, y, "Display", false);
%! [mu, s2] = attnpath_predict (even, randn (3, 4, 2), "Limit", "gp");
%! randn ("twister", 7);
%! x = randn (3, 4, 2);
%! [m, v] = attnpath_predict (post, x);
%! [mu, s2] = attnpath_predict (even, x, "Limit", "gp");
%! assert ({m, v}, {mu, s2}, 1e-5);
%! A = attnpath_attention (post, x);
%! assert (A{1}, repmat (0.25, [4 4 1 2]), 1e-5);

%!test % predictions and maps are those of every draw, mixed; of all tokens with missing labels and of noise too
%! [net, X, y] = small (1, "Readout", "all");
%! y = randn (4, 5, 2);
%! y(1,2,:) = NaN;
%! noise = repmat ([1 0.5 2 1 Inf], 4, 1);
%! post = drawn (net, X, y, "Noise", noise, "Draws", 3, "Warmup", 15, "Probe", X);
%! new = randn (3, 4, 2);
%! [mu, s2, m, v] = deal (0);
%! flat = reshape (y, 20, 2);
%! used = ! isnan (flat(:,1)) & noise(:) < Inf;
%! for c = 1:2
%!   for k = 1:3
%!     net.heads = draw_of (post, k, c);
%!     train = attnpath_paths (net, X).Xi(:,used,:);
%!     one = struct ("net", net, "paths", struct ("Xi", train), "y", flat(used,:), "noise", noise(used)', ...
%!                   "U", post.U(:,:,k,c));
%!     one.net.readout = "last";                        % path inputs are path inputs
%!     test.Xi = attnpath_paths (net, new).Xi;
%!     [a, b] = attnpath_predict (one, test);
%!     m = m + a / 6;
%!     v = v + (b + reshape (a', 2, 1, 8) .* reshape (a', 1, 2, 8)) / 6;
%!     A{3*c-3+k} = attnpath_attention (net, new){1};
%!   endfor
%! endfor
%! v = v - reshape (m', 2, 1, 8) .* reshape (m', 1, 2, 8);
%! [mu, s2] = attnpath_predict (post, new);
%! assert (size (mu), [4 2 2]);
%! assert ({reshape(mu, 8, 2), reshape(s2, 2, 2, 8)}, {m, v}, 1e-10);
%! assert (attnpath_predict (post, new), mu);
%! all_of = cat (5, A{:});
%! [map, sd] = attnpath_attention (post, new);
%! assert ({map{1}, sd{1}}, {mean(mean (all_of, 3), 5), std(mean (all_of, 3), 0, 5)}, 1e-12);
%! [map, sd] = attnpath_attention (post, new, "Matched", true);
%! assert (mean (map{1}, 3), mean (mean (all_of, 3), 5), 1e-12);
%! assert (size (sd{1}), [4 4 2 2]);

%!test % classes of all tokens, with other numbers of sequences than of classes: that of the largest mean, or the sign
%! [net, X, y] = small (0, "Readout", "all");
%! words = repmat ({"a", "b", "c", "", "b"}, 4, 1);
%! post = drawn (net, X, words, "Draws", 3, "Warmup", 5);
%! [mu, ~, class] = attnpath_predict (post, X);
%! [~, largest] = max (mu, [], 3);
%! assert (class, post.classes(largest));
%! labels = sign (sin (reshape (1:20, 4, 5)));
%! post = drawn (net, X, labels, "Draws", 3, "Warmup", 5, "Limit", "gp");
%! [mu, ~, class] = attnpath_predict (post, X);
%! assert (class, sign (mu));
%! post = drawn (net, X, cat (3, labels, -labels), "Draws", 3, "Warmup", 5, "Limit", "gp");
%! [mu, ~, class] = attnpath_predict (post, X);
%! assert (class, 1 + (mu(:,:,2) > mu(:,:,1)));

%!test % what padding holds plays no part, in the prior's scale neither
%! [net, X, y] = small (0);
%! zeroed = X;
%! lengths = [4 3 4 2 4];
%! for mu = 1:5, zeroed(:,lengths(mu)+1:end,mu) = 0; endfor
%! given = {"Lengths", lengths, "Draws", 3, "Warmup", 5};
%! assert (drawn (net, X, y, given{:}).heads, drawn (net, zeroed, y, given{:}).heads);

%!test % single heads are matched: a chain that exchanges two heads has their maps
%! [net, X] = small (0);
%! post = drawn (net, X, ones (5, 1), "Limit", "gp", "Draws", 2, "Warmup", 2, "Chains", 1);
%! post.heads{1}(:,:,:,2) = post.heads{1}(:,:,[2 1],1);
%! post.heads{2}(:,:,:,2) = post.heads{2}(:,:,:,1);
%! [A, sd] = attnpath_attention (post, X, "Matched", true);
%! net.heads = draw_of (post, 1, 1);
%! assert (A, attnpath_attention (net, X), 1e-14);
%! assert (max (abs (sd{1}(:))) < 1e-14);

%!test % heads that are kept: all, in single precision, or every third draw; start at the heads given
%! [net, X, y] = small (1);
%! base = {net, X, y, "Draws", 7, "Warmup", 9};
%! whole = drawn (base{:});
%! half = drawn (base{:}, "KeepHeads", "single");
%! some = drawn (base{:}, "KeepHeads", 3);
%! assert (class (half.heads{2}), "single");
%! assert ({half.heads{2}, half.heads{1}.K}, {single(whole.heads{2}), single(whole.heads{1}.K)});
%! assert ({some.kept, some.heads{1}.Q}, {[3 6], whole.heads{1}.Q(:,:,:,[3 6],:)});
%! assert ({size(whole.headsize), whole.headsize(2,4,1)}, ...
%!         {[2 7 2], mean(whole.heads{2}(:,:,1,4,1)(:) .^ 2) / (4 / (sum (X(:) .^ 2) / 20)) ^ 2}, 1e-12);
%! net.temperature = 1e-12;                            % steps of the first trajectory are far too long: it is rejected
%! still = drawn (net, X, y, "Draws", 1, "Warmup", 0, "StartHeads", "given");
%! assert ({still.moved, draw_of(still, 1, 2)}, {[0 0], net.heads}, 1e-14);
%! still = drawn (net, X, y, "Draws", 1, "Warmup", 0);
%! assert (norm (still.heads{2}(:,:,1,1,1) - net.heads{2}) > 0.1);

%!test % resumed = whole, bit for bit; with every second draw's heads, weights, and at the GP limit
%! [net, X, y] = small (1);
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! for kind = {{"Weights", true}, {"KeepHeads", 2}, {"Limit", "gp", "StartHeads", "given", "KeepHeads", "single"}}
%!   run = @(draws, varargin) drawn (net, X, y, "Draws", draws, "Warmup", 7, "Probe", X, kind{1}{:}, varargin{:});
%!   whole = run (11);
%!   for draws = [1 4 5 11 11], post = run (draws, "Checkpoint", file); endfor
%!   for field = setdiff (fieldnames (whole), "weights")'
%!     assert ({post.(field{1})}, {whole.(field{1})});
%!   endfor
%!   refuses ("sample:otherRun", @() run (11, "Checkpoint", file, "AttentionScale", 2), "AttentionScale");
%!   refuses ("sample:otherRun", @() run (11, "Checkpoint", file, "KeepHeads", 5), "KeepHeads");
%!   if strcmp (kind{1}{1}, "Weights")
%!     assert (attnpath_weights (post, 3, 2).V0, attnpath_weights (whole, 3, 2).V0);
%!   endif
%!   delete (fullfile (folder, "*"));
%! endfor

%!test % a checkpoint of another run: what differs is named as the caller knows it
%! [net, X, y] = small (0);
%! file = tempname ();
%! kept = {"Checkpoint", file, "Draws", 1, "Warmup", 1};
%! remove = onCleanup (@() delete (file));
%! drawn (net, X, y, kept{:});
%! refuses ("sample:otherRun", @() drawn (net, 2 * X, y, kept{:}), ": X differs");
%! refuses ("sample:otherRun", @() drawn (net, X, y, kept{:}, "AttentionScale", 3), ": AttentionScale differs");
%! refuses ("sample:otherRun", @() drawn (net, X, y, kept{:}, "StartHeads", "given"), ": StartHeads differs");
%! refuses ("sample:otherRun", @() drawn (net, X, y, kept{:}, "Limit", "gp"), ": Limit differs");
%! refuses ("sample:otherRun", @() drawn (net, X, y, kept{:}, "KeepHeads", 2), ": KeepHeads differs");

%!test % weights of a draw give its f, through the maps of its heads
%! [net, X, y] = small (0);
%! post = drawn (net, X, y, "Draws", 2, "Warmup", 9, "Probe", X, "Weights", true);
%! net.heads = draw_of (post, 2, 1);
%! w = attnpath_weights (post, 2, 1);
%! f = ref_network (net, w, X, ref_attention (net, X, []), []);
%! assert (post.f(:,2,1), f, 1e-10);

%!test % the diagnosis has invariants in place of U
%! [net, X, y] = small (0);
%! post = drawn (net, X, y, "Draws", 9, "Warmup", 9);
%! d = attnpath_diagnose (post);
%! same = attnpath_diagnose (permute (post.U(1,1,:,:) + post.U(2,2,:,:), [3 4 1 2]));
%! assert (d.U.mean(1), same.mean, 1e-12);
%! assert (numel (d.U.mean), 6);                       % traces of U_1, U_2, the sum of U_1, u_a, sizes of two layers
%! swapped = post;
%! swapped.U = post.U([2 1],[2 1],:,:);
%! swapped.order{1} = swapped.U;
%! assert (attnpath_diagnose (swapped), d);

%!test % options that belong to it, what it cannot do
%! [net, X, y] = small (0);
%! refuses ("sample:badValue", @() sampled (net, X, y, "KeepHeads", 2), "collapsed");
%! refuses ("sample:badValue", @() sampled (net, X, y, "Limit", "gp"), "attention");
%! refuses ("sample:badValue", @() drawn (net, attnpath_paths (net, X), y), "tokens");
%! refuses ("sample:badValue", @() drawn (net, X, y, "Probe", attnpath_paths (net, X)), "Probe");
%! refuses ("sample:badValue", @() drawn (net, X, y, "Limit", "gp", "Weights", true), "widths");
%! refuses ("sample:badValue", @() drawn (net, X, y, "AttentionScale", 0), "AttentionScale");
%! refuses ("sample:badValue", @() drawn (net, X, y, "KeepHeads", 0), "KeepHeads");
%! refuses ("sample:badValue", @() drawn (net, X, y, "StartHeads", "zero"), "StartHeads");
%! refuses ("sample:badValue", @() drawn (net, zeros (3, 4, 5), y), "zero");
%! refuses ("sample:badValue", @() drawn (net, 1e-200 * X, y), "squares of all tokens");
%! far = attnpath_net ({1e200 * net.heads{1}, net.heads{2}}, "Width", 6, "Temperature", 0.3);
%! refuses ("sample:badValue", @() drawn (far, X, y, "StartHeads", "given"), "too large to begin");
%! drawn (far, X, y, "Draws", 1, "Warmup", 1);                          % where they are shapes only
%! refuses ("sample:noHeads", @() drawn (attnpath_net ([2 1], "Width", 6), X, y), "heads");
%! net.attention = "hardmax";
%! refuses ("sample:badValue", @() drawn (net, X, y), "hardmax");
%! net.attention = "softmax";
%! net.width(:) = 6.5;
%! refuses ("sample:badValue", @() drawn (net, X, y), "6.5");
%! drawn (net, X, y, "Limit", "gp", "Draws", 1, "Warmup", 1);           % where widths play no part

%!test % functions of one network refuse it by name
%! [net, X, y] = small (0);
%! post = drawn (net, X, y, "Draws", 2, "Warmup", 3);
%! calls = {"loo", @() attnpath_loo (post); "scores", @() attnpath_scores (post)
%!          "influence", @() attnpath_influence (post); "probability", @() attnpath_probability (post)
%!          "evidence", @() attnpath_evidence (post); "expand", @() attnpath_expand (post)
%!          "gradient", @() attnpath_gradient (post); "align", @() attnpath_align (post)
%!          "plot", @() attnpath_plot (post, "order")}';
%! for call = calls, refuses ([call{1} ":learnedHeads"], call{2}, "attnpath_predict"); endfor
%! refuses ("predict:badValue", @() attnpath_predict (post, attnpath_paths (net, X)), "tokens");
%! refuses ("predict:badValue", @() attnpath_predict (post, X, "Limit", "gp"), "U and the paths of each draw");
%! refuses ("predict:badShape", @() attnpath_predict (setfield (post, "kept", 1:3), X), "heads");
%! refuses ("predict:missingField", @() attnpath_predict (rmfield (post, "kept"), X), "kept");
%! refuses ("attention:tooFew", @() attnpath_attention (drawn (net, X, y, "Draws", 1, "Warmup", 1, "KeepHeads", 2), X), "KeepHeads");
%! refuses ("attention:badValue", @() attnpath_attention (net, X, "Matched", true), "Matched");

%!test % samples that were changed
%! [net, X, y] = small (1);
%! post = drawn (net, X, y, "Draws", 4, "Warmup", 3, "Weights", true);
%! refuses ("predict:badClass", @() attnpath_predict (setfield (post, "heads", 5), X), "cell of 2 layers");
%! refuses ("attention:badClass", @() attnpath_attention (setfield (post, "heads", {}), X), "cell of 2 layers");
%! changed = post;
%! changed.heads{1}.K = 1;
%! refuses ("predict:badShape", @() attnpath_predict (changed, X), "Q and K");
%! changed.heads{1} = 1;
%! refuses ("predict:badClass", @() attnpath_predict (changed, X), "net.heads{1}");
%! refuses ("predict:badValue", @() attnpath_predict (setfield (post, "kept", 2:5), X), "post.kept");
%! refuses ("predict:badShape", @() attnpath_predict (setfield (post, "U", eye (2)), X), "post.U");
%! refuses ("predict:missingField", @() attnpath_predict (rmfield (post, "Lengths"), X), "Lengths");
%! refuses ("predict:badClass", @() attnpath_predict (setfield (post, "Lengths", {1}), X), "Lengths");
%! refuses ("diagnose:badShape", @() attnpath_diagnose (setfield (post, "U", 5)), "post.U");
%! refuses ("diagnose:badShape", @() attnpath_diagnose (setfield (post, "ua", "x")), "post.ua");
%! refuses ("diagnose:badShape", @() attnpath_diagnose (setfield (post, "order", {1})), "post.order");
%! refuses ("diagnose:badClass", @() attnpath_diagnose (setfield (post, "order", 1)), "post.order");
%! refuses ("diagnose:badShape", @() attnpath_diagnose (setfield (post, "f", 1)), "post.f");
%! refuses ("weights:badClass", @() attnpath_weights (setfield (post, "net", 1), 1, 1), "net");

%!test % heads that would not fit are refused before any work
%! [net, X, y] = small (1);
%! refuses ("sample:tooLarge", @() drawn (net, X, y, "Draws", 1e9), "KeepHeads");
