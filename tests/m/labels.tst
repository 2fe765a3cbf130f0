% labels.tst: labels enter everywhere through one function: the same is accepted, the same is refused, in the same words.

%!function list = doors ()
%!  % {stem, name of the argument, call with labels y of five examples}
%!  randn ("twister", 3);
%!  net = attnpath_net ({randn(3, 3, 2), randn(3)}, "Width", 6);
%!  X = randn (3, 4, 5);
%!  paths = attnpath_paths (net, X);
%!  model = @(y) struct ("net", net, "paths", paths, "U", eye (2), "y", {y});
%!  task = @(y) struct ("Xtrain", X, "ytrain", {y});
%!  test = @(y) struct ("Xtrain", X, "ytrain", ones (5, 1), "Xtest", X, "ytest", {y});
%!  few = {"Heads", 1, "Width", 3, "Keys", 2, "Steps", 1, "Batch", 2, "Display", false};
%!  draw = {"Draws", 4, "Warmup", 4, "Chains", 2, "Display", false};
%!  list = {"solve",   "y",           @(y) attnpath_solve(net, X, y, "Certificate", false).action
%!          "solve",   "y",           @(y) attnpath_solve(net, paths, y, "Certificate", false).action
%!          "sample",  "y",           @(y) attnpath_sample(net, X, y, draw{:}).logpost
%!          "action",  "y",           @(y) attnpath_action(net, paths, y, {eye(2), 1})
%!          "predict", "model.y",     @(y) attnpath_predict(model (y), X)
%!          "align",   "y",           @(y) attnpath_align(eye (5) + ones (5), y)
%!          "train",   "y",           @(y) attnpath_train(X, y, few{:}).w
%!          "train",   "task.ytrain", @(y) attnpath_train(task (y), few{:}).w
%!          "train",   "task.ytest",  @(y) attnpath_train(test (y), few{:}).accuracy};
%!endfunction

%!function list = bad (y)
%!  list = {"badShape",  y(1:4)',         "must be 5 x 1, not a 1 x 4 double"
%!          "badShape",  y(1:4),          "must be 5 x 1, not a 4 x 1 double"
%!          "badClass",  repmat("a", 5, 1), "is text, a 5 x 1 char: words that are classes come in a cell, see cellstr"
%!          "sparse",    sparse(y),       "must be full, not sparse"
%!          "notReal",   complex(y, y),   "must be real, not complex"
%!          "notFinite", [y(1:4); NaN],   "must be finite, but element 5 is NaN"
%!          "notFinite", [-Inf; y(2:5)],  "must be finite, but element 1 is -Inf"
%!          "empty",     zeros(5, 0),     "is an empty (5 x 0) double"};
%!endfunction

%!test % what is accepted: double and single, a row, and two classes, to the same result
%! warning ("off", "attnpath:sample:notConverged", "local");
%! y = [1; -1; 1; -1; 0.5];
%! for door = doors ()'
%!   assert (door{3}(single (y)), door{3}(y));
%!   assert (door{3}(y'), door{3}(y));
%!   two = sign (y);
%!   want = door{3}(two);
%!   assert (door{3}(int8 (two)), want);
%!   assert (door{3}(two' > 0), want);
%!   assert (door{3}({"a"; "b"}(1 + (two > 0))), want);
%! endfor

%!test % several labels an example, where there is one output: refused by name
%! y = [1; -1; 1; -1; 0.5];
%! list = doors ();
%! refuses ("train:badShape", @() list{end,3}([y, -y]), {"task.ytest", "5 x 1", "5 x 2"});
%! model = struct ("net", attnpath_net (1), "U", 1, "y", y, "paths", struct ("Xi", ones (1, 5)));
%! refuses ("plot:outputs", ...
%!          @() attnpath_plot (model, "reliability", "Probability", ones (5, 1), "Labels", [y, -y]), {"5 x 1", "5 x 2"});

%!test % what is refused, with which id and in which words
%! list = doors ();  n = 0;
%! for k = 1:rows (list)
%!   [stem, name, call] = list{k,:};
%!   for row = bad ([1; -1; 1; -1; 0.5])'
%!     if k == 7 && ischar (row{2}), continue, endif           % text behind X is taken for the name of an option
%!     n += refuses ([stem ":" row{1}], @() call (row{2}), [name " " row{3}]);
%!   endfor
%! endfor
%! assert (n, 9 * 8 - 1);

%!test % figures: refused before anything is drawn
%! model = struct ("net", attnpath_net (2), "paths", struct ("Xi", ones (3, 5, 2)), "U", eye (2));
%! for row = bad (ones (5, 1))'
%!   model.y = row{2};
%!   refuses (["plot:" row{1}], @() attnpath_plot (model, "alignment"), ["model.y " row{3}]);
%! endfor
