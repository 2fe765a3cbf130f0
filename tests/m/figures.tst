% figures.tst: what the figures of the paper are made of. That they can be drawn is in tests/demos/figures.tst.

%!function in_folder (test)
%!  [folder, gone] = scratch ();
%!  in_demos (@() test (folder));
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
%!  file_bytes (file, idx ([2 3 4], 0:23));
%!  x = read_idx (file);
%!  assert (class (x), "uint8");
%!  assert (x(:,1,1)', uint8 (0:3));                       # the first row
%!  assert (permute (x, [2 1 3])(:,:,2), uint8 ([12:15; 16:19; 20:23]));
%!  file_bytes (file, idx (300, mod (1:300, 256)));       # a size of two bytes
%!  assert (read_idx (file), uint8 (mod (1:300, 256)'));
%!  bad = {[0 0 8], [0 0 9 1, 0 0 0 1, 5], idx(3, 1:2), idx(3, 1:4), [31 139 8 0 1 2]};
%!  for k = 1:numel (bad)
%!    file_bytes (file, bad{k});
%!    refused ("file", @() read_idx (file));
%!  endfor
%!  refused ("file", @() read_idx (fullfile (folder, "none")));
%!endfunction

%!test in_folder (@read_small_idx);

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
%!  file_bytes (file, 1:20);
%!  refused ("file", @() read_cifar (file));
%!endfunction

%!test in_folder (@read_small_cifar);

%!function sets_of_images (folder)
%!  % MNIST becomes ink on paper, classes have as many drawings as the smallest, and what is missing is said
%!  back = with_env ("ATTNPATH_IMAGES", "");
%!  sets = image_sets (5);
%!  assert (all (cellfun (@isempty, {sets.images})));
%!  assert (! isempty (strfind (sets(1).needs, "ATTNPATH_IMAGES")));
%!  setenv ("ATTNPATH_IMAGES", folder);
%!  mkdir (fullfile (folder, "fashion"));
%!  pixels = zeros (4, 4, 5);
%!  pixels(1,2,:) = 255;                                 # column, row, image: bright at row 2, column 1
%!  file_bytes (fullfile (folder, "fashion", "t10k-images-idx3-ubyte"), idx ([5 4 4], pixels));
%!  file_bytes (fullfile (folder, "fashion", "t10k-labels-idx1-ubyte"), idx (5, [3 1 3 1 3]));
%!  sets = image_sets (100);
%!  assert (! isempty (strfind (sets(1).needs, folder)));
%!  assert (sets(2).needs, "");
%!  assert (size (sets(2).images), [4 4 2 2]);
%!  want = ones (4, 4);
%!  want(2,1) = 0;
%!  assert (double (sets(2).images), repmat (want, [1 1 2 2]));
%!  assert (size (image_sets (1)(2).images), [4 4 1 2]);
%!  file_bytes (fullfile (folder, "fashion", "t10k-labels-idx1-ubyte"), idx (4, [3 1 3 1]));
%!  refused ("file", @() image_sets (5));
%!endfunction

%!test in_folder (@sets_of_images);

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

%!test in_demos (@() hessian_of_small (1));

%!test % a figure that there is not; a folder that is not there, before any work
%! in_demos (@() refused ("figure", @() experiment_figures ({"1c", "9"})));
