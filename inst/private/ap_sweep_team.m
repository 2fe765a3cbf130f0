function [run, ending, seconds] = ap_sweep_team (what, plan, run)
%AP_SWEEP_TEAM  Processes that run cells of a sweep, in Octave: octave-cli children, one BLAS thread each.
%   AP_SWEEP_TEAM ('hire', plan, count)
%   [run, ending, seconds] = AP_SWEEP_TEAM ('work', plan, run)      for a quarter of a second, as advance in ap_run
%   AP_SWEEP_TEAM ('dismiss')                                       at once, whatever they are doing
%   Inputs :  plan, from ap_sweep_plan;  run, from ap_sweep_run
%   Errors:   attnpath:sweep: noWorker, file
%
%   A child reads numbers of cells, writes each record into the folder, and then says a line 'number word', where word
%   is done, failed, or unsaved with a message; before the first it says '0 ready', and '0 left' where Ctrl-C ends it.
%   So this session knows at any moment which cell a child is at: the first in its queue. A queue holds half a second of
%   work, and towards the end less. The two pipes are file descriptors 3 and 4 of the child: its standard input and
%   output are the null device, and its warnings are kept in the record. So a function that reads from the keyboard gets
%   an end of file instead of numbers of cells, and nothing that it prints can be taken for a line of the child's.
%     A child that ends by itself (the function called exit): its cell has failed, and the record says so.
%     A child that is killed: its cell runs once more, and has failed if that child is killed too. The same holds
%     where Octave does not know how a child ended.
%     This session is killed: children find that their input has ended, or that their parent is another process. They
%     finish the cell they are at, and end.
%   A child that ends early is replaced, unless four in a row have ended before their first cell. The parallel package
%   is not used: it gives results back only when all cells have ended, and a sweep that is killed would lose them.
%   See also ap_sweep_run, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause

persistent team file
switch what
  case 'hire'
    file = tempname ();
    plan.parent = getpid ();
    folders = path ();
    states = warning ();                           % those that are off here are off there
    save ('-binary', file, 'plan', 'folders', 'states');
    for w = 1:run
      child = start (file);
      if w == 1, team = child; else, team(w) = child; end
    end
  case 'dismiss'
    for w = 1:numel (team), stop (team(w)); end
    if ~isempty (file), unlink (file); end
    team = [];
    file = '';
  case 'work'
    begun = tic ();
    ending = '';
    if ~isfield (run, 'next')
      run.next = run.todo;                         % cells that are in no queue
      run.killed = [];                             % cells whose process was killed, once
      run.busy = 0;                                % seconds that cells took, of all children
      run.early = 0;                               % children that ended before their first cell, one after the other
    end
    while run.done < numel (run.todo) && toc (begun) < 0.25 && ~attnpath_interrupt_mex ('seen')
      pause (0.01);
      for w = 1:numel (team)
        [team(w), run] = hear (team(w), run);
        [team(w), run] = look_after (team(w), run, plan, file);
        [team(w), run] = feed (team(w), run, numel (team));
      end
    end
    seconds = toc (begun);
end
end

function child = start (file)
binary = fullfile (OCTAVE_HOME (), 'bin', 'octave-cli');
if ~isfile (binary), binary = 'octave-cli'; end
quoted = strrep (file, '''', '''''');
code = sprintf ('load (''-binary'', ''%s'', ''folders''); path (folders); attnpath_sweep (''%s'')', quoted, quoted);
try
  [in, out, pid] = popen2 ('env', {'OPENBLAS_NUM_THREADS=1', 'OMP_NUM_THREADS=1', 'MKL_NUM_THREADS=1', 'sh', '-c', ...
                                   'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', 'sh', binary, ...
                                   '--norc', '--no-history', '--eval', code});
catch err
  ap_fail ('sweep', 'noWorker', 'no process could be started: %s', err.message);
end
child = struct ('in', in, 'out', out, 'pid', pid, 'ready', false, 'text', '', 'queue', [], 'since', tic ());
end

function stop (child)
% The child is killed: files in the making are found and removed by the next sweep
if child.pid > 0
  kill (child.pid, SIG ().KILL);
  waitpid (child.pid);
end
fclose (child.in);
fclose (child.out);
end

function [child, run] = hear (child, run)
% What the child has said since the last time
piece = fgets (child.out);
while ischar (piece)
  child.text = [child.text, piece];
  piece = fgets (child.out);
end
fclear (child.out);
ends = find (child.text == char (10), 1, 'last');
if isempty (ends), return; end
said = regexp (child.text(1:ends), '(\d+) (\w+) ?([^\n]*)', 'tokens');
child.text = child.text(ends+1:end);
for k = 1:numel (said)
  cell_number = str2double (said{k}{1});
  switch said{k}{2}
    case 'ready'
      child.ready = true;
      run.early = 0;
    case 'left'                                    % after Ctrl-C, and not by the function's will
      run.next = [child.queue, run.next];
      child.queue = [];
    case 'unsaved'
      ap_fail ('sweep', 'file', '%s', said{k}{3});
    case {'done', 'failed'}
      run.done = run.done + 1;
      run.failed = run.failed + strcmp (said{k}{2}, 'failed');
      child.queue(child.queue == cell_number) = [];
  end
end
if ~isempty (said)
  run.busy = run.busy + toc (child.since);
  child.since = tic ();
end
end

function [child, run] = look_after (child, run, plan, file)
% Has the child ended?
if child.pid == 0, return; end                     % after Ctrl-C
[pid, status] = waitpid (child.pid, WNOHANG ());
if pid == 0, return; end
if pid ~= child.pid, status = -1; end              % Octave 11 may have taken leave of it already, status and all
[child, run] = hear (child, run);
child.pid = 0;
if attnpath_interrupt_mex ('seen'), return; end    % Ctrl-C reaches children too, also before they can hold it back
if ~child.ready, run.early = run.early + 1; end
if run.early > 3
  ap_fail ('sweep', 'noWorker', 'processes that were started for cells end before the first one, the last %s', ...
           ending_of (status));
end
at = child.queue(1:min (1, end));
run.next = [child.queue(2:end), run.next];
if ~isempty (at) && (status < 0 || ~WIFEXITED (status)) && ~any (run.killed == at)
  run.killed(end+1) = at;
  run.next = [at, run.next];
elseif ~isempty (at)
  record = struct ('cell', ap_sweep_at (plan, at), 'status', 'failed', 'error', ...
                   ['fun ended its process, ' ending_of(status)], 'value', struct ());
  ap_sweep_store (plan, at, record);
  run.done = run.done + 1;
  run.failed = run.failed + 1;
end
fclose (child.in);
fclose (child.out);
child = start (file);
end

function text = ending_of (status)
if status < 0
  text = 'with a status that Octave did not keep';
elseif WIFEXITED (status)
  text = sprintf ('with exit code %d', WEXITSTATUS (status));
else
  text = sprintf ('which was killed by signal %d', WTERMSIG (status));
end
end

function [child, run] = feed (child, run, children)
% Half a second of work, but no more than a share of what is left
if ~child.ready || isempty (run.next), return; end
each = run.busy / max (run.done, 1);
room = 1;
if run.done > 0, room = min (ceil (0.5 / max (each, 1e-3)), ceil (numel (run.next) / (2 * children))); end
if numel (child.queue) > room / 2, return; end
count = min (room - numel (child.queue), numel (run.next));
if count < 1, return; end
if isempty (child.queue), child.since = tic (); end
fprintf (child.in, '%s\n#', sprintf ('%d ', run.next(1:count)));            % fgetl waits for what follows a line
fflush (child.in);
child.queue = [child.queue, run.next(1:count)];
run.next(1:count) = [];
end
