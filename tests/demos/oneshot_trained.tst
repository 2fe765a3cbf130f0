% oneshot_trained.tst: trained networks that come with the demos answer as the demo and doc/training.md say. It needs
% Omniglot, in ../shared/omniglot beside the project, and is skipped without it.

%!function check (gd, X, y, published)
%!  % two samples of one proportion, of ours and of the 20000 published: 5 standard errors of their difference
%!  share = mean (sign (attnpath_predict (gd, X)) == y);
%!  assert (share, published, 5 * sqrt (published * (1 - published) * (1 / numel (y) + 1 / 20000)));
%!endfunction

%!testif ; thorough () && ! isempty (real_folder ())
%! % real: sequences of all classes of small set 2, and of those that are not in small set 1; of the larger networks, as
%! % doc/figures.md says, the former
%! one = attnpath_omniglot ("small1", "Folder", real_folder ());
%! two = attnpath_omniglot ("small2", "Folder", real_folder ());
%! published = {"published_41000_s0", 0.804, 0.767; "cosine_20000_s1", 0.853, 0.810
%!              "3x3_cosine_12000_s1", 0.812, []; "2x8_cosine_12000_s1", 0.848, []
%!              "2x8_published_41000_s0", 0.857, 0.820}';
%! for network = published
%!   gd = in_demos (@(name) oneshot_network (name), network{1});
%!   % classes that both have are left out of test data only: as training data small set 2 keeps all
%!   task = attnpath_task_oneshot ("Train", two, "P", 2000, "Test", one, "Ptest", 2, "Embedding", gd.embedding);
%!   assert (size (task.images.train, 4), 156);
%!   check (gd, task.Xtrain, task.ytrain, network{2});
%!   if isempty (network{3}), continue, endif
%!   task = attnpath_task_oneshot ("Train", one, "P", 2, "Test", two, "Ptest", 2000, "Embedding", gd.embedding);
%!   assert (size (task.images.test, 4), 106);
%!   check (gd, task.Xtest, task.ytest, network{3});
%! endfor

%!testif ; thorough () && ! isempty (real_folder ())
%! % real, five ways: 52.3 % of sequences of the classes that are not in small set 1
%! file = fullfile (fileparts (fileparts (fileparts (which ("ref_oneshot")))), "studies", "ways", "oneshot_ways.mat");
%! gd = in_demos (@(name) oneshot_network (name), file);
%! task = attnpath_task_oneshot (gd.task{:}, "Folder", real_folder (), "P", 5, "Ptest", 2000, "Seed", 9, ...
%!                               "Embedding", gd.embedding);
%! [mu, ~, class] = attnpath_predict (gd, task.Xtest);
%! assert ({size(mu), gd.classes}, {[2000 5], int32((1:5)')});
%! share = mean (class == task.ytest);
%! assert (share, 0.523, 5 * sqrt (0.523 * 0.477 * (1 / 2000 + 1 / 20000)));
%! [score, ~, each] = attnpath_scores (gd);                % the package's functions read it as they read two ways
%! assert ({size(score), size(each)}, {[8 3], [8 5]});
%! cut = attnpath_prune (gd, score(1,1:2));
%! [~, ~, class] = attnpath_predict (cut, task.Xtest);
%! assert (mean (class == task.ytest) > 0.2 + 5 * sqrt (0.16 / 2000));     % a fifth is chance

%!function [whole, packed, small] = all_forms ()
%!  options = {"Heads", [2 2], "Width", 16, "Keys", 8, "Batch", 12, "Steps", 3, "Seed", 4, "Evaluate", 250};
%!  whole = attnpath_train (attnpath_task_oneshot (), options{:});
%!  [file, gone] = scratch ("run.mat");
%!  oneshot_train (file, false, options{:});
%!  packed = oneshot_network (file);
%!  oneshot_pack (file, file);
%!  small = oneshot_network (file);
%!endfunction

%!testif ; thorough ()
%! % what is written is the network that was trained, to single precision: entries of heads, basis and weights are
%! % rounded to 2^-24. Scores are sums of some 10^4 terms of at most some 10 together, and attention and outputs follow
%! % them: 1e-5
%! [whole, packed, small] = in_demos (@all_forms);
%! assert (size (packed.basis), [192 88]);
%! assert (packed.U, whole.U, 1e-6 * max (abs (whole.U(:))));
%! task = attnpath_task_oneshot ("Train", "generator", "Test", "generator", "P", 2, "Ptest", 100, ...
%!                               "Embedding", packed.embedding, "Seed", 3);
%! want = attnpath_predict (whole, task.Xtest);
%! assert (attnpath_predict (packed, task.Xtest), want, 1e-5 * max (abs (want)));
%! % in sixteen bits: entries of heads, in the basis, are rounded to 2^-16 of the largest
%! for l = 1:2
%!   entries = @(net, h) packed.basis' * net.heads{l}(:,:,h) * packed.basis;
%!   for h = 1:2, assert (entries (small, h), entries (packed, h), 2^-15.9 * max (abs (entries (packed, h)(:)))), endfor
%! endfor
