function [name, gone] = scratch (file)
% [folder, gone] = scratch (): a new folder; [name, gone] = scratch (file): a name in one. The folder goes with all that
% is in it when gone is cleared, as at the end of a test, whether it passed or failed.

% SPDX-License-Identifier: BSD-3-Clause

folder = tempname ();
mkdir (folder);
gone = onCleanup (@() remove (folder));
name = folder;
if nargin > 0, name = fullfile (folder, file); end
end

function remove (folder)
confirm_recursive_rmdir (false, 'local');
if exist (folder, 'dir'), rmdir (folder, 's'); end
end
