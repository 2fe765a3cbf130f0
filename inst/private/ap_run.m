function [run, ending] = ap_run (job, run)
%AP_RUN  Long work in chunks, with progress, checkpoints, and an end by Ctrl-C that keeps what was done.
%   [run, ending] = AP_RUN (job, run)
%   Inputs :
%     run         struct of the results so far; ap_run passes it on and does not read it
%     job         struct that describes the work:
%       name        stem of the calling function, for messages and error ids
%       goal        units of work in all; Inf if unknown: advance then ends the run, and report gives the time left
%       done        @(run): units done
%       advance     @(run, count): [run, ending] after at most count more units; ending is '' as a rule, 'interrupted'
%                   from the gateway, or another word that ends the run
%       display     level of progress lines, as ap_check_value has of 'display'
%       report      @(run, notes, last): [where, more, notes], how far the run is, in words, and what else there is to
%                   tell. notes is [] at first, then what report returned the time before; last: the run ends here
%                 and, unless their defaults will do,
%       clock       @(): seconds since the user's call began; default since that of ap_run
%       file        name of the checkpoint, '' for none
%       every       seconds from one checkpoint to the next; default 4
%       pack        @(run): the struct whose fields a checkpoint holds; default attnpath_<name>_run, which is run
%       few         units before the first estimate of the time left; default 3
%       overhead    seconds that every call of advance takes besides its units; default 0
%   Outputs: run, after the last chunk;  ending: '' if the goal was reached, otherwise the word that ended the run
%   Errors:   attnpath:<name>:interrupted where Ctrl-C ended the run and the caller does not request ending: a part of
%             the work is worth nothing to it
%   Warnings: attnpath:<name>:file where a checkpoint could not be written; the run goes on
%
%   Chunks.   The first is one unit, and a chunk is at most four times the one before. A chunk takes about a second, or
%   three times the overhead, so that at most a quarter of the time goes into that. Results may not depend on how a run
%   is cut.
%
%   Checkpoints.   One is written when `every` seconds and 20 times the time that the last one took have passed, and at
%   the end, whatever ended the run: also when advance fails, whose error is then raised.
%
%   Ctrl-C.   In Octave an interrupt unwinds .m code at any statement: no catch sees it, and what a function has
%   computed is gone. A run can therefore only be kept if interrupts stay out of its .m code. The caller begins, before
%   it has anything to lose, with
%     held = ap_hold ();
%   Then there are two cases:
%     an interrupt in the gateway that advance calls    the gateway returns 'interrupted' at once
%     an interrupt in .m code                           it is noted, and ap_run ends the run after this chunk: after
%                                                       the test, or the checkpoint, that is being worked on
%   Octave itself drops an interrupt, and a SIGTERM, that comes while an onCleanup ends, or in the statement s.a.b = x
%   where s has no field a: neither belongs into what is done again and again in a run.
%   As its last statement the caller puts what attnpath_interrupt_mex ('forget') returns into its result. An
%   interrupt can then lose a result only in the microseconds before it is assigned in the code of the user. An error
%   takes the place of an interrupt that was noted before it. A second Ctrl-C more than ten seconds after the first is
%   not held back. Where nothing can be held (MATLAB, Windows) an interrupt in .m code loses what was done since the
%   last checkpoint.
%
%   Progress.   On a terminal it is one line that is drawn again and again. Otherwise (a pipe, a file, a notebook) it is
%   whole lines, at first after two seconds, then at growing intervals, but before ten seconds have passed. Where one
%   chunk takes longer than that, the line before it announces this.
%
%   See also ap_save, ap_resume.

% SPDX-License-Identifier: BSD-3-Clause

start = tic ();
usual = struct ('clock', @() toc (start), 'file', '', 'every', 4, 'few', 3, 'overhead', 0, ...
                'pack', @(run) struct (['attnpath_' job.name '_run'], run));
for name = setdiff (fieldnames (usual), fieldnames (job))', job.(name{1}) = usual.(name{1}); end
first = job.done (run);
ending = '';
pace = struct ('count', 1, 'seconds', 0);          % of the next chunk: units, and how long it will take; 0 is unknown
saved = struct ('at', 0, 'took', 0);
told = struct ('terminal', is_terminal (), 'at', -Inf, 'gap', 1, 'length', 0, 'notes', []);
[now, clock] = look (job, struct ('seen', -Inf, 'back', 0));
if job.display && job.display < 3 && first < job.goal && now > 0.5
  % slow from the start: the first chunk may take long
  told = tell (told, job, run, first, pace, false, now);
end
last = first >= job.goal;
while ~last
  [before, at] = deal (job.done (run), job.clock ());
  try
    [run, ending] = job.advance (run, min (pace.count, job.goal - before));
  catch err
    if before > first, save_run (job, run); end
    rethrow (err);
  end
  if isempty (ending) && attnpath_interrupt_mex ('seen'), ending = 'interrupted'; end
  pace = next (pace, job.clock () - at, job.done (run) - before, job.overhead);
  last = ~isempty (ending) || job.done (run) >= job.goal;
  [now, clock] = look (job, clock);
  if last || now > saved.at + job.every + 20 * saved.took
    save_run (job, run);
    begun = now;
    [now, clock] = look (job, clock);
    saved = struct ('at', now, 'took', now - begun);
  end
  silent = ~last && now < 2 && job.done (run) == first;            % nothing is done, and it may be soon
  if job.display && (job.display < 3 || last) && ~silent, told = tell (told, job, run, first, pace, last, now); end
end
if nargout < 2 && strcmp (ending, 'interrupted'), ap_fail (job.name, 'interrupted', 'interrupted'); end
end

function [time, clock] = look (job, clock)
% A clock that was set back stands still here for a moment, so that checkpoints and words come as before
here = job.clock ();
time = max (here + clock.back, clock.seen);
clock = struct ('seen', time, 'back', time - here);
end

function pace = next (pace, seconds, units, overhead)
each = max (seconds - overhead, 1e-6) / max (units, 1);
pace.count = max (1, min (4 * pace.count, floor (max (1, 3 * overhead) / each * (1 + 1e-9))));     % clocks round
pace.seconds = pace.count * each + overhead;
end

function save_run (job, run)
if isempty (job.file), return; end
try
  ap_save (job.file, job.name, job.pack (run));
catch err                                          % what was done is not lost for it
  warning (['attnpath:' job.name ':file'], '%s', err.message);
end
end

% ---- progress ----

function yes = is_terminal ()
% Is standard output a terminal whose line can be drawn again? MATLAB's command window is none
yes = exist ('OCTAVE_VERSION', 'builtin') ~= 0 && ~strcmp (getenv ('TERM'), 'dumb');
if yes
  [info, failed] = stat (1);
  yes = failed == 0 && S_ISCHR (info.mode);
end
end

function told = tell (told, job, run, first, pace, last, time)
ahead = pace.seconds * (1 - last);                 % seconds without a line of progress
silent = isinf (told.at);
all_of_it = job.display > 1;
if ~all_of_it && silent && time < 2 && ahead < 8 && job.done (run) > first, return; end
if told.terminal, due = time >= told.at + 0.5 || ahead > 8; else, due = time + ahead >= told.at + told.gap; end
if ~due && ~last && ~all_of_it, return; end
if ~silent, told.gap = min (2 * told.gap, 8); end
told.at = time;
[where, more, told.notes] = job.report (run, told.notes, last);
text = sprintf ('attnpath_%s: %s%s%s', job.name, where, outlook (job, run, first, pace, time, last), more);
if told.terminal
  room = terminal_size ();                         % rows, columns
  text = text(1:min (end, max (room(2), 20) - 1));
  fprintf ('\r%s%s', text, blanks (max (0, told.length - numel (text))));
  told.length = numel (text);
  if last, fprintf ('\n'); end
else
  fprintf ('%s\n', text);
end
ap_flush ();
end

function text = outlook (job, run, first, pace, time, last)
done = job.done (run);
text = '';
if last || (done == first && time > 2)
  text = sprintf (', after %s', ap_duration (time));
elseif done > first
  if done - first > job.few && isfinite (job.goal)
    text = sprintf (', %s left', ap_duration ((job.goal - done) / (done - first) * time));
  end
  if pace.seconds > 10           % a unit of work may take longer than the one before
    text = sprintf ('%s, the next message within %s', text, ap_duration (3 * pace.seconds));
  end
end
end
