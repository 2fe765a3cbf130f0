function claim = ap_claim (fname, file)
%AP_CLAIM  Keep other processes from a checkpoint while this one works on it.
%   claim = AP_CLAIM (fname, file)
%   Inputs :  fname, stem of the calling function;  file, name of the checkpoint
%   Outputs:  claim, to be held: when it is cleared the checkpoint is free again
%   Errors:   attnpath:<fname>:inUse where another process of this host is at work on it
%   Warnings: the same where a process of another host was, and nobody here can know whether it still is: the
%             checkpoint is then that of whichever wrote it last
%   file.inuse names the owner of the checkpoint. The claim of a killed process of this host is taken over.
%   See also ap_resume, ap_process, ap_alive.

% SPDX-License-Identifier: BSD-3-Clause

mark = [ap_full_name(file) '.inuse'];
[own, host] = ap_process ();
mine = [mark '.' own];
forget = @ap_delete;                               % found here: a claim may end while another folder is current
clear_up = onCleanup (@() remove (mine, own, forget));
there = fopen (mine, 'w');
if there >= 0
  fwrite (there, own);
  fclose (there);
end
for k = 1:5
  first = is_first (mine, mark);
  other = words_of (mark);                         % '' where it has been given back since: once more
  if first || ~isempty (other), break; end
end
if ~first
  if ~strcmp (other, own), judge (fname, file, mark, other, host); end
  ap_rename (mine, mark);
end
claim = onCleanup (@() remove (mark, own, forget));
end

function yes = is_first (mine, mark)
% A link can be made only where there is nothing: of two processes that come at once one is the first. Where no links
% are to be had nobody is
yes = exist ('OCTAVE_VERSION', 'builtin') && ~ispc () && link (mine, mark) == 0;
end

function words = words_of (mark)
words = '';
there = fopen (mark, 'r');
if there >= 0
  words = char (fread (there, [1 1000]));          % not all that a file of another program may hold
  fclose (there);
  if any (words < ' ' | words > '~'), words = '?'; end              % no mark of a process
end
end

function judge (fname, file, mark, other, host)
found = regexp (other, '^(.*)-(\d+)$', 'tokens', 'once');
if isempty (found), return; end
[where, process] = deal (found{1}, str2double (found{2}));
if ~strcmp (where, host)
  warning (['attnpath:' fname ':inUse'], ['attnpath_%s: %s was in use by process %d of %s: if that is still at ' ...
           'work, what is written last counts'], fname, file, process, where);
elseif ap_alive (process)
  ap_fail (fname, 'inUse', ['%s is in use by process %d, which still runs: wait for it, or choose another ' ...
           'name (if that process is no Octave, remove %s)'], file, process, mark);
end
end

function remove (mark, own, forget)
% Unless another process has it by now
if strcmp (words_of (mark), own), forget (mark); end
end
