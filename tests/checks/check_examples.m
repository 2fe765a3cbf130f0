% check_examples.m FUNCTION: the lines at the prompt in the help of a function of this tree, run by the package doctest
% (Debian: octave-doctest): what they promise is what they print. A function without such lines is a failure.
% Lines of progress are taken out of what they print: the load of the machine decides whether there are any.
% The last line is "N passed, N failed".

warning ('off', 'Octave:shadowed-function');
tests = fileparts (mfilename ('fullpath'));
addpath (tests, fullfile (tests, '..', 'helpers'), fullfile (tests, '..', '..', 'inst'), fullfile (tests, '..', '..', 'src'));
if isempty (pkg ('list', 'doctest')), pkg ('rebuild', '-global'); end        % a list that others have emptied
pkg load doctest
set (0, 'defaultfigurevisible', 'off');
name = argv (){1};
back = in_front ('evalc', ["function shown = evalc (code)\n" ...       % by which doctest has what is printed
  "shown = without_progress (evalin ('caller', ['builtin (''evalc'', \"' undo_string_escapes(code) '\")']));\nend\n"]);
[shown, passed, all] = deal ('', 0, 0);
shown = evalc ('[passed, all] = doctest (name);');
if all == 0
  printf ('%s: its help has no lines that begin with ">> "\n0 passed, 1 failed\n', name);
  exit (1);
end
if passed < all, printf ('%s\n', shown); end
printf ('%d passed, %d failed\n', passed, all - passed);
exit (double (passed < all));
