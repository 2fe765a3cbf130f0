% sweep.tst: attnpath_sweep against nested loops (ref_sweep), its folder, its processes, Ctrl-C, tables and figures.
% Sweeps that are killed, full disks and disks that are read-only are in tests/checks/killed_runs, a cluster is in test_slurm.

%!shared grid, draw
%! grid = struct ("width", [10 100.5 1e-300], "rule", {{"softmax", "it's; a=1"}}, "seed", 1:2);
%! draw = @(c) struct ("u", [rand(), randn(), rande(), randg(c.seed), randp(5)], "w", c.width, "r", c.rule);

%!function [result, text, id] = swept (varargin)
%!  % and the warning that was given
%!  [id, text, result] = warned (@() attnpath_sweep (varargin{:}, "Display", false));
%!endfunction

%!function one = one_unless (bad)
%!  if bad, error ("bad"); endif
%!  one = 1;
%!endfunction

%!function names = cells_in (folder)
%!  names = setdiff (readdir (folder), {".", "..", "sweep.mat"});
%!endfunction

%!function n = count (change)
%!  persistent runs
%!  if nargin > 0, runs = change; endif
%!  n = runs;
%!endfunction

%!function out = counted (c)
%!  count (count () + 1);
%!  out = struct ("x", randn ());
%!endfunction

%!function x = not_yet (bad)
%!  count (count () + 1);
%!  if bad, error ("not yet"); endif
%!  x = randn ();
%!endfunction

%!function out = moody (c)
%!  % what a function can do to a sweep; 7 is well-behaved
%!  out = struct ("x", c.k);
%!  switch c.k
%!    case 1, error ("some:id", "by %d", 5);
%!    case 3, cd ("/");
%!    case 4, out = [1 2 3];
%!    case 5, out.status = 1;
%!    case 6, out.x = {@sin};
%!    case 8, out = struct ("x", {1, 2});
%!    case 9, out = struct ("y", true, "z", struct ("a", {{}}));
%!    case 10, [1 2](3);
%!  endswitch
%!endfunction

% ---- what a sweep is -------------------------------------------------------------------------------------------------

%!test % the nested loops: order, shape, streams, for several seeds; and the generators are left as they were
%! for seed = [0 1 2^32-1]
%!   want = ref_sweep (draw, grid, seed);
%!   rand ("twister", 3);  randn ("twister", 3);  rande ("twister", 3);  randg ("twister", 3);  randp ("twister", 3);
%!   after = {rand(), randn(), rande(), randg(1), randp(5)};
%!   rand ("twister", 3);  randn ("twister", 3);  rande ("twister", 3);  randg ("twister", 3);  randp ("twister", 3);
%!   got = attnpath_sweep (draw, grid, "Seed", seed, "Display", false);
%!   assert (size (got), [3 2 2]);
%!   assert (isequal (got, want));
%!   assert ({rand(), randn(), rande(), randg(1), randp(5)}, after);
%! endfor
%! u = vertcat (want.u);
%! assert (rows (unique (u(:,1))), 12);                      % twelve streams, not one

%!test % values alone: another order of fields, another place in the grid, a larger grid; one field gives a column
%! got = attnpath_sweep (draw, grid, "Display", false);
%! more = struct ("seed", [7 2 1], "rule", {{"it's; a=1", "cme", "softmax"}}, "width", [3 1e-300 10 100.5]);
%! larger = attnpath_sweep (draw, more, "Display", false);
%! again = permute (larger([3 2],[3 1],[3 4 2]), [3 2 1]);
%! assert (isequal ({again.u}, {got.u}));
%! assert (isequal ({again.w}, {got.w}) && isequal ({again.r}, {got.r}));
%! one = attnpath_sweep (@(c) struct ("x", c.a), struct ("a", [3; 1; 2]), "Display", false);
%! assert (size (one), [3 1]);
%! assert ([one.x], [3 1 2]);

%!test % classes of values arrive as they are, and are cells of their own; -0 is 0
%! x = @(value) attnpath_sweep (@(c) struct ("x", rand (), "class", class (c.a), "a", c.a), ...
%!                              setfield (struct (), "a", value), "Display", false);
%! all_of = [x(2), x(single (2)), x(int8 (2)), x(uint64 (2)), x({"2"})];
%! assert ({all_of.class}, {"double", "single", "int8", "uint64", "char"});
%! assert (numel (unique ([all_of.x])), 5);
%! assert ([x([true false]).a], [true false]);
%! assert (x(-0).x, x(0).x);
%! big = intmax ("uint64");
%! assert (numel (x([big, big - 1])), 2);
%! assert ([x([Inf NaN -Inf]).a], [Inf NaN -Inf]);
%! assert (numel (x(0.1 + [0 eps(0.1)])), 2);                % every bit counts

%!test % fields that only some cells have, in the order in which they come up
%! r = attnpath_sweep (@(c) setfield (struct ("a", 1), char ("b" + c.k), c.k), struct ("k", [1 0 1](1:2)), "Display", false);
%! assert (fieldnames (r), {"cell"; "status"; "error"; "a"; "c"; "b"});
%! assert ({r.c}, {1, []});
%! assert ({r.b}, {[], 0});

% ---- cells that warn -------------------------------------------------------------------------------------------------

%!function out = warns (c)
%!  if c.k > 1, warning ("some:id", "%d is much", c.k); warning ("off:id", "never"); endif
%!  if c.k > 2, error ("%d is too much", c.k); endif
%!  out = struct ("x", c.k);
%!endfunction

%!test % in this session: those of each cell, those that are off are none, and lastwarn is left where none came
%! saved = warning ("off", "off:id");
%! back = onCleanup (@() warning (saved));
%! evalc ("r = attnpath_sweep (@warns, struct ('k', 1:3), 'Display', false);");
%! assert ({r.warnings}, {[], {"2 is much"}, {"3 is much"}});
%! assert ({r.status}, {"done", "done", "failed"});
%! r = attnpath_sweep (@warns, struct ("k", 1), "Display", false);
%! assert (! isfield (r, "warnings"));
%! lastwarn ("earlier", "some:id");
%! r = attnpath_sweep (@warns, struct ("k", 1), "Display", false);
%! if compare_versions (version (), "11", "<"), assert (lastwarn (), "earlier"); endif     # later ones keep remarks there
%! table = evalc ("attnpath_sweep (@warns, struct ('k', 1:3), 'Display', false);");
%! assert (! isempty (regexp (table, 'warning: 2 is much\n(.*\n)?attnpath_sweep: warnings of the cell k = 2\n')), table);
%! assert (isempty (strfind (table, "of the cell k = 1")));
%! assert (! isempty (strfind (table, "3 cells: 2 done, 1 failed, 0 missing; 2 gave warnings\n")), table);
%! r = attnpath_sweep (@(c) struct ("warnings", 5), struct ("k", 1), "Display", false);      # fun's own field
%! assert (r.warnings, 5);

%!function out = warns_twice (c)
%!  warning ("some:id", "first");
%!  warning ("some:id", "second");
%!  out = locally_off (c);
%!endfunction
%!function out = locally_off (c)
%!  warning ("off", "other:id", "local");
%!  warning ("other:id", "never");
%!  out = struct ("x", c.k);
%!endfunction

%!test % each one that is shown, and none that fun turns off itself; a diary of the session has them and goes on
%! [folder, gone] = scratch ();
%! here = pwd ();
%! back = onCleanup (@() cd (here));
%! cd (folder);
%! [was, name] = diary ();
%! evalc ("r = attnpath_sweep (@warns_twice, struct ('k', 1:2), 'Display', false);");
%! assert ({r.warnings}, {{"first", "second"}, {"first", "second"}});
%! assert (! isfield (attnpath_sweep (@locally_off, struct ("k", 1), "Display", false), "warnings"));
%! [is, now] = diary ();
%! assert ({is, now, readdir(folder)}, {was, name, {"."; ".."}});
%! diary ("own");
%! evalc ("r = attnpath_sweep (@(c) warns_twice (struct ('k', cd ('/'))), struct ('k', 1:2), 'Display', false);");
%! evalc ("disp ('at the end')");
%! [is, now] = diary ();
%! diary off
%! assert ({is, now}, {true, "own"});
%! text = fileread ("own");
%! assert (numel (strfind (text, "warning: second")), 2);
%! diary (name);
%! diary off

%!testif ; isunix ()
%! % all of a process, none of which is shown, and those that are off here are off there; the first is told at the end
%! front = in_front ("sweep_warns", ["function out = sweep_warns (c)\n  disp (1);\n  for k = 1:c.k - 1\n" ...
%!   "    warning ('some:id', 'warning %d of %d', k, c.k - 1); warning ('off:id', 'never'); end\n" ...
%!   "  if c.k > 2, error ('too much'); end\n  out.x = 1;\nend\n"]);
%! saved = warning ("off", "off:id");
%! back = onCleanup (@() warning (saved));
%! [r, text, id] = swept (@sweep_warns, struct ("k", 1:2), "Workers", 2);
%! assert ({text, id}, {"attnpath_sweep: 1 of 2 cells gave warnings, the first at k = 2: warning 1 of 1", ...
%!                      "attnpath:sweep:warned"});
%! [r, text, id] = swept (@sweep_warns, struct ("k", 1:3), "Workers", 1);
%! assert (id, "attnpath:sweep:failed");
%! assert ({r.warnings}, {[], {"warning 1 of 1"}, {"warning 1 of 2", "warning 2 of 2"}});

%!test % the table has every field that holds numbers
%! table = evalc ("attnpath_sweep (@(c) cell2struct (num2cell (1:9), num2cell ('a':'i'), 2), struct ('k', 1:2), 'Display', false);");
%! for name = "a":"i", assert (! isempty (regexp (table, [" " name "\\s"], "once")), table); endfor
%! assert (isempty (strfind (table, "more")));

% ---- cells that fail -------------------------------------------------------------------------------------------------

%!test % each is recorded with its message, and the others go on; the directory is kept; the same with a folder
%! here = pwd ();
%! [folder, gone] = scratch ("cells");
%! for options = {{}, {"Folder", folder}, {"Folder", folder, "Collect", true}}
%!   [r, text, id] = swept (@moody, struct ("k", 1:10), options{1}{:});
%!   assert (id, "attnpath:sweep:failed");
%!   assert (text, sprintf ("attnpath_sweep: %d of 10 cells failed, the first at k = 1: by 5", 4 - isempty (options{1})));
%!   assert (pwd (), here);
%!   failed = [1 5 6 10](! (isempty (options{1}) & [0 0 1 0]));
%!   assert (find (strcmp ({r.status}, "failed")), failed);
%!   assert (r(1).error, "by 5");
%!   assert (! isempty (strfind (r(5).error, "a field status")));
%!   assert (! isempty (strfind (r(10).error, "out of bound")));
%!   assert ({r([2 3 7]).x}, {2, 3, 7});
%!   assert (r(4).value, [1 2 3]);
%!   assert (r(8).value, struct ("x", {1, 2}));
%!   assert ({r(9).y, r(9).z}, {true, struct("a", {{}})});
%!   assert (all (cellfun (@isempty, {r(failed).x})));
%!   if ! isempty (options{1})
%!     assert (r(6).error, "fun returned a function_handle, which no MAT file can hold");
%!   endif
%! endfor

%!test % a name longer than any that a MAT file can hold fails its cell, on all levels
%! long = repmat ("a", 1, 64);
%! for value = {struct(long, 1), struct("x", {{struct(long, 1)}})}
%!   [folder, gone] = scratch ("cells");
%!   [r, ~, id] = swept (@(c) value{1}, struct ("k", 1), "Folder", folder);
%!   assert (id, "attnpath:sweep:failed");
%!   assert (! isempty (strfind (r.error, long)) && ! isempty (strfind (r.error, "63")), r.error);
%! endfor

% ---- the folder ------------------------------------------------------------------------------------------------------

%!test % cells that are there do not run again; the grid grows; one file for each cell and one for the sweep
%! [folder, gone] = scratch ("cells");
%! larger = struct ("a", 0:3, "b", [2 1 5]);
%! count (0);
%! first = swept (@counted, struct ("a", 1:3, "b", 1:2), "Folder", folder);
%! assert (count (), 6);
%! assert (numel (readdir (folder)), 6 + 1 + 2);
%! again = swept (@counted, struct ("b", 1:2, "a", 1:3), "Folder", folder);
%! assert (count (), 6);
%! assert ([again.x], [first'.x]);
%! more = swept (@counted, larger, "Folder", folder);
%! assert (count (), 12);
%! assert ([more(2:4,[2 1]).x], [first.x]);
%! assert (isequal (more, swept (@counted, larger)));
%! % of none of these cells
%! [none, ~, id] = swept (@counted, struct ("a", 7:8, "b", 1), "Folder", folder, "Collect", true);
%! assert ({{none.status}, id, fieldnames(none)}, {{"missing", "missing"}, "attnpath:sweep:missing", {"cell"; "status"; "error"}});
%! % a lost cell runs again; with Collect it is missing, and said
%! name = fullfile (folder, cells_in (folder){5});
%! lost = load (name).cell;
%! delete (name);
%! count (0);
%! [found, text, id] = swept (@counted, larger, "Folder", folder, "Collect", true);
%! assert ({id, count()}, {"attnpath:sweep:missing", 0});
%! assert (text, sprintf ("attnpath_sweep: 1 of 12 cells are missing in %s, the first at a = %d, b = %d", folder, lost.a, lost.b));
%! left = ! strcmp ({found.status}, "missing");
%! assert (found(! left).cell, lost);
%! assert (isequal (found(left), more(left)));
%! assert (isequal (swept (@counted, larger, "Folder", folder), more));
%! assert (count (), 1);

%!test % Retry: what failed runs again, and nothing else
%! [folder, gone] = scratch ("cells");
%! count (0);
%! f = @(c) struct ("x", not_yet (c.a > 1 && count () < 3));
%! for call = {{},              {"done", "failed", "failed"}, 3
%!             {},              {"done", "failed", "failed"}, 3
%!             {"Retry", true}, {"done", "done", "done"},     5}'
%!   r = swept (f, struct ("a", 1:3), "Folder", folder, call{1}{:});
%!   assert ({{r.status}, count()}, call(2:3)');
%! endfor
%! assert (isequal (r, swept (f, struct ("a", 1:3))));

%!test % the folder of another sweep is refused, with what differs. Blanks of fun do not count, but for those of its texts
%! [folder, gone] = scratch ("cells");
%! [T, net] = deal (0.1, struct ("a", {{1, "b", single(3)}}, "f", @(x) x + 1, "none", {{}}));
%! call = @(f, varargin) swept (f, struct ("a", 1), "Folder", folder, varargin{:});
%! other_run = @(what, f, varargin) refuses ("sweep:otherRun", @() call (f, varargin{:}), what);
%! f = @(c) struct ("x", c.a * T, "n", numel (net), "t", "a b");
%! [~, ~, id] = call (f);
%! assert (id, "");                                        # an empty cell has a mark without a word
%! call (@(c)struct ("x",c.a*T,   "n", numel (net), "t", "a b"));
%! other_run ("", @(c) struct ("x", c.a * T, "n", numel (net), "t", "ab"));
%! for other = {setfield(net, "a", {1, "b", 3}), setfield(net, "f", @(x) x + 2), setfield(net, "a", {1, "c", single(3)}), ...
%!              setfield(net, "b", 1), sparse(1), {net}}
%!   net = other{1};
%!   other_run ("net", @(c) struct ("x", c.a * T, "n", numel (net), "t", "a b"));
%! endfor
%! net = orderfields (other{1}{1}, [2 1 3]);
%! call (@(c) struct ("x", c.a * T, "n", numel (net), "t", "a b"));
%! T = 0.2;
%! other_run ("T", @(c) struct ("x", c.a * T, "n", numel (net), "t", "a b"));
%! other_run ("", @sin);
%! other_run ({"Seed", "0", "1"}, f, "Seed", 1);
%! refuses ("sweep:otherRun", @() attnpath_sweep (f, struct ("b", 1, "a", 1), "Folder", folder), "a, b");
%! assert (numel (readdir (folder)), 4);

%!test % a file that is cut off, at any length, that is of another cell, or of none: a failed cell, which Retry does anew
%! [folder, gone] = scratch ("cells");
%! f = @(c) struct ("x", c.a, "y", (1:50) * c.a);
%! call = @(varargin) swept (f, struct ("a", 1:3), "Folder", folder, varargin{:});
%! want = call ();
%! names = fullfile (folder, cells_in (folder));
%! a = cellfun (@(name) load (name).cell.a, names);
%! bytes = file_bytes (names{1});
%! n = numel (bytes);
%! bad = arrayfun (@(left) {bytes(1:left), names{1}}', [0 1 127 128 129 200 floor(n / 2) n-1], "UniformOutput", false);
%! found = rmfield (load (names{1}), "error");
%! save ("-v6", names{1}, "-struct", "found");
%! bad = [bad{:}, {file_bytes(names{2}), file_bytes(names{1}); "another cell", "it is no cell of a sweep"}];
%! for row = bad
%!   file_bytes (names{1}, row{1});
%!   r = call ();
%!   assert ({r(a).status}, {"failed", "done", "done"});
%!   assert (isempty (r(a(1)).x) && ! isempty (strfind (r(a(1)).error, row{2})));
%!   assert ([r(a(2:3)).x], a(2:3)');
%!   assert (isequal (call ("Retry", true), want));
%! endfor
%! file_bytes (fullfile (folder, "sweep.mat"), "");
%! refuses ("sweep:badFile", call, "sweep.mat");

%!testif ; ! ispc ()
%! % half-written files of processes that are no more are removed, those of other processes and hosts are not
%! [folder, gone] = scratch ("cells");
%! f = @(c) struct ("x", c.a);
%! swept (f, struct ("a", 1), "Folder", folder);
%! [~, ended] = system ("echo $$");
%! host = regexprep (gethostname (), '[^\w.]', "_");
%! left = sprintf ("cell_1.mat.%s-%d.new", host, str2double (ended));
%! names = fullfile (folder, {left, [left ".saving_in_progress"], sprintf("cell_1.mat.%s-%d.new", host, getpid ()), ...
%!                            "cell_1.mat.elsewhere-999999.new"});
%! for name = names, file_bytes (name{1}, ""); endfor
%! swept (f, struct ("a", 1), "Folder", folder, "Collect", true);
%! assert (exist (names{1}, "file"), 2);                     % collecting writes nothing
%! swept (f, struct ("a", 1), "Folder", folder);
%! assert (cellfun (@(name) exist (name, "file"), names), [0 0 2 2]);

% ---- parts -----------------------------------------------------------------------------------------------------------

%!test % every cell is in exactly one part, whatever the number of parts; the last part sees all of them
%! for n = [1 3 7]
%!   [folder, gone] = scratch ("cells");
%!   count (0);
%!   for k = n:-1:1
%!     r = swept (@counted, struct ("a", 1:5), "Folder", folder, "Job", [k n]);
%!     assert (nnz (strcmp ({r.status}, "done")), count ());
%!     assert (! any (strcmp ({r(k:n:5).status}, "missing")));
%!   endfor
%!   assert (count (), 5);
%!   assert (isequal (r, swept (@counted, struct ("a", 1:5))));
%! endfor

%!test % Slurm says which part: arrays from 1, or from 0; others are refused, and it is never read unasked
%! [folder, gone] = scratch ("cells");
%! names = strcat ("SLURM_ARRAY_TASK_", {"ID", "MIN", "MAX", "COUNT"});
%! back = with_env ([names; {"", "", "", ""}]{:});
%! set_all = @(values) cellfun (@setenv, names, values);
%! call = @(varargin) swept (@(c) struct ("x", c.a), struct ("a", 1:5), "Folder", folder, varargin{:});
%! set_all ({"2", "1", "3", "3"});
%! assert (find (strcmp ({call("Job", "slurm").status}, "done")), [2 5]);
%! set_all ({"0", "0", "2", "3"});
%! assert (find (strcmp ({call("Job", "SLURM").status}, "done")), [1 2 4 5]);
%! for values = {{"3", "3", "3", "1"}, {"1", "1", "5", "3"}, {"2", "2", "4", "3"}}
%!   set_all (values{1});
%!   refuses ("sweep:badValue", @() call ("Job", "slurm"), "Job");
%! endfor
%! set_all ({"2", "1", "3", ""});
%! refuses ("sweep:badValue", @() call ("Job", "slurm"), "SLURM_ARRAY_TASK_COUNT");
%! set_all ({"2", "1", "3", "3"});
%! assert (all (strcmp ({call().status}, "done")));

% ---- processes -------------------------------------------------------------------------------------------------------

%!testif ; thorough ()
%! % the same as in this session, bit for bit, whatever the number of processes; with and without a folder
%! want = ref_sweep (draw, grid, 5);
%! [folder, gone] = scratch ("cells");
%! for options = {{"Workers", 1}, {"Workers", 3}, {"Workers", 2, "Folder", folder}, {"Folder", folder}}
%!   assert (isequal (swept (draw, grid, "Seed", 5, options{1}{:}), want));
%! endfor
%! assert (numel (readdir (folder)), 12 + 3);

%!testif ; thorough ()
%! % functions that err, print, change directory, end their process, or are killed: once is not the function's fault
%! [mark, gone] = scratch ("mark");
%! back = in_front ("sweep_moody", strjoin ({
%!   "function out = sweep_moody (c)"
%!   "out = struct ('x', rand (), 'threads', getenv ('OPENBLAS_NUM_THREADS'));"
%!   "switch c.k"
%!   "  case 1, error ('by 5');"
%!   "  case 2, printf ('%s\\001no line end', repmat ('0123456789', 1, 100000));"
%!   "  case 8, printf ('\\n1 done\\n0 left\\n'); out.x = fgetl (stdin ());"
%!   "  case 3, cd ('/');"
%!   "  case 4, exit (3);"
%!   "  case 5, exit (0);"
%!   "  case 6, kill (getpid (), 9);"
%!   "  case 7, if ! exist (c.mark, 'file'), fclose (fopen (c.mark, 'w')); kill (getpid (), 9); end"
%!   "end"
%!   "end"}', "\n"));
%! grid = struct ("k", 0:9, "mark", {{mark}});     % cell 8 reads the keyboard, and prints what a process says of a cell
%! for folder = {"", [mark ".cells"]}
%!   r = swept (@sweep_moody, grid, "Workers", 2, "Folder", folder{1});
%!   assert (find (strcmp ({r.status}, "failed")) - 1, [1 4 5 6]);
%!   ends = {"by 5", "fun ended its process, with exit code 3", "fun ended its process, with exit code 0", ...
%!           "fun ended its process, which was killed by signal 9"};
%!   lost = "fun ended its process, with a status that Octave did not keep";             # Octave 11 may
%!   said = {r([2 5 6 7]).error};
%!   kept = compare_versions (OCTAVE_VERSION (), "11", "<");
%!   assert (strcmp (said, ends) | [false, ! kept & strcmp(said(2:4), lost)]);
%!   good = [1 3 4 8 10];
%!   assert (r(9).x, -1);
%!   want = ref_sweep (@(c) struct ("x", rand ()), grid, 0);
%!   assert ([r(good).x], [want(good).x]);
%!   assert (unique ({r(good).threads}), {"1"});
%!   assert (exist (mark, "file"), 2);
%!   delete (mark);
%!   if ! isempty (folder{1})
%!     assert (numel (readdir (folder{1})), 10 + 3);
%!     assert (isequaln (r, swept (@sweep_moody, grid, "Folder", folder{1}, "Collect", true)));
%!   endif
%! endfor

%!function out = typed_here (c)
%!  out = struct ("x", c.a);
%!endfunction

%!testif ; ! ispc ()
%! % what other processes cannot see, and processes that cannot be started or do not come up
%! assert (exist ("typed_here"), 103);
%! refuses ("sweep:badValue", @() attnpath_sweep (@typed_here, struct ("a", 1), "Workers", 2), "typed_here");
%! refuses ("sweep:badValue", @() attnpath_sweep (@(c) typed_here (c), struct ("a", 1), "Workers", 2), "typed_here.m");
%! for fails = {"error ('no more processes');", "no more processes"
%!              "[varargout{1:3}] = builtin ('popen2', 'sh', {'-c', 'exit 4'});", "before the first one, the last with"}'
%!   back = in_front ("popen2", ["function varargout = popen2 (varargin)\n" fails{1} "\nend\n"]);
%!   refuses ("sweep:noWorker", @() swept (@(c) struct ("x", 1), struct ("a", 1), "Workers", 2), fails{2});
%!   clear back
%! endfor

% ---- Ctrl-C ----------------------------------------------------------------------------------------------------------
% Octave can send a signal to itself. Where it is not held back, these tests end the whole session.

%!function out = pressed (c)
%!  if c.a == 3, press (); endif
%!  if c.run                                                 % 1e7 draws, of which the interrupt lets a few be taken
%!    rand ("twister", 1);
%!    randn ("twister", 1);
%!    net = attnpath_net ([1 1], "Width", 4);
%!    attnpath_sample (net, struct ("Xi", randn (4, 3, 1)), [1; -1; 1], "Draws", 10 + 1e7 * (c.a == 3), "Warmup", 10, "Display", false);
%!  endif
%!  out = struct ("x", rand ());
%!endfunction

%!testif ; ! ispc ()
%! % the cell at work is finished, and what was done is kept; one with a run in it is missing. The next call goes on
%! warning ("off", "attnpath:sample:notConverged", "local");
%! for run = 0:1
%!   [name, gone] = scratch ("cells");
%!   for folder = {"", name}
%!     cells = struct ("a", 1:5, "run", run);
%!     [r, text, id] = swept (@pressed, cells, "Folder", folder{1});
%!     assert (id, "attnpath:sweep:interrupted");
%!     assert (text, sprintf ("attnpath_sweep: interrupted, %d of 5 cells have not run", 2 + run));
%!     assert (strcmp ({r.status}, "done"), (1:5) <= 3 - run);
%!     assert (attnpath_interrupt_mex ("seen"), false);
%!     assert (warning ("query", "attnpath:sample:interrupted").state, "on");
%!     if ! isempty (folder{1})
%!       cells.a = [1 2 4 5];
%!       rest = swept (@pressed, cells, "Folder", folder{1});
%!       want = ref_sweep (@(c) struct ("x", rand ()), cells, 0);
%!       if ! run, assert (isequal ([rest.x], [want.x])); endif
%!       assert ({rest(1:2).x}, {r(1:2).x});
%!     endif
%!   endfor
%! endfor
%! assert (attnpath_interrupt_mex ("hold"), false);          % nothing was held any more
%! assert (attnpath_interrupt_mex ("release"), false);

%!function out = at_work (name)
%!  % a number out of what a function returns that works for some tenths of a second
%!  rand ("twister", 1);
%!  randn ("twister", 1);
%!  net = attnpath_net ([2 2 2 2], "Width", 40, "Temperature", 0.1);
%!  few = attnpath_net ([2 2], "Width", 10, "Temperature", 0.1);
%!  paths = struct ("Xi", randn (40, 250, 16));
%!  some = struct ("Xi", randn (20, 60, 4));
%!  least = attnpath_net ([1 1], "Width", 4);
%!  y = sign (randn (250, 1));
%!  quick = @(net, paths) attnpath_solve (net, paths, y(1:size (paths.Xi, 2)), "Certificate", false, "Display", false);
%!  switch name
%!    case "solve",      out = quick (net, paths).action;
%!    case "certified",  out = attnpath_solve (net, paths, y, "Display", false).hessian_min;
%!    case "loo",        out = attnpath_loo (quick (net, paths), "Display", false).mse;
%!    case "draws"
%!      post = attnpath_sample (few, some, y(1:60), "Draws", 40, "Chains", 1, "Warmup", 20, "Display", false);
%!      out = attnpath_loo (post, "Display", false).mse;
%!    case "evidence",   out = attnpath_evidence (quick (net, paths));
%!    case "annealed",   out = attnpath_evidence (quick (least, struct ("Xi", randn (4, 8, 1))), "Method", "annealed", "Display", false);
%!    case "expand",     out = attnpath_expand (quick (few, some), "Display", false).U(1);
%!    case "gradient",   out = attnpath_gradient (quick (net, paths)).temperature;
%!  endswitch
%!endfunction

%!testif ; thorough () && ! ispc ()
%! % whatever was at work in the cell that Ctrl-C cut short: the cell is missing, and what is there is right
%! warning ("off", "attnpath:sample:notConverged", "local");
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! attnpath_interrupt_mex ("hold");                          % should the signal come before the sweep holds it
%! for name = {"solve", "certified", "loo", "draws", "evidence", "annealed", "expand", "gradient"}
%!   want = at_work (name{1});
%!   system (sprintf ("(sleep 0.1; kill -INT %d) >/dev/null 2>&1", getpid ()), false, "async");
%!   [r, ~, id] = swept (@(c) struct ("value", at_work (name{1})), struct ("k", 1:1000));
%!   assert (id, "attnpath:sweep:interrupted");
%!   done = strcmp ({r.status}, "done");
%!   assert (! all (done) && ! any (strcmp ({r.status}, "failed")), name{1});
%!   if any (done), assert (all ([r(done).value] == want), name{1}); endif
%!   assert (attnpath_interrupt_mex ("forget"), true);
%! endfor

%!test % every function that Ctrl-C ends with a warning is known to a sweep
%! folder = fileparts (which ("attnpath_sweep"));
%! known = regexp (fileread (fullfile (folder, "attnpath_sweep.m")), 'stems = \{[^}]*\}', "match", "once");
%! n = 0;
%! for file = dir (fullfile (folder, "attnpath_*.m"))'
%!   stem = regexp (fileread (fullfile (folder, file.name)), 'warning \(''attnpath:(\w+):interrupted', "tokens", "once");
%!   if isempty (stem), continue; endif
%!   assert (! isempty (strfind (known, ["'" stem{1} "'"])), stem{1});
%!   n += 1;
%! endfor
%! assert (n >= 3);

% ---- what is told ----------------------------------------------------------------------------------------------------

%!test % the table: means over the seeds and their standard errors, by the definition; what is not a number has no column
%! f = @(c) struct ("loss", c.seed ^ 2 / c.width, "name", "text", "many", [1 2], "hit", c.seed > 1);
%! shown = evalc ("attnpath_sweep (f, struct ('width', [1 4], 'seed', 1:3), 'Display', false);");
%! m = mean ([1 4 9]);
%! se = std ([1 4 9]) / sqrt (3);
%! lines = strsplit (strtrim (shown), "\n");
%! assert (lines{1}, "6 cells: 6 done, 0 failed, 0 missing");
%! assert (lines{2}, "+-: standard error of the mean over seed, 3 cells each");
%! assert (strsplit (strtrim (lines{3})), {"width", "loss", "hit"});
%! assert (strsplit (strtrim (lines{4})), strsplit (sprintf ("1 %.1f +- %.1f 0.67 +- 0.33", m, se)));
%! assert (strsplit (strtrim (lines{5})), strsplit (sprintf ("4 %.2f +- %.2f 0.67 +- 0.33", m / 4, se / 4)));
%! assert (numel (lines), 5);
%! assert (numel (unique (cellfun (@numel, lines(3:5)))), 1);                  % columns are flush
%! % without seeds a row for each cell, texts as they are, cells that failed as "-"; a part, its own cells alone
%! warning ("off", "attnpath:sweep:failed", "local");
%! g = @(c) struct ("x", 1 / (c.b > 1) * one_unless (c.b == 3));
%! shown = evalc ("attnpath_sweep (g, struct ('a', {{'p', 'q'}}, 'b', 2:3), 'Display', false);");
%! lines = cellfun (@(line) strsplit (strtrim (line), " "), strsplit (strtrim (shown), "\n"), "UniformOutput", false);
%! assert (lines(3:end), {{"a", "b", "x"}, {"p", "2", "1"}, {"q", "2", "1"}, {"p", "3", "-"}, {"q", "3", "-"}});
%! [folder, gone] = scratch ("cells");
%! shown = evalc ("attnpath_sweep (f, struct ('width', 1:5, 'seed', 1), 'Job', [2 2], 'Folder', folder, 'Display', false);");
%! assert (strsplit (shown, "\n"){1}, "2 cells: 2 done, 0 failed, 0 missing");
%! shown = evalc ("attnpath_sweep (@(c) struct ('t', 'text'), struct ('a', 1:2), 'Display', false);");
%! assert (shown, "2 cells: 2 done, 0 failed, 0 missing\n");
%! shown = evalc ("attnpath_sweep (f, struct ('seed', 1:3, 'width', 1:60), 'Display', false);");
%! assert (numel (strfind (shown, "\n")), 3 + 60);                              % all rows

%!test % Display: a line before the first cell, which may take hours; nothing without it
%! [folder, gone] = scratch ("cells");
%! call = "r = attnpath_sweep (@(c) struct ('x', 1), struct ('a', 1:n), 'Folder', folder, 'Display', on);";
%! told = @(text) regexprep (text, "attnpath_sweep: \\d+ of [^\n]*\n", "");          # but for progress on a busy machine
%! [n, on] = deal (3, true);
%! assert (told (evalc (call)), "attnpath_sweep: 3 cells to run in this session\n");
%! n = 5;
%! assert (told (evalc (call)), "attnpath_sweep: 2 cells to run in this session, 3 done before\n");
%! assert (evalc (call), "");
%! [n, on] = deal (9, false);
%! assert (evalc (call), "");

% ---- figures ---------------------------------------------------------------------------------------------------------

%!testif ; drawable ()
%! % means and standard errors over the seeds, by the definition; x in order; cells that failed are left out
%! warning ("off", "attnpath:sweep:failed", "local");
%! f = @(c) struct ("my_loss", one_unless (c.width == 100 && c.seed == 2) * (c.T + c.seed ^ 2 / c.width), "t", "text");
%! r = attnpath_sweep (f, struct ("width", [100 1 10], "T", [2 3], "seed", 1:4), "Display", false);
%! fig = figure ("visible", "off");
%! ax = axes ("parent", fig);
%! h = attnpath_plot (r, "sweep", "X", "width", "Y", "my_loss", "Curves", "T", "Parent", ax);
%! assert (numel (h.line), 2);
%! for k = 1:2
%!   for j = 1:3
%!     w = 10 ^ (j - 1);
%!     y = 1 + k + [1 4 9 16]([true w<100 true true]) / w;
%!     assert (get (h.line(k), "xdata")(j), w);
%!     assert (get (h.line(k), "ydata")(j), mean (y), 8 * eps (20));              % two orders of summation
%!     ends = get (h.bar(k), "ydata")(3*j-2:3*j-1);
%!     assert (ends, mean (y) + [-1 1] * std (y) / sqrt (numel (y)), 32 * eps (20));
%!   endfor
%! endfor
%! assert ({get(ax, "xscale"), get(get (ax, "ylabel"), "string")}, {"log", "my\\_loss"});
%! assert (get (h.legend, "string")(:), {"T 2"; "T 3"; "bars: s.e. over seed"});
%! % one curve of a part of the results; a linear axis; another field to take means over
%! h = attnpath_plot (r(2:3,2,1), "sweep", "X", "width", "Y", "my_loss", "Parent", ax);
%! assert ({get(ax, "xscale"), isfield(h, "legend"), get(h.line, "ydata")}, {"linear", false, [4 3.1]});
%! h = attnpath_plot (r(2,:,:), "sweep", "X", "seed", "Y", "my_loss", "Over", "T", "Parent", ax);
%! assert (get (h.line, "ydata"), 2.5 + (1:4) .^ 2, 8 * eps (20));
%! for bad = {{"X", "depth", "Y", "my_loss"}, {"X", "width, T, seed", "depth"}
%!            {"X", "width"}, {"Y", "my_loss, t"}
%!            {"X", "width", "Y", "my_loss"}, {"2 values of T"}
%!            {"X", "width", "Y", "my_loss", "Curves", "nothing"}, {"Curves", "nothing"}
%!            {"X", "width", "Y", "my_loss", "Curves", "T", "Over", "depth"}, {"Over", "depth"}
%!            {"X", "width", "Y", "t", "Curves", "T"}, {"Y, t,", "real number"}}'
%!   refuses ("plot:badValue", @() attnpath_plot (r, "sweep", "Parent", ax, bad{1}{:}), bad{2});
%! endfor

%!testif ; drawable ()
%! % one finite x, with the line of a limit or without: one point, with room on either side
%! ax = axes ("parent", figure ("visible", "off"));
%! for widths = {100, [100 Inf]}
%!   r = attnpath_sweep (@(c) struct ("loss", 1 / c.width), struct ("width", widths{1}), "Display", false);
%!   h = attnpath_plot (r, "sweep", "X", "width", "Y", "loss", "Parent", ax);
%!   assert (get (h.line, {"xdata", "ydata"}), {100, 0.01});
%!   assert (get (ax, "xlim"), [50 150]);
%! endfor
%! close (get (ax, "parent"));

%!error id=attnpath:plot:badClass attnpath_plot (struct ("U", 1), "sweep", "X", "a", "Y", "b")

% ---- what is refused -------------------------------------------------------------------------------------------------

%!test
%! f = @(c) struct ("x", 1);
%! one = struct ("a", 1);
%! refuses ("sweep:usage", @() attnpath_sweep (f));
%! refuses ("sweep:badClass", @() attnpath_sweep ("sin", one), {"fun", "sin"});
%! refuses ("sweep:badClass", @() attnpath_sweep (f, 5), {"grid", "5"});
%! refuses ("sweep:badShape", @() attnpath_sweep (f, struct ("a", {"p", "q"})));
%! refuses ("sweep:empty", @() attnpath_sweep (f, struct ()), "grid");
%! refuses ("sweep:empty", @() attnpath_sweep (f, struct ("a", zeros (1, 0))), "1 x 0");
%! refuses ("sweep:empty", @() attnpath_sweep (f, struct ("a", {{}})));
%! refuses ("sweep:badClass", @() attnpath_sweep (f, struct ("a", "softmax")), "softmax");
%! refuses ("sweep:badClass", @() attnpath_sweep (f, struct ("a", {{1, "p"}})), "1 x 2");
%! refuses ("sweep:badShape", @() attnpath_sweep (f, struct ("a", eye (2))), "2 x 2");
%! refuses ("sweep:sparse", @() attnpath_sweep (f, struct ("a", sparse ([1 2]))));
%! refuses ("sweep:notReal", @() attnpath_sweep (f, struct ("a", [1 2i])));
%! refuses ("sweep:badValue", @() attnpath_sweep (f, struct ("a", [1 2 3 2])), "2");
%! refuses ("sweep:badValue", @() attnpath_sweep (f, struct ("a", {{"p", "p"}})), "'p'");
%! refuses ("sweep:badValue", @() attnpath_sweep (f, struct ("a", [0 -0])), "0");
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Collect", true), {"Collect", "Folder"});
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Job", [1 2]), "Folder");
%! [folder, gone] = scratch ("cells");
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Job", [1 2], "Folder", folder, "Collect", true), "Job");
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Job", [3 2], "Folder", folder), {"part 3", "2"});
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Job", [1.5 2], "Folder", folder), "1.5");
%! refuses ("sweep:badShape", @() attnpath_sweep (f, one, "Job", 3, "Folder", folder), {"Job", "1 x 2"});
%! refuses ("sweep:badValue", @() attnpath_sweep (f, one, "Job", "pbs", "Folder", folder), {"Job", "pbs"});
%! refuses ("sweep:noFile", @() attnpath_sweep (f, one, "Folder", folder, "Collect", true));
%! mkdir (folder);
%! refuses ("sweep:noFile", @() attnpath_sweep (f, one, "Folder", folder, "Collect", true));
%! file = fullfile (folder, "file");
%! file_bytes (file, "");
%! refuses ("sweep:file", @() attnpath_sweep (f, one, "Folder", file));
%! refuses ("sweep:unknownOption", @() attnpath_sweep (f, one, "Threads", 2), {"Folder", "Workers", "Job"});
%! refuses ("sweep:tooLarge", @() attnpath_sweep (f, struct ("a", 1:1e5, "b", 1:1e6)), "1e+11");
%! text = evalc ("attnpath_sweep (f, struct ('a', 1:2), 'Folder', [folder '2'], 'Job', [7 9], 'Display', false)");
%! assert (strfind (text, "0 cells: 0 done"), 1);            % a part without cells has an empty table

%!error id=attnpath:sweep:usage attnpath_sweep ("no such file")
%!error id=attnpath:sweep:usage attnpath_sweep (which ("attnpath_sweep"))       # a file, but no plan of a sweep
%!error id=attnpath:sweep:badValue attnpath_sweep (@(c) c, struct ("a", 1), "Folder", ["z" 0 "b"])
