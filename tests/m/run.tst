% run.tst: ap_run, which does the runs of attnpath_sample and attnpath_train chunk by chunk, and what holds Ctrl-C back.
% The work here is a count, and the clock is the count's own, so that nothing depends on how fast the machine is.
% Interrupts and kills of real runs, at every stage, are in tests/checks/killed_runs.

%!function t = time_ (change)
%!  persistent time
%!  if nargin > 0, time += change; if isnan (change), time = 0; endif, endif
%!  t = time;
%!endfunction

%!function [run, ending, seconds] = advance (run, count, each, overhead)
%!  seconds = overhead + count * each (run.done);
%!  run.done += count;
%!  run.counts(end+1) = count;
%!  run.times(end+1) = time_ (seconds);
%!  ending = "";
%!endfunction

%!function [where, more, notes] = report (run, notes, last)
%!  where = sprintf ("%d done at %.3f", run.done, time_ ());
%!  more = "";
%!  notes = [notes, last];
%!  if last, more = sprintf (", report %d", numel (notes)); endif
%!endfunction

%!function [job, run] = counting (goal, each, varargin)
%!  % each: seconds that a unit takes, or a function of how many are done
%!  time_ (NaN);
%!  if isnumeric (each), each = @(done) each; endif
%!  job = struct ("name", "test", "goal", goal, "done", @(run) run.done, "overhead", 0, "file", "", "every", 4, ...
%!                "pack", @(run) struct ("run", run), "display", false, "report", @report, "clock", @() time_ ());
%!  for k = 1:2:numel (varargin), job.(varargin{k}) = varargin{k+1}; endfor
%!  job.advance = @(run, count) advance (run, count, each, job.overhead);
%!  run = struct ("done", 0, "counts", [], "times", []);
%!endfunction

%!function [lines, run] = told (job, run)
%!  % what is told where output is no terminal, whatever it is here
%!  back = with_env ("TERM", "dumb");
%!  text = evalc ("run = in_private (@() ap_run (job, run));");
%!  assert (any (text == "\r"), false);
%!  assert (isempty (text) || text(end) == "\n");
%!  lines = strsplit (text, "\n")(1:end-1);
%!endfunction

%!function [run, ending, seconds] = set_back (run, count)
%!  time_ (-3600);
%!  [run, ending, seconds] = advance (run, count, @(done) 1, 0);
%!endfunction

%!function at = save_at (done)
%!  % notes after how many units a checkpoint was packed; 0 for all of them, NaN to forget them
%!  persistent list
%!  if isnan (done), list = []; elseif done > 0, list(end+1) = done; endif
%!  at = list;
%!endfunction

%!function varargout = either (yes, a, b)
%!  if yes, [varargout{1:nargout}] = a (); else, [varargout{1:nargout}] = b (); endif
%!endfunction

%!test % chunks: the first is one unit, the next up to four times as many, and then a second each; the goal is met exactly
%! for each = [1e-4 0.03 0.4 7]
%!   [job, run] = counting (20000 * (each < 0.1) + 50, each);
%!   [run, ending] = in_private (@() ap_run (job, run));
%!   assert (ending, "");
%!   assert (run.done, job.goal);
%!   assert (run.counts(1), 1);
%!   assert (all (run.counts(2:end) <= 4 * run.counts(1:end-1)));
%!   full = max (1, floor (1 / each));
%!   assert (max (run.counts), min (full, max (run.counts)));
%!   assert (all (run.counts(8:end-1) == full));
%! endfor

%!test % where every call costs ten seconds besides, a chunk takes thirty; nothing is done when nothing is left to do
%! [job, run] = counting (5000, 0.1, "overhead", 10);
%! run = in_private (@() ap_run (job, run));
%! assert (run.counts, [1 4 16 64 256 300*ones(1, 15) 159]);
%! [job, run] = counting (0, 1);
%! job.advance = @(varargin) error ("called");
%! [again, ending] = in_private (@() ap_run (job, run));
%! assert ({again, ending}, {run, ""});

%!test % another ending ends the run, with what advance gave back
%! [job, run] = counting (100, 1);
%! job.advance = @(run, count) deal (setfield (run, "done", run.done + count + 0 * time_ (1)), ...
%!                               {"", "diverged"}{1 + (run.done >= 3)});
%! [run, ending] = in_private (@() ap_run (job, run));
%! assert ({run.done, ending}, {4, "diverged"});

%!test % progress without a terminal: whole lines, the first after two seconds, each before ten seconds have passed
%! for each = {0.01, 0.7, @(done) 0.3 + 0.2 * (mod (done, 40) > 20)}
%!   [job, run] = counting (200, each{1}, "display", true);
%!   if isnumeric (each{1}) && each{1} < 0.1, job.goal = 12000; endif
%!   lines = told (job, run);
%!   at = cellfun (@(line) sscanf (line, "attnpath_test: %*d done at %f"), lines);
%!   assert (at(1) >= 2 && at(1) < 4);
%!   assert (all (diff (at) <= 10));
%!   assert (at(3) - at(2) < 4 && median (diff (at)) > 5);                      % dense at first
%!   done = cellfun (@(line) sscanf (line, "attnpath_test: %d"), lines(1:end-1));
%!   assert (cellfun (@(line) ! isempty (regexp (line, '(\d+ s|\d+ min) left$')), lines(1:end-1)), done > 3);
%!   assert (! isempty (strfind (lines{end}, sprintf ("attnpath_test: %d done at", job.goal))));
%!   assert (! isempty (regexp (lines{end}, sprintf (', after \\d+ (s|min), report %d$', numel (lines)))));
%! endfor

%!test % no time left is told before it is one: after four units, and after as many as `few` says, where the job has it
%! for few = {{}, {"few", 7}}
%!   [job, run] = counting (40, 3, "display", true, few{1}{:});
%!   lines = told (job, run);
%!   done = cellfun (@(line) sscanf (line, "attnpath_test: %d"), lines(1:end-1));
%!   least = 4 * (1 + ! isempty (few{1}));
%!   assert (any (done < least) && any (done >= least));
%!   assert (cellfun (@(line) ! isempty (strfind (line, " left")), lines(1:end-1)), done >= least);
%! endfor

%!test % nothing in short runs; at once where the start was slow; and a chunk that takes long is announced
%! [job, run] = counting (150, 0.01, "display", true);
%! assert (told (job, run), cell (1, 0));
%! [job, run] = counting (300, 0.01, "display", false);
%! assert (told (job, run), cell (1, 0));
%! [job, run] = counting (3, 4, "display", true);
%! time_ (1);
%! lines = told (job, run);
%! assert (lines{1}, "attnpath_test: 0 done at 1.000");
%! % a clock that is set back in the middle: the next words and checkpoints come as soon as without
%! [file, gone] = scratch ("run");
%! [job, run] = counting (100, 1, "display", true, "file", file);
%! job.pack = @(run) struct ("run", run, "at", save_at (run.done));
%! job.advance = @(run, count) either (run.done == 50, @() set_back (run, count), @() advance (run, count, @(done) 1, 0));
%! save_at (NaN);
%! [lines, run] = told (job, run);
%! done = cellfun (@(line) sscanf (line, "attnpath_test: %d"), lines);
%! assert (all (diff (done) <= 10));
%! assert (done(end), 100);
%! assert (all (diff (save_at (0)) <= 6));
%! [job, run] = counting (1000, 1, "overhead", 20, "display", true);
%! time_ (20);
%! [lines, run] = told (job, run);
%! at = [20, run.times];
%! assert (numel (lines), numel (at));
%! for k = 1:numel (lines) - 1
%!   assert (! isempty (strfind (lines{k}, sprintf ("at %.3f", at(k)))));
%!   next = regexp (lines{k}, 'the next message within (\d+) (s|min)$', "tokens");
%!   if at(k+1) - at(k) > 30, assert (! isempty (next)); endif
%!   if k > 4, assert (next{1}, {"4", "min"}); endif                            % three times 60 units and the overhead
%! endfor

%!function [status, text] = child (code, around = "%s")
%!  % what another session prints that runs this code, in a command around it
%!  [command, gone] = session (code);
%!  [status, text] = system ([sprintf(around, command) " 2>&1 < /dev/null"]);
%!endfunction

%!testif ; system ("script -qec true /dev/null >/dev/null 2>&1 </dev/null") == 0
%! % on a terminal it is one line, drawn again twice a second, never longer than the terminal is wide
%! code = {"function t = time (change)"
%!         "  persistent now"
%!         "  if isempty (now), now = 0; end"
%!         "  now = now + change;"
%!         "  t = now;"
%!         "end"
%!         "function [run, ending, seconds] = go (run, count)"
%!         "  seconds = 0.1 * count;  run = run + count;  ending = '';  time (seconds);"
%!         "end"
%!         "function [where, more, notes] = say (run, notes, last)"
%!         "  where = sprintf ('%d done', run);  more = repmat ('.', 1, 300 * (run < 60));"
%!         "end"
%!         "cd (fullfile (fileparts (which ('attnpath_sample')), 'private'));"
%!         "job = struct ('name', 'test', 'goal', 100, 'done', @(run) run, 'advance', @go, 'overhead', 0, 'file', '', ..."
%!         "              'clock', @() time (0), 'every', 4, 'display', true, 'report', @say);"
%!         "ap_run (job, 0);"};
%! [status, text] = child (strjoin (code', "\n"), "env TERM=xterm COLUMNS=80 LINES=24 script -qec '%s' /dev/null");
%! text = strrep (text, "\r\n", "\n");                       % as a terminal ends a line
%! assert (status == 0, text);
%! assert (text([1 end]), "\r\n");
%! assert (sum (text == "\n"), 1);
%! lines = strsplit (text(2:end-1), "\r");
%! assert (lines{1}, ["attnpath_test: 25 done, 8 s left" repmat(".", 1, 79 - 32)]);
%! assert (numel (lines), 9);                               % chunks of 1, 4, 10, 10, .. units, a second each
%! assert (cellfun (@numel, lines(1:5)), 79 * ones (1, 5));
%! assert (lines{5}, sprintf ("%-79s", "attnpath_test: 65 done, 4 s left"));       % blanks cover the longer line before
%! assert (lines{end}, "attnpath_test: 100 done, after 10 s");

%!function values = pack (run, cost)
%!  % what takes `cost` seconds to write; without arguments the times at which it was written since a run's start
%!  persistent saves
%!  values = saves;
%!  if nargin == 0, return; endif
%!  if run.done < 10, saves = []; endif
%!  saves(end+1) = time_ (cost);
%!  run.saves = saves;
%!  values = struct ("run", run);
%!endfunction

%!test % checkpoints: every few seconds, and not more often than a twentieth of the time allows
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! for cost = [0 2]
%!   [job, run] = counting (200, 1, "file", file, "pack", @(run) pack (run, cost));
%!   run = in_private (@() ap_run (job, run));
%!   found = load (file, "-mat").run;
%!   assert (found.done, 200);
%!   assert (found.saves(end) - cost >= run.times(end));
%!   assert (pack ()(1) - cost, 5);
%!   gaps = diff (pack ()(1:end-1)) - cost;
%!   assert (numel (gaps) > 3);
%!   assert (all (gaps > 4 + 20 * cost) && all (gaps < 4 + 20 * cost + 2));
%!   delete (file);
%! endfor
%! % a chunk that fails: what was done before is there, and the error is raised
%! [job, run] = counting (200, 1, "file", file);
%! go = job.advance;
%! job.advance = @(run, count) either (run.done < 3, @() go (run, count), @() error ("attnpath:test:broken", "broken"));
%! refuses ("test:broken", @() in_private (@() ap_run (job, run)));
%! assert (load (file, "-mat").run.done, 3);
%! assert (sort ({dir(folder).name}), {".", "..", "run"});
%! % a file that cannot be written: the run goes on, and says so
%! [job, run] = counting (20, 1, "file", fullfile (folder, "nowhere", "run"));
%! [id, text, run] = warned (@() in_private (@() ap_run (job, run)));
%! assert ({run.done, id}, {20, "attnpath:test:file"});
%! assert (! isempty (strfind (text, "nowhere")));

% ---- Ctrl-C ----------------------------------------------------------------------------------------------------------
% Octave can send a signal to itself. Where it is not held back, these tests end the whole session.

%!function varargout = pressed (fun, varargin)
%!  press ();
%!  [varargout{1:nargout}] = fun (varargin{:});
%!endfunction

%!testif ; ! ispc ()
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! assert (attnpath_interrupt_mex ("hold"), false);
%! assert (attnpath_interrupt_mex ("seen"), false);
%! press ();
%! assert (attnpath_interrupt_mex ("seen"), true);
%! assert (attnpath_interrupt_mex ("hold"), true);           % a second hold, within the first
%! for word = {"forget", "seen", "release"}                  % none of which the first is not told of
%!   assert (attnpath_interrupt_mex (word{1}), true);
%! endfor
%! assert (attnpath_interrupt_mex ("forget"), true);
%! assert (attnpath_interrupt_mex ("seen"), false);
%! press ();
%! assert (attnpath_interrupt_mex ("forget"), true);
%! assert (attnpath_interrupt_mex ("release"), false);
%! assert (attnpath_interrupt_mex ("release"), false);

%!testif ; ! ispc ()
%! % a run ends after the chunk in which it was pressed, with that chunk, and with a checkpoint
%! [file, gone] = scratch ("run");
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! attnpath_interrupt_mex ("hold");
%! for where = {"advance", "pack", "report"}                # the last two: a checkpoint being written, a line being told
%!   [job, run] = counting (1000, 1, "file", file, "display", true);
%!   own = job.(where{1});
%!   job.(where{1}) = @(varargin) pressed (own, varargin{:});
%!   if strcmp (where{1}, "advance")
%!     job.advance = @(run, count) either (run.done == 7, @() pressed (own, run, count), @() own (run, count));
%!   endif
%!   evalc ("[run, ending] = in_private (@() ap_run (job, run));");
%!   assert (ending, "interrupted");
%!   assert (run.done > 1 && run.done < 20 && (run.done == 8 || ! strcmp (where{1}, "advance")));
%!   assert (load (file, "-mat").run, run);
%!   assert (attnpath_interrupt_mex ("forget"), true);
%! endfor

%!testif ; thorough () && ! ispc ()
%! % afterwards Ctrl-C ends a session as ever, and so it does when nothing has answered for more than ten seconds
%! begin = "attnpath_interrupt_mex ('hold'); held = onCleanup (@() attnpath_interrupt_mex ('release'));";
%! press = "kill (getpid (), SIG ().INT);";
%! wait = "late = tic (); while toc (late) < 60, end; printf ('and on\\n');";
%! [status, text] = child ([begin "clear held; printf ('begun\\n'); fflush (stdout);" press wait]);
%! assert ({status, text}, {1, "begun\n"});
%! [status, text] = child ([begin press "pause (11.5); printf ('held\\n'); fflush (stdout);" press wait]);
%! assert ({status, text}, {1, "held\n"});

%!testif ; thorough () && ! ispc ()
%! % on a busy machine the flag of an interrupt comes after the hook has waited for it: a gateway that ends by it is
%! % the first to see it, and the interrupt is held all the same
%! [folder, gone] = scratch ();
%! here = cd (folder);
%! back = onCleanup (@() cd (here));
%! file_bytes ("late_flag.c", ["#include <signal.h>\n#include \"mex.h\"\n" ...
%!   "extern volatile sig_atomic_t octave_interrupt_state;\n" ...
%!   "void mexFunction (int nl, mxArray **l, int nr, const mxArray **r) { octave_interrupt_state = 1; }\n"]);
%! mkoctfile ("--mex", "late_flag.c");
%! paths = struct ("Xi", randn (40, 250, 16));
%! net = attnpath_net ([2 2 2 2], "Width", 40, "Temperature", 0.1);
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! attnpath_interrupt_mex ("hold");
%! late_flag ();
%! refuses ("solve:interrupted", @() attnpath_solve (net, paths, sign (randn (250, 1)), "Display", false));
%! assert (attnpath_interrupt_mex ("forget"), true);
%! clear late_flag back                                     # before the folder goes

%!testif ; thorough () && ! ispc ()
%! % an interrupt that a gateway returns is noted for the holds around the run as well
%! warning ("off", "all", "local");
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! attnpath_interrupt_mex ("hold");
%! net = attnpath_net ([2 2], "Width", 10, "Temperature", 0.1);
%! for calls = 1:3
%!   system (sprintf ("(sleep 0.3; kill -INT %d) >/dev/null 2>&1", getpid ()), false, "async");
%!   post = attnpath_sample (net, struct ("Xi", randn (20, 60, 4)), sign (randn (60, 1)), "Draws", 1e6, "Chains", 1, ...
%!                           "Warmup", 20, "Display", false);
%!   assert (post.interrupted);
%!   assert (attnpath_interrupt_mex ("forget"), true);
%! endfor

%!error id=attnpath:interrupt:usage attnpath_interrupt_mex ()
%!error id=attnpath:interrupt:badValue attnpath_interrupt_mex ("hard")

%!function replace (from, to, times)
%!  for k = 1:times
%!    file_bytes (from, "new");
%!    assert (ap_rename (from, to), false);
%!  endfor
%!endfunction

%!testif ; ! ispc ()
%! % a file that is replaced is there at every moment, for who looks and for what a kill leaves; names may begin with ~
%! [file, gone] = scratch ("run");
%! says = @(what) [file "." what];
%! file_bytes (file, "old");
%! watcher = system (sprintf ("touch '%s'; while [ -e '%s' ]; do :; done; touch '%s'", says("began"), file, says("gone")), ...
%!                   false, "async");
%! unwind_protect
%!   while ! isfile (says ("began")), pause (0.01); endwhile
%!   in_private (@() replace (says ("new"), file, 3000));
%!   assert (! isfile (says ("gone")) && ! isfile (says ("new")));
%!   assert (fileread (file), "new");
%! unwind_protect_cleanup
%!   delete (file);
%!   waitpid (watcher);
%! end_unwind_protect
%! [failed, why] = in_private (@() ap_rename (says ("nowhere"), file));
%! assert (failed && ! isempty (why));
%! back = with_env ("HOME", fileparts (file));
%! file_bytes (says ("new"), "new");
%! assert (in_private (@() ap_rename ("~/run.new", "~/run")), false);
%! assert (fileread (file), "new");

%!testif ; isunix ()
%! % two processes on one checkpoint: the second is refused, of a dead one it is taken over, of another host with a word
%! [file, gone] = scratch ("run");
%! claim = @(file) in_private (@() ap_claim ("train", file));
%! [own, host] = in_private (@() ap_process ());
%! one = claim (file);
%! assert (fileread ([file ".inuse"]), own);
%! clear one;                                               # given back
%! assert (exist ([file ".inuse"], "file"), 0);
%! say = @(text) file_bytes ([file ".inuse"], text);
%! say (sprintf ("%s-%d", host, getppid ()));
%! refuses ("train:inUse", @() claim (file));
%! assert (fileread ([file ".inuse"]), sprintf ("%s-%d", host, getppid ()));   # and is left alone
%! [~, ended] = system ("echo $$");
%! for stale = {sprintf("%s-%d", host, str2double (ended)), own, "", "?", char([200 201 45 49])}
%!   say (stale{1});
%!   assert (evalc ("one = claim (file);"), "");
%!   assert (fileread ([file ".inuse"]), own);
%!   clear one;
%! endfor
%! say ("another.host-17");
%! text = evalc ("one = claim (file);");
%! assert (! isempty (strfind (text, "process 17 of another.host")), text);
%! say ("another.host-18");                                 # which has taken it meanwhile: it is not ours to give back
%! clear one;
%! assert (fileread ([file ".inuse"]), "another.host-18");
%! delete ([file ".inuse"]);
%! assert (isempty (dir ([file "*"])));
%! alive = @(process) in_private (@() ap_alive (process));
%! assert (alive (getpid ()) && alive (1) && ! alive (str2double (ended)));         # 1 may be another user's

%!test % a call on a checkpoint that a living process works on is refused, and its file is as it was
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! net = attnpath_net ({eye(2)}, "Width", 4, "Temperature", 1);
%! X = reshape (1:8, 2, 2, 2) / 8;
%! few = {"Display", false, "Checkpoint", file};
%! calls = {@() attnpath_sample(net, X, [1; -1], "Chains", 2, "Warmup", 1, "Draws", 2, "Weights", true, few{:}), ...
%!          @() attnpath_moments(net, X, [1; -1], few{:}), ...
%!          @() attnpath_tune(net, X, [1; -1], "Tune", {"temperature"}, "MaxPoints", 1, few{:}), ...
%!          @() attnpath_prune(attnpath_solve (net, X, [1; -1]), "By", "loo", few{:}), ...
%!          @() attnpath_train(X, [1; -1], "Heads", 1, "Width", 2, "Keys", 1, "Steps", 1, "Batch", 2, few{:})};
%! names = {"sample", "moments", "tune", "prune", "train"};
%! if ! isunix (), calls = {}; endif
%! warning ("off", "all", "local");
%! for k = 1:numel (calls)
%!   ignored = calls{k} ();
%!   before = dir (fullfile (folder, "*"));
%!   file_bytes ([file ".inuse"], sprintf ("%s-%d", nthargout (2, @() in_private (@() ap_process ())), getppid ()));
%!   refuses ([names{k} ":inUse"], calls{k});
%!   delete ([file ".inuse"]);
%!   assert (dir (fullfile (folder, "*")), before);
%!   ignored = calls{k} ();
%!   delete (file);
%! endfor

%!test % names of checkpoints: those of functions, of options and patterns; what is no name of a file
%! [folder, gone] = scratch ();
%! mkdir (fullfile (folder, "median"));
%! here = cd (folder);
%! back = onCleanup (@() cd (here));
%! file_bytes ("ab.inuse", "another's");
%! for name = {"run", "mean.m", "-v7", "a*", "x[1]", "a\nb", [repmat("l", 1, 216) ".mat"]}
%!   gd = attnpath_train (ones (2, 2, 2), [1; -1], "Heads", 1, "Width", 2, "Keys", 1, "Steps", 1, "Batch", 2, ...
%!                        "Display", false, "Checkpoint", name{1});
%!   assert (gd.converged && isfile (fullfile (folder, name{1})));
%! endfor
%! refused = @(name) refuses ("train:file", @() attnpath_train (ones (2, 2, 2), [1; -1], "Steps", 1, "Checkpoint", name));
%! for name = {"median", ["run" 0], ["ru" 0 "n"], repmat("l", 1, 221)}
%!   refused (name{1});
%! endfor
%! assert (numel (dir ("run")) == 1 && strcmp (fileread ("ab.inuse"), "another's"));
%! delete ("ab.inuse");
%! assert (isempty (glob ("*.inuse*")) && isempty (glob ("*.new*")));
%! if ! ispc (), refused ("/dev/null"); endif
%! clear back                                               # before the folder goes

%!test % a checkpoint that another program wrote again, with a text of three dimensions, which isequal does not compare
%! [file, gone] = scratch ("run");
%! attnpath_train_run = struct ("problem", {{"Rate", char(65 * ones (2, 2, 2))}}, "done", 1);
%! save ("-v6", file, "attnpath_train_run");
%! for value = {1, "AA", {}}
%!   refuses ("train:otherRun", @() in_private (@() ap_resume ("train", file, {"Rate", value{1}}, {"done"})));
%! endfor
