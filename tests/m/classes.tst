% classes.tst: labels that are classes, from the door through which they come in to the predictions that come out.

%!function [y, classes] = coded (labels, wanted, all_there)
%!  if nargin < 2, wanted = []; endif
%!  if nargin < 3, all_there = true; endif
%!  [y, classes] = in_private (@() ap_classes ("solve", "y", labels, wanted, all_there));
%!endfunction

%!function class = third (varargin)                      % the third output
%!  [~, ~, class] = attnpath_predict (varargin{:});
%!endfunction

%!function [net, X, y] = data ()                         % eight examples of a net of two paths, and signs
%!  randn ("twister", 11);
%!  net = attnpath_net ({randn(3, 3, 2)}, "Width", 8, "Temperature", 0.3);
%!  X = randn (3, 4, 8);
%!  y = [1; -1; 1; 1; -1; -1; 1; -1];
%!endfunction

%!function [folder, gone] = categorical_class ()
%!  % a stand-in for MATLAB's type: what is used of it, as its documentation says it behaves
%!  [folder, gone] = scratch ();
%!  mkdir (fullfile (folder, "@categorical"));
%!  put = @(name, text) file_bytes (fullfile (folder, "@categorical", [name ".m"]), text);
%!  put ("categorical", ["function c = categorical (text, list)\nif nargin < 2, list = unique (text(:)); end\n" ...
%!                       "s.list = list(:); [~, s.code] = ismember (text, s.list);\nc = class (s, 'categorical');\nend\n"]);
%!  put ("categories", "function list = categories (c)\nlist = c.list;\nend\n");
%!  put ("isundefined", "function yes = isundefined (c)\nyes = c.code == 0;\nend\n");
%!  put ("cellstr", ["function text = cellstr (c)\nlist = [{'<undefined>'}; c.list];\n" ...
%!                   "text = reshape (list(1 + c.code), size (c.code));\nend\n"]);
%!  put ("numel", "function n = numel (c, varargin)\nn = numel (c.code);\nend\n");
%!  put ("size", "function varargout = size (c, varargin)\n[varargout{1:max(1, nargout)}] = size (c.code, varargin{:});\nend\n");
%!  put ("ndims", "function n = ndims (c)\nn = ndims (c.code);\nend\n");
%!  put ("isempty", "function yes = isempty (c)\nyes = isempty (c.code);\nend\n");
%!  put ("reshape", "function c = reshape (c, varargin)\nc.code = reshape (c.code, varargin{:});\nend\n");
%!  put ("subsref", "function c = subsref (c, s)\nc.code = c.code(s(1).subs{:});\nend\n");
%!endfunction

%!test % real numbers are what they were, of any shape, and have no classes
%! for y = {[1; -1; 0.5], [1 2 3]', [1 0; 0 1; 1 0], single([1; -1; 1])}
%!   [coded_y, classes] = coded (y{1});
%!   assert (isequal (coded_y, y{1}) && isa (coded_y, class (y{1})) && isempty (classes));
%! endfor
%! [y, classes] = coded ([1; 2; 3], false);
%! assert (isempty (classes) && isequal (y, [1; 2; 3]));

%!test % two classes: one output, the first in sorted order -1; rows as columns; the type of the classes is kept
%! list = {{"b"; "a"; "b"},      {"a"; "b"}
%!         {"b", "a", "b"},      {"a"; "b"}
%!         [true; false; true],  [false; true]
%!         int8([7 -3 7]),       int8([-3; 7])
%!         uint16([7; 3; 7]),    uint16([3; 7])};
%! for row = list'
%!   [y, classes] = coded (row{1});
%!   assert (y, [1; -1; 1]);
%!   assert (isequal (classes, row{2}) && strcmp (class (classes), class (row{2})));
%! endfor
%! [y, classes] = coded ([2.5; 1; 2.5], true);
%! assert ({y, classes}, {[1; -1; 1], [1; 2.5]});
%! [y, classes] = coded (single ([5 2 5]), true);
%! assert ({y, classes}, {[1; -1; 1], single([2; 5])});

%!test % more: 1 for the class, -1/(C-1) for the others; mean zero over examples of balanced classes, sum zero in a row
%! for C = 3:6
%!   labels = mod ((1:4 * C)' * 5, C);
%!   if gcd (5, C) > 1, labels = mod ((1:4 * C)', C); endif
%!   [y, classes] = coded (int32 (labels));
%!   want = -ones (4 * C, C) / (C - 1);
%!   for p = 1:4 * C, want(p,labels(p)+1) = 1; endfor
%!   assert ({y, classes}, {want, int32(0:C-1)'});
%!   assert (mean (y, 1), zeros (1, C), 4 * C * eps);
%!   assert (sum (y, 2), zeros (4 * C, 1), C * eps);
%! endfor
%! % at C = 2 the columns of this code are the one output and its mirror image
%! one_hot = [1 0; 0 1; 0 1];
%! y = coded ({"a"; "b"; "b"});
%! assert (2 * (one_hot - 1/2), [-y, y]);

%!test % a list says which there are, and in which order
%! [y, classes] = coded ({"b"; "a"; "c"; "a"}, {"c", "a", "b"});
%! assert ({y, classes}, {[-1 -1 2; -1 2 -1; 2 -1 -1; -1 2 -1] / 2, {"c"; "a"; "b"}});
%! assert (coded ([4; 9], [9 4]), [1; -1]);
%! assert (coded ([4; 4], [9 4], false), [1; 1]);        % a test set, or a part, may lack one
%! [y, classes] = coded ([true; true], [], false);
%! assert ({y, classes}, {[1; 1], [false; true]});

%!test % what is refused, with its id and its message
%! bad = {"tooFew",    {{{"a"; "a"; "a"}}},                    "y has one class only, 'a'"
%!        "tooFew",    {{[3; 3], true}},                       "y has one class only, 3"
%!        "tooFew",    {{true(3, 1)}},                         "y has one class only, true"
%!        "tooFew",    {{{"a"; "b"}, {"a", "b", "c"}}},        "y has more classes than examples: 3 classes, 2 examples"
%!        "tooFew",    {{{"a"; "b"; "a"}, {"a", "b", "c"}}},   "y has no example of class 'c'"
%!        "tooFew",    {{{"a"; "a"; "a"}, {"a", "b"}}},        "y has no example of class 'b'"
%!        "notFinite", {{[1; NaN; 2], true}},                  "y has no class at element 2: it is NaN"
%!        "notFinite", {{[1; 2; -Inf], true}},                 "y has no class at element 3: it is -Inf"
%!        "empty",     {{{"a"; "b"; ""}}},                     "y has no class at element 3: it is empty"
%!        "empty",     {{{"a"; "b"; " "}}},                    "y has no class at element 3: it is empty, blank"
%!        "empty",     {{{}}},                                 "y is an empty (0 x 0) cell"
%!        "empty",     {{zeros(0, 1, "int8")}},                "y is an empty (0 x 1) int8"
%!        "badClass",  {{{"a"; "b"; 3}}},                      "y mixes types: some of its elements are texts, but element 3 is 3"
%!        "badClass",  {{{1; "b"}}},                           "y mixes types: some of its elements are texts, but element 1 is 1"
%!        "badClass",  {{{1; 2}}},                             "y must be numbers, or classes"
%!        "badClass",  {{{"1"; "2"}, [1 2]}},                  "y must be of the type of the classes, numbers, not texts"
%!        "badClass",  {{[1; 2], {"1", "2"}}},                 "y must be of the type of the classes, texts, not numbers"
%!        "badClass",  {{"ab", true}},                         "y must be double or single, not 'ab'"
%!        "badValue",  {{{"a"; "d"}, {"a", "b"}}},             "y must be of the classes 'a', 'b', but element 2 is 'd'"
%!        "badValue",  {{{"a"; "b"}, {"a", "b", "a"}}},        "Classes lists a class twice: 'a', 'b', 'a'"
%!        "badValue",  {{{"a"; "b"}, false}},                  "'Classes', false means numbers in double, and y is a 2 x 1 cell"
%!        "badValue",  {{[1; 2], "yes"}},                      "Classes must be true, false or a list of classes, not 'yes'"
%!        "badValue",  {{[1; 2], 3}},                          "Classes must be true, false or a list of classes, not 3"
%!        "badShape",  {{true(3, 2)}},                         "y holds classes, and must be P x 1, not a 3 x 2 logical"
%!        "sparse",    {{sparse([1; 2]), true}},               "y must be full, not sparse"};
%! for k = 1:rows (bad)
%!   refuses (["solve:" bad{k,1}], @() coded (bad{k,2}{1}{:}), ["attnpath_solve: " bad{k,3}]);
%! endfor

%!test % MATLAB's categorical, by a stand-in: in the order of its categories, which all need examples
%! [folder, gone] = categorical_class ();
%! addpath (folder);
%! unwind_protect
%!   [y, classes] = coded (categorical ({"low"; "high"; "low"; "mid"}, {"low", "mid", "high"}));
%!   assert (y, [2 -1 -1; -1 -1 2; 2 -1 -1; -1 2 -1] / 2);
%!   assert (class (classes), "categorical");
%!   assert (cellstr (classes), {"low"; "mid"; "high"});
%!   assert (coded (categorical ({"b", "a", "b"})), [1; -1; 1]);
%!   refuses ("solve:tooFew", @() coded (categorical ({"a"; "b"; "a"; "b"}, {"a", "b", "c"})), "'c'");
%!   refuses ("solve:tooFew", @() coded (categorical ({"a"; "b"}, {"a", "b", "c"})), {"3", "2"});
%!   refuses ("solve:empty", @() coded (categorical ({"a"; "b"; "z"}, {"a", "b"})), "element 3");
%!   % out again, and test labels of another type of text
%!   assert (cellstr (in_private (@() ap_class_decide ([0.1 0.3 0.2; 1 0 0], classes))), {"mid"; "low"});
%!   assert (in_private (@() ap_class_of ("plot", "Labels", {"mid"; "low"}, classes)), [2; 1]);
%! unwind_protect_cleanup
%!   rmpath (folder);
%! end_unwind_protect

%!test % a solution keeps them, is that of the coded labels, and predicts them
%! [net, X, y] = data ();
%! plain = attnpath_solve (net, X, y, "Certificate", false);
%! names = {"no", "yes"}(1 + (y > 0))';
%! sol = attnpath_solve (net, X, names, "Certificate", false);
%! assert ({sol.classes, sol.y, sol.U, isfield(plain, "classes")}, {{"no"; "yes"}, plain.y, plain.U, false});
%! [mu, s2, class] = attnpath_predict (sol, X);
%! [again, v, signs] = attnpath_predict (plain, X);
%! assert ({again, v}, {mu, s2});
%! assert ({class, signs}, {{"no"; "yes"}(1 + (mu > 0)), 2 * (mu > 0) - 1});
%! assert (iscellstr (third (sol, X, "Limit", "gp")));
%! % the other way round by a list
%! back = attnpath_solve (net, X, names, "Classes", {"yes", "no"}, "Certificate", false);
%! assert ({back.y, back.classes}, {-y, {"yes"; "no"}});
%! % numbers that say nothing of classes
%! sol = attnpath_solve (net, X, y * 2, "Classes", false, "Certificate", false);
%! attnpath_predict (sol, X);
%! refuses ("predict:badValue", @() third (sol, X));

%!test % more than one mean: the largest, the first of equals; of two the second above zero only
%! decide = @(mu, classes) in_private (@() ap_class_decide (mu, classes));
%! assert (decide ([1 3 2; 0 0 0; -3 -2 -1], {"a"; "b"; "c"}), {"b"; "a"; "c"});
%! assert (decide ([-1; 0; 1], int8 ([5; 6])), int8 ([5; 5; 6]));
%! of = @(model, y) in_private (@() ap_model_classes ("predict", model, y));
%! assert ({of(struct (), [1 0 0; 0 1 0; 0 0 1; 1 0 0]), of(struct (), [1; -1])}, {[1; 2; 3], [-1; 1]});
%! assert (of (struct ("classes", {{"a"; "b"}}), []), {"a"; "b"});
%! for y = {[1 0 0; 0 1 1], [1 0 0; 0 2 0], []}, refuses ("predict:badValue", @() of (struct (), y{1})); endfor

%!test % numbers that look like classes draw a remark, from functions that have the option, and no other numbers do
%! [net, X, y] = data ();
%! seen = @(y, varargin) warned (@() attnpath_solve (net, X, y, "Certificate", false, varargin{:}));
%! whole = [1; 2; 3; 1; 2; 3; 1; 2];
%! [id, text] = seen (whole);
%! assert (id, "attnpath:solve:realLabels");
%! assert (! isempty (strfind (text, "numbers 1, 2, 3,")));
%! for y = {[0; 1; 0; 1; 0; 1; 1; 1], whole - 2}, assert (seen (y{1}), "attnpath:solve:realLabels"); endfor
%! assert (seen (whole, "Classes", false), "");
%! assert (seen (y{1} > 0), "");
%! for y = {[1; -1; 1; 1; -1; -1; 1; -1], whole / 2, 3 * ones(8, 1), (1:8)', [1; 2; 3; 4; 5; 1; 2; 3]}
%!   assert (seen (y{1}), "");
%! endfor
%! assert (warned (@() attnpath_action (net, attnpath_paths (net, X), whole, {eye(2)})), "");

%!testif ; thorough ()
%! % samples, trained networks, moments, leave-one-out
%! [net, X, y] = data ();
%! names = {"no", "yes"}(1 + (y > 0))';
%! draw = {"Draws", 30, "Chains", 2};
%! post = sampled (net, X, names, draw{:});
%! assert ({post.classes, post.U}, {{"no"; "yes"}, sampled(net, X, y, draw{:}).U});
%! [mu, ~, class] = attnpath_predict (post, X);
%! assert (class, {"no"; "yes"}(1 + (mu > 0)));
%! few = {"Heads", 1, "Width", 3, "Keys", 2, "Steps", 2, "Batch", 4, "Display", false};
%! task = struct ("Xtrain", X, "ytrain", {names}, "Xtest", X, "ytest", {names});
%! gd = attnpath_train (task, few{:});
%! plain = attnpath_train (struct ("Xtrain", X, "ytrain", y, "Xtest", X, "ytest", y), few{:});
%! assert ({gd.w, gd.accuracy, gd.classes}, {plain.w, plain.accuracy, {"no"; "yes"}});
%! [mu, ~, class] = attnpath_predict (gd, X);
%! assert ({class, third(plain, X)}, {{"no"; "yes"}(1 + (mu > 0)), 2 * (mu > 0) - 1});
%! task.ytest{3} = "perhaps";
%! refuses ("train:badValue", @() attnpath_train (task, few{:}));
%! m = attnpath_moments (net, X, names);
%! sol = attnpath_solve (net, m);
%! assert ({m.classes, sol.classes}, {{"no"; "yes"}, {"no"; "yes"}});
%! assert (iscellstr (third (sol, X)));
%! refuses ("solve:badValue", @() attnpath_solve (net, m, "Classes", true));
%! loo = attnpath_loo (sol, X, names);
%! direct = attnpath_loo (attnpath_solve (net, X, y));
%! assert ({loo.mean, loo.accuracy}, {direct.mean, direct.accuracy}, 1e-6);      % two searches, to a gradient of 1e-8

%!test % moments in parts: a part may lack a class if they are listed, or if the type lists them
%! [net, X, y] = data ();
%! names = {"no", "yes"}(1 + (y > 0))';
%! sorted = [find(y < 0); find(y > 0)];
%! [X, y, names] = deal (X(:,:,sorted), y(sorted), names(sorted));
%! of = @(labels) @(k) {struct("X", X(:,:,1:4), "y", {labels(1:4)}), struct("X", X(:,:,5:8), "y", {labels(5:8)}), []}{k};
%! want = attnpath_moments (net, X, y).sums;
%! m = attnpath_moments (net, of (names), "Classes", {"no", "yes"});
%! assert (m.sums, want, 1e-13 * norm (want));
%! assert (m.classes, {"no"; "yes"});
%! m = attnpath_moments (net, of (y > 0));
%! assert (m.sums, want, 1e-13 * norm (want));
%! assert (m.classes, [false; true]);
%! for bad = {names, int8(y)}
%!   refuses ("moments:badValue", @() attnpath_moments (net, of (bad{1})), "'Classes'");
%! endfor
%! refuses ("moments:badValue", @() attnpath_moments (net, of (y), "Classes", true));
%! assert (attnpath_moments (net, of (y), "Classes", [-1 1]).sums, m.sums);
%! % two of them are put together if they have the same list
%! half = @(k, varargin) attnpath_moments (net, X(:,:,4*k-3:4*k), names(4*k-3:4*k), varargin{:});
%! m = attnpath_moments (half (1, "Classes", {"no", "yes"}), half (2, "Classes", {"no", "yes"}));
%! assert (m.sums, want, 1e-13 * norm (want));
%! refuses ("moments:tooFew", @() half (1));
%! other = half (2, "Classes", {"yes", "no"});
%! refuses ("moments:badValue", @() attnpath_moments (half (1, "Classes", {"no", "yes"}), other));
%! % path inputs in parts come with labels as they are
%! [~, labels] = attnpath_paths (net, of (names));
%! [paths, truth] = attnpath_paths (net, of (y > 0));
%! assert ({labels, truth}, {names, y > 0});
%! assert (attnpath_solve (net, paths, truth).y, y);

%!function [net, X, names, number] = three ()            % twelve examples of three classes
%!  [net, X] = data ();
%!  randn ("twister", 12);
%!  X = cat (3, X, randn (3, 4, 4));
%!  number = [1 2 3 3 1 2 1 2 3 2 3 1]';
%!  names = {"ash"; "elm"; "oak"}(number);
%!endfunction

%!test % three classes: several outputs, in the order of the classes; predictions are the largest mean
%! [net, X, names, number] = three ();
%! Y = -ones (12, 3) / 2;  Y((1:12)' + 12 * (number - 1)) = 1;
%! want = attnpath_solve (net, X, Y, "Certificate", false);
%! sol = attnpath_solve (net, X, names, "Certificate", false);
%! assert ({sol.y, sol.U, sol.classes}, {Y, want.U, {"ash"; "elm"; "oak"}});
%! [mu, ~, class] = attnpath_predict (sol, X);
%! [~, best] = max (mu, [], 2);
%! assert ({class, third(want, X)}, {sol.classes(best), best});          % of numbers that are one-hot columns
%! shared = attnpath_solve (net, X, names, "Outputs", "shared", "Certificate", false);
%! class = third (shared, X, "Limit", "gp");
%! assert (iscellstr (class) && numel (class) == 12);
%! % another order of the classes permutes outputs
%! turned = attnpath_solve (net, X, names, "Classes", {"oak", "ash", "elm"}, "Certificate", false);
%! assert (turned.y, Y(:,[3 1 2]));
%! at = reshape (bsxfun (@plus, [3; 1; 2], 3 * (0:1)), 1, []);
%! assert (turned.U, sol.U(at,at), 1e-6 * norm (sol.U));                % two searches that end at a gradient of 1e-8

%!test % three classes: moments, leave-one-out, and what learns one output only says so
%! [net, X, names, number] = three ();
%! sol = attnpath_solve (net, X, names, "Certificate", false);
%! m = attnpath_moments (net, X, names);
%! assert (third (attnpath_solve (net, m, "Certificate", false), X), third (sol, X));
%! loo = attnpath_loo (sol, "Corrected", false);
%! [~, best] = max (loo.mean, [], 2);
%! assert (loo.accuracy, mean (best == number), eps);
%! few = {"Heads", 1, "Width", 3, "Keys", 2, "Steps", 2, "Batch", 4, "Display", false};
%! gd = attnpath_train (X, names, few{:});
%! assert ({gd.classes, size(gd.weights.a, 2)}, {unique(names(:)), 3});

%!testif ; thorough ()
%! % three classes: their probabilities are those of leave-one-out means and covariances; others by their names
%! [net, X, names, number] = three ();
%! sol = attnpath_solve (net, X, names);
%! [p, logloss, ece, fit] = attnpath_probability (sol);
%! loo = attnpath_loo (sol);
%! want = in_private (@() ap_class_fit (loo.mean, loo.variance, number));
%! assert ({fit, size(p)}, {want, [12 3]});
%! assert (p, in_private (@() ap_class_probability (want, loo.mean, loo.variance)));
%! assert (logloss, -mean (log (p((1:12)' + 12 * (number - 1)))), 1e-12);
%! [q, loss] = attnpath_probability (sol, X(:,:,1:4), "Labels", names(1:4));
%! [mu, s2] = attnpath_predict (sol, X(:,:,1:4));
%! assert (q, in_private (@() ap_class_probability (want, mu, s2)));
%! assert (loss, -mean (log (q((1:4)' + 4 * (number(1:4) - 1)))), 1e-12);
%! [~, loss] = attnpath_probability (sol, X(:,:,1:4));
%! assert (loss, NaN);
%! refuses ("probability:badClass", @() attnpath_probability (sol, X, "Labels", number));
%! refuses ("probability:badShape", @() attnpath_probability (sol, X, "Labels", names(1:3)));
%! names{2} = "fir";
%! refuses ("probability:badValue", @() attnpath_probability (sol, X, "Labels", names));

%!test % whole numbers of 2^53 and more would be told apart no longer
%! X = randn (3, 2, 4);
%! net = attnpath_net ({randn(3, 3, 2)});
%! y = repmat (int64 (2) ^ 53, 4, 1) + int64 ([0; 1; 0; 1]);
%! refuses ("solve:badValue", @() attnpath_solve (net, X, y), {"9007199254740992", "element 1"});

%!test % texts of the wrong number, and a list of classes that does not fit, are named as they were given
%! [net, X, names] = three ();
%! refuses ("solve:badShape", @() attnpath_solve (net, X, names(1:5)), {"y", "12 x 1", "5 x 1"});
%! sol = attnpath_solve (net, X, names);
%! sol.classes = {"a"; "b"};
%! refuses ("predict:badShape", @() third (sol, X));

%!test % a trained network whose classes are not as many as its outputs
%! gd = struct ("net", attnpath_net ([2 1]), "w", ones (3, 6), "classes", {{"a"; "b"}});
%! refuses ("predict:badShape", @() third (gd, struct ("Xi", ones (3, 4, 2))));

%!test % a list of classes may be a cell of numbers, and the message that asks for a list shows one that is taken
%! net = attnpath_net (1);
%! X = reshape (1:12, 2, 1, 6);
%! parts = {struct("X", X, "A", {{ones(1, 1, 1, 6)}}, "y", [1; 2; 3; 1; 2; 3]), []};
%! refuses ("moments:badValue", @() attnpath_moments (net, @(k) parts{k}, "Classes", true), "'Classes', [1 2 3]");
%! a = attnpath_moments (net, @(k) parts{k}, "Classes", [1 2 3], "Display", false);
%! b = attnpath_moments (net, @(k) parts{k}, "Classes", {1, 2, 3}, "Display", false);
%! assert (a, b);
