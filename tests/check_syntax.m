% check_syntax.m: parse every .m file of the tree; print those that do not parse, and nothing else.
top = fileparts (fileparts (mfilename ('fullpath')));
bad = 0;
folders = {'inst', 'inst/private', 'demos', 'mex', 'bench', 'tests', 'tests/reference'};
for k = 1:numel (folders)
  found = dir (fullfile (top, folders{k}, '*.m'));
  for j = 1:numel (found)
    try
      __parse_file__ (fullfile (found(j).folder, found(j).name));
    catch err
      printf ('%s/%s: %s\n', folders{k}, found(j).name, err.message);
      bad = 1;
    end
  end
end
exit (bad);
