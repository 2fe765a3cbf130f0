% ids.tst: the last part of every error identifier is one of those that the help of ap_fail lists, once each.

%!function list = listed ()
%!  text = fileread (fullfile (fileparts (which ("attnpath_solve")), "private", "ap_fail.m"));
%!  found = regexp (text, '^%   ([a-z]\w*(?:, \w+)*)  +\S', "tokens", "lineanchors");
%!  found = cellfun (@(t) strsplit (t{1}, ", "), found, "UniformOutput", false);
%!  list = [found{:}];
%!endfunction

%!function files = sources (folder, pattern)
%!  found = dir (fullfile (folder, pattern));
%!  files = arrayfun (@(f) fullfile (folder, f.name), found(:)', "UniformOutput", false);
%!endfunction

%!test % each is listed once, and the words of before are gone
%! list = listed ();
%! assert (numel (unique (list)), numel (list));
%! assert (numel (list) > 30);
%! assert (! any (ismember ({"outOfRange", "notInteger", "notNumber", "notFlag", "unknownChoice"}, list)));

%!test % all that functions raise is listed
%! inst = fileparts (which ("attnpath_solve"));
%! list = listed ();
%! n = 0;
%! for file = [sources(inst, "*.m"), sources(fullfile (inst, "private"), "*.m")]
%!   text = regexprep (fileread (file{1}), '^ *%[^\n]*', "", "lineanchors");
%!   ids = [regexp(text, 'ap_(?:fail|refuse) \([^,]+,\s*''(\w+)''', "tokens"), regexp(text, '''attnpath:\w+:(\w+)''', "tokens"), ...
%!          regexp(text, '\<what = ''(\w+)''', "tokens")];
%!   for id = ids
%!     assert (any (strcmp (id{1}{1}, list)), [file{1} ": " id{1}{1}]);
%!     n += 1;
%!   endfor
%! endfor
%! assert (n > 100);

%!testif ; exist (fullfile (fileparts (which ("attnpath_solve")), "..", "mex"), "dir")
%! % and what gateways and core raise
%! top = fileparts (fileparts (which ("attnpath_solve")));
%! list = listed ();
%! n = 0;
%! for file = [sources(fullfile (top, "mex"), "*.c"), {fullfile(top, "src", "base", "ap_status.c")}]
%!   text = fileread (file{1});
%!   ids = [regexp(text, 'ap_mex_fail\(\s*"(\w+)"', "tokens"), regexp(text, 'case AP_E\w+:\s*return "(\w+)"', "tokens")];
%!   for id = ids
%!     assert (any (strcmp (id{1}{1}, list)), [file{1} ": " id{1}{1}]);
%!     n += 1;
%!   endfor
%! endfor
%! assert (n > 20);
