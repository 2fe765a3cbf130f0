function ap_check_checkpoint (fname, name)
%AP_CHECK_CHECKPOINT  Could a file of this name be written? '' asks for none.
%
%   AP_CHECK_CHECKPOINT (fname, name)
%   Errors:   attnpath:<fname>: badClass, file
%   See also ap_resume, ap_save.

% SPDX-License-Identifier: BSD-3-Clause

if ~(ischar (name) && (isempty (name) || size (name, 1) == 1))
  ap_fail (fname, 'badClass', 'Checkpoint must be the name of a file, not %s', ap_describe (name));
end
folder = fileparts (name);
if ~isempty (name) && exist (name, 'dir') == 7
  ap_fail (fname, 'file', 'Checkpoint must be a file, and %s is a folder', name);
elseif ~isempty (folder) && exist (folder, 'dir') ~= 7
  ap_fail (fname, 'file', 'Checkpoint %s is to be in a folder that does not exist', name);
elseif ~isempty (name) && exist (name, 'file') == 2 && ~isfile (name)
  ap_fail (fname, 'file', 'Checkpoint must be a file, and %s is a device or the like', name);
elseif ~isempty (name)
  can_write (fname, name, folder);
end
end

function can_write (fname, name, folder)
% Better known now than at the first checkpoint
if isempty (folder), folder = pwd (); end
trial = tempname (folder);
[file, why] = fopen (trial, 'w');
if file < 0
  ap_fail (fname, 'file', 'Checkpoint %s cannot be written: %s', name, why);
end
fclose (file);
delete (trial);
end
