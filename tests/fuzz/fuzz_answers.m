% fuzz_answers.m: random small problems, over decades of everything; each answer must be what its definition has, or
% that of an equal problem (try_answer.m).
%   octave --no-gui --norc --no-history tests/fuzz/fuzz_answers.m directory problems seed [number | word]
% directory has the gateways. Problems are numbered from 1 and depend on (seed, number) alone: with a number that one
% alone is tried, with a word one identity whose name contains it. A run that was ended goes on where it was, by the
% file build/fuzz/answers-<seed>, which a run that comes to its end deletes.
% What a function reported instead of a good result is counted by its kind: right where rounding allows no better.

1;

args = argv ();
args = args(cellfun (@(a) isempty (regexp (a, '^-|fuzz_answers\.m$')), args));
problems = str2double (args{2});
seed = str2double (args{3});
here = fileparts (mfilename ('fullpath'));
top = fileparts (fileparts (here));
addpath (fullfile (top, 'inst'), make_absolute_filename (args{1}), here, fullfile (here, '..', 'reference'), fullfile (here, '..', 'helpers'));
word = args(4:end);
at = struct ('next', 1, 'failed', 0, 'kinds', {{}}, 'found', '');
file = fullfile (top, 'build', 'fuzz', strjoin ([{sprintf('answers-%d', seed)}, word], '-'));
if ! isempty (word) && ! isnan (str2double (word{1}))
  [at.next, problems] = deal (str2double (word{1}));
  word = {};
elseif exist (file, 'file')
  at = load (file).at;
  printf ('%s is continued at problem %d\n%s', file, at.next, at.found);
end
if ! exist (fileparts (file), 'dir'), mkdir (fileparts (file)); end
first = at.next;
saved = clock ();
for k = first:problems
  out = try_answer (seed, k, word{:});
  if ! isempty (out.wrong)
    text = sprintf ('problem %d of seed %d, %s, of %s:\n%s', k, seed, out.identity, out.problem, ...
                    sprintf ('  %s\n', out.wrong{:}));
    printf ('%s', text);
    fflush (stdout);
    at.failed = at.failed + 1;
    at.found = [at.found, text];
  elseif ! isempty (out.said)
    at.kinds{end+1} = regexprep (out.said, {'[;,(].*', '[-+0-9.e]+\d'}, {'', 'x'});
  end
  at.next = k + 1;
  if first < problems && etime (clock (), saved) > 10
    saved = clock ();
    save ('-text', [file '.new'], 'at');
    rename ([file '.new'], file);
  end
end
if exist (file, 'file') && first < problems, delete (file); end
for kind = unique (at.kinds)
  printf ('%6d reported: %s\n', nnz (strcmp (at.kinds, kind{1})), kind{1});
end
printf ('%d passed, %d failed\n', problems - at.failed - (first == problems) * (problems - 1), at.failed);
exit (double (at.failed > 0));
