% check_syntax.m FILE...: parse .m files; print those that do not parse, and nothing else.
bad = 0;
files = argv ();
for k = find (strncmp (files', '-', 1) == 0)
  try
    __parse_file__ (make_absolute_filename (files{k}));
  catch err
    printf ('%s: %s\n', files{k}, err.message);
    bad = 1;
  end
end
exit (bad);
