% run_tests.m: run every block of tests in tests/m/*.tst and inst/*.m in one process, one line per file.
%   octave --no-gui --norc --no-history tests/run/run_tests.m [directory of the gateways, src without it] [word ...]
% With words only files whose name contains one of them are run; those of tests/long and tests/demos only if a word
% begins with that.
% If ATTNPATH_PACKAGE in the environment names a file of Octave code, that loads the package which is tested, and not
% this tree. With ATTNPATH_TESTS=quick blocks that begin with "%!testif ; thorough ()" are left out, and counted.
% The last line is "N passed, N failed", with ", N skipped" where blocks were skipped because something that they need
% (graphics, the data set) is not there; exit code 1 if any failed. tests/run/run_m runs each file in a process of its
% own. Expected failures do not exist here: a block that fails is a failure, whatever it calls itself.

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
    fputs (stdout, without_arrays (fileread (log)));
  end
  lacking = what_lacks (fileread (log));
  delete (log);
  close ('all');
  left = 0;                                                % in `make check`, to other commands
  if ~thorough ()
    left = numel (strfind (fileread (file), sprintf ('\n%%!testif ; thorough ()')));
    skipped = skipped - left;
  end
  if passed + failed + skipped + left > 0
    printf ('%-44s %4d passed, %d failed', shown, passed, failed);
    if skipped > 0
      printf (', %d skipped', skipped);
    end
    printf ('\n');
  end
  if left > 0
    printf ('note: %d blocks of %s are left to make test\n', left, shown);
  end
  for k = 1:numel (lacking)
    printf ('note: a block of %s is skipped: it needs %s\n', shown, lacking{k});
  end
  fflush (stdout);
end

function lacking = what_lacks (log)
  % of each block that was skipped, and that `make check` has not left out: what it needs, by its condition
  known = {'available_graphics_toolkits', 'gnuplot (Debian: gnuplot-nox)'
           'drawable|graphics_toolkit',  'graphics (Debian: xvfb, xauth, fonts-freefont-otf)'
           'real_folder',                'what attnpath_omniglot downloads, in ../shared/omniglot beside this tree'
           'script -qec',                'the program script (Debian: bsdutils), and terminals for it (/dev/pts)'
           '"mex"',                      'the source tree, with the gateways'' sources'
           'jsondecode',                 'jsondecode, which Octave 7 brought'
           'OCTAVE_VERSION',             'Octave 7, which refuses more inputs than a function has'
           'octave-cli',                 'a Unix with octave-cli beside this Octave'
           'isunix|ispc|/proc',          'Linux, or another Unix'
           'asan',                       'a process without AddressSanitizer'};
  blocks = regexp (['***** ' log], '\*\*\*\*\* (.*?)(?=\*\*\*\*\* |$)', 'tokens');
  lacking = {};
  for k = 1:numel (blocks)
    block = blocks{k}{1};
    condition = regexp (block, '^testif ; ([^\n]*)', 'tokens', 'once');
    if isempty (condition) || isempty (strfind (block, '----- skipped test')), continue, end
    if ~thorough () && strncmp (condition{1}, 'thorough ()', 11), continue, end
    fits = find (cellfun (@(word) ~isempty (regexp (condition{1}, word, 'once')), known(:,1)), 1);
    if isempty (fits), lacking{end+1} = condition{1}; else, lacking{end+1} = known{fits,2}; end
  end
end

function text = without_arrays (text)
  % test prints every shared variable behind a failure: the first lines of them will do
  shown = 1000;                                            % characters
  blocks = [strfind(text, sprintf ('\n***** ')), numel(text) + 1];
  for from = fliplr (strfind (text, 'shared variables'))
    to = min (blocks(blocks > from));
    if to - from > shown
      text = [text(1:from+shown-1), sprintf(' ...\n'), text(to:end)];
    end
  end
end

function files = list (pattern)
  found = dir (pattern);
  files = sort (arrayfun (@(f) fullfile (f.folder, f.name), found, 'UniformOutput', false));
end

here = fileparts (fileparts (mfilename ('fullpath')));
top = fileparts (here);
args = argv ();
args = args(cellfun (@(a) isempty (regexp (a, '^-|\.m$')), args));
gateways = fullfile (top, 'src');
words = {''};
if numel (args) > 0
  gateways = make_absolute_filename (args{1});
end
if numel (args) > 1
  words = args(2:end);
end
installed = ~isempty (getenv ('ATTNPATH_PACKAGE'));
if installed
  source (getenv ('ATTNPATH_PACKAGE'));
else
  addpath (fullfile (top, 'inst'), gateways);
end
folders = {'helpers', 'fuzz', 'checks', 'reference', 'data'};
addpath (strjoin (fullfile (here, folders), pathsep ()));
set (0, 'defaultfigurevisible', 'off');

apart = regexp (words{1}, '^tests/(long|demos)', 'tokens', 'once');
if ~isempty (apart)
  files = list (fullfile (here, apart{1}, '*.tst'));
else
  files = list (fullfile (here, 'm', '*.tst'));
  if ~installed                                            % otherwise `pkg test` runs them
    files = [files; list(fullfile (top, 'inst', '*.m'))];
  end
end
passed = 0;
failed = 0;
skipped = 0;
for k = 1:numel (files)
  shown = files{k}(numel (top) + 2:end);
  if ~any (cellfun (@(word) isempty (word) || ~isempty (strfind (shown, word)), words))
    continue;
  end
  [p, f, s] = run_file (files{k}, shown);
  if p + f + s == 0 && thorough () && ~isempty (strfind (shown, '.tst'))
    printf ('%-44s has no tests\n', shown);
    f = 1;
  end
  passed = passed + p;
  failed = failed + f;
  skipped = skipped + s;
end
if passed + failed + skipped == 0 && thorough ()
  printf ('there is no test of that name\n');
  failed = 1;
end
if skipped > 0
  printf ('%d passed, %d failed, %d skipped\n', passed, failed, skipped);
else
  printf ('%d passed, %d failed\n', passed, failed);
end
exit (double (failed > 0));
