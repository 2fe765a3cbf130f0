% oneshot_trained.tst: the trained network that comes with the demo answers as the demo and doc/training.md say. It needs
% Omniglot, in ../shared/omniglot beside the project, and is skipped without it.

%!function folder = real_folder ()                       % "" where the data set is not
%!  folder = fullfile (fileparts (fileparts (fileparts (which ("ref_oneshot")))), "..", "shared", "omniglot");
%!  if ! exist (fullfile (folder, "data_background_small2.mat"), "file")
%!    folder = "";
%!  endif
%!endfunction

%!function [gd, embedding] = shipped ()                  % as attnpath_predict takes it, and the labels' embedding
%!  below = fileparts (which ("attnpath_demo"));         % in the source tree demos lie beside inst, otherwise below it
%!  [top, last] = fileparts (below);
%!  if strcmp (last, "inst"), below = top; endif
%!  trained = load (fullfile (below, "demos", "oneshot_trained.mat"));
%!  gd = struct ("net", attnpath_net (trained.heads, "Width", trained.width, "Readout", "mean"), "w", double (trained.w));
%!  embedding = trained.embedding;
%!endfunction

%!function check (gd, X, y, published)
%!  % two samples of one proportion, of ours and of the 20000 published: 5 standard errors of their difference
%!  share = mean (sign (attnpath_predict (gd, X)) == y);
%!  assert (share, published, 5 * sqrt (published * (1 - published) * (1 / numel (y) + 1 / 20000)));
%!endfunction

%!testif ; thorough () && ! isempty (real_folder ())
%! % real: 85.3 % of sequences of all classes of small set 2, and 81.0 % of those of classes not in small set 1
%! [gd, embedding] = shipped ();
%! one = attnpath_omniglot ("small1", "Folder", real_folder ());
%! two = attnpath_omniglot ("small2", "Folder", real_folder ());
%! % classes that both have are left out of test data only: as training data small set 2 keeps all
%! task = attnpath_task_oneshot ("Train", two, "P", 2000, "Test", one, "Ptest", 2, "Embedding", embedding);
%! assert (size (task.images.train, 4), 156);
%! check (gd, task.Xtrain, task.ytrain, 0.853);
%! task = attnpath_task_oneshot ("Train", one, "P", 2, "Test", two, "Ptest", 2000, "Embedding", embedding);
%! assert (size (task.images.test, 4), 106);
%! check (gd, task.Xtest, task.ytest, 0.810);

%!testif ; thorough () && ! isempty (real_folder ())
%! % real, five ways: 52.3 % of sequences of the classes that are not in small set 1
%! below = fileparts (which ("attnpath_demo"));
%! [top, last] = fileparts (below);
%! if strcmp (last, "inst"), below = top; endif
%! trained = load (fullfile (below, "demos", "oneshot_ways.mat"));
%! task = attnpath_task_oneshot (trained.task{:}, "Folder", real_folder (), "P", 5, "Ptest", 2000, "Seed", 9, ...
%!                               "Embedding", trained.embedding);
%! gd = struct ("net", attnpath_net (trained.heads, "Width", trained.width, "Readout", trained.readout), ...
%!              "w", double (trained.w), "U", double (trained.U), "classes", trained.classes);
%! [mu, ~, class] = attnpath_predict (gd, task.Xtest);
%! assert ({size(mu), gd.classes}, {[2000 5], int32((1:5)')});
%! share = mean (class == task.ytest);
%! assert (share, 0.523, 5 * sqrt (0.523 * 0.477 * (1 / 2000 + 1 / 20000)));
%! [score, ~, each] = attnpath_scores (gd);                % the package's functions read it as they read two ways
%! assert ({size(score), size(each)}, {[8 3], [8 5]});
%! cut = attnpath_prune (gd, score(1,1:2));
%! [~, ~, class] = attnpath_predict (cut, task.Xtest);
%! assert (mean (class == task.ytest) > 0.2 + 5 * sqrt (0.16 / 2000));     % a fifth is chance
