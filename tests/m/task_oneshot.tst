% task_oneshot.tst: the one-shot image task (theory.md section 10) and the helpers it is made of.
% Nothing large is shared, since a failure prints what is. Blocks that begin with "real" use ../shared/omniglot beside
% the project, and are skipped without it. Statistical checks run on fixed seeds and allow 5 standard errors.

%!function [train, test] = data ()                       % 6 and 5 made-up classes
%!  persistent a b
%!  if isempty (a)
%!    a = attnpath_omniglot ("generator", "Classes", 6);
%!    b = attnpath_omniglot ("generator", "Classes", 5, "Seed", 2);
%!  endif
%!  train = a;
%!  test = b;
%!endfunction

%!function task = small (varargin)
%!  [train, test] = data ();
%!  task = attnpath_task_oneshot ("Train", train, "Test", test, "P", 40, "Ptest", 20, varargin{:});
%!endfunction

%!function W = resample (n, m)
%!  W = in_private (@() ap_oneshot_resample (n, m));
%!endfunction

%!function p = patches (images, side, patch)
%!  p = in_private (@() ap_oneshot_patches (images, side, patch));
%!endfunction

%!function refusal (id, names, varargin)                 % this call ends with this error, which has these names
%!  refuses (id, @() attnpath_task_oneshot (varargin{:}), names);
%!endfunction

%!function better_than_chance (task, ways)               % is the shown image that is nearest to the query of its class?
%!  p = task.images.test;
%!  flat = reshape (p, [], size (p, 3) * size (p, 4));
%!  c = task.test;
%!  at = c.drawing + size (p, 3) * (c.class - 1);
%!  for k = 1:ways, d(k,:) = sum ((flat(:,at(k,:)) - flat(:,at(end,:))) .^ 2, 1); endfor
%!  [~, best] = min (d);
%!  guess = c.label(best + (ways + 1) * (0:numel (best) - 1));
%!  share = mean (guess' == double (task.ytest));
%!  assert (share > 1 / ways + 5 * sqrt ((ways - 1) / ways ^ 2 / numel (best)));
%!endfunction

%!test % shapes, classes, labels
%! task = small ();
%! assert (fieldnames (task), {"Xtrain"; "ytrain"; "Xtest"; "ytest"; "heads"; "path_names"; "train"; "test"; ...
%!                             "images"; "embedding"; "positions"; "classes"; "source"; "settings"; "kind"});
%! assert ({size(task.Xtrain), size(task.Xtest)}, {[192 48 40], [192 48 20]});
%! assert (class (task.Xtrain), "double");
%! assert (task.ytrain, repmat ([1; -1], 20, 1));
%! assert (task.ytest, repmat ([1; -1], 10, 1));
%! assert ({size(task.images.train), size(task.images.test)}, {[64 16 20 6], [64 16 20 5]});
%! assert (class (task.images.train), "single");
%! assert ({size(task.embedding), size(task.positions)}, {[192 3], [192 48]});
%! assert (task.classes.train, arrayfun (@(k) sprintf ("generator %d", k), (1:6)', "UniformOutput", false));
%! assert (task.source, struct ("train", "generator, seed 1: 6 classes", "test", "generator, seed 2: 5 classes"));
%! assert ({task.heads, task.path_names}, {{}, {}});

%!test % against the sequence written out pixel by pixel
%! % four roundings to single precision of numbers up to 16: patch, embedding, and two sums
%! tol = 4 * 16 * eps ("single") / 2;
%! [train, test] = data ();
%! task = small ("P", 4, "Ptest", 2);
%! [X, y] = ref_oneshot (train.images, task.train, task.embedding, 32, 8, 3);
%! assert (max (abs (X(:))) < 16);
%! assert (task.Xtrain, X, tol);
%! assert (task.ytrain, y);
%! [X, y] = ref_oneshot (test.images, task.test, task.embedding, 32, 8, 3);
%! assert (task.Xtest, X, tol);
%! assert (task.ytest, y);

%!test % likewise with more shots, one channel, other sizes, grey images of one's own, an odd number of features
%! tol = 4 * 16 * eps ("single") / 2;
%! grey = mod (reshape (1:30*30*5*4, [30 30 5 4]) .^ 2 * 7919, 1009) / 1008;
%! other = 1 - grey(:,:,:,1:3);
%! task = attnpath_task_oneshot ("Train", grey, "Test", other, "Shots", 3, "Channels", 1, "Size", 12, "Patch", 3, ...
%!                               "P", 6, "Ptest", 2);
%! assert (size (task.Xtrain), [9, 7 * 16, 6]);
%! [X, y] = ref_oneshot (grey, task.train, task.embedding, 12, 3, 1);
%! assert (max (abs (X(:))) < 16);
%! assert (task.Xtrain, X, tol);
%! assert (task.ytrain, y);
%! task = attnpath_task_oneshot ("Train", grey, "Test", other, "Shots", 2, "Channels", 3, "Size", 30, "Patch", 15, ...
%!                               "P", 2, "Ptest", 2);
%! X = ref_oneshot (other, task.test, task.embedding, 30, 15, 3);
%! assert (task.Xtest, X, tol);

%!test % resampling: weights by hand, to more pixels too, no change
%! assert (resample (4, 2), [3 3 1 0; 0 1 3 3] / 7, eps);
%! assert (resample (2, 4), [4 0; 3 1; 1 3; 0 4] / 4, eps);
%! assert (resample (7, 7), eye (7));
%! assert (resample (5, 1), [3 4 5 4 3] / 19, eps);        % 1 - [2 1 0 1 2] / 5, to sum 1

%!test % a patch of bare paper becomes zero: rounding of 1 / 0.084, by 1 / sqrt (1e-5), a few times
%! assert (double (patches (true (105), 32, 8)), zeros (64, 16), 16 * eps / 0.084 / sqrt (1e-5));

%!test % positions are the same whatever the images and the seed
%! task = small ();
%! other = attnpath_task_oneshot (setfield (task.settings, "Seed", 9));
%! assert (other.positions, task.positions);

%!test % embedding: N(0,1)
%! task = small ();
%! e = task.embedding;
%! assert (mean (e(:)), 0, 5 / sqrt (numel (e)));
%! assert (mean (e(:) .^ 2), 1, 5 * sqrt (2 / numel (e)));

%!test % chances: first or later, label of the first, each class, each pair, each drawing alike
%! task = small ("P", 3000, "Size", 4, "Patch", 4, "Seed", 5);
%! c = task.train;
%! assert (mean (c.class(1,:) == c.class(3,:)), 1/2, 5 * sqrt (1/4 / 3000));
%! assert (mean (c.label(1,:)), 0, 5 / sqrt (3000));
%! assert (mean ((c.class(1,:) == c.class(3,:)) .* c.y'), 0, 5 * sqrt (1/2 / 3000));   % not tied to the label
%! for k = 1:3
%!   assert (accumarray (c.class(k,:)', 1) / 3000, ones (6, 1) / 6, 5 * sqrt (5/36 / 3000));
%!   assert (accumarray (c.drawing(k,:)', 1) / 3000, ones (20, 1) / 20, 5 * sqrt (19/400 / 3000));
%! endfor
%! pairs = accumarray (c.class(1:2,:)', 1) / 3000;
%! assert (pairs, (ones (6) - eye (6)) / 30, 5 * sqrt (29/900 / 3000));
%! assert (diag (pairs), zeros (6, 1));

%!test % a batch from the patches that the task keeps is the task's, and in single precision
%! task = small ("Channels", 1);
%! [train, drawn] = in_private (@() deal (ap_oneshot_batch (task.images.train, task.train, task.embedding, ...
%!                                                       task.positions), ...
%!                                     ap_seeded ([0 1], @() ap_oneshot_choose (40, 6, 20, 1, 2))));
%! assert (class (train), "single");
%! assert (double (train), task.Xtrain);
%! assert (drawn, task.train);

%!function whole_sequences (c, ways, shots)               % each shows so many classes, and asks for one of them
%!  n = ways * shots;
%!  assert ({size(c.class), size(c.drawing), size(c.label)}, repmat ({[n+1, numel(c.y)]}, 1, 3));
%!  labels = 1:ways;
%!  if ways == 2, labels = [-1 1]; endif
%!  for p = 1:numel (c.y)
%!    own = c.class(1:n,p) == c.class(end,p);
%!    assert (c.label(own,p), repmat (double (c.y(p)), shots, 1));
%!    assert (! any (c.drawing(own,p) == c.drawing(end,p)));
%!    assert (c.label(end,p), 0);
%!    for k = labels                                        % a label is a class, and its drawings differ
%!      of = c.label(1:n,p) == k;
%!      assert ([sum(of), numel(unique (c.class(of,p))), numel(unique (c.drawing(of,p)))], [shots 1 shots]);
%!    endfor
%!    assert (numel (unique (c.class(1:n,p))), ways);
%!  endfor
%!endfunction

%!test % what is drawn: of all classes and drawings, two classes with labels, the query another drawing of one of them
%! for shots = [1 3]
%!   task = small ("Shots", shots, "P", 1000, "Size", 4, "Patch", 4);
%!   c = task.train;
%!   assert ([min(c.class(:)), max(c.class(:)), min(c.drawing(:)), max(c.drawing(:))], [1 6 1 20]);
%!   assert (c.y, task.ytrain);
%!   whole_sequences (c, 2, shots);
%! endfor

%!testif ; thorough ()
%! % more ways: each sequence shows C classes with labels 1 to C, and asks for one of them
%! for row = [3 1; 5 2; 4 3]'
%!   [ways, shots] = deal (row(1), row(2));
%!   c = in_private (@() ap_seeded (5, @() ap_oneshot_choose (40, 7, 5, shots, ways)));
%!   assert (c.y, int32 (1 + mod ((0:39)', ways)));
%!   whole_sequences (c, ways, shots);
%! endfor

%!test % paired, of two ways and of more: of each draw C^2 sequences, all with the same shown images in the same places
%! for row = [2 1; 2 2; 3 1; 5 2]'
%!   [ways, shots] = deal (row(1), row(2));
%!   [draws, n, all] = deal (4, ways * shots, ways ^ 2);
%!   [c, one] = in_private (@() deal (ap_seeded (5, @() ap_oneshot_choose (draws * all, 7, 5, shots, ways, true)), ...
%!                                 ap_seeded (5, @() ap_oneshot_choose (draws, 7, 5, shots, ways))));
%!   first = 1:draws;
%!   assert ({c.class(:,first), c.drawing(:,first), c.label(:,first), c.y(first)}, ...
%!           {one.class, one.drawing, one.label, one.y});
%!   assert (size (c.y), [draws*all, 1]);
%!   for d = first
%!     these = d:draws:draws*all;
%!     assert (c.class(1:n,these), repmat (c.class(1:n,d), 1, all));
%!     assert (c.drawing(1:n,these), repmat (c.drawing(1:n,d), 1, all));
%!     [labels, ~, labelling] = unique (c.label(1:n,these)', "rows");
%!     [queries, ~, query] = unique ([c.class(end,these); c.drawing(end,these)]', "rows");
%!     [~, ~, answer] = unique (c.y(these));
%!     assert ([rows(labels), rows(queries), numel(unique (queries(:,1)))], [ways ways ways]);
%!     % a query of each class with every labelling once; all answers to each query, and to each labelling
%!     assert (accumarray ([query, labelling], 1), ones (ways));
%!     assert (accumarray ([query, answer], 1), ones (ways));
%!     assert (accumarray ([labelling, answer], 1), ones (ways));
%!     for place = 1:n                                   % and to each label in each place
%!       [~, ~, label] = unique (c.label(place,these));
%!       assert (accumarray ([label(:), answer], 1), ones (ways));
%!     endfor
%!   endfor
%!   whole_sequences (c, ways, shots);
%! endfor

%!test % more ways: classes, drawings, places and labels are all as often as each other, and independent of the answer
%! c = in_private (@() ap_seeded (5, @() ap_oneshot_choose (6000, 6, 4, 1, 3)));
%! even = @(values, n) histc (values(:)', 1:n) / numel (values);
%! tol = @(n, count) 5 * sqrt ((n - 1) / n ^ 2 / count);
%! assert (even (c.class(end,:), 6), ones (1, 6) / 6, tol (6, 6000));
%! assert (even (c.drawing(end,:), 4), ones (1, 4) / 4, tol (4, 6000));
%! [~, place] = max (c.label(1:3,:) == double (c.y'));
%! for k = 1:3
%!   assert (even (place(c.y == k), 3), ones (1, 3) / 3, tol (3, 2000));       % where the answer stands
%!   assert (even (c.label(k,:), 3), ones (1, 3) / 3, tol (3, 6000));
%!   assert (even (c.class(k,:), 6), ones (1, 6) / 6, tol (6, 6000));
%! endfor
%! % which of the two other labels the first of the others has, in places: either
%! others = c.label(1:3,c.y' == 2)(c.label(1:3,c.y' == 2) != 2);
%! assert (mean (others(1:2:end) == 1), 1/2, 5 * sqrt (1/4 / 2000));

%!test % more ways: against the sequence written out, seeds, settings; two ways are the task without the option
%! task = small ("Ways", 3, "P", 4, "Ptest", 5, "Size", 8, "Patch", 4, "Channels", 1);
%! assert ({size(task.Xtrain), size(task.embedding)}, {[16 16 4], [16 4]});
%! assert ({task.ytrain, class(task.ytest)}, {int32([1; 2; 3; 1]), "int32"});
%! [train, ~] = data ();
%! [X, y] = ref_oneshot (train.images, task.train, task.embedding, 8, 4, 1);
%! assert (max (abs (X(:))) < 16);
%! assert (task.Xtrain, X, 4 * 16 * eps ("single") / 2);
%! assert (double (task.ytrain), y);
%! assert (isequal (attnpath_task_oneshot (task.settings), task));
%! few = attnpath_task_oneshot (setfield (task.settings, "P", 2));
%! assert ({few.Xtrain, few.Xtest}, {task.Xtrain(:,:,1:2), task.Xtest});
%! assert (isequal (small ("Ways", 2), small ()));

%!test % seeds: settings give the task again; P and Ptest leave the other set alone, and a larger one extends
%! task = small ();
%! assert (isequal (attnpath_task_oneshot (task.settings), task));
%! t = small ("P", 10);
%! assert (t.Xtrain, task.Xtrain(:,:,1:10));
%! assert ({t.Xtest, t.embedding}, {task.Xtest, task.embedding});
%! t = small ("Ptest", 4);
%! assert ({t.Xtrain, t.Xtest}, {task.Xtrain, task.Xtest(:,:,1:4)});
%! t = small ("SEED", 1);
%! assert (isequal (t.train, task.train) || isequal (t.embedding, task.embedding), false);
%! assert (t.images, task.images);

%!test % the user's own random numbers run on as if nothing had happened
%! keeps_generators (@() small ("P", 2, "Ptest", 2));

%!test % classes of the training set are left out of the test: one image that is the same is enough
%! [train, test] = data ();
%! mixed = test.images;
%! mixed(:,:,9,2) = train.images(:,:,4,5);
%! mixed(:,:,:,4) = train.images(:,:,:,1);
%! task = small ("Test", mixed);
%! assert (task.classes.test, {"class 1"; "class 3"; "class 5"});
%! assert (task.images.test, small ().images.test(:,:,:,[1 3 5]));
%! assert (task.source.test, "images of your own: 3 classes, without 2 that are in the training set");
%! task = small ("Train", double (train.images), "Test", uint8 (mixed));       % whatever their class
%! assert (task.classes.test, {"class 1"; "class 3"; "class 5"});

%!test % grey images that differ by less than the sums see are different all the same
%! grey = 0.5 * ones (8, 8, 2, 2);
%! grey(3,3,2,1) = 0.6;  grey(4,4,1,2) = 0.7;  grey(5,5,2,2) = 0.8;
%! task = attnpath_task_oneshot ("Train", grey, "Test", grey + 1e-9, "Size", 8, "P", 2, "Ptest", 2);
%! assert (size (task.images.test, 4), 2);
%! assert (task.source.test, "images of your own: 2 classes");

%!test % by name as well, where both sets have names: one drawing other, the same character
%! [train, test] = data ();
%! train.source = test.source = "some file";
%! train.alphabet(:) = {"A"};
%! test.alphabet = {"A"; "A"; "B"; "B"; "B"};
%! test.character = [6; 7; 1; 2; 3];
%! task = small ("Train", train, "Test", test);
%! assert (task.classes.test, {"A 7"; "B 1"; "B 2"; "B 3"});

%!test % nothing left to test on
%! [train, test] = data ();
%! refusal ("task_oneshot:tooFew", {"Test", "2", "not 0", "6"}, "Train", train, "Test", train);
%! refusal ("task_oneshot:tooFew", {"Train", "2", "not 1"}, "Train", test.images(:,:,:,1), "Test", train);

%!test % turned images make classes of their own, in the training set
%! task = small ("Augment", true);
%! plain = small ();
%! [train, ~] = data ();
%! assert (size (task.images.train), [64 16 20 24]);
%! assert (task.images.test, plain.images.test);
%! assert (task.images.train(:,:,:,1:6), plain.images.train);
%! for k = 1:3
%!   image = rot90 (train.images(:,:,7,2), k);
%!   assert (task.images.train(:,:,7,6*k+2), patches (image, 32, 8));
%! endfor
%! assert (task.classes.train([2 8 14 20]), {"generator 2"; "generator 2 turned by 90"; "generator 2 turned by 180"; ...
%!                                           "generator 2 turned by 270"});
%! assert (task.source.train, "generator, seed 1: 6 classes, 24 with those turned");
%! assert (max (task.train.class(:)), 24);

%!testif ; thorough ()
%! % where the data come from by default: nothing named and nothing cached, made up; named and missing, an error
%! back = with_env ("ATTNPATH_OMNIGLOT", "", "XDG_CACHE_HOME", "/nowhere", "LOCALAPPDATA", "/nowhere");
%! task = attnpath_task_oneshot ("P", 2, "Ptest", 2000);
%! refusal ("omniglot:noFile", "/nowhere/else", "P", 2, "Ptest", 2, "Folder", "/nowhere/else");
%! setenv ("ATTNPATH_OMNIGLOT", "/nowhere/else");
%! refusal ("omniglot:noFile", "/nowhere/else", "P", 2, "Ptest", 2);
%! again = attnpath_task_oneshot (task.settings);
%! assert ({task.settings.Train, task.settings.Test}, {"generator", "generator"});
%! assert (task.source, struct ("train", "generator, seed 1: 100 classes", "test", "generator, seed 2: 100 classes"));
%! assert (isequal (again, task));
%! % there is something to be learnt: the nearer image is of the query's class more often than chance
%! better_than_chance (task, 2);

%!test % what is refused, with which identifier, and that the message names the option and the value
%! [train, test] = data ();
%! ok = train.images(:,:,1:3,1:2);
%! bare = struct ("images", ok);
%! renamed = setfield (test, "alphabet", {"A"});
%! fewer = setfield (test, "images", ok);
%! holes = NaN (9, 9, 3, 2);
%! thin = sparse (eye (9));
%! twice = 2 * double (ok);
%! bytes = 255 * uint8 (ok);
%! odd = 1i * ones (9, 9, 3, 2);
%! refused ("task_oneshot", @(varargin) attnpath_task_oneshot ("Train", train, "Test", test, varargin{:}), { ...
%!          "notFinite", "P", {NaN}; "badValue", "P", {7}; "badValue", "Ptest", {9, 0}; "badValue", "Ways", {1}
%!          "badValue", "Shots", {0}; "tooFew", "Shots", {20}
%!          "badValue", "Size", {30, 32.5}; "badValue", "Patch", {64}; "badValue", "Channels", {2, 4}
%!          "badClass", "Augment", {"yes"}; "badValue", "Seed", {-1}; "badClass", "Folder", {3}
%!          "badValue", "Train", {"omniglot", twice, bytes}; "badClass", "Train", {{1}}
%!          "badClass", "Test", {bare, renamed}; "badShape", "Test", {fewer}; "empty", "Train", {zeros(9, 9, 3, 0)}
%!          "badShape", "Train", {zeros(9, 9, 3, 2, 2), true(9, 8, 3, 2)}; "sparse", "Train", {thin}
%!          "notReal", "Train", {odd}; "badValue", "Test", {holes}; "unknownOption", "Heads", {2}
%!          "nameValue", 5, {30}});
%! rest = {6, "tooFew", "Ways", "Test must have at least 6 classes"
%!         7, "tooFew", "Ways", "Train must have at least 7 classes"
%!         1, "badValue", "Patch", "Patch must be at least 2"};
%! for row = rest'
%!   refusal (["task_oneshot:" row{2}], row{4}, "Train", train, "Test", test, row{3}, row{1});
%! endfor

%!test % more than 8 GiB is refused before anything is drawn, with the numbers
%! [train, test] = data ();
%! for bad = {{"P", 1e8}, {"Ptest", 1e9}}
%!   refusal ("task_oneshot:tooLarge", sprintf ("%.10g", bad{1}{2}), "Train", train, "Test", test, bad{1}{:});
%! endfor

%!testif ; thorough () && ! isempty (real_folder ())
%! % real: 136 classes for training; of the 156 of the test 50 are among them and left out
%! real = real_folder ();
%! task = attnpath_task_oneshot ("Folder", real, "P", 6, "Ptest", 2000);
%! assert ({task.settings.Train, task.settings.Test}, {"small1", "small2"});
%! assert (task.source.train, "data_background_small1.mat: 136 classes");
%! assert (task.source.test, ["data_background_small2.mat: 106 classes, " ...
%!                            "without 50 that are in the training set"]);
%! assert ({size(task.images.train, 4), size(task.images.test, 4)}, {136, 106});
%! assert (isempty (intersect (task.classes.train, task.classes.test)));
%! flat = @(p) reshape (p, [], size (p, 3) * size (p, 4))';
%! assert (any (ismember (flat (task.images.test), flat (task.images.train), "rows")), false);
%! kept = unique (regexprep (task.classes.test, ' \d+$', ""));
%! assert (kept, {"Japanese (katakana)"; "Sanskrit"; "Tagalog"});
%! better_than_chance (task, 2);
%! task = attnpath_task_oneshot ("Folder", real, "Ways", 5, "P", 5, "Ptest", 1000);
%! assert ({size(task.Xtrain), task.ytrain'}, {[192 96 5], int32(1:5)});
%! better_than_chance (task, 5);
%! % the other way round the 50 are left out of the other side
%! task = attnpath_task_oneshot ("Folder", real, "Train", "small2", "Test", "small1", "P", 2, "Ptest", 2);
%! assert ({size(task.images.train, 4), size(task.images.test, 4)}, {156, 86});

%!testif ; thorough ()
%! % an embedding of one's own replaces the drawn one, and nothing else
%! args = {"P", 4, "Ptest", 2, "Train", "generator", "Test", "generator", "Size", 8, "Patch", 4, "Channels", 1};
%! task = attnpath_task_oneshot (args{:});
%! E = magic (16)(:,1:3);
%! own = attnpath_task_oneshot (args{:}, "Embedding", E);
%! assert (own.embedding, E);
%! assert (own.train, task.train);
%! gap = own.Xtrain - task.Xtrain;
%! label = task.train.label(:,2);
%! column = [1 2 3](1 + (label(1) == -1));
%! % numbers up to 256 rounded to single: half a unit in the last place is 1.5e-5, a few times
%! assert (gap(:,1,2), E(:,column) - task.embedding(:,column), 5e-5);
%! assert (gap(:,end,2), E(:,3) - task.embedding(:,3), 5e-5);
%! assert (attnpath_task_oneshot (own.settings), own);
%!error id=attnpath:task_oneshot:badShape attnpath_task_oneshot ("Embedding", ones (3), "Train", "generator", "Test", "generator")
