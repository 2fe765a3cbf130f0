% figures.tst: the figures of the paper are drawn, in their quick form. What they are made of is in tests/m/figures.tst.

%!testif ; thorough ()
%! % all that are no demos, on made-up characters: they run, write both files, and a second call runs no cell
%! [folder, gone] = scratch ();
%! open_before = numel (get (0, "children"));
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder, "ATTNPATH_CELLS", "", "ATTNPATH_WORKERS", "", ...
%!                  "ATTNPATH_OMNIGLOT", "", "ATTNPATH_IMAGES", "", "XDG_CACHE_HOME", folder, ...
%!                  "ATTNPATH_FIGURES", ["scheme 1c 1d temperatures appendix networks trained 3b " ...
%!                                       "sufficiency lengths masked"]);
%! shown = evalc ("attnpath_demo ('figures');");
%! assert (numel (get (0, "children")), open_before);
%! assert (getenv ("ATTNPATH_CELLS"), "");
%! numbers = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%! % the good head: previous token in the same state with scores 20 against 15 and at most 28 times 10: above 0.99
%! % without noise; noise of 0.1 in a score's factor +-1, twice, makes 20 at least 10 + 10 (1 - 0.5)^2 = 12.5 in five
%! % standard deviations, but 17 within one: most of the mass
%! mass = numbers ('the same state +([\d.]+) \+- [\d.]+ +([\d.]+)');
%! assert (mass(1) > 0.9 && mass(2) < 0.1);
%! mass = numbers ('the other state +([\d.]+) \+- [\d.]+ +([\d.]+)');
%! assert (mass(1) < 0.05 && mass(2) > 0.7);
%! looks = numbers ('head 2.1 +([\d.]+)');
%! assert (looks, 31, 0.01);
%! % equal labels have larger entries along the good path, in every task of five: see doc/figures.md
%! good = numbers ('(?m)^  good +([-\d.]+) \+-');
%! both = numbers ('all, N = 10 +([-\d.]+) \+-');
%! gp = numbers ('all, GP limit +([-\d.]+) \+-');
%! assert (good > 0.1 && both > gp);
%! % temperatures: the last width is nearly the GP limit, where both are of 400 sequences
%! rows_of = numbers ('(?m)^ +(0\.010|0\.100|1\.000) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$');
%! assert (rows_of(1:3,4), rows_of(1:3,5), 2);           # O(P / N) of the order parameters: a few of 400
%! % the Hessian by differences has the eigenvalue of attnpath_solve, all are positive at a minimum
%! hessian = numbers ('(\d+) of 26 +differs by at most ([-+\d.e]+) of the largest');
%! assert (hessian(:,1), [0; 0]);
%! assert (all (hessian(:,2) < 1e-6));
%! % no head is removed in the first row
%! first = numbers ('(?m)^ +0 +([\d.]+) % +([\d.]+) % +([\d.]+) %');
%! assert (size (first), [4 3]);                         # of two figures, for two networks each
%! assert (first, first(:,1) * ones (1, 3));
%! assert (! isempty (strfind (shown, "One-shot images (generator)")));
%! % what is sufficient leaves nothing, its mean leaves the square, and less has a larger loss: three standard errors
%! told = @(name) numbers (['(?m)^  ' name '  +([-.\d]+) \+- ([.\d]+) +\d+ +([-.\d]+) \+- ([.\d]+) +\d+ +([.\d]+) ']);
%! [whole, mean_of] = deal (told ("posterior: mean, covariance"), told ("its mean"));
%! assert (max (abs (whole([1 3]))) < 0.1);                # of 1500 sequences in three seeds: 1 / sqrt (4500) = 0.015
%! assert (abs (mean_of(1)) < 0.1 && mean_of(3) > 0.02);
%! for name = {"two coordinates of it", "its direction", "its signs", "mean from half the tokens", ...
%!             "sum of key times value"}
%!   less = told (name{1});
%!   assert (less(1) > 3 * less(2) && less(5) > 1.1 * whole(5), name{1});
%! endfor
%! % a training error is smaller than a test error, the more so the fewer sequences there are: of softmax and cme
%! gap = numbers ('(?m)^  n = +\d+ +([-.\d]+) \+- ([.\d]+) +([-.\d]+) \+- ');
%! assert (size (gap), [4 3]);
%! assert (gap(:,1) > 2 * gap(:,2) & gap(:,1) > gap(:,3));
%! % Gaussian kernels of 32 tokens have eigenvalues from 0 to 32; what is told more makes a smaller error
%! numbers = @(form) str2double (vertcat (regexp (shown(strfind (shown, "---- masked"):end), form, "tokens"){:}));
%! number = numbers ('(?m)^ +(0\.3|3) +([.\de+]+) \+- \S+ +([.\de+]+) \+-')(1:2,2:3);
%! assert (all (number > 1) && all (number < 1.01 * (1 + 32 ./ [0.004 1])));
%! errors = numbers ('(?m)^ +(?:downstream error at|at the|the s|from the)[^\n]* ([.\d]+) \+- [.\d]+$');
%! assert (errors(4) <= min (errors(1:3)) && all (diff (errors(4:6)) < 0) && errors(1) < 1);
%! assert (! isempty (strfind (shown, "CIFAR-10: name a folder in ATTNPATH_IMAGES")));
%! drawn (folder, "figure_scheme", "figure_attention", "figure_kernels", "figure_temperatures", "figure_appendix", ...
%!        "figure_networks", "figure_trained", "figure_images", "figure_sufficiency", ...
%!        "figure_lengths", "figure_masked");
%! if any (strcmp (available_graphics_toolkits (), "gnuplot"))
%!   assert (by_gnuplot ("attnpath_demo ('figures')"), "");        # from the same cells, without a display
%! endif
%! % one that fails does not take the others along
%! setenv ("ATTNPATH_FIGURES", "1d 1c");
%! delete (fullfile (folder, "figure_attention.png"));
%! cellfun (@delete, glob (fullfile (folder, "figure_kernels.*")));
%! mkdir (fullfile (folder, "figure_kernels.png"));           # a folder where the file would be
%! refuses ("demo:figures", @() evalc ("attnpath_demo ('figures');"), "1 of 2 figures failed\n  kernels: ");
%! assert (exist (fullfile (folder, "figure_attention.png"), "file"), 2);
%! setenv ("ATTNPATH_FIGURES", "1c networks");
%! again = evalc ("attnpath_demo ('figures');");
%! assert (isempty (strfind (again, "cells to run")));
