function claim = ap_claim (fname, file)
%AP_CLAIM  Keep other processes from a checkpoint while this one works on it.
%   claim = AP_CLAIM (fname, file)
%   Inputs :  fname, stem of the calling function;  file, name of the checkpoint
%   Outputs:  claim, to be held: when it is cleared the checkpoint is free again
%   Errors:   attnpath:<fname>:inUse where another process of this host is at work on it
%   Warnings: the same where a process of another host was, and nobody here can know whether it still is: the
%             checkpoint is then that of whichever wrote it last
%   file.inuse says whose the checkpoint is. What a killed process of this host has left is taken over.
%   See also ap_resume, ap_process.

% SPDX-License-Identifier: BSD-3-Clause

mark = [file '.inuse'];
[own, host] = ap_process ();
there = fopen (mark, 'r');
if there >= 0
  other = fread (there, [1 Inf], '*char');
  fclose (there);
  found = regexp (other, '^(.*)-(\d+)$', 'tokens', 'once');
  if ~isempty (found) && ~strcmp (other, own)
    judge (fname, file, mark, found{1}, str2double (found{2}), host);
  end
end
there = fopen (mark, 'w');
if there >= 0
  fwrite (there, own);
  fclose (there);
end
claim = onCleanup (@() give_back (mark));
end

function judge (fname, file, mark, where, process, host)
if ~strcmp (where, host)
  warning (['attnpath:' fname ':inUse'], ['attnpath_%s: %s was in use by process %d of %s: if that is still at ' ...
           'work, what is written last counts'], fname, file, process, where);
elseif exist ('OCTAVE_VERSION', 'builtin') && ~ispc () && kill (process, 0) == 0
  ap_fail (fname, 'inUse', ['%s is in use by process %d, which is still at work: wait for it, or choose another ' ...
           'name (if that process is no Octave, remove %s)'], file, process, mark);
end
end

function give_back (mark)
if exist (mark, 'file') == 2, delete (mark); end
end
