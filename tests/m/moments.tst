% moments.tst: examples gathered in one matrix give what the examples give, in every form and however they come.

%!function [net, X, y, Xt] = data (P, T)
%!  % two layers of two heads, M = 5 * 4 = 20 features of weight space
%!  randn ("twister", 5);
%!  W = @(h) randn (5, 5, h) / 5;
%!  net = attnpath_net ({W(2), W(2)}, "Width", [12 15 9], "Variance", [0.8 1.1 0.9 1.2], "Temperature", T);
%!  X = randn (5, 3, P);
%!  y = sign (randn (P, 1)) + 0.1 * randn (P, 1);
%!  Xt = randn (5, 3, 7);
%!endfunction

%!function G = gram_of (m)
%!  G = m.sums;
%!  if strcmp (m.form, "factor"), G = G' * G; endif
%!endfunction

%!function source = pieces (X, y, sizes)
%!  ends = cumsum (sizes);
%!  parts = arrayfun (@(n, k) struct ("X", X(:,:,k-n+1:k), "y", y(k-n+1:k)), sizes, ends, "UniformOutput", false);
%!  parts{end+1} = [];
%!  source = @(k) parts{k};
%!endfunction

%!test % (T20)-(T22) written out, against the action and the predictor from moments, P below, at and above M = 20
%! for P = [6 20 21 90]
%!   [net, X, y, Xt] = data (P, 0.3);
%!   paths = attnpath_paths (net, X);
%!   test = attnpath_paths (net, Xt);
%!   order = {[2 .3 0 .1; .3 1 .2 0; 0 .2 1.5 0; .1 0 0 .7], [1.2 .4; .4 .9]};
%!   [E, G, mu, s2] = ref_weightspace (net, paths.Xi, y, order{1}, test.Xi);
%!   [~, grad0, part0] = attnpath_action (net, paths, y, order);
%!   for form = {"square", "factor"}
%!     m = attnpath_moments (net, X, y, "Form", form{1});
%!     [~, grad, part] = attnpath_action (net, m, order);
%!     % eps lambda_max / T is below 1e-13 here; 90 examples and a square make it 1e-11 at most
%!     assert (part.energy, E, 1e-11 * (1 + abs (E)));
%!     assert (part.entropy, part0.entropy);
%!     assert (relative (grad{1} - grad0{1} + G, G) < 1e-9);
%!     model = struct ("net", net, "moments", m, "U", order{1});
%!     [f, v] = attnpath_predict (model, Xt);
%!     assert ({f, v}, {mu, s2}, 1e-10);
%!   endfor
%! endfor

%!test % stored kernels, path inputs, few examples that stand for many, square and factor: one solution; N_1 < Pi too
%! for T = [1e-6 1e-3 0.1 10]
%!   for width = {[12 15 9], [3 15 9]}
%!     [net, X, y, Xt] = data (60, T);
%!     net.width = width{1};
%!     paths = attnpath_paths (net, X);
%!     whole = attnpath_solve (net, paths, y, "Tolerance", 1e-10);
%!     gap = @(sol) relative (sol.U, whole.U);
%!     f = attnpath_predict (whole, Xt);
%!     m = attnpath_moments (net, X, y, "Form", "factor");
%!     sol = attnpath_solve (net, m, "Tolerance", 1e-10);
%!     assert (gap (sol) < 1e-7 && relative (attnpath_predict (sol, Xt), f) < 1e-7);
%!     % the gradient of these very examples, none stood for, vanishes at both
%!     [~, grad] = attnpath_action (net, paths, y, sol.order);
%!     % eps lambda_max / T, with lambda_max about 100, times the size of the gradient's parts
%!     assert (max (abs (grad{1}(:))) < 1e-8 * max (net.width) + 1e3 * eps * 100 / T);
%!     assert (sol.evidence, whole.evidence, 1e-9 * abs (whole.evidence));
%!     if T >= 1e-3
%!       square = attnpath_solve (net, attnpath_moments (net, X, y), "Tolerance", 1e-10);
%!       assert (gap (square) < 1e-7 && relative (attnpath_predict (square, Xt), f) < 1e-7);
%!       assert (square.hessian_min, whole.hessian_min, 1e-3 * abs (whole.hessian_min) + 1e-12);
%!     endif
%!   endfor
%! endfor

%!test % however the parts are cut and joined
%! [net, X, y] = data (70, 0.1);
%! for form = {"square", "factor"}
%!   whole = attnpath_moments (net, X, y, "Form", form{1});
%!   parts = attnpath_moments (net, pieces (X, y, [30 1 39]), "Form", form{1});
%!   a = attnpath_moments (net, X(:,:,1:11), y(1:11), "Form", form{1});
%!   b = attnpath_moments (net, attnpath_paths (net, X(:,:,12:50)), y(12:50), "Form", form{1});
%!   c = attnpath_moments (net, X(:,:,51:end), y(51:end), "Form", form{1});
%!   joined = attnpath_moments (a, b, c);
%!   assert ({parts.P, joined.P, rows(parts.parts), rows(joined.parts)}, {70, 70, 3, 3});
%!   for m = {parts, joined}, assert (relative (gram_of (m{1}), gram_of (whole)) < 1e-14 * 70); endfor
%!   assert (whole.complete && joined.complete);
%! endfor
%! assert (joined.of, whole.of);

%!test % widths, variances and the temperature are free after gathering; the network is not
%! [net, X, y] = data (50, 0.1);
%! m = attnpath_moments (net, X, y);
%! for k = 1:3
%!   other = attnpath_net (net.heads, "Width", 10 * k, "Temperature", 0.05 * k, "Variance", k);
%!   assert (relative (attnpath_solve (other, m).U, attnpath_solve (other, X, y).U) < 1e-7);
%! endfor
%! counts = attnpath_net ([2 2], "Width", 10, "Temperature", 0.05);
%! assert (attnpath_solve (counts, m).converged);
%! changed = {{"Readout", "mean"}, {"Causal", true}, {"Bandwidth", 2}, {"Attention", "hardmax"}};
%! for k = 1:numel (changed)
%!   other = attnpath_net (net.heads, changed{k}{:});
%!   refuses ("solve:otherNet", @() attnpath_solve (other, m), "weights");
%!   refuses ("moments:otherNet", @() attnpath_moments (m, attnpath_moments (other, X, y)));
%! endfor
%! heads = net.heads;
%! heads{2}(3,2,1) += 1e-12;
%! refuses ("solve:otherNet", @() attnpath_solve (attnpath_net (heads), m));
%! refuses ("solve:otherNet", @() attnpath_solve (attnpath_net ([2 3]), m), "[2 3]");
%! refuses ("predict:otherNet", @() attnpath_predict (struct ("net", other, "moments", m, "U", eye (4)), X));

%!testif ; thorough ()
%! % draws from moments are draws of the same posterior: means agree within their errors
%! [net, X, y, Xt] = data (60, 0.5);
%! m = attnpath_moments (net, X, y);
%! given = {"Draws", 600, "Warmup", 300, "Probe", Xt, "Weights", true};
%! a = sampled (net, m, given{:}, "Seed", 1);
%! b = sampled (net, attnpath_paths (net, X), y, given{:}, "Seed", 2);
%! for what = {"U", "f"}
%!   da = a.diagnostics.(what{1});  db = b.diagnostics.(what{1});
%!   % 6 standard errors of a difference: one of these 17 numbers in 10^7 runs
%!   assert (max (abs (da.mean(:) - db.mean(:)) ./ hypot (da.mcse(:), db.mcse(:))) < 6);
%! endfor
%! assert (size (attnpath_weights (a, 3, 2).V0), [12 5]);
%! [mu, s2] = attnpath_predict (a, Xt);
%! assert (mu, mean (a.f(:,:), 2), 6 * max (a.diagnostics.f.mcse(:)));

%!test % pruned moments are those of the pruned network
%! [net, X, y] = data (50, 0.1);
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, X, y, "Form", form{1});
%!   [small, left] = attnpath_prune (net, [1 2], m);
%!   again = attnpath_moments (small, X, y, "Form", form{1});
%!   assert (relative (gram_of (left), gram_of (again)) < 1e-13);
%!   assert ({left.of, left.H}, {again.of, again.H});
%!   assert (attnpath_solve (small, left).converged);
%! endfor

%!test % without an output a summary
%! [net, X, y] = data (40, 0.1);
%! m = attnpath_moments (net, pieces (X, y, [15 25]));
%! text = evalc ("attnpath_moments (net, pieces (X, y, [15 25]))");
%! assert (text, sprintf ("40 examples in 2 parts: %s\nsums, of the form square: 21 x 21 numbers\n", m.of));

%!test % what repeats, or does not fit
%! [net, X, y] = data (40, 0.1);
%! m = attnpath_moments (net, X, y);
%! twice = @(k) {struct("X", X, "y", y), struct("X", X, "y", y), []}{k};
%! refuses ("moments:samePart", @() attnpath_moments (net, twice), {"part 2", "part 1"});
%! refuses ("moments:samePart", @() attnpath_moments (m, m), {"Noise", "1"});
%! half = attnpath_solve (net, attnpath_moments (net, X, y, "Noise", ones (1, 40) / 2));
%! both = attnpath_solve (net, cat (3, X, X), [y; y]);
%! assert (half.U, both.U, 1e-6 * norm (both.U));             % searches end at a gradient of 1e-8
%! factor = attnpath_moments (net, X(:,:,1:9), y(1:9), "Form", "factor");
%! refuses ("moments:badValue", @() attnpath_moments (m, factor));
%! refuses ("moments:badClass", {@() attnpath_moments (m, 3), @() attnpath_moments (m, [m m])});
%! refuses ("moments:missingField", @() attnpath_moments (rmfield (m, "parts")), "parts");
%! refuses ("solve:missingField", @() attnpath_solve (net, rmfield (m, "form")), "form");
%! broken = m;  broken.sums(3,2) = NaN;
%! refuses ("solve:notFinite", @() attnpath_solve (net, broken), "X.sums");
%! broken = m;  broken.sums = broken.sums(2:end,2:end);
%! refuses ("solve:badShape", @() attnpath_solve (net, broken), "21 x 21");
%! bad = X;  bad(2,1,30) = Inf;
%! refuses ("moments:notFinite", @() attnpath_moments (net, pieces (bad, y, [20 20])), "source (2).X");
%! gives = @(X, y) @() attnpath_moments (net, @(k) struct ("X", X, "y", y));
%! refuses ("moments:badShape", gives (X(1:4,:,:), y), {"source (1).X", "5"});
%! refuses ("moments:badShape", gives (X, y(1:3)), {"source (1).y", "40 x 1"});
%! refuses ("moments:badSource", {@() attnpath_moments (net, @(k) struct ("X", X)), ...
%!                                @() attnpath_moments (net, @(k) 7)}, "source (1)");
%! nothing = {"must take the number of a part", "@() 3"};
%! refuses ({"moments:badSource", {@() attnpath_moments(net, @() 3)}, nothing
%!           "paths:badSource", {@() attnpath_paths(net, @() 3)}, nothing
%!           "predict:badSource", {@() attnpath_predict(struct ("net", net), @() 3)}, nothing
%!           "predict:badSource", {@() attnpath_predict(struct ("net", net), @(k) error ("mine"))}, "source (1) failed: mine"});
%! refuses ("moments:badSource", @() attnpath_moments (net, @(k) []));
%! refuses ("moments:badValue", @() attnpath_moments (net, @(k) [], "Lengths", 3));
%! refuses ("moments:usage", @() attnpath_moments (net));
%! refuses ("solve:badValue", @() attnpath_solve (net, m, "Lengths", 3), "attnpath_moments");
%! cold = net;  cold.temperature = 1e-11;
%! refuses ("solve:badValue", @() attnpath_solve (cold, m));
%! cold.temperature = 0;
%! m = attnpath_moments (cold, X, y, "Form", "factor");
%! refuses ("solve:notPositiveDefinite", @() attnpath_solve (cold, m));
%! A = attnpath_attention (net, X);
%! mixed = @(k) {struct("X", X, "y", y, "A", {A}), struct("X", 2 * X, "y", y), []}{k};
%! refuses ("moments:otherNet", @() attnpath_moments (net, mixed), "part 2");

%!test % the gateway of the sums
%! call = @attnpath_moments_mex;
%! sums = call ("square", [], ones (2, 3, 2), ones (3, 1));
%! assert (tril (sums), tril (3 * ones (5)));
%! refuses ({"moments:badValue", @() call ("cube", [], 1, 1), "form"
%!           "moments:badShape", @() call ("square", eye (4), ones (2, 3, 2), ones (3, 1)), "sums"
%!           "moments:badShape", @() call ("square", [], ones (2, 3, 2), ones (2, 1)), "y"
%!           "moments:notFinite", @() call ("factor", [], NaN (2, 3), ones (3, 1)), "Xi"
%!           "moments:notFinite", @() call ("square", [], 1e200 * ones (2, 3), ones (3, 1)), "sum"});

%!test % moments of tokens of different lengths, and of attention that was brought
%! [net, X, y] = data (30, 0.1);
%! lengths = 1 + mod (1:30, 3);
%! for mu = 1:30, X(:,lengths(mu)+1:end,mu) = 0; endfor
%! m = attnpath_moments (net, X, y, "Lengths", lengths);
%! paths = attnpath_paths (net, X, "Lengths", lengths);
%! assert (m.sums, attnpath_moments (net, paths, y).sums, 1e-13);
%! A = attnpath_attention (net, X, "Lengths", lengths);
%! brought = attnpath_moments (net, @(k) {struct("X", X, "y", y, "A", {A}, "Lengths", lengths), []}{k});
%! assert (brought.sums, m.sums, 1e-12 * max (abs (m.sums(:))));
%! sol = attnpath_solve (net, brought);
%! refuses ("predict:brought", @() attnpath_predict (sol, X));
%! assert (attnpath_predict (sol, paths), attnpath_predict (attnpath_solve (net, paths, y), paths), 1e-7);

%!test % path inputs and labels of a source, part by part
%! [net, X, y] = data (40, 0.1);
%! [paths, labels] = attnpath_paths (net, pieces (X, y, [15 25]));
%! assert ({paths, labels}, {attnpath_paths(net, X), y}, 1e-14);           % some BLAS round a part otherwise
%! [paths, labels] = attnpath_paths (net, @(k) {struct("X", X), []}{k});
%! assert ({size(paths.Xi), labels}, {[5 40 4], []});
%! refuses ("paths:badSource", @() attnpath_paths (net, @(k) {struct("X", X, "y", y), struct("X", 2 * X), []}{k}));

%!test % a source of MAT files; a truncated one
%! [net, X, y] = data (20, 0.1);
%! [folder, gone] = scratch ();
%! for k = 1:2
%!   part = struct ("X", X(:,:,10*k-9:10*k), "y", y(10*k-9:10*k));
%!   save ("-v6", fullfile (folder, sprintf ("part%d.mat", k)), "-struct", "part");
%! endfor
%! m = attnpath_moments (net, attnpath_source (fullfile (folder, "part*.mat")), "Parts", 2);
%! assert (m.sums, attnpath_moments (net, X, y).sums, 1e-12);
%! for format = {"-text", "-binary", "-zip"}
%!   save (format{1}, fullfile (folder, "octave.mat"), "X", "y");
%!   found = attnpath_source ({fullfile(folder, "octave.mat")})(1);
%!   assert ({found.X, found.y, found.file}, {X, y, fullfile(folder, "octave.mat")});
%! endfor
%! save ("-v6", fullfile (folder, "unlabelled.mat"), "X");
%! unlabelled = attnpath_source (fullfile (folder, "unlabelled.mat"));
%! refuses ("moments:badSource", @() attnpath_moments (net, unlabelled), "unlabelled.mat");
%! copyfile (fullfile (folder, "part1.mat"), fullfile (folder, "copy.mat"));
%! copied = attnpath_source ({fullfile(folder, "part1.mat"), fullfile(folder, "copy.mat")});
%! refuses ("moments:samePart", @() attnpath_moments (net, copied), {"copy.mat", "part 1"});
%! some = attnpath_source ({fullfile(folder, "part1.mat"), fullfile(folder, "unlabelled.mat")});
%! refuses ("paths:badSource", @() attnpath_paths (net, some), "unlabelled.mat");
%! of_three = X(1:3,:,:);  x = X;  X = of_three;  save ("-v6", fullfile (folder, "small.mat"), "X", "y");  X = x;
%! small = attnpath_source ({fullfile(folder, "part1.mat"), fullfile(folder, "small.mat")});
%! refuses ("moments:badShape", @() attnpath_moments (net, small), {"small.mat", "5"});
%! for text = {"MATLAB 7.3 MAT-file, Platform: GLNXA64", "1 2\n3 4\n"}
%!   file_bytes (fullfile (folder, "plain.mat"), text{1});
%!   plain = attnpath_source ({fullfile(folder, "plain.mat")});
%!   refuses ("source:file", @() plain (1));
%! endfor
%! tokens = X;  save ("-v6", fullfile (folder, "other.mat"), "tokens", "y");
%! named = attnpath_source ({fullfile(folder, "other.mat")}, "Names", {"tokens", "y", "A", "Lengths"});
%! assert (fieldnames (named (1)), {"file"; "X"; "y"});
%! assert (named (2), []);
%! unnamed = attnpath_source ({fullfile(folder, "other.mat")});
%! refuses ("source:missingField", @() unnamed (1), "Names");
%! readout = "first";  save ("-v6", fullfile (folder, "noted.mat"), "X", "y", "readout");
%! fail ("attnpath_paths (net, attnpath_source (fullfile (folder, 'noted.mat')))", "warning", "exported for 'first'");
%! refuses ("source:file", @() attnpath_source (fullfile (folder, "none*.mat")), "none");
%! refuses ("source:badClass", @() attnpath_source (3));
%! refuses ("source:empty", @() attnpath_source ({}));
%! bytes = file_bytes (fullfile (folder, "part2.mat"));
%! file_bytes (fullfile (folder, "part2.mat"), bytes(1:end-200));
%! cut = attnpath_source (fullfile (folder, "part*.mat"));
%! refuses ("source:file", @() attnpath_moments (net, cut), "part2.mat");

%!test % a checkpoint goes on where it was, bit for bit, and belongs to its examples
%! [net, X, y] = data (60, 0.1);
%! [file, gone] = scratch ("run");
%! whole = attnpath_moments (net, pieces (X, y, [20 20 20]), "Form", "factor");
%! part = @(k) struct ("X", X(:,:,20*k-19:20*k), "y", y(20*k-19:20*k));
%! broken = @(k) {@() part(k), @() part(k), @() error("gone")}{k}();
%! fail ('attnpath_moments (net, broken, "Form", "factor", "Checkpoint", file)', "source \\(3\\) failed: gone");
%! for again = 1:2
%!   assert (attnpath_moments (net, pieces (X, y, [20 20 20]), "Form", "factor", "Checkpoint", file), whole);
%! endfor
%! other = @() attnpath_moments (net, X, y, "Form", "factor", "Checkpoint", file);
%! refuses ("moments:otherRun", other, "part 1");
%! refuses ("moments:otherRun", @() attnpath_moments (net, X, y, "Checkpoint", file), "Form");

%!test % what tells parts apart: every token, every map, every length; parts more or fewer; the last part
%! [net, X, y] = data (24, 0.1);
%! A = attnpath_attention (net, X);
%! B = attnpath_attention (net, 2 * X);
%! [file, gone] = scratch ("run");
%! one = @(varargin) attnpath_moments (net, @(k) {struct(varargin{:}), []}{min (k, 2)}, "Checkpoint", file);
%! moved = X;  moved(3,2,17) += 1e-9;
%! swapped = X(:,[2 1 3],:);
%! first = {"X", X, "y", y};
%! for runs = {first, first, first, [first, {"A", {A}}], first
%!             {"X", moved, "y", y}, {"X", swapped, "y", y}, {"X", X, "y", -y}, [first, {"A", {B}}], ...
%!             [first, {"Lengths", [1, 3 * ones(1, 23)]}]}
%!   one (runs{1}{:});
%!   refuses ("moments:otherRun", @() one (runs{2}{:}), "part 1");
%!   delete (file);
%! endfor
%! part = @(s) struct ("X", X + s, "y", y);
%! attnpath_moments (net, @(k) {part(0), part(1), []}{k}, "Checkpoint", file);
%! changed = @(k) {part(0), part(2), []}{k};
%! refuses ("moments:otherRun", {@() attnpath_moments (net, changed, "Checkpoint", file), ...
%!                               @() attnpath_moments (net, X, y, "Checkpoint", file)}, "part 2");
%! run = load (file);
%! for bad = {{"sums", 5}, {"parts", []}, {"P", "many"}, {"k", []}}
%!   broken = run;
%!   broken.attnpath_moments_run.(bad{1}{1}) = bad{1}{2};
%!   save ("-v6", file, "-struct", "broken");
%!   refuses ("moments:badCheckpoint", @() attnpath_moments (net, X, y, "Checkpoint", file), "damaged");
%! endfor
%! both = attnpath_moments (net, @(k) {struct("X", X, "y", y, "A", {A}), struct("X", X, "y", y, "A", {B}), []}{k});
%! assert (both.P, 48);

%!function prune_both (varargin)
%!  [~, ~] = attnpath_prune (varargin{:});
%!endfunction

%!test % moments of another network are not pruned, nor are single sums or a count above 2^31 refused
%! [net, X, y] = data (40, 0.1);
%! m = attnpath_moments (net, X, y);
%! other = attnpath_net ({net.heads{1} + 1, net.heads{2}});
%! refuses ("prune:otherNet", @() prune_both (other, [1 1], m));
%! coarse = m;  coarse.sums = single (coarse.sums);
%! assert (attnpath_solve (net, coarse).converged);
%! many = m;  many.P = 3e9;  many.sums *= 3e9 / m.P;  many.sums = (many.sums + many.sums') / 2;
%! net.temperature = 100;
%! assert (isfinite (attnpath_action (net, many, attnpath_solve (net, m).order)));
%! refuses ("moments:missingField", @() attnpath_moments (m, rmfield (m, "complete")), "complete");

%!test % a summary of draws from moments; path inputs that are all zero
%! [net, X, y] = data (40, 0.1);
%! m = attnpath_moments (net, X, y);
%! warning ("off", "attnpath:sample:notConverged", "local");
%! text = evalc ('attnpath_sample (net, m, "Draws", 5, "Warmup", 5, "Display", false)');
%! assert (strfind (text, "40 examples, 4 paths"), 1);
%! plain = attnpath_solve (net, 0 * X, y);
%! for form = {"square", "factor"}
%!   zero = attnpath_solve (net, attnpath_moments (net, 0 * X, y, "Form", form{1}));
%!   assert ([zero.action, zero.U(:)'], [plain.action, plain.U(:)'], 1e-12 * plain.action);
%! endfor

%!test % labels so large that U outgrows what a square can tell: said, and a factor gives the solution of all examples
%! [net, X, y] = data (60, 0.1);
%! for case_ = {1e8, "attnpath:solve:rounding"; 1, ""}'
%!   m = attnpath_moments (net, X, case_{1} * y);
%!   assert (warned (@() attnpath_solve (net, m)), case_{2});
%! endfor

%!test % skip connections: U at the GP limit is no product of variances, and rounding is what it is beside it
%! randn ("twister", 1);
%! paths.Xi = randn (4, 3000, 9);
%! net = attnpath_net ([2 2], "Width", 50, "Skip", 1, "Variance", [1 .01 .01 1], "Temperature", 1e-4);
%! m = attnpath_moments (net, paths, paths.Xi(1,:,1)' + 0.1 * randn (3000, 1));
%! assert (warned (@() attnpath_solve (net, m)), "");

%!test % sums that no examples have are refused, not computed with
%! X = reshape (mod (7 * (1:240), 13) - 6, 4, 3, 20);
%! y = reshape (X(1,1,:), [], 1);
%! net = attnpath_net ({ones(4, 4, 2)});
%! m = attnpath_moments (net, X, y, "Form", "square");
%! for entry = {[1 1 -5], [2 1 1e6]}
%!   bad = m;
%!   bad.sums(entry{1}(1),entry{1}(2)) = entry{1}(3);
%!   refuses ("solve:badValue", @() attnpath_solve (net, bad), "column 1");
%! end
%! f = attnpath_moments (net, X, y, "Form", "factor");
%! f.sums(3,2) = 1;
%! refuses ("solve:badValue", @() attnpath_solve (net, f), "column 2");

%!test # fewer examples than features times paths, with features that are always 0 or repeat others: none is lost
%! X = reshape (mod (7 * (1:240), 13) - 6, 4, 3, 20);
%! X(1,:,:) = 0;
%! X(3,:,:) = 2 * X(2,:,:);
%! y = reshape (X(2,1,:), [], 1);
%! net = attnpath_net ({ones(4, 4, 6) / 9, ones(4, 4, 2) / 9}, "Width", 20, "Temperature", 0.1);
%! net.heads{1} = net.heads{1} .* reshape (1:6, 1, 1, 6) / 6;
%! want = attnpath_solve (net, X, y);
%! for form = {"square", "factor"}
%!   got = attnpath_solve (net, attnpath_moments (net, X, y, "Form", form{1}));
%!   assert (got.evidence, want.evidence, -1e-9);          # what is stated for T >= 1e-2, of a number of order 10
%!   assert (got.U, want.U, 1e-7 * norm (want.U));
%! endfor

%!test % files of export_attention.py note what they are of: those of two exports are not one data set
%! [folder, gone] = scratch ();
%! notes = {"", ": layers 5, mean, hidden states, 00000000", ": layers 4 5, mean, hidden states, 00000000"};
%! [X, y] = deal (single (ones (2, 3, 4)), ones (4, 1));
%! for k = 1:3
%!   file = fullfile (folder, sprintf ("maps_%d.mat", k));
%!   save ("-v7", file, "X", "y");
%!   bytes = file_bytes (file);
%!   head = ["MATLAB 5.0 MAT-file, written by export_attention.py of attnpath", notes{k}];
%!   bytes(1:116) = [head, blanks(116 - numel (head))];
%!   file_bytes (file, bytes);
%! endfor
%! name = @(k) fullfile (folder, sprintf ("maps_%d.mat", k));
%! for some = {[1 2], [1 3], 2}
%!   assert (attnpath_source (arrayfun (name, some{1}, "UniformOutput", false))(1).X, X);
%! endfor
%! refuses ("source:file", @() attnpath_source (fullfile (folder, "maps_*.mat")), ...
%!          "(layers 5, mean, hidden states, 00000000; layers 4 5,");

%!test % labels within the span whose squares a square cannot hold: off by 2e3 of 3e7 without a word; a factor can
%! Xi = [1 2 -1 3 0.5 1];
%! net = attnpath_net (1, "Width", 20, "Temperature", 1e-6, "Variance", [1 1 1]);
%! y = 1e6 * Xi';
%! paths = struct ("Xi", Xi);
%! [~, ~, want] = attnpath_action (net, paths, y, {2});
%! [~, ~, part] = attnpath_action (net, attnpath_moments (net, paths, y, "Form", "factor"), {2});
%! assert (part.energy, want.energy, 1e-9 * abs (want.energy));
%! refuses ("action:badValue", @() attnpath_action (net, attnpath_moments (net, paths, y), {2}), ...
%!          "labels are too large for moments of the form square");
%! y(1) += 1e6;                                    % labels that they do not explain: rest is as large as they are
%! [~, ~, want] = attnpath_action (net, paths, y, {2});
%! [~, ~, part] = attnpath_action (net, attnpath_moments (net, paths, y), {2});
%! assert (part.energy, want.energy, 1e-12 * abs (want.energy));

%!error id=attnpath:source:usage attnpath_source ()
%!error id=attnpath:source:file attnpath_source ({"there/is/no/such.mat"})

%!test % a pivot of a square near the rounding of the largest: the labels' square along it may exceed what is left of it
%! for seed = 1:20
%!   randn ("twister", seed);
%!   [V, ~] = qr (randn (8, 6), 0);
%!   Xi = reshape (V * diag ([8e3 200 30 20 2 6e-3]) * orth (randn (6)), 4, 2, 6);
%!   paths.Xi = permute (Xi, [1 3 2]);
%!   y = 60 * randn (6, 1);
%!   net = attnpath_net ([2 1], "Width", 20, "Temperature", 2e3);
%!   [~, ~, want] = attnpath_action (net, paths, y, {eye(2), 1});
%!   [~, ~, part] = attnpath_action (net, attnpath_moments (net, paths, y), {eye(2), 1});
%!   largest = 8e3 ^ 2 / 8;                        % eigenvalue of the kernel
%!   assert (part.energy, want.energy, 1000 * eps * largest * (6 / 2e3 + (norm (y) / 2e3) ^ 2));
%! endfor

%!test % examples nearly alike whose labels are not, features nearly alike: their difference is in Phi'y, not in B'B
%! randn ("twister", 7);
%! for C = [1 3 1 3 1; 6 6 40 40 1000]
%!   [paths.Xi, y, new.Xi] = deal (randn (4, C(2), 2), randn (C(2), C(1)), randn (4, 3, 2));
%!   switch C(2)
%!     case 6, paths.Xi(:,6,:) = paths.Xi(:,5,:) + 2e-8 * randn (4, 1, 2);
%!     case 40, paths.Xi(2,:,:) = paths.Xi(1,:,:) + 2e-9 * randn (1, 40, 2);
%!     case 1000, paths.Xi(2,:,1) = paths.Xi(1,:,1) + 3e-8 * y';      % explains labels: their squares exceed y'y
%!   endswitch
%!   net = attnpath_net ([2 1], "Width", 20, "Temperature", 2e-7 * max (1, C(2) / 40));
%!   [m, n] = deal (attnpath_moments (net, paths, y), attnpath_moments (net, paths, y, "Form", "factor"));
%!   order = [{eye(2 * C(1)), eye(C(1))}, {eye(C(1))}(C(1) > 1)];
%!   [~, ~, square] = attnpath_action (net, m, order);
%!   [~, ~, factor] = attnpath_action (net, n, order);
%!   assert (square.energy, factor.energy, 1e-10 * factor.energy);
%!   model = struct ("net", net, "moments", n, "U", order{1});
%!   want = attnpath_predict (model, new);
%!   assert (attnpath_predict (setfield (model, "moments", m), new), want, 1e-6 * max (abs (want(:))));
%! endfor

%!test % the same at any distance of two examples, from below the rounding of B'B to far above, with any labels, and with
%! % labels that path inputs explain: predictions within a thousandth of a standard deviation
%! for k = 0:23
%!   randn ("twister", k);
%!   net = attnpath_net ({randn(3, 3, 2)}, "Width", 30, "Temperature", 1.5e-7);
%!   [X, y, Xt] = deal (randn (3, 3, 3), randn (3, 1), randn (3, 3, 5));
%!   X(:,:,2) = X(:,:,1) + 10 ^ (floor (k / 2) / 2 - 9) * randn (3, 3);
%!   if mod (k, 2), y = 100 * reshape (mean (X, 2), 3, 3)' * randn (3, 1); endif
%!   m = attnpath_moments (net, X, y, "Form", "factor");
%!   model = struct ("net", net, "moments", m, "U", attnpath_solve (net, m).U);
%!   [want, variance] = attnpath_predict (model, Xt);
%!   got = attnpath_predict (setfield (model, "moments", attnpath_moments (net, X, y)), Xt);
%!   assert (max (abs (got - want) ./ sqrt (variance)) < 1e-3);
%! endfor

%!test % evidence_doubt knows the rounding of B'B, which weights of small features enlarge
%! randn ("twister", 6);
%! [paths.Xi, y] = deal (randn (4, 6, 2) .* [1; 0.1; 0.01; 0.001], 1e3 * randn (6, 1));
%! net = attnpath_net ([2 1], "Width", 200, "Temperature", 1e-3);
%! factor = attnpath_solve (net, attnpath_moments (net, paths, y, "Form", "factor"));
%! warning ("off", "attnpath:solve:rounding", "local");
%! square = attnpath_solve (net, attnpath_moments (net, paths, y), "Start", factor.order);
%! assert (square.evidence, factor.evidence, square.evidence_doubt + factor.evidence_doubt);
%! assert (square.evidence_doubt < 1e-3 && factor.evidence_doubt < 1e-6);

%!test % fewer examples than features explain labels whole; the rounding of large labels is no rest that a small T magnifies
%! randn ("twister", 4);
%! paths.Xi = 1e-4 * randn (4, 3, 2);
%! y = 1e6 * randn (3, 1);
%! net = attnpath_net ([2 1], "Width", 20, "Temperature", 3e-15);
%! order = {4e13 * eye(2), 4e13};
%! [~, ~, want] = attnpath_action (net, paths, y, order);
%! [~, ~, part] = attnpath_action (net, attnpath_moments (net, paths, y, "Form", "factor"), order);
%! assert (part.energy, want.energy, 1e-13 * want.energy);

%!test % what was saved in single precision says so, solutions and moments; integers lose nothing but the marks of parts
%! randn ("twister", 5);
%! net = attnpath_net ({zeros(3, 3, 2)}, "Width", 10);
%! [X, y] = deal (randn (3, 4, 12), randn (12, 1));
%! [sol, m] = deal (attnpath_solve (net, X, y), attnpath_moments (net, X, y));
%! [file, gone] = scratch ("saved");
%! for as = {"-float-binary", "-float-hdf5"}
%!   if as{1}(8) == 'h' && ! __octave_config_info__ ("build_features").HDF5, continue, endif
%!   save (as{1}, file, "sol", "m");
%!   s = load (file);
%!   refuses ({"predict:badValue", @() attnpath_predict (s.sol, X), "saved in single precision"
%!             "evidence:badValue", @() attnpath_evidence (s.sol), "saved in single precision"
%!             "solve:badValue", @() attnpath_solve (net, s.m), "saved in single precision"
%!             "moments:badValue", @() attnpath_moments (m, s.m), "m2 was saved in single precision"});
%! endfor
%! m = attnpath_moments (net, round (X), round (y));
%! rounded = m;
%! rounded.parts = double (single (m.parts));
%! refuses ("moments:samePart", @() attnpath_moments (m, rounded), "number 1");
