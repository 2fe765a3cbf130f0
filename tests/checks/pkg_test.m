% pkg_test.m: install a tarball, load it, run the tests that it brings, as packages.octave.org does.
%   octave-cli --norc --no-history tests/checks/pkg_test.m attnpath-1.2.3.tar.gz
% Everything lands in a temporary folder with a space in its name. The last line is "N passed, N failed", the exit code
% 1 if any failed.

1;
files = argv ();
prefix = fullfile (tempname (), 'octave packages');
mkdir (prefix);
pkg ('prefix', prefix, prefix);
pkg ('local_list', fullfile (prefix, 'list'));
pkg ('install', '-local', '-verbose', files{end});
pkg ('load', 'attnpath');
there = pkg ('list', 'attnpath');
assert (strncmp (which ('attnpath_solve'), there{1}.dir, numel (there{1}.dir)));
[passed, failed, xfail, xbug, skipped, lacking, regressed] = __run_test_suite__ ({there{1}.dir}, {});
demo ('attnpath_solve');
printf ('\n%d passed, %d failed\n', passed, failed + xbug + regressed);
exit (double (failed + xbug + regressed > 0 || passed == 0));
