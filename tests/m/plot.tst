% plot.tst: attnpath_plot. What is drawn is read back from the handles. Without a graphics toolkit (octave-cli
% without gnuplot) the blocks that draw are skipped; what is refused is refused before anything is drawn.

%!shared sol, names
%! task = attnpath_task_markov ("P", 20, "Ptest", 2, "Features", 20, "Tokens", 6);
%! sol = attnpath_solve (attnpath_net (task.heads, "Width", 10), task.Xtrain, task.ytrain);
%! names = task.path_names;

%!function ax = canvas (varargin)                       % axes in a figure of their own; run_tests.m closes them all
%!  ax = axes ("parent", figure ("visible", "off"), varargin{:});
%!endfunction

%!testif ; drawable ()
%! % an expansion: means and standard deviations in the cells, bars of one standard deviation on the scores
%! ex = attnpath_expand (sol);
%! h = attnpath_plot (ex, "order", "Parent", canvas ());
%! assert (get (h.image, "cdata"), ex.U, 0);
%! texts = get (h.text, "string");
%! assert (texts{end}, sprintf ("%.2f\n+-%.2f", ex.U(4,4), ex.U_sd(4,4)));
%! h = attnpath_plot (ex, "scores", "Parent", canvas ());
%! score = sortrows (attnpath_scores (ex), [1 2]);
%! bars = reshape (get (h.line, "ydata"), 3, [])';
%! assert (bars(:,1:2), score(:,3) + score(:,4) * [-1 1], 1e-12);
%! h = attnpath_plot (ex, "kernel", "Parent", canvas ());
%! [~, rank] = sort (sol.y, "descend");
%! assert (get (h.image, "cdata"), attnpath_kernel (sol.net, sol.paths, ex)(rank,rank), 1e-12);
%! h = attnpath_plot (ex, "alignment", "Parent", canvas ());

%!testif ; drawable ()
%! % order: image, values, names
%! ax = canvas ("fontsize", 7, "position", [0.2 0.2 0.6 0.6]);
%! h = attnpath_plot (sol, "order", "Parent", ax, "Names", names);
%! assert (h.axes, ax);
%! assert (get (h.image, "cdata"), sol.U, 0);
%! cells = findall (h.axes, "tag", "cells");              # for files that drop images: the same in patches
%! by_gnuplot = strcmp (graphics_toolkit (), "gnuplot");
%! assert (numel (cells), double (compare_versions (OCTAVE_VERSION (), "9", ">=") && ! by_gnuplot));
%! if ! isempty (cells)
%!   assert (get (cells, "facevertexcdata")(get (cells, "faces")), repmat (sol.U(:), 1, 4), 0);
%!   assert (columns (get (cells, "vertices")), 2);       # with depth, Octave sorts all pieces in space
%!   middle = @(k) mean (reshape (get (cells, "vertices")(get (cells, "faces")',k), 4, []), 1)';
%!   [p, q] = ndgrid (1:rows (sol.U));
%!   assert ([middle(1), middle(2)], [q(:), p(:)], eps);
%! endif
%! assert (get (ax, "clim"), max (abs (sol.U(:))) * [-1 1], 0);
%! assert (get (ax, "yticklabel"), names);
%! texts = get (h.text, "string");
%! written = str2double (texts(end-15:end));
%! assert (written, sol.U(:), 0.005 + eps (8));          % two decimals
%! assert (any (strcmp (texts, "-0.00")), false);
%! assert (get (ax, "fontsize"), 7);
%! assert (get (ax, "position"), [0.2 0.2 0.6 0.6], 1e-12);
%! assert (get (ax, "nextplot"), "replace");

%!testif ; drawable () && ! strcmp (graphics_toolkit (), "gnuplot")
%! % faces that the limits cut are written in few pieces: halved until their colours agree they were hundreds each, or
%! % without an end, whereof Octave 9 died (private/ap_plot_bars.m)
%! [file, gone] = scratch ("bars.svg");
%! fig = figure ("visible", "off");
%! h = attnpath_plot (sol, "order", "Parent", subplot (1, 2, 1), "Numbers", false);
%! set (h.axes, "xlim", [0.8 4.3], "ylim", [0.8 4.3]);
%! h = attnpath_plot (sol, "scores", "Parent", subplot (1, 2, 2));
%! set (h.axes, "ylim", [0.1 0.3]);
%! faces = 4 + sum (cellfun (@rows, {get(findall (fig, "type", "patch"), "faces"){:}}));    # and backgrounds
%! set (findall (fig, "type", "image"), "visible", "off");     # of which Octave 7 says that it writes none
%! print (fig, file, "-dsvg");
%! pieces = numel (strfind (fileread (file), "<polygon"));
%! assert (pieces > 4 && pieces < 4 * faces);            # a triangle is cut into two, a face into four

%!testif ; drawable ()
%! % order: some of the paths in another order, scale, no numbers, options as a struct, names by default
%! ax = canvas ();
%! opt = struct ("Parent", ax, "Paths", [3 1], "Scale", 20, "Numbers", false);
%! h = attnpath_plot (sol, "ORDER", opt);
%! assert (get (h.image, "cdata"), sol.U([3 1],[3 1]), 0);
%! assert (get (ax, "clim"), [-20 20]);
%! assert (get (ax, "yticklabel"), {"(2,1)"; "(1,1)"});
%! assert (isfield (h, "colorbar"));

%!testif ; drawable ()
%! % order: a sample shows its mean; one path; U of zeros
%! ax = canvas ();
%! post = struct ("net", attnpath_net ([2 1]), "U", cat (4, cat (3, eye (2), 3 * eye (2)), zeros (2, 2, 2)));
%! h = attnpath_plot (post, "order", "Parent", ax);
%! assert (get (h.image, "cdata"), eye (2), eps);
%! h = attnpath_plot (struct ("net", attnpath_net (1), "U", 2), "order", "Parent", ax);
%! assert (get (ax, "yticklabel"), {"(1)"});
%! h = attnpath_plot (struct ("net", attnpath_net (2), "U", zeros (2)), "order", "Parent", ax);
%! assert (get (h.image, "cdata"), zeros (2));

%!testif ; drawable ()
%! % kernel: sorted by label, colours span what lies off the diagonal
%! ax = canvas ();
%! h = attnpath_plot (sol, "kernel", "Parent", ax);
%! K = attnpath_kernel (sol.net, sol.paths, sol.U);
%! [~, rank] = sort (sol.y, "descend");
%! assert (get (h.image, "cdata"), K(rank,rank), 1e-14 * norm (K));
%! off = K(~eye (20));
%! assert (get (ax, "clim"), [min(off), max(off)], 1e-14 * norm (K));
%! assert (get (ax, "xtick"), [5.5 15.5]);
%! assert (get (ax, "xticklabel"), {"+1"; "-1"});
%! % labels that are real numbers, all equal, a single one
%! model = sol;  model.y = (1:20)' / 7;
%! h = attnpath_plot (model, "kernel", "Parent", ax);
%! assert (isempty (h.line));
%! model.y(:) = 2;
%! h = attnpath_plot (model, "kernel", "Parent", ax);
%! assert (get (ax, "xticklabel"), {"+2"});
%! model.y = 1;  model.paths.Xi = sol.paths.Xi(:,1,:);
%! h = attnpath_plot (model, "kernel", "Parent", ax);
%! assert (size (get (h.image, "cdata")), [1 1]);

%!testif ; drawable ()
%! % alignment: finite width against GP, the first components
%! ax = canvas ();
%! for components = [5 1000]
%!   h = attnpath_plot (sol, "alignment", "Parent", ax, "Components", components);
%!   k = 1:min (components, 20);
%!   overlap = attnpath_align (attnpath_kernel (sol.net, sol.paths, sol.U), sol.y);
%!   overlap_gp = attnpath_align (attnpath_kernel (sol.net, sol.paths, eye (4)), sol.y);
%!   assert (get (h.line(1), "xdata"), k);
%!   assert (get (h.line(1), "ydata"), overlap(k)', 1e-12);
%!   assert (get (h.line(2), "ydata"), overlap_gp(k)', 1e-12);
%!   assert (get (h.legend, "string")(:), {"N = 10"; "GP limit"});
%! endfor
%! model = sol;  model.net.width = [10 20 30];
%! h = attnpath_plot (model, "alignment", "Parent", ax);
%! assert (get (h.legend, "string"){1}, "N = 10, 20, 30");

%!testif ; drawable ()
%! % scores beside costs: heights, errors, and the rank correlation, by hand: ranks 1 2 3 4 against 1 2 4 3 are 0.8 alike
%! ax = canvas ();
%! score = sortrows (attnpath_scores (sol, "By", "order"), 3);
%! rows4 = [score(:,1:2), [1; 2; 4; 3]];
%! h = attnpath_plot (sol, "scores", "Parent", ax, "Costs", rows4, "By", "order");
%! want = sortrows (rows4, [1 2])(:,3) / 4;
%! got = [get(h.cost(1), "ydata")(2,:), get(h.cost(2), "ydata")(2,:)]';
%! assert (got, want, eps);
%! se = (1 - 0.64) * sqrt ((1 + 0.32) / 1);
%! assert (get (get (ax, "title"), "string"), sprintf ("rank correlation 0.80 +- %.2f", se));
%! [file, gone] = scratch ("costs.mat");
%! s = struct ("layer", [1 1 2 2], "head", [1 2 1 2], "cost", [4 -1 2 3], "cost_se", [0.4 0.1 0.2 0.3], ...
%!             "importance", 1:4, "importance_se", 1:4);
%! save ("-v6", file, "-struct", "s");
%! for given = {{sol, "scores", "By", "order", "Costs", file}, {file, "scores"}, {score, "scores", "Costs", file}}
%!   h = attnpath_plot (given{1}{:}, "Parent", ax);
%!   assert (numel (h.bar), 2 * ! ischar (given{1}{1}));
%!   ends = reshape (get (h.error, "ydata"), 3, []);
%!   assert (ends(1:2,:), [0.9 -0.275 0.45 0.675; 1.1 -0.225 0.55 0.825], 4 * eps);
%!   assert (get (ax, "ylim"), 1.05 * [-0.275 1.1], 4 * eps);
%! endfor

%!testif ; drawable ()
%! % scores: a bar for each head, layer by layer
%! ax = canvas ();
%! h = attnpath_plot (sol, "scores", "Parent", ax, "By", "predictor");      # with errors, and rows of them draw the same
%! score = attnpath_scores (sol, "By", "predictor");
%! same = attnpath_plot (score, "scores", "Parent", canvas ());
%! assert (get (same.line, "ydata"), get (h.line, "ydata"));
%! score = sortrows (score, [1 2]);
%! ends = reshape (get (h.line, "ydata"), 3, []);
%! assert (ends(1:2,:), (score(:,3) + score(:,4) * [-1 1])', 1e-12);
%! h = attnpath_plot (sol, "scores", "Parent", ax, "By", "order");
%! score = sortrows (attnpath_scores (sol, "By", "order"), [1 2]);
%! heights = cellfun (@(y) max (y, [], 1)(:), get (h.bar, "ydata"), "UniformOutput", false);
%! assert (vertcat (heights{:}), score(:,3), 1e-12);
%! assert (get (ax, "xticklabel"), {"1.1"; "1.2"; "2.1"; "2.2"});
%! assert (get (get (ax, "ylabel"), "string"), "head score by 'order'");
%! attnpath_plot (sol, "scores", "Parent", ax);
%! assert (get (get (ax, "ylabel"), "string"), "head score by 'loo'");
%! % rows of groups, with or without errors, and costs of groups, which are one observation each
%! rows5 = attnpath_scores (sol, "By", "loo", "Groups", [1 2]);
%! h = attnpath_plot (rows5, "scores", "Parent", ax);
%! ends = reshape (get (h.line, "ydata"), 3, []);
%! score = sortrows (rows5, [1 2]);
%! assert (ends(1:2,:), (score(:,3) + score(:,4) * [-1 1])', 1e-12);
%! h = attnpath_plot (attnpath_scores (sol, "By", "share", "Groups", 1), "scores", "Parent", ax);
%! assert (! isfield (h, "line"));
%! attnpath_plot (rows5, "scores", "Parent", ax, "Costs", [1 1 1 0 1; 1 2 1 0 1; 2 1 4 0 1; 2 2 2 0 2]);
%! assert (! isempty (strfind (get (get (ax, "title"), "string"), "+- NaN")));            % three pairs, not four
%! h = attnpath_plot (struct ("net", attnpath_net ([3 1]), "U", eye (3)), "scores", "Parent", ax, ...
%!                    "Names", {"a name that is far too long", "b", "c", "d"});
%! assert (numel (h.text), 4);

%!function x = at_infinity (N)                            % a field that cells at infinity alone have
%!  x = [];
%!  if N == Inf, x = 3; endif
%!endfunction

%!testif ; drawable ()
%! % sweep: several fields, each with a curve, errors of their own, a value at infinity, ticks, names
%! ax = canvas ();
%! fun = @(c) struct ("theory", c.N + c.seed, "draws", 2 * c.N, "se", c.seed / 10, "limit", 7);
%! r = attnpath_sweep (fun, struct ("N", [100 10 1000], "seed", 1:2), "Display", false);
%! h = attnpath_plot (r, "sweep", "Parent", ax, "X", "N", "Y", {"theory", "draws", "limit"});
%! assert (get (h.line, "ydata"), {[11.5 101.5 1001.5]; [20 200 2000]; [7 7 7]});
%! half = @(bar) diff (reshape (get (bar, "ydata"), 3, [])(1:2,:)) / 2;
%! assert (half (h.bar(1)), [0.5 0.5 0.5], 1e-12);
%! assert (get (h.legend, "string")(:), {"theory"; "draws"; "limit"; "bars: s.e. over seed"});
%! assert (rows (unique (cell2mat (get (h.line, "color")), "rows")), 3);
%! assert (get (ax, "xtick"), [10 30 100 300 1000]);
%! assert (get (ax, "xticklabel")(:), {"10"; "30"; "100"; "300"; "1000"});
%! % given errors are drawn as they are, of one cell each, and the legend says so
%! h = attnpath_plot (r(:,2), "sweep", "Parent", ax, "X", "N", "Y", {"theory", "draws"}, "Errors", {"", "se"});
%! assert (half (h.bar(2)), [0.2 0.2 0.2], 1e-12);
%! assert (all (isnan (half (h.bar(1)))));
%! assert (get (h.legend, "string")(:), {"theory"; "draws"; "bars: given errors"});
%! refuses ("plot:badValue", @() attnpath_plot (r, "sweep", "X", "N", "Y", "draws", "Errors", "se"), ...
%!          {"Errors, se", "means over 2 cells"});
%! h = attnpath_plot (r(:,1), "sweep", "Parent", ax, "X", "N", "Y", "theory");
%! assert (all (isnan (half (h.bar))));                  % one cell has no error
%! assert (! isfield (h, "legend"));
%! more = struct ("N", [10 100 Inf], "seed", 1:2);
%! r = attnpath_sweep (@(c) struct ("x", min (c.N, 5000) + c.seed, "gp", at_infinity (c.N)), more, "Display", false);
%! h = attnpath_plot (r, "sweep", "Parent", ax, "X", "N", "Y", {"x", "gp"}, "Names", {"finite", "limit"});
%! assert (get (h.line, "ydata"), {[11.5 101.5]; [3 3]});
%! assert (get (h.line(2), "xdata"), get (ax, "xlim"), 0);
%! assert (max (get (ax, "xlim")) < 200);
%! assert (get (h.legend, "string")(:), {"finite"; "limit"; "bars: s.e. over seed"; "N = Inf"});
%! % the bar at infinity is within the frame, the bars of two curves beside each other and within a mark of five points
%! [at, ends] = deal (cell2mat (get (h.bar, "xdata")), get (ax, "xlim"));
%! assert (at(:,7) < ends(2) & at(:,7) > 0.9 * ends(2));
%! share = diff (at(:,1)) / diff (ends);
%! wide = get (ax, "position")(3) * get (get (ax, "parent"), "position")(3) * 72 / get (0, "screenpixelsperinch");
%! assert (share * wide, 2, 0.01);

%!testif ; drawable ()
%! % sweep: the scale of the axis, by the rule or by LogX; layers, heads and the like have no ticks between integers
%! ax = canvas ();
%! r = attnpath_sweep (@(c) struct ("x", c.N), struct ("N", [1 19]), "Display", false);
%! scale_of = @(r, varargin) get (attnpath_plot (r, "sweep", "Parent", ax, "X", "N", "Y", "x", varargin{:}).axes, "xscale");
%! assert ({scale_of(r), scale_of(r, "LogX", true), scale_of(r, "LogX", false)}, {"linear", "log", "linear"});
%! assert (scale_of (attnpath_sweep (@(c) struct ("x", c.N), struct ("N", [1 20]), "Display", false)), "log");
%! few = attnpath_sweep (@(c) struct ("x", c.N), struct ("N", [1 2 4]), "Display", false);
%! scale_of (few);
%! assert (get (ax, "xtick"), 1:4);
%! assert (scale_of (few, "LogX", true), "log");
%! assert (get (ax, "xtick"), [1 3]);
%! assert (scale_of (attnpath_sweep (@(c) struct ("x", 1), struct ("N", [10 Inf]), "Display", false), "LogX", true), "log");
%! zero = attnpath_sweep (@(c) struct ("x", c.N), struct ("N", 0:2), "Display", false);
%! refuses ("plot:badValue", @() scale_of (zero, "LogX", true), {"LogX", "N, above 0, not 0"});
%! low = attnpath_sweep (@(c) struct ("x", 1), struct ("N", [-Inf 1 Inf]), "Display", false);
%! refuses ("plot:badValue", @() scale_of (low), "N, is -Inf");

%!function name = boxed (h)
%!  % curves with a point in the frame of the legend. Its position on screen is of type of so many
%!  % pixels as points: printed, it is larger, about the corner in which it is
%!  [box, frame, place] = deal (get (h.legend, "position"), get (h.axes, "position"), get (h.legend, "location"));
%!  grown = box(3:4) * (get (0, "screenpixelsperinch") / 72 - 1);
%!  box(3:4) += grown;
%!  box(1:2) -= grown .* [! isempty(strfind (place, "east")), ! isempty(strfind (place, "north"))];
%!  name = {};
%!  for one = [h.line; h.bar]'
%!    [x, y] = deal (log (get (one, "xdata")), get (one, "ydata"));
%!    t = linspace (1, numel (x), 1000);
%!    x = frame(1) + frame(3) * (interp1 (x, t) - log (get (h.axes, "xlim")(1))) / diff (log (get (h.axes, "xlim")));
%!    y = frame(2) + frame(4) * (interp1 (y, t) - get (h.axes, "ylim")(1)) / diff (get (h.axes, "ylim"));
%!    if any (x > box(1) & x < box(1) + box(3) & y > box(2) & y < box(2) + box(4)), name{end+1} = get (one, "displayname"); endif
%!  endfor
%!endfunction

%!testif ; drawable ()
%! % on a page of 8.5 x 6 cm: no curve under the legend, wherever the curves are; margins that fit the labels
%! figure ("visible", "off");
%! falls = @(c) struct ("loss_train", c.T / (1 + c.N / 50) + c.seed / 9, "loss_test", 0.5 + c.T / sqrt (c.N) + c.seed / 9);
%! rises = @(c) struct ("loss_train", log (c.N) * c.T + c.seed, "loss_test", c.T * sqrt (log (c.N)));
%! for fun = {falls, rises}
%!   r = attnpath_sweep (fun{1}, struct ("N", [5 20 50 200 1000], "T", [0.1 1 3], "seed", 1:2), "Display", false);
%!   for Y = {{"loss_train", "loss_test"}, {"loss_test"}}
%!     clf ();
%!     h = attnpath_plot (r, "sweep", "X", "N", "Y", Y{1}, "Curves", "T", "Size", [8.5 6], "Font", 8);
%!     assert (boxed (h), {});
%!     room = get (h.axes, "position") .* [8.5 6 8.5 6] / 2.54 * 72;
%!     assert (room(1) > 8 && room(1) < 5 * 8, "%g", room(1));
%!     assert (room(2) > 2 * 8 && room(2) < 4 * 8, "%g", room(2));
%!     assert (room(2) + room(4) > 6 / 2.54 * 72 - 2 * 8);
%!     ylabel ("of the user");                           # where there was none
%!     drawnow ();
%!     assert (room(1) > get (h.axes, "tightinset")(1) * 8.5 / 2.54 * get (0, "screenpixelsperinch"));
%!   endfor
%! endfor
%! % numbers of examples do not run into each other
%! in = struct ("scores", rand (60, 2), "heads", [1 1; 1 2], "mean", cos ((1:60)'), "norm", (60:-1:1)', "groups", 1000 + (1:60)');
%! clf ();
%! h = attnpath_plot (in, "influence", "Entry", [1 1], "Size", [8.5 6], "Font", 8);
%! assert (numel (h.text), 20);
%! assert (strtrim (get (h.text(1), "string")), sprintf ("%d", 1000 + find (abs (in.mean) == max (abs (in.mean)))));
%! assert (get (h.text, "rotation"), repmat ({90}, 20, 1));
%! clf ();
%! h = attnpath_plot (in, "influence", "Size", [8.5 6], "Font", 8);
%! assert (get (h.axes, "position")(4) * 6 / 2.54 * 72 / numel (get (h.axes, "ytick")) > 8);

%!testif ; drawable ()
%! % sweep on held axes: further colours, one legend of all, limits that hold both
%! ax = canvas ();
%! r = attnpath_sweep (@(c) struct ("x", c.N * c.T, "y", c.N), struct ("N", [10 100], "T", [1 2]), "Display", false);
%! h = attnpath_plot (r, "sweep", "Parent", ax, "X", "N", "Y", "x", "Curves", "T");
%! hold (ax, "on");
%! g = attnpath_plot (r(:,1), "sweep", "Parent", ax, "X", "N", "Y", "y", "Names", {"third"});
%! wide = attnpath_sweep (@(c) struct ("x", 1), struct ("N", [10 1e4]), "Display", false);
%! k = attnpath_plot (wide, "sweep", "Parent", ax, "X", "N", "Y", "x");
%! lines = [h.line; g.line; k.line];
%! assert (get (k.legend, "string")(:), {"T 1"; "T 2"; "third"; "x"});
%! assert (numel (findall (get (ax, "parent"), "tag", "legend")), 1);
%! assert (rows (unique (cell2mat (get (lines, "color")), "rows")), 4);
%! assert (numel (unique (get (lines, "marker"))), 4);
%! assert (get (ax, "xlim"), [10 1e4] .* 1000 .^ [-0.05 0.05], 1e-9 * 1e4);

%!testif ; drawable ()
%! % Size in cm of the figure, Font of all its texts, with room for them; axes of the user stay where they are
%! figure ("visible", "off");
%! h = attnpath_plot (sol, "alignment", "Size", [8.5 6], "Font", 7);
%! fig = ancestor (h.axes, "figure");
%! set (fig, "paperunits", "centimeters");
%! assert (get (fig, "papersize"), [8.5 6], 1e-6);
%! assert (get (fig, "paperposition"), [0 0 8.5 6], 1e-6);
%! assert (get (fig, "position")(3:4), round ([8.5 6] / 2.54 * get (0, "screenpixelsperinch")));
%! texts = [h.axes, get(h.axes, "xlabel"), get(h.axes, "ylabel"), h.legend];
%! assert (get (texts, "fontsize"), {7; 7; 7; 7});
%! room = get (h.axes, "position");
%! assert (room(2) * 6 / 2.54 * 72 > 3 * 7);                % points: tick labels, a label, and space
%! ax = canvas ("position", [0.3 0.3 0.4 0.4]);
%! attnpath_plot (sol, "alignment", "Size", [8.5 6], "Parent", ax);
%! assert (get (ax, "position"), [0.3 0.3 0.4 0.4], 1e-12);
%! refuses ({"plot:badShape", @() attnpath_plot(sol, "order", "Size", 3), "Size"
%!           "plot:badValue", @() attnpath_plot(sol, "order", "Size", [0 3]), "Size"
%!           "plot:badValue", @() attnpath_plot(sol, "order", "Font", 0), "Font"});

%!testif ; drawable ()
%! % contributions: a bar for each path, their sum; of many paths the largest, and the rest in one
%! ax = canvas ();
%! f = cat (3, [1 2; 3 -4], [0.5 0; 0 2.5], [7 8; 9 1], [0 0; 0 1]);
%! h = attnpath_plot (f, "contributions", "Parent", ax, "Entry", [2 2], "Names", names);
%! assert (reshape (get (h.bar, "ydata"), 4, [])(2,:), [-4 2.5 1 1]);
%! assert (get (h.line(2), "ydata"), [0.5 0.5]);
%! h = attnpath_plot (f(1,1,:), "contributions", "Parent", ax);
%! assert (reshape (get (h.bar, "ydata"), 4, [])(2,:), [1 0.5 7 0]);
%! assert (get (ax, "xticklabel"), {"1"; "2"; "3"; "4"});
%! g = reshape ([0.1 * ones(1, 20), 1:20], 1, 1, []);
%! h = attnpath_plot (g, "contributions", "Parent", ax);
%! heights = reshape (get (h.bar, "ydata"), 4, [])(2,:);
%! assert (heights, [0.1 0.1 0.1, 1:20, 1.7], 1e-12);
%! h = attnpath_plot (reshape (f, [1, size(f)]), "contributions", "Parent", ax);          % with the readout 'all'
%! h = attnpath_plot (0 * f, "contributions", "Parent", ax);               % no path adds anything
%! assert (get (h.axes, "ylim")(1) < 0 && get (h.axes, "ylim")(2) > 0);
%! refuses ({"plot:badClass", {@() attnpath_plot(sol, "contributions")}, "ByPath"
%!           "plot:badValue", {@() attnpath_plot(f, "contributions", "Entry", [3 1])}, "Entry"
%!           "plot:badShape", {@() attnpath_plot(f, "contributions", "Names", {"a"})}, "4 texts"});

%!testif ; drawable ()
%! % scheme: widths are sums over the rows of paths and their outputs of |U|, with the scales that both paths' inputs
%! % have; lines end at the boxes of their heads
%! net = attnpath_net ([2 1 3], "Skip", [0 1 0.7], "HeadScale", {[1.3 0.6], 1, [1.5 0.8 0]});
%! paths = [ceil((1:16)' / 8), mod(ceil ((1:16)' / 4) - 1, 2), mod((1:16)' - 1, 4)];      # theory.md section 8, in words
%! U = randn (32);  U = U + U';
%! h = attnpath_plot (struct ("net", net, "U", U), "scheme", "Parent", canvas ());
%! factor = {net.headscale{1}, [net.skip(2), 1], [sqrt(3) * net.skip(3), net.headscale{3}]};
%! s = factor{1}(paths(:,1))' .* factor{2}(1 + paths(:,2))' .* factor{3}(1 + paths(:,3))';
%! want = abs (U) * repelem (s, 2);
%! want = s .* (want(1:2:end) + want(2:2:end));
%! got = vertcat (get (h.line, "linewidth"){:});
%! wide = want > 0.5 * max (want);                        # thin ones have a width that can be seen
%! assert (got(wide) / max (got), want(wide) / max (want), 1e-12);
%! [~, rank] = sort (got);
%! assert (issorted (want(rank)));
%! assert (get (h.text, "string"), [{""; "1.1"; "1.2"; "2.1"; "skip"; "3.1"; "3.2"; "3.3"; "skip"; ""; "tokens"}; ...
%!                                  strcat({"layer "}, {"1"; "2"; "3"}); {"output"}]);
%! assert (get (h.box, "linestyle")([2 5 9]), {"-"; "--"; "--"});
%! first = [1 2 4 6 10];                                  # box of each column
%! for p = 1:16
%!   box = [1, 1 + paths(p,1), 4 + (paths(p,2) == 0), 5 + paths(p,3) + 4 * (paths(p,3) == 0), 10];
%!   y = reshape (get (h.line(p), "ydata"), 3, []);
%!   x = reshape (get (h.line(p), "xdata"), 3, []);
%!   assert (y(2,1:end-1), y(1,2:end), 0);                # leaves at the height at which it enters
%!   for l = 1:4
%!     [from, to] = deal (h.box(box(l)), h.box(box(l+1)));
%!     assert (x(1:2,l), [max(get (from, "xdata")); min(get (to, "xdata"))], 1e-12);
%!     inside = @(box, y) y > min (get (box, "ydata")) && y < max (get (box, "ydata"));
%!     assert (inside (from, y(1,l)) && inside (to, y(2,l)));
%!   endfor
%!   places(p,:) = y(1,:);
%! endfor
%! assert (rows (unique (round (1e9 * places(:,2)))), 16);           # no two share a place in a column
%! % a network alone has lines of one width; some paths; names of heads; more paths than can be drawn
%! h = attnpath_plot (net, "scheme", "Parent", canvas (), "Paths", [16 2], "Names", num2cell ("abcdef"));
%! assert (numel (h.line), 2);
%! assert (get (h.line(1), "linewidth"), get (h.line(2), "linewidth"));
%! assert (get (h.text(2), "string"), "a");
%! refuses ({"plot:manyPaths", @() attnpath_plot(attnpath_net ([40 40]), "scheme"), "1600"
%!           "plot:manyPaths", @() attnpath_plot(attnpath_net ([100 100 101]), "scheme", "Paths", 1), "1010000"
%!           "plot:badShape", @() attnpath_plot(net, "scheme", "Names", {"a"}), "6 texts"
%!           "plot:missingField", @() attnpath_plot(struct ("net", net), "scheme"), "field U"
%!           "plot:badValue", @() attnpath_plot(net, "scheme", "Paths", 17), "Paths"});

%!test
%! % gnuplot draws every kind without a complaint, of texts with several lines and _ too
%! code = ["task = attnpath_task_markov ('P', 20, 'Ptest', 2, 'Features', 20, 'Tokens', 6); " ...
%!   "sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain); " ...
%!   "two = {['a' char(10) 'nu'], 'b_1', 'c', 'd'}; U = reshape (1:4, 1, 1, 4); " ...
%!   "r = attnpath_sweep (@(c) struct ('a_b', c.N, 'c', 1), struct ('N', [10 100 1000]), 'Display', false); " ...
%!   "said = {'x_1'; ['y' char(10) 'z']}; " ...
%!   "all = {{attnpath_expand(sol), 'order', 'Names', two}, {sol, 'kernel'}, {sol, 'alignment'}, " ...
%!   "{attnpath_expand(sol), 'scores', 'Names', two}, {sol, 'reliability'}, " ...
%!   "{struct('classes', {said}), 'confusion', 'Labels', said, 'Predicted', said}, " ...
%!   "{struct('by', 'loo', 'heads', [1 1], 'value', [2; 1]), 'pruning', 'Names', two(1)}, " ...
%!   "{sol, 'scheme', 'Names', two}, {struct('U', U, 'logpost', (1:4)'), 'trace'}, {U, 'contributions', 'Names', two}, " ...
%!   "{r, 'sweep', 'X', 'N', 'Y', {'a_b', 'c'}, 'Names', {['p' char(10) 'q'], 'r'}}}; " ...
%!   "file = [tempname() '.png']; for k = 1:numel (all), f = figure ('visible', 'off'); attnpath_plot (all{k}{:}); " ...
%!   "print (f, file, '-dpngcairo'); close (f); drawn = dir (file); unlink (file); " ...
%!   "if drawn.bytes < 3000, error ('%s: %d bytes', all{k}{2}, drawn.bytes); end, end"];
%! if any (strcmp (available_graphics_toolkits (), "gnuplot")), assert (without_progress (by_gnuplot (code)), ""); endif

%!testif ; drawable ()
%! % one kind after another in the same axes leaves nothing behind, and current axes serve as well
%! ax = canvas ();
%! fig = get (ax, "parent");
%! set (0, "currentfigure", fig);
%! for what = {"order", "kernel", "alignment", "scores", "alignment", "kernel", "order"}
%!   h = attnpath_plot (sol, what{1});
%!   assert (h.axes, ax);
%! endfor
%! assert (get (fig, "children"), ax);                   % no legend, no colour bar
%! h = attnpath_plot (sol, "alignment");
%! assert (get (ax, "ydir"), "normal");
%! assert (get (ax, "dataaspectratiomode"), "auto");
%! drawnow ();

%!testif ; drawable ()
%! % pruning: the criterion against the heads removed, by their numbers or the user's names; a search that removed none
%! ax = canvas ();
%! curve = struct ("by", "loo", "heads", [2 1; 1 2], "value", [0.5; 0.4; 0.7]);
%! h = attnpath_plot (curve, "pruning", "Parent", ax);
%! assert ({get(h.line, "xdata"), get(h.line, "ydata")}, {0:2, [0.5 0.4 0.7]});
%! assert (get (ax, "xticklabel"), {"none"; "2.1"; "1.2"});
%! assert (get (get (ax, "ylabel"), "string"), "squared leave-one-out error");
%! curve.by = "evidence";
%! h = attnpath_plot (curve, "pruning", "Parent", ax, "Names", {"a", "b"});
%! assert (get (ax, "xticklabel"), {"none"; "a"; "b"});
%! assert (get (get (ax, "ylabel"), "string"), "log evidence");
%! h = attnpath_plot (struct ("by", "loo", "heads", zeros (0, 2), "value", 3), "pruning", "Parent", ax);
%! assert (get (h.line, "ydata"), 3);

%!testif ; drawable ()
%! % reliability: shares against probabilities in bins, bars of one standard error; of the training examples left out
%! ax = canvas ();
%! p = [0.05; 0.15; 0.12; 0.95; 1; 0.5];
%! y = [-1; -1; 1; 1; 1; -1];
%! h = attnpath_plot (sol, "reliability", "Parent", ax, "Probability", p, "Labels", y);
%! assert (get (h.line(2), "xdata"), [0.05, 0.135, 0.5, 0.975], 1e-15);
%! assert (get (h.line(2), "ydata"), [0, 0.5, 0, 1]);
%! share = [0 0.5 0 1];                                 % bars end at shares q from which this one is one error of q
%! n = [1 2 1 2];
%! for k = 1:4
%!   q = get (h.line(2+k), "ydata");
%!   assert ((share(k) - q) .^ 2, q .* (1 - q) / n(k), 1e-15);
%!   assert (q(2) > q(1));
%! endfor
%! assert (! isempty (strfind (get (get (ax, "title"), "string"), sprintf ("error %.3f", (0.05 + 2 * 0.365 + 0.5 + 2 * 0.025) / 6))));
%! h = attnpath_plot (sol, "reliability", "Parent", ax, "Bins", 1);
%! assert (get (h.line(2), "xdata"), mean (attnpath_probability (sol)), 1e-12);
%! assert (get (h.line(2), "ydata"), mean (sol.y > 0), 1e-15);

%!testif ; drawable ()
%! % several outputs: blocks of paths with the classes in them, blocks of classes, outlines, names
%! ax = canvas ();
%! U = reshape (1:36, 6, 6);  U = U + U';
%! model = struct ("net", attnpath_net (2), "U", U, "classes", {{"a"; "b"; "c"}});
%! h = attnpath_plot (model, "order", "Parent", ax, "Names", {"one", "two"});
%! assert (get (h.image, "cdata"), U);
%! assert (get (ax, "ytick"), [2 5]);
%! assert (get (ax, "yticklabel"), {"one"; "two"});
%! [x, y] = deal (get (h.line, "xdata"), get (h.line, "ydata"));
%! assert (x([1 2 4 5]), [3.5 3.5 0.5 6.5]);
%! assert (y([1 2 4 5]), [0.5 6.5 3.5 3.5]);
%! assert (numel (x), 6);
%! h = attnpath_plot (model, "order", "Parent", ax, "Blocks", "Classes", "Numbers", false);
%! at = [1 4 2 5 3 6];                                 % class by class, in it the paths
%! assert (get (h.image, "cdata"), U(at,at));
%! assert (get (ax, "yticklabel"), {"a"; "b"; "c"});
%! h = attnpath_plot (model, "order", "Parent", ax, "Paths", 2, "Blocks", "classes");
%! assert (get (h.image, "cdata"), U(4:6,4:6));
%! h = attnpath_plot (rmfield (model, "classes"), "order", "Parent", ax, "Paths", [2 1]);
%! assert (get (h.image, "cdata"), U([4:6 1:3],[4:6 1:3]));

%!testif ; drawable ()
%! % confusion: counts, rates, names; what is given, and the training examples left out
%! ax = canvas ();
%! model = struct ("classes", {{"cat"; "dog"; "eel"}});
%! labels = {"cat"; "cat"; "cat"; "dog"; "dog"; "eel"};
%! said = {"cat"; "dog"; "cat"; "dog"; "eel"; "eel"};
%! h = attnpath_plot (model, "confusion", "Parent", ax, "Labels", labels, "Predicted", said);
%! assert (get (h.image, "cdata"), [200/3 100/3 0; 0 50 50; 0 0 100], 1e-12);
%! texts = get (h.text, "string");
%! assert (texts(end-8:end), {"2\n67 %"; "0\n0 %"; "0\n0 %"; "1\n33 %"; "1\n50 %"; "0\n0 %"; "0\n0 %"; "1\n50 %"; "1\n100 %"});
%! assert (get (ax, "yticklabel"), {"cat"; "dog"; "eel"});
%! assert (get (get (ax, "title"), "string"), "6 examples, 66.7 % right");
%! h = attnpath_plot (struct (), "confusion", "Parent", ax, "Labels", [5; 7; 5], "Predicted", [5; 5; 9]);
%! assert (get (h.image, "cdata"), [50 0 50; 100 0 0; 0 0 0]);
%! assert (get (ax, "yticklabel"), {"5"; "7"; "9"});
%! h = attnpath_plot (sol, "confusion", "Parent", ax, "Names", {"no", "yes"});
%! loo = attnpath_loo (sol);
%! want = accumarray ([1 + (sol.y > 0), 1 + (loo.mean > 0)], 1, [2 2]);
%! assert (get (h.image, "cdata"), 100 * want ./ sum (want, 2), 1e-12);

%!testif ; drawable ()
%! % reliability of classes: two by their names, more by the largest probability
%! ax = canvas ();
%! two = sol;  two.classes = {"no"; "yes"};
%! attnpath_plot (two, "reliability", "Parent", ax, "Probability", [0.2; 0.8], "Labels", {"no"; "yes"});
%! assert (get (get (ax, "xlabel"), "string"), "probability of yes");
%! p = [0.7 0.2 0.1; 0.1 0.75 0.15; 0.3 0.3 0.4; 0.1 0.2 0.7];
%! h = attnpath_plot (sol, "reliability", "Parent", ax, "Probability", p, "Labels", [1; 2; 1; 2]);
%! assert (get (h.line(2), "xdata"), [0.4, mean([0.7 0.7 0.75])], 1e-15);
%! assert (get (h.line(2), "ydata"), [0, 2/3], 1e-15);
%! assert (get (get (ax, "xlabel"), "string"), "largest probability");

%!error id=attnpath:plot:badValue attnpath_plot (struct (), "confusion", "Labels", [1; 2])
%!error id=attnpath:plot:badShape attnpath_plot (struct (), "confusion", "Labels", [1; 2], "Predicted", 1)
%!error id=attnpath:plot:badClass attnpath_plot (struct (), "confusion", "Labels", [1; 2], "Predicted", {"a"; "b"})
%!error id=attnpath:plot:badShape attnpath_plot (struct (), "confusion", "Labels", [1; 2], "Predicted", [1; 2], "Names", {"a"})
%!error id=attnpath:plot:missingField attnpath_plot (struct (), "confusion")

%!test % what is refused, and that no figure is left by it
%! before = numel (get (0, "children"));
%! without = @(field) rmfield (sol, field);
%! with = @(field, value) setfield (rmfield (sol, "order"), field, value);
%! refused ("plot", @(varargin) attnpath_plot (varargin{2}{:}), { ...
%!          "usage", "", {{sol}}
%!          "badValue", "", {{sol, "bars"}, {with("y", zeros (20, 1)), "alignment"}, ...
%!            {sol, "order", "Parent", -1.5}, {sol, "order", "Parent", 0}, {sol, "order", "Parent", "axes"}, ...
%!            {sol, "order", "Parent", {1}}, {sol, "order", "Parent", struct()}, ...
%!            {"costs.mat", "scores", "Costs", "costs.mat"}, {"costs.mat", "scores", "By", "loo"}, ...
%!            {sol, "reliability", "Labels", [1; -1]}, ...
%!            {sol, "reliability", "Labels", [1; 2], "Probability", [0; 1]}, ...
%!            {sol, "reliability", "Labels", [1; -1], "Probability", [0; 1.5]}, {sol, "order", "Paths", [1 5]}, ...
%!            {sol, "order", "Paths", 0}, {sol, "order", "Paths", 1.5}, {sol, "order", "Scale", 0}, ...
%!            {sol, "order", "Scale", -1}, {sol, "alignment", "Components", 0}, ...
%!            {sol, "alignment", "Components", 2.5}}
%!          "badClass", "", {{sol, 3}, {sol, {"order"}}, {7, "order"}, {[sol, sol], "order"}, {{}, "scores"}, ...
%!            {with("net", 5), "order"}, {with("U", "U"), "order"}, {sol, "order", "Names", "good"}, ...
%!            {sol, "order", "Names", {1, 2, 3, 4}}, ...
%!            {struct("by", "loo", "heads", [1 1], "value", [1; 2]), "pruning", "Names", 5}, ...
%!            {sol, "order", "Paths", {1}}, {sol, "order", "Scale", "large"}, {sol, "order", "Numbers", "yes"}}
%!          "missingField", "", {{without("U"), "order"}, {without("net"), "scores"}, ...
%!            {without("paths"), "kernel"}, {without("y"), "alignment"}, {with("paths", struct ()), "kernel"}, ...
%!            {sol, "pruning"}}
%!          "badShape", "", {{with("U", eye (3)), "order"}, {with("y", [1; -1]), "kernel"}, ...
%!            {sol, "order", "Names", {"good"}}, {sol, "scores", "Names", {"a", "b", "c"}}, ...
%!            {sol, "scores", "Costs", [1 1 0.5; 1 2 0.5]}, {[1 1; 1 2], "scores"}, ...
%!            {sol, "reliability", "Labels", [1; -1], "Probability", 0.5}, ...
%!            {struct("by", "loo", "heads", [1 1], "value", 1), "pruning"}, ...
%!            {struct("by", "loo", "heads", [1 1], "value", [1; 2]), "pruning", "Names", {"a", "b"}}}
%!          "notFinite", "", {{with("U", NaN (4)), "order"}, {sol, "order", "Paths", NaN}}
%!          "notReal", "", {{with("U", 1i * eye (4)), "order"}}
%!          "sparse", "", {{with("U", speye (4)), "scores"}}
%!          "notSymmetric", "", {{with("U", magic (4)), "order"}}
%!          "notPositiveDefinite", "", {{with("U", -eye (4)), "kernel"}, {with("U", -eye (4)), "alignment"}}
%!          "unknownOption", "", {{sol, "order", "Colour", 1}, {sol, "order", "Costs", [1 1 0.5; 1 2 0.5]}}
%!          "nameValue", "", {{sol, "order", "Names"}}
%!          "noFile", "", {{sol, "scores", "Costs", "no such file.mat"}, {"no such file.mat", "scores"}}
%!          "empty", "", {{sol, "alignment", "Components", []}}});
%! assert (numel (get (0, "children")), before);

%!test
%! % nothing to draw with: an Octave without a display and gnuplot says so, and what would help. What survives Ctrl-C was
%! % tried, three times each: octave-cli and octave --no-gui, by gnuplot without a display; with one, of Xvfb too, Octave 7
%! % dies
%! back = in_front ("available_graphics_toolkits", "function list = available_graphics_toolkits ()\n  list = {};\nend\n");
%! refuses ("plot:noGraphics", @() attnpath_plot (struct ("net", attnpath_net (1), "U", 2), "order"), ...
%!          {"gnuplot", "Ctrl-C", "xvfb-run -a octave --no-gui"});

%!testif ; drawable ()
%! % trace: what is drawn is the entry asked for, a line for each chain
%! net = attnpath_net (2, "Width", 3);
%! randn ("twister", 1);
%! W = randn (3, 2, 7, 3);
%! U = zeros (2, 2, 7, 3);
%! for k = 1:21, U(:,:,k) = W(:,:,k)' * W(:,:,k); end
%! post = struct ("net", net, "U", U, "logpost", zeros (7, 3));
%! ax = axes ("parent", figure ("visible", "off"));
%! h = attnpath_plot (post, "trace", "Parent", ax, "Entry", [2 1]);
%! assert (numel (h.line), 3);
%! assert (get (h.line(2), "ydata"), reshape (U(2,1,:,2), 1, 7));
%! assert (get (h.line(1), "color") != get (h.line(3), "color"));
%! fail ("attnpath_plot (post, 'trace', 'Entry', [3 1])", "Entry");
%! fail ("attnpath_plot (rmfield (post, 'logpost'), 'trace')", "needs a sample");

%!testif ; drawable ()
%! % axes may come first; hold is respected; nothing is printed without an output
%! ax = canvas ();
%! h = attnpath_plot (ax, sol, "scores");
%! assert (h.axes, ax);
%! before = numel (get (ax, "children"));
%! assert (evalc ("attnpath_plot (ax, sol, 'scores')"), "");
%! assert (numel (get (ax, "children")), before);
%! hold (ax, "on");
%! attnpath_plot (sol, "scores", "Parent", ax);
%! assert (numel (get (ax, "children")), 2 * before);
%! assert (ishold (ax));

%!function check_labels (h, names)
%!  % all of every label is inside the figure: lengths of texts, which Octave measures in points, against the room
%!  points = 72 / get (0, "screenpixelsperinch");
%!  box = get (h.axes, "position") .* get (get (h.axes, "parent"), "position")([3 4 3 4]) * points;
%!  spare = (box(3:4) - min (box(3:4))) / 2;
%!  shown = get (h.axes, "yticklabel");
%!  upright = findobj (h.text, "rotation", 90);
%!  assert (sort (strtrim (get (upright, "string"))), names);
%!  for t = upright'
%!    set (t, "units", "pixels");
%!    assert (get (t, "extent")(4) < box(2) + spare(2));
%!  endfor
%!  for k = 1:numel (names)
%!    if isempty (shown)
%!      t = findobj (h.text, "rotation", 0, "string", [names{k} " "]);
%!      set (t, "units", "pixels");
%!      width = get (t, "extent")(3);
%!    else
%!      t = text (0, 0, shown{k}, "parent", h.axes, "units", "pixels", "fontsize", get (h.axes, "fontsize"));
%!      width = get (t, "extent")(3);
%!      delete (t);
%!    endif
%!    assert (width < box(1) + spare(1));
%!  endfor
%!endfunction

%!testif ; drawable ()
%! % labels, sixteen of them and long ones, are in the figure whole: axes of one's own stay, others make room
%! for n = [4 2]
%!   net = attnpath_net ([n n]);
%!   for long = [12 28 40]
%!     names = arrayfun (@(k) sprintf ("%-*s%d", long - 2, "a name", 10 + k), 1:n^2, "UniformOutput", false);
%!     names = strrep (names', " ", "m");
%!     fig = figure ("visible", "off");
%!     gone = onCleanup (@() close (fig));
%!     h = attnpath_plot (struct ("net", net, "U", eye (n^2)), "order", "Names", names);
%!     if any (strcmp (get (h.text, "string"), [names{1} " "])), check_labels (h, names); endif
%!     place = get (h.axes, "position");
%!     attnpath_plot (struct ("net", net, "U", eye (n^2)), "order", "Names", names);
%!     if n == 2, assert (get (h.axes, "position"), place, 1e-12); endif
%!     clf (fig);
%!     ax = axes ("parent", fig);
%!     place = get (ax, "position");
%!     h = attnpath_plot (struct ("net", attnpath_net (n^2), "U", eye (n^2)), "scores", "Names", names, "Parent", ax);
%!     assert (get (ax, "position"), place);
%!   endfor
%! endfor

%!testif ; drawable ()
%! % order: of many paths some have names, each beside its own row
%! fig = figure ("visible", "off");
%! h = attnpath_plot (struct ("net", attnpath_net ([8 8]), "U", eye (64)), "order");
%! at = get (h.axes, "ytick");
%! names = get (h.axes, "yticklabel");
%! if isempty (names), names = strtrim (get (h.text(1:numel (at)), "string")); endif
%! shown = cellfun (@(name) sscanf (name, "(%d,%d)")', names(:), "UniformOutput", false);
%! assert (vertcat (shown{:}), attnpath_paths (attnpath_net ({zeros(2, 2, 8), zeros(2, 2, 8)}), [1 2; 3 4]).heads(at,:));
%! assert (numel (at) <= 24 && numel (at) > 12);

%!testif ; drawable ()
%! % kernel: blocks have the names of their classes, of two and of three
%! fig = figure ("visible", "off");
%! for names = {{"no"; "yes"}, {"cat"; "dog"; "eel"}}
%!   y = names{1}(1 + mod ((0:11)', numel (names{1})));
%!   sol = attnpath_solve (attnpath_net (2), struct ("Xi", randn (3, 12, 2)), y, "Display", false, "Outputs", "shared");
%!   h = attnpath_plot (sol, "kernel");
%!   assert (sort (get (h.axes, "yticklabel")), names{1});
%!   clf (fig);
%! endfor

%!error id=attnpath:plot:badValue attnpath_plot ([1 1 .5 -1; 1 2 1 .2], "scores"); % a negative error
%!error id=attnpath:plot:badValue attnpath_plot ([1 1 .5; 1 1 1], "scores");       % a head twice
%!error id=attnpath:plot:badValue attnpath_plot ([1.5 1 .5; 1 1 1], "scores");     % layer 1.5
