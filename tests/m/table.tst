% table.tst: attnpath_table against loops over the cells: means, paired differences, given errors, formats.

%!shared result, x
%! x = @(c) 10 * c.seed ^ 2 + c.width * strcmp (c.rule, "b") + sqrt (c.seed * c.width);
%! grid = struct ("width", [4 1 2], "rule", {{"b", "a_1"}}, "seed", 1:5);
%! result = attnpath_sweep (@(c) struct ("x", x (c), "hit", c.seed > 2, "name", "text", "many", [1 2], ...
%!                                        "sd", c.seed / 10), grid, "Display", false);
%! for name = {"x", "hit", "name", "many", "sd"}, result(3,1,3).(name{1}) = []; endfor     % as of a cell that failed
%! result(3,1,3).status = "failed";

%!function [m, se, n] = by_loop (result, field, width, rule, ref)
%!  % the definition: the values of all seeds, or their differences to the cell of the reference, one after the other
%!  v = [];
%!  for r = result(:)'
%!    if r.cell.width != width || ! strcmp (r.cell.rule, rule) || isempty (r.(field)), continue; endif
%!    minus = 0;
%!    if ! isempty (ref)
%!      want = r.cell;
%!      for name = fieldnames (ref)', want.(name{1}) = ref.(name{1}); endfor
%!      other = result(arrayfun (@(q) isequal (q.cell, want), result));
%!      if isempty (other.(field)), continue; endif
%!      minus = other.(field);
%!    endif
%!    v(end+1) = r.(field) - minus;
%!  endfor
%!  [m, se, n] = deal (mean (v), std (v) / sqrt (numel (v)), numel (v));
%!endfunction

%!test % means and paired differences, of rows and columns in any order: sums of five numbers of size 250, 5 eps 250
%! for case_of = {[], {}; struct("width", 1), {"Columns", "rule"}; struct("width", 4, "rule", "b"), {"Rows", {"rule", "width"}}
%!                struct("rule", "a_1"), {"Rows", "width", "Columns", "rule"}}'
%!   for layout = case_of(2)
%!     ref = case_of(1);
%!     t = attnpath_table (result, "Reference", ref{1}, layout{1}{:});
%!     assert (fieldnames (t.mean)', {"x", "hit", "sd"});
%!     d = strcmp (t.by, "rule") + 1;
%!     assert (t.at(d == 2), {{"b"; "a_1"}});
%!     assert (t.at(d == 1), {[4; 1; 2]});
%!     for field = {"x", "hit", "sd"}
%!       for w = 1:3
%!         for r = 1:2
%!           at = {w, r}(d);
%!           [m, se, n] = by_loop (result, field{1}, [4 1 2](w), {"b", "a_1"}{r}, ref{1});
%!           assert (t.mean.(field{1})(at{:}), m, 5 * eps (250));
%!           assert (t.se.(field{1})(at{:}), se, 5 * eps (250));
%!           assert (t.count.(field{1})(at{:}), n);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % given errors are those of the cell, as they are; another field for means; one value; one cell
%! t = attnpath_table (result(:,:,4), "Values", {"x", "hit"}, "Errors", {"sd", ""});
%! assert (t.se.x, 0.4 * ones (3, 2));
%! assert (all (isnan (t.se.hit(:))));
%! assert (strsplit (t.text, "\n"){2}, "+-: given errors of single cells");
%! t = attnpath_table (result(2,1,:), "Over", "width", "Values", "x");
%! assert (t.by, {"rule", "seed"});
%! assert (t.mean.x(:), arrayfun (@(r) r.x, result(2,1,:))(:));
%! t = attnpath_table (attnpath_sweep (@(c) struct ("y", 3), struct ("seed", 1), "Display", false));
%! assert (isempty (t.by) && isempty (t.at));
%! assert ({t.mean.y, t.count.y, t.text}, {3, 1, "1 cells: 1 done, 0 failed, 0 missing\none cell each\n  y\n  3\n"});

%!test % the text: every row and column, two digits of an error, none where none is known
%! n = 60;
%! many = attnpath_sweep (@(c) struct ("y", c.b + c.seed), struct ("b", 1:n, "seed", [1 2]), "Display", false);
%! text = attnpath_table (many).text;
%! lines = strsplit (text, "\n");
%! assert (numel (lines), 3 + n + 1);
%! assert (lines{2}, "+-: standard error of the mean over seed, 2 cells each");
%! assert (strsplit (strtrim (lines{end-1})), {"60", "61.50", "+-", "0.50"});
%! text = attnpath_table (many, "Reference", struct ("b", 1), "Columns", "b").text;
%! assert (strsplit (text, "\n"){2}, "+-: standard error of the mean difference to b = 1 over seed, 2 pairs of cells each");
%! assert (strsplit (strtrim (strsplit (text, "\n"){5}))([1 end]), {"0", "59"});
%! assert (evalc ("attnpath_table (many)"), attnpath_table (many).text);

%!test % cells that are missing, failed or gave warnings: how many, which rows; their errors stay below the others
%! odd = result;
%! odd(1,2,3).warnings = {"first", "second"};
%! for k = 1:5, [odd(2,2,k).status, odd(2,2,k).x] = deal ("missing", []); endfor
%! t = attnpath_table (odd, "Values", "x");
%! lines = strsplit (t.text, "\n");
%! assert (lines(1:2), {"30 cells: 24 done, 1 failed, 5 missing; 1 gave warnings", ...
%!                      "+-: standard error of the mean over seed, 5 cells each, [n]: only n, *: a cell gave warnings"});
%! assert ({t.failed, t.warned}, {[0 0; 0 5; 1 0], [0 1; 0 0; 0 0]});
%! assert (cellfun (@(line) line(end-2:end), lines([6 7]), "UniformOutput", false), {"[4]", sprintf("%.0f*", t.se.x(1,2))});
%! assert (strsplit (strtrim (lines{8})), {"1", "a_1", "-"});
%! assert (numel (unique (cellfun (@(line) strfind (line, "+-"), lines([4:7 9])))), 1);
%! lines = strsplit (attnpath_table (odd, "Values", "x", "Columns", "rule", "Format", "latex").text, "\n");
%! assert (! isempty (regexp (lines{9}, '^1 & \$\d+ \\pm \d+ *\$ & -- \\\\$')), lines{9});

%!test % values that differ in the 12th digit do not look alike, in any format
%! near = attnpath_sweep (@(c) struct ("y", c.T), struct ("T", [0.1, 0.1 + 1e-13, 1 / 3]), "Display", false);
%! lines = strsplit (attnpath_table (near).text, "\n");
%! assert (cellfun (@(line) strtok (line), lines(4:6), "UniformOutput", false), {"0.1", "0.1000000000001", "0.333333333333333"});
%! assert (strtrim (strsplit (attnpath_table (near, "Columns", "T").text, "\n"){4}), "T 0.1  T 0.1000000000001  T 0.333333333333333");
%! nearer = attnpath_sweep (@(c) struct ("y", c.T), struct ("T", [0.1, 0.1 + eps(0.1)]), "Display", false);
%! assert (strncmp (strsplit (attnpath_table (nearer, "Format", "csv").text, "\n")(2:3), {"0.10000000000000001,", "0.10000000000000002,"}, 20));

%!test % CSV is read back whole; a name or text with a comma is quoted
%! t = attnpath_table (result, "Format", "csv");
%! [file, gone] = scratch ("t.csv");
%! shown = evalc ("attnpath_table (result, 'Format', 'csv', 'File', file)");
%! assert ({shown, fileread(file)}, {"", t.text});
%! lines = strsplit (strtrim (t.text), "\n");
%! assert (lines{1}, "width,rule,x,x_se,x_count,hit,hit_se,hit_count,sd,sd_se,sd_count");
%! parts = strsplit (lines{5}, ",");
%! assert (parts(1:2), {"4", "a_1"});
%! assert (str2double (parts(3:5)), [t.mean.x(1,2), t.se.x(1,2), 5], -1e-14);
%! r = attnpath_sweep (@(c) struct ("x", 1), struct ("a", {{"p,q", 'say "r"'}}), "Display", false);
%! assert (strsplit (attnpath_table (r, "Format", "csv").text, "\n")(2:3), {'"p,q",1,NaN,1', '"say ""r""",1,NaN,1'});

%!test % LaTeX: the package booktabs, names with _ escaped, columns below their field
%! text = attnpath_table (result, "Columns", "rule", "Values", {"x", "hit"}, "Format", "latex").text;
%! for part = {'\begin{tabular}{rcccc}', '\multicolumn{2}{c}{x} & \multicolumn{2}{c}{hit} \\', ...
%!             'width & rule b & rule a\_1 & rule b & rule a\_1 \\', '\midrule', '\bottomrule', ' \pm '}
%!   assert (! isempty (strfind (text, part{1})), text);
%! endfor
%! assert (strsplit (text, "\n"){2}, "% +-: standard error of the mean over seed, 5 cells each, [n]: only n");
%! [m, se] = by_loop (result, "x", 4, "b", []);
%! assert (! isempty (strfind (text, sprintf ("4 & $%.0f \\pm %.0f    $ &", m, se))), text);

%!test % what is refused, by name
%! t = @(varargin) @() attnpath_table (result, varargin{:});
%! none = attnpath_sweep (@(c) struct ("t", "text"), struct ("a", 1:2), "Display", false);
%! refuses ({"table:usage", {@() attnpath_table()}, ""
%!           "table:badClass", {@() attnpath_table(3), @() attnpath_table(struct ("a", 1))}, "attnpath_sweep"
%!           "table:empty", {@() attnpath_table(none)}, "one real number"
%!           "table:badValue", {t("Rows", "depth")}, {"Rows", "width", "depth"}
%!           "table:badValue", {t("Columns", "depth")}, {"Columns", "depth"}
%!           "table:badValue", {t("Over", "depth")}, {"Over", "width", "depth"}
%!           "table:badValue", {t("Values", "many")}, {"Values", "many"}
%!           "table:badValue", {t("Errors", "many")}, {"Errors", "many"}
%!           "table:badValue", {t("Rows", "rule", "Columns", "rule")}, "twice"
%!           "table:badValue", {t("Rows", "rule"), t("Rows", "rule", "Columns", "seed")}, {"3 values of width"}
%!           "table:badValue", {t("Values", "x", "Errors", "sd")}, {"sd", "means over 5 cells"}
%!           "table:badValue", {t("Values", "x", "Errors", "sd", "Reference", struct ("width", 1))}, "Reference"
%!           "table:badValue", {t("Reference", struct ("width", 3))}, {"width = 3", "4, 1, 2"}
%!           "table:badValue", {t("Reference", struct ("width", {{1}})), t("Reference", struct ("width", @sin))}, "width = "
%!           "table:badValue", {t("Reference", struct ("depth", 3))}, {"depth"}
%!           "table:badValue", {t("Reference", struct ("seed", 3))}, {"seed", "Over"}
%!           "table:badClass", {t("Reference", 3), t("Reference", struct ())}, {"Reference", "width"}
%!           "table:badClass", {t("Rows", 3), t("Values", {3})}, "cell of texts"
%!           "table:badShape", {t("Values", {"x", "hit"}, "Errors", "sd")}, "2 fields"
%!           "table:badValue", {t("Format", "html")}, "html"
%!           "table:file", {t("File", "/nowhere/t.csv")}, "/nowhere/t.csv"
%!           "table:unknownOption", {t("Row", 1, "Cells", 2)}, ""});
