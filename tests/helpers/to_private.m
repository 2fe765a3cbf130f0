function back = to_private ()
% back = to_private (): the current folder is that of the private functions, which can so be called, until back is
% cleared.

% SPDX-License-Identifier: BSD-3-Clause

here = cd (fullfile (fileparts (which ('attnpath_solve')), 'private'));
back = onCleanup (@() cd (here));
end
