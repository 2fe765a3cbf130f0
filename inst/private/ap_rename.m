function [failed, why] = ap_rename (from, to)
%AP_RENAME  Replaces a file by another atomically: readers find the old one or the new one.
%   [failed, why] = AP_RENAME (from, to)
%   Inputs :  from, to, names of files in one file system;  there may be a file `to`
%   Outputs:  failed, true where it cannot be done;  why, in the system's words
%   On Windows there may be none for a moment.
%   See also ap_save.

% SPDX-License-Identifier: BSD-3-Clause

if ispc ()
  [done, why] = movefile (from, to, 'f');
  failed = ~done;                                  % a successful move may return a message as well
else
  if exist ('OCTAVE_VERSION', 'builtin')           % which expands a ~ wherever it takes a name
    from = tilde_expand (from);
    to = tilde_expand (to);
  end
  why = attnpath_rename_mex (from, to);            % Octave 9's own deletes `to` first
  failed = ~isempty (why);
end
end
