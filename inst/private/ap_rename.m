function why = ap_rename (from, to)
%AP_RENAME  A file takes another's place, at once: whoever looks finds the old one or the new one.
%   why = AP_RENAME (from, to)
%   Inputs :  from, to, names of files in one file system;  there may be a file `to`
%   Outputs:  why it cannot be done, in the system's words; '' if it is done
%   Not so on Windows, nor in MATLAB, whose movefile promises nothing.
%   See also ap_save.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin') && ~ispc ()
  why = attnpath_rename_mex (tilde_expand (from), tilde_expand (to));        % Octave 9's own deletes `to` first
else
  [~, why] = movefile (from, to, 'f');
end
end
