function held = press ()
% press (): Ctrl-C is pressed, and has arrived. held = press (): it is held back until held is cleared.

% SPDX-License-Identifier: BSD-3-Clause

if nargout > 0
  held = onCleanup (@() attnpath_interrupt_mex ('release'));
  attnpath_interrupt_mex ('hold');
end
kill (getpid (), SIG ().INT);
late = tic ();
while ~attnpath_interrupt_mex ('seen') && toc (late) < 60, end
end
