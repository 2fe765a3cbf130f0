% figures.tst: what the figures of the paper are made of, and that they can be drawn, in their quick form.

%!function in_folder (test)
%!  [folder, gone] = scratch ();
%!  in_demos (@() test (folder));
%!endfunction

%!function write_bytes (file, bytes)
%!  id = fopen (file, "w");
%!  fwrite (id, bytes, "uint8");
%!  fclose (id);
%!endfunction

%!function bytes = idx (sizes, content)
%!  % the format as it is described: sizes in four bytes, the most significant first
%!  bytes = [0 0 8 numel(sizes)];
%!  for n = sizes
%!    bytes = [bytes, floor(n / 2^24), mod(floor (n / 2^16), 256), mod(floor (n / 2^8), 256), mod(n, 256)];
%!  endfor
%!  bytes = [bytes, content(:)'];
%!endfunction

%!function refused (what, call)
%!  refuses (["demo:" what], @() call ());
%!endfunction

%!function read_small_idx (folder)
%!  % two images of three rows and four columns, written row by row
%!  file = fullfile (folder, "images");
%!  write_bytes (file, idx ([2 3 4], 0:23));
%!  x = read_idx (file);
%!  assert (class (x), "uint8");
%!  assert (x(:,1,1)', uint8 (0:3));                       # the first row
%!  assert (permute (x, [2 1 3])(:,:,2), uint8 ([12:15; 16:19; 20:23]));
%!  write_bytes (file, idx (300, mod (1:300, 256)));       # a size of two bytes
%!  assert (read_idx (file), uint8 (mod (1:300, 256)'));
%!  bad = {[0 0 8], [0 0 9 1, 0 0 0 1, 5], idx(3, 1:2), idx(3, 1:4), [31 139 8 0 1 2]};
%!  for k = 1:numel (bad)
%!    write_bytes (file, bad{k});
%!    refused ("file", @() read_idx (file));
%!  endfor
%!  refused ("file", @() read_idx (fullfile (folder, "none")));
%!endfunction

%!test
%! in_folder (@read_small_idx);

%!function read_small_cifar (folder)
%!  file = fullfile (folder, "test_batch.mat");
%!  data = zeros (2, 3072, "uint8");
%!  data(1,3) = 255;                                       # red, first row, third column
%!  data(2,1024 + 32 + 1) = 255;                           # green, second row, first column
%!  data(2,2048 + 32 + 1) = 51;                            # blue, the same place
%!  labels = uint8 ([7; 2]);
%!  save ("-v6", file, "data", "labels");
%!  [x, y] = read_cifar (file);
%!  want = zeros (32, 32, 2);
%!  want(1,3,1) = 0.299;
%!  want(2,1,2) = 0.587 + 0.114 * 0.2;
%!  assert (double (x), want, 4 * eps ("single"));
%!  assert (y, [7; 2]);
%!  fine_labels = uint8 ([99; 0]);
%!  coarse_labels = uint8 ([1; 1]);
%!  save ("-v6", file, "data", "fine_labels", "coarse_labels");
%!  [~, y] = read_cifar (file);
%!  assert (y, [99; 0]);
%!  data = data(:,1:100);
%!  save ("-v6", file, "data", "fine_labels");
%!  refused ("file", @() read_cifar (file));
%!  write_bytes (file, 1:20);
%!  refused ("file", @() read_cifar (file));
%!endfunction

%!test
%! in_folder (@read_small_cifar);

%!function sets_of_images (folder)
%!  % MNIST becomes ink on paper, classes have as many drawings as the smallest, and what is missing is said
%!  old = getenv ("ATTNPATH_IMAGES");
%!  unwind_protect
%!    setenv ("ATTNPATH_IMAGES", "");
%!    sets = image_sets (5);
%!    assert (all (cellfun (@isempty, {sets.images})));
%!    assert (! isempty (strfind (sets(1).needs, "ATTNPATH_IMAGES")));
%!    setenv ("ATTNPATH_IMAGES", folder);
%!    mkdir (fullfile (folder, "fashion"));
%!    pixels = zeros (4, 4, 5);
%!    pixels(1,2,:) = 255;                                 # column, row, image: bright at row 2, column 1
%!    write_bytes (fullfile (folder, "fashion", "t10k-images-idx3-ubyte"), idx ([5 4 4], pixels));
%!    write_bytes (fullfile (folder, "fashion", "t10k-labels-idx1-ubyte"), idx (5, [3 1 3 1 3]));
%!    sets = image_sets (100);
%!    assert (! isempty (strfind (sets(1).needs, folder)));
%!    assert (sets(2).needs, "");
%!    assert (size (sets(2).images), [4 4 2 2]);
%!    want = ones (4, 4);
%!    want(2,1) = 0;
%!    assert (double (sets(2).images), repmat (want, [1 1 2 2]));
%!    assert (size (image_sets (1)(2).images), [4 4 1 2]);
%!    write_bytes (fullfile (folder, "fashion", "t10k-labels-idx1-ubyte"), idx (4, [3 1 3 1]));
%!    refused ("file", @() image_sets (5));
%!  unwind_protect_cleanup
%!    setenv ("ATTNPATH_IMAGES", old);
%!  end_unwind_protect
%!endfunction

%!test
%! in_folder (@sets_of_images);

%!function hessian_of_small (~)
%!  % one path and one layer: S(u) = N (u / u_a - log u + log u_a) + N_a (u_a - log u_a) + E(u), second difference of S
%!  net = attnpath_net ({zeros(3)}, "Width", 7, "Temperature", 0.1);
%!  X = 5 * reshape (sin (1:24), 3, 2, 4);
%!  sol = attnpath_solve (net, X, [1; -1; 1; 1]);
%!  S = @(u) attnpath_action (net, sol.paths, sol.y, {u});
%!  h = 1e-3 * sol.U;                                      # truncation h^2 relatively, rounding eps S / h^2 = 1e-8
%!  want = (S(sol.U + h) - 2 * S(sol.U) + S(sol.U - h)) / h^2 / 7;
%!  assert (hessian_spectrum (sol), want, 1e-4 * abs (want));
%!  % and the smallest of several, which attnpath_solve finds from exact second derivatives
%!  net = attnpath_net ({cat(3, zeros (3), eye (3)), cat(3, eye (3), zeros (3))}, "Width", 7, "Temperature", 0.1);
%!  sol = attnpath_solve (net, X, [1; -1; 1; 1]);
%!  values = hessian_spectrum (sol);
%!  assert (numel (values), 10 + 3);
%!  assert (values(1), sol.hessian_min, 1e-6 * values(end));
%!endfunction

%!test
%! in_demos (@() hessian_of_small (1));

%!test % a figure that there is not; a folder that is not there, before any work
%! in_demos (@() refused ("figure", @() experiment_figures ({"1c", "9"})));

%!testif ; thorough ()
%! % all that are no demos, on made-up characters: they run, write both files, and a second call runs no cell
%! folder = tempname ();
%! mkdir (folder);
%! names = {"ATTNPATH_QUICK", "ATTNPATH_DEMO_DIR", "ATTNPATH_FIGURES", "ATTNPATH_CELLS", "ATTNPATH_WORKERS", ...
%!          "ATTNPATH_OMNIGLOT", "ATTNPATH_IMAGES", "XDG_CACHE_HOME"};
%! old = cellfun (@getenv, names, "UniformOutput", false);
%! open_before = numel (get (0, "children"));
%! unwind_protect
%!   values = {"1", folder, "1c 1d temperatures appendix networks trained 3b", "", "", "", "", folder};
%!   cellfun (@setenv, names, values);
%!   shown = evalc ("attnpath_demo ('figures');");
%!   assert (numel (get (0, "children")), open_before);
%!   assert (getenv ("ATTNPATH_CELLS"), "");
%!   numbers = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%!   % the good head: previous token in the same state with scores 20 against 15 and at most 28 times 10: above 0.99
%!   % without noise; noise of 0.1 in a score's factor +-1, twice, makes 20 at least 10 + 10 (1 - 0.5)^2 = 12.5 in five
%!   % standard deviations, but 17 within one: most of the mass
%!   mass = numbers ('the same state +([\d.]+) \+- [\d.]+ +([\d.]+)');
%!   assert (mass(1) > 0.9 && mass(2) < 0.1);
%!   mass = numbers ('the other state +([\d.]+) \+- [\d.]+ +([\d.]+)');
%!   assert (mass(1) < 0.05 && mass(2) > 0.7);
%!   looks = numbers ('head 2.1 +([\d.]+)');
%!   assert (looks, 31, 0.01);
%!   % equal labels have larger entries along the good path, in every task of five: see doc/figures.md
%!   good = numbers ('(?m)^  good +([-\d.]+) \+-');
%!   both = numbers ('all, N = 10 +([-\d.]+) \+-');
%!   gp = numbers ('all, GP limit +([-\d.]+) \+-');
%!   assert (good > 0.1 && both > gp);
%!   % temperatures: the last width is nearly the GP limit, where both are of 400 sequences
%!   rows_of = numbers ('(?m)^ +(0\.010|0\.100|1\.000) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$');
%!   assert (rows_of(1:3,4), rows_of(1:3,5), 2);           # O(P / N) of the order parameters: a few of 400
%!   % the Hessian by differences has the eigenvalue of attnpath_solve, all are positive at a minimum
%!   hessian = numbers ('(\d+) of 26 +differs by at most ([-+\d.e]+) of the largest');
%!   assert (hessian(:,1), [0; 0]);
%!   assert (all (hessian(:,2) < 1e-6));
%!   % no head is removed in the first row
%!   first = numbers ('(?m)^ +0 +([\d.]+) % +([\d.]+) % +([\d.]+) %');
%!   assert (size (first), [4 3]);                         # of two figures, for two networks each
%!   assert (first, first(:,1) * ones (1, 3));
%!   assert (! isempty (strfind (shown, "One-shot images (generator)")));
%!   assert (! isempty (strfind (shown, "CIFAR-10: name a folder in ATTNPATH_IMAGES")));
%!   if ~ isempty (available_graphics_toolkits ())
%!     for name = {"attention", "kernels", "temperatures", "appendix", "networks", "trained", "images"}
%!       for form = {"png", "pdf"}
%!         info = dir (fullfile (folder, ["figure_" name{1} "." form{1}]));
%!         assert (numel (info), 1, name{1});
%!         assert (info.bytes > 5000);
%!       endfor
%!     endfor
%!   endif
%!   if any (strcmp (available_graphics_toolkits (), "gnuplot"))
%!     assert (by_gnuplot ("attnpath_demo ('figures')"), "");        # from the same cells, without a display
%!   endif
%!   % one that fails does not take the others along
%!   setenv ("ATTNPATH_FIGURES", "1d 1c");
%!   delete (fullfile (folder, "figure_attention.png"));
%!   cellfun (@delete, glob (fullfile (folder, "figure_kernels.*")));
%!   mkdir (fullfile (folder, "figure_kernels.png"));           # a folder where the file would be
%!   refuses ("demo:figures", @() evalc ("attnpath_demo ('figures');"), "1 of 2 figures failed\n  kernels: ");
%!   assert (exist (fullfile (folder, "figure_attention.png"), "file"), 2);
%!   setenv ("ATTNPATH_FIGURES", "1c networks");
%!   again = evalc ("attnpath_demo ('figures');");
%!   assert (isempty (strfind (again, "cells to run")));
%! unwind_protect_cleanup
%!   for k = 1:numel (names)
%!     if isempty (old{k}), unsetenv (names{k}); else, setenv (names{k}, old{k}); endif
%!   endfor
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
