% run_tests.m: run every block of tests in tests/m/*.tst and inst/*.m, one line per file.
%   octave --no-gui --norc --no-history tests/run_tests.m [directory of the gateways, src without it] [word]
% With a word only files whose name contains it are run. With ATTNPATH_INSTALLED=1 in the environment the package that is
% loaded is tested, not this tree. The last line is "N passed, N failed"; exit code 1 if any failed.
% Expected failures do not exist here: a block that fails is a failure, whatever it calls itself.

1;

function [passed, failed, skipped] = run_file (file, shown)
  log = tempname ();
  fid = fopen (log, 'w+');
  rand ('twister', 1);                                     % a test that forgets to seed is at least repeatable
  randn ('twister', 1);
  try
    [passed, total, xfail, xbug, skip, rtskip] = test (file, 'quiet', fid);
    failed = total - passed;
    skipped = skip + rtskip;
  catch err
    fprintf (fid, '%s\n', err.message);
    passed = 0;
    failed = 1;
    skipped = 0;
  end
  fclose (fid);
  if failed > 0
    fputs (stdout, fileread (log));
  end
  delete (log);
  close ('all');
  if passed + failed + skipped > 0
    printf ('%-44s %4d passed, %d failed', shown, passed, failed);
    if skipped > 0
      printf (', %d skipped', skipped);
    end
    printf ('\n');
  end
  fflush (stdout);
end

function files = list (pattern)
  found = dir (pattern);
  files = sort (arrayfun (@(f) fullfile (f.folder, f.name), found, 'UniformOutput', false));
end

here = fileparts (mfilename ('fullpath'));
top = fileparts (here);
args = argv ();
args = args(cellfun (@(a) isempty (regexp (a, '^-|\.m$')), args));
gateways = fullfile (top, 'src');
word = '';
if numel (args) > 0
  gateways = make_absolute_filename (args{1});
end
if numel (args) > 1
  word = args{2};
end
installed = strcmp (getenv ('ATTNPATH_INSTALLED'), '1');
if ~installed
  addpath (fullfile (top, 'inst'), gateways);
end
addpath (here, fullfile (here, 'reference'), fullfile (here, 'data'));
set (0, 'defaultfigurevisible', 'off');

files = list (fullfile (here, 'm', '*.tst'));
if ~installed                                              % otherwise `pkg test` runs them
  files = [files; list(fullfile (top, 'inst', '*.m'))];
end
passed = 0;
failed = 0;
for k = 1:numel (files)
  shown = files{k}(numel (top) + 2:end);
  if ~isempty (word) && isempty (strfind (shown, word))
    continue;
  end
  [p, f] = run_file (files{k}, shown);
  if p + f == 0 && ~isempty (strfind (shown, '.tst'))
    printf ('%-44s has no tests\n', shown);
    f = 1;
  end
  passed = passed + p;
  failed = failed + f;
end
printf ('%d passed, %d failed\n', passed, failed);
exit (double (failed > 0 || passed == 0));
