% demo.tst: attnpath_demo finds, lists and runs the demos; the shortest in its quick form, the others in tests/demos.

%!test % the list: names as output, or one line for each with what it shows
%! names = attnpath_demo ();
%! assert (iscellstr (names) && isrow (names));
%! assert (any (strcmp (names, "markov")));
%! shown = evalc ("attnpath_demo ();");
%! lines = strsplit (strtrim (shown), "\n");
%! assert (numel (lines), numel (names));
%! for k = 1:numel (names)
%!   assert (regexp (lines{k}, ["^" names{k} " +[A-Z].{10,}"]), 1);
%! endfor

%!test % what is refused: the message lists the demos there are
%! for name = {"nosuch", "", 5, {"markov"}, "demo_markov"}
%!   what = "badValue";
%!   if ~ischar (name{1}), what = "badClass"; endif
%!   refuses (["demo:" what], @() attnpath_demo (name{1}), "markov");
%! endfor

%!testif ; compare_versions (OCTAVE_VERSION (), "7", ">=")
%! fail ('attnpath_demo ("markov", 1)', "called with too many inputs");

%!testif ; thorough ()
%! % markov: runs, prints its tables, writes both figures where told, and leaves the directory as it was
%! [folder, gone] = scratch ();
%! here = pwd ();
%! figures = numel (get (0, "children"));
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder);
%! shown = evalc ("attnpath_demo ('Markov');");
%! assert (pwd (), here);
%! assert (numel (get (0, "children")), figures);
%! rows_of = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%! table = rows_of ('(?m)^ +(\d+) +([\d.]+) %');
%! widths = [10 30 50 100 300 500 1000]';
%! sampled = [10; 1000];                             % after the theory's rows, those of the draws
%! assert (table(:,1), [widths; sampled; widths; sampled]);
%! % theory.md section 9: about 96 % at N = 10, 83 % at N = 1000. 200 test examples have a standard deviation
%! % of 1.4 and 2.7 %, draws of the task about 2 %: five times the two together
%! assert (table(1,2), 96, 5 * 2.4);
%! assert (table(7,2), 83, 5 * 3.4);
%! assert (table([1 10],2) > table([7 16],2));
%! % theory and draws differ by O(1/N), in a few of 200 examples
%! assert (table([8 9 17 18],2), table([1 7 10 16],2), 4);
%! good = rows_of ('good +[\d.]+ +([-\d.]+)');         % U(good, denoising), at N = 10, 100, 1000, twice,
%! assert (numel (good), 13);                         % and by Langevin dynamics at the first; its standard
%! assert (all (good(2:2:12) > 0));                   % deviations stand between them
%! good = good(1:2:13);
%! assert (all (good([1 2 4 5 7]) < 0) && good(1) < 10 * good(2));
%! assert (good(7), good(1), 0.2 * abs (good(1)));    % 1/N is 0.1
%! drawn (folder, "demo_markov");

%!test % a folder that is not there, or cannot be written into, is refused before any work
%! folders = {fullfile(tempname (), "no", "such"), which("attnpath_demo")};
%! if exist ("/proc/self", "dir"), folders{end+1} = "/proc"; endif
%! for folder = folders
%!   back = with_env ("ATTNPATH_DEMO_DIR", folder{1});
%!   for name = attnpath_demo ()
%!     refuses ("demo:folder", @() attnpath_demo (name{1}), folder{1});
%!   endfor
%!   clear back
%! endfor

%!test % attnpath prints a line for every function, and help knows the name of the package
%! shown = strsplit (strtrim (evalc ("attnpath")), "\n");
%! found = dir (fullfile (fileparts (which ("attnpath_solve")), "attnpath_*.m"));
%! assert (numel (shown), numel (found) + 1);
%! for k = 1:numel (found)
%!   assert (regexp (shown{k}, ["^" found(k).name(1:end-2) " +[A-Z].*[.?]$"]), 1);
%! endfor
%! assert (! isempty (strfind (get_help_text ("attnpath"), "attnpath_solve")));

%!test % functions with demos: example shows them
%! for name = {"attnpath_solve", "attnpath_plot", "attnpath_sample", "attnpath_scores", "attnpath_paths"}
%!   assert (! isempty (strtrim (example (name{1}))), name{1});
%! endfor

%!testif ; thorough ()
%! % a cell of its trained networks: the theory of either kind on them, and what the network loses without a head
%! plan = struct ("heads", [2 2], "P", 40, "Ptest", 60, "width", 9, "temperatures", [0.1 0.3]);
%! plan.scores = {"loo", "order"};
%! plan.images = {"Size", 8, "Patch", 4, "Channels", 1, "Train", "generator", "Test", "generator"};
%! plan.training = {"Width", 8, "Keys", 4, "Steps", 300, "Batch", 16, "Rate", 3e-3, "Display", false};
%! out = in_demos (@residual_trained_cell, struct ("seed", 3, "skip", 1), plan);
%! task = attnpath_task_oneshot (plan.images{:}, "P", 40, "Ptest", 60, "Seed", 3);
%! gd = attnpath_train (task, "Heads", [2 2], "Skip", 1, "Seed", 3, plan.training{:});
%! right = @(gd, y) 100 * mean (sign (attnpath_predict (gd, task.Xtest)) == y);
%! assert (out.accuracy, right (gd, task.ytest), 1e-10);
%! for h = 1:2, assert (out.lost(h), out.accuracy - right (attnpath_prune (gd, [1 h]), task.ytest), 1e-10); endfor
%! for skip = 0:1
%!   net = attnpath_net (gd.net.heads, "Width", 9, "Readout", "mean", "Skip", skip);
%!   net.variance(1) = 40 / trace (ref_kernel (net, attnpath_paths (net, task.Xtrain).Xi, ref_gp (net){1}, ...
%!                                             attnpath_paths (net, task.Xtrain).Xi));
%!   for k = 1:2
%!     net.temperature = plan.temperatures(k);
%!     sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%!     all(k,:) = [attnpath_loo(sol).mse, attnpath_evidence(sol)];
%!     if skip, own{k} = sol; endif
%!   endfor
%!   assert ([out.loo(skip+1), out.evidence(skip+1)], [min(all(:,1)), max(all(:,2))], -1e-5);
%! endfor
%! [~, best] = min (all(:,1));
%! score = sortrows (attnpath_scores (own{best}, "By", "loo", "Display", false), [1 2]);
%! assert (out.worth(1,:), score(:,3)', 1e-4);
