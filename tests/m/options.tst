% options.tst: options as their tables say: what the help promises is what is done, and every kind is checked.
% The tables are read from the source (the text from "table = " to the semicolon): nothing has to be added to the
% functions, which then cost nothing more at run time, and a table of literals is all that can be read in this way.

%!function list = with_options ()
%!  % files of the functions that have a table of options
%!  folder = fileparts (which ("attnpath_solve"));
%!  list = {};
%!  for file = dir (fullfile (folder, "attnpath_*.m"))'
%!    if ! isempty (strfind (fileread (fullfile (folder, file.name)), "ap_options ("))
%!      list{end+1} = fullfile (folder, file.name);
%!    endif
%!  endfor
%!endfunction

%!function table = table_of (source)
%!  text = regexp (source, '^table = (.*?);$', "tokens", "lineanchors", "once");
%!  back = to_private ();           % for ap_head_options
%!  table = eval ([text{1} ";"]);
%!endfunction

%!function wrong = differences (source)
%!  % what table and help of one function say differently, as a cell of sentences
%!  wrong = {};
%!  table = table_of (source);
%!  help_text = regexp (source, '^function[^\n]*\n((%[^\n]*\n)+)', "tokens", "once"){1};
%!  shown = regexp (help_text, '^%     ''([A-Z]\w*)'' +(''[^'']*''|\[[^\]]*\]|\{[^}]*\}|\S+)( |$)', "tokens", "lineanchors");
%!  names = cellfun (@(entry) entry{1}, shown, "UniformOutput", false);
%!  for name = setdiff (names, table(:,1)')
%!    wrong{end+1} = ["the help lists " name{1} ", which is no option"];
%!  endfor
%!  for row = table'
%!    at = find (strcmp (row{1}, names));
%!    if numel (at) != 1
%!      wrong{end+1} = sprintf ("the help lists %s %d times", row{1}, numel (at));
%!      continue;
%!    endif
%!    try
%!      value = eval ([shown{at}{2} ";"]);
%!    catch
%!      value = @() "nothing that could be read";
%!    end_try_catch
%!    if ! isequal (value, row{2}) || ! strcmp (class (value), class (row{2}))
%!      wrong{end+1} = sprintf ("%s is %s in the help, but not in the table", row{1}, shown{at}{2});
%!    endif
%!  endfor
%!endfunction

%!test % names and defaults: the help lists those of the table, all of them and no others
%! list = with_options ();
%! assert (numel (list) >= 13);
%! for file = list
%!   wrong = differences (fileread (file{1}));
%!   if ! isempty (wrong), error ("%s: %s", file{1}, strjoin (wrong, "; ")); endif
%! endfor

%!test % a default changed in one place only is found, and so is an option that one of the two does not have
%! source = fileread (which ("attnpath_solve"));
%! assert (differences (source), {});
%! changed = {"'Tolerance',     1e-8,", "'Tolerance',     1e-7,"
%!            "'Start',         'gp',", "'Start',         'GP',"
%!            "'Display',       true,",  "'Display',       1,"
%!            "'Lengths',       [], ", "'Lengths',       '', "
%!            "'Starts',        0,",   "'Begins',        0,"
%!            "%     'Seed' ",         "%     'Dice' "
%!            "%     'Memory'         2 ", "%     'Memory'         3 "
%!            "%     'Memory' ",       "%      Memory  "};
%! for k = 1:rows (changed)
%!   spoiled = strrep (source, changed{k,1}, changed{k,2});
%!   assert (! strcmp (spoiled, source), "nothing was changed");
%!   assert (! isempty (differences (spoiled)), changed{k,2});
%! endfor

%!test % help of every function: the first sentence stands alone, and no line is longer than 110 columns
%! folder = fileparts (which ("attnpath_solve"));
%! list = dir (fullfile (folder, "attnpath_*.m"));
%! assert (numel (list) >= 22);
%! for file = list'
%!   name = file.name(1:end-2);
%!   lines = strsplit (get_help_text (name), "\n", "CollapseDelimiters", false);
%!   assert (regexp (lines{1}, ["^ *" toupper(name) "  .*[.?]$"]) == 1, name);
%!   assert (isempty (strtrim (lines{2})), name);
%!   assert (max (cellfun (@numel, lines)) <= 110, name);
%! endfor

%!test % tables are well made: four columns, a kind that is known, names once, defaults that pass their own check
%! kinds = {"number", "positive", "count", "seed", "flag", "word", "text", "file", "row", "array", "any", "display"};
%! back = to_private ();
%! for file = with_options ()
%!   table = table_of (fileread (file{1}));
%!   assert ([columns(table), numel(unique (table(:,1)))], [4, rows(table)]);
%!   opt = ap_options ("any", table, {});
%!   assert (fieldnames (opt), table(:,1));
%!   for row = table'
%!     assert (any (strcmp (row{3}, kinds)), file{1});
%!     assert (isequal (opt.(row{1}), row{2}));
%!     assert (isequal (ap_options ("any", table, {row{1:2}}), opt), [file{1} ": " row{1}]);
%!   endfor
%! endfor

%!test % options that were replaced: each value arrives in the field that replaces it, with one warning for all of a call
%! back = to_private ();
%! text = regexp (fileread ("ap_options.m"), '^before = (.*?);$', "tokens", "lineanchors", "once");
%! for row = eval ([text{1} ";"])'
%!   source = fileread (fullfile ("..", ["attnpath_" row{1} ".m"]));
%!   assert (! isempty (strfind (source, ["'" row{3} "'"])), row{3});
%! endfor
%! table = {"Ranges", [], "any", []; "Seed", 0, "seed", []};
%! args = {"widthrange", [1 2], "Seed", 3, struct("TemperatureRange", [4 5])};
%! printed = evalc ('opt = ap_options ("tune", table, args);');
%! assert (numel (strfind (printed, "have been replaced")), 1);
%! [message, id] = lastwarn ();
%! assert (opt, struct ("Ranges", struct ("width", [1 2], "temperature", [4 5]), "Seed", 3));
%! assert (id, "attnpath:tune:oldOption");
%! assert (! isempty (strfind (message, "WidthRange by the field width of Ranges, TemperatureRange by the field")));
%! refuses ("solve:unknownOption", @() ap_options ("solve", table, {"WidthRange", [1 2]}));

%!function opt = given (kind, range, value, default = 7)
%!  back = to_private ();
%!  opt = ap_options ("some", {"Name", default, kind, range}, {"name", value}).Name;
%!endfunction

%!function refused (what, text, varargin)
%!  refuses (["some:" what], @() given (varargin{:}), ["attnpath_some: " text]);
%!endfunction

%!test % every kind: what it takes, and as what
%! assert (class (given ("number", [0 1], single (0.5))), "double");
%! assert (given ("number", [0 1], 1), 1);
%! assert (given ("positive", [], realmin), realmin);
%! assert (given ("count", [0 3], 0), 0);
%! assert (given ("count", [1 Inf], 1e300), 1e300);
%! assert (given ("seed", [], 2^32 - 1), 2^32 - 1);
%! assert (given ("flag", [], 1), true);
%! assert (given ("flag", [], sparse (false)), false);
%! assert (given ("word", {"one", "Two"}, "TWO"), "Two");
%! assert (given ("text", [], ""), "");
%! assert (given ("file", [], ""), "");
%! assert (given ("row", {"n", 0, 1}, [0; 1]), [0 1]);
%! assert (given ("array", {2, "n"}, ones (2, 5)), ones (2, 5));
%! assert (given ("any", [], {@sin}), {@sin});

%!test % 'Display' takes MATLAB's words, and flags
%! for each = {true, 1; false, 0; 1, 1; 0, 0; "off", 0; "none", 0; "Iter", 2; "final", 3; 2, 2; 3, 3}'
%!   assert (given ("display", [], each{1}), each{2});
%! endfor
%! refused ("badValue", "Name must be true, false, 'off', 'final' or 'iter', not 'loud'", "display", [], "loud");
%! refused ("badValue", "Name must be true or false, not 4", "display", [], 4);

%!test % every kind: what it refuses, in which words
%! refused ("badValue",  "Name must be between 0 and 1, not 1.5",              "number", [0 1], 1.5);
%! refused ("badValue",  "Name must be at least 0, not -1",                    "number", [0 Inf], -1);
%! refused ("badValue",  "Name must be at most 3, not 4",                      "number", [-Inf 3], 4);
%! refused ("badClass",  "Name must be one finite real number, not 'a'",       "number", [0 1], "a");
%! refused ("badClass",  "Name must be one finite real number, not true",      "number", [0 1], true);
%! refused ("badShape",  "Name must be one finite real number, not a 1 x 2 double", "number", [0 1], [0 1]);
%! refused ("notReal",   "Name must be one finite real number, not 0+1i",      "number", [0 1], 1i);
%! refused ("notFinite", "Name must be one finite real number, not NaN",       "number", [0 1], NaN);
%! refused ("sparse",    "Name must be one finite real number, not a 1 x 1 sparse double", "number", [0 1], sparse (1));
%! refused ("empty",     "Name must be one finite real number, not an empty (0 x 0) double", "number", [0 1], []);
%! refused ("badValue",  "Name must be positive, not 0",                       "positive", [], 0);
%! refused ("badValue",  "Name must be an integer, not 1.5",                   "count", [1 3], 1.5);
%! refused ("badValue",  "Name must be between 1 and 3, not 4",                "count", [1 3], 4);
%! refused ("badValue",  "Name must be between 0 and 4294967295, not 4294967296", "seed", [], 2^32);
%! refused ("badValue",  "Name must be true or false, not 2",                  "flag", [], 2);
%! refused ("badValue",  "Name must be true or false, not NaN",                "flag", [], NaN);
%! refused ("badClass",  "Name must be true or false, not 'yes'",              "flag", [], "yes");
%! refused ("badShape",  "Name must be true or false, not a 1 x 2 logical",    "flag", [], [true true]);
%! refused ("empty",     "Name must be true or false, not an empty (0 x 0) double", "flag", [], []);
%! refused ("badValue",  "Name must be one of one, two, not 'three'",          "word", {"one", "two"}, "three");
%! refused ("badValue",  "Name must be one of one, two, not a 2 x 3 char",     "word", {"one", "two"}, ["one"; "two"]);
%! refused ("badClass",  "Name must be one of one, two, not 3",                "word", {"one", "two"}, 3);
%! refused ("badClass",  "Name must be one of one, two, not 3",                "word", {"", "one", "two"}, 3);
%! refused ("badClass",  "Name must be text, not 3",                           "text", [], 3);
%! refused ("badShape",  "Name must be text, not a 2 x 1 char",                "text", [], ["a"; "b"]);
%! refused ("badClass",  "Name must be the name of a file, not 3",       "file", [], 3);
%! refused ("badValue",  "Name must be between 0 and 1, but number 2 is 3",    "row", {"n", 0, 1}, [1; 3]);
%! refused ("badShape",  "Name must be 1 x n, not a 2 x 2 double",             "row", {"n", 0, 1}, eye (2));
%! refused ("badShape",  "Name must be 2 x n, not a 3 x 5 double",             "array", {2, "n"}, ones (3, 5));

%!test % an empty default may be given again; another empty value is refused, and so is an empty one elsewhere
%! assert (given ("count", [1 Inf], [], []), []);
%! assert (given ("word", {"one"}, "", ""), "");
%! refused ("empty", "Name must be one finite real number, not an empty (0 x 1) double", "count", [1 Inf], zeros (0, 1), []);
%! refused ("badClass", "Name must be one of one, not an empty (0 x 0) double", "word", {"one"}, [], "");
%! refused ("badClass", "Name must be one finite real number, not an empty (0 x 0) char", "count", [1 Inf], "", []);
%! refused ("badClass", "Name must be one finite real number, not a 1 x 1 x 2 char", "count", [1 Inf], cat (3, "a", "b"), []);
%! refused ("badValue", "Name must be one of one, not an empty (0 x 0) char", "word", {"one"}, "", "one");

%!test % the last of two counts, and only what counts is checked; a struct serves as well; names in any case
%! back = to_private ();
%! table = {"One", 1, "count", [1 9]; "Two", 2, "count", [1 9]};
%! assert (ap_options ("some", table, {"ONE", 0, "one", 3}), struct ("One", 3, "Two", 2));
%! assert (ap_options ("some", table, {struct("two", 5)}), struct ("One", 1, "Two", 5));

%!test % structs and pairs in any order; beginnings of names in pairs, where they are unambiguous, but not in structs
%! back = to_private ();
%! table = {"Start", 1, "count", [1 9]; "Starts", 2, "count", [1 9]; "Seed", 3, "count", [1 9]};
%! some = @(varargin) struct2cell (ap_options ("some", table, varargin))';
%! assert (some (struct ("Seed", 5, "start", 4), "Seed", 6), {4, 2, 6});
%! assert (some ("Seed", 6, struct ("Seed", 5), "starts", 7), {1, 7, 5});
%! assert (some ("se", 6), {1, 2, 6});
%! assert (some ("Start", 6), {6, 2, 3});             # whole, though Starts begins with it
%! for bad = {{"s", 1}, "may be any of Start, Starts, Seed"; {"star", 1}, "may be any of Start, Starts";
%!            {"x", 1}, "unknown option 'x'"; {"", 1}, "must be text"; {struct("se", 1)}, "unknown option 'se'";
%!            {"Seed", 1, "Start"}, "no partner"; {struct("Seed", 1), "Start"}, "no partner"}'
%!   refuses ("some:*", @() some (bad{1}{:}), bad{2});
%! endfor

%!testif ; exist ("jsondecode") > 0
%! % functionSignatures.json, for MATLAB: every function, its arguments, and the options of its table in their order
%! [file, gone] = scratch ("signatures.json");
%! here = cd (fullfile (fileparts (which ("ref_order")), "..", "..", "mex"));
%! back = onCleanup (@() cd (here));
%! make_signatures (file);
%! is = jsondecode (fileread (file));
%! for source = with_options ()
%!   [~, name] = fileparts (source{1});
%!   inputs = is.(name).inputs;
%!   if isstruct (inputs), inputs = num2cell (inputs); endif
%!   options = inputs(cellfun (@(one) strcmp (one.kind, "namevalue"), inputs));
%!   table = table_of (fileread (source{1}));
%!   assert (isequal (cellfun (@(one) one.name, options(:), "UniformOutput", false), table(:,1)), name);
%! endfor
%! solve = is.attnpath_solve.inputs;
%! assert (cellfun (@(one) one.name, solve(1:3)(:)', "UniformOutput", false), {"net", "X", "y"});
