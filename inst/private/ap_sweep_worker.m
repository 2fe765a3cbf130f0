function ap_sweep_worker (file)
%AP_SWEEP_WORKER  What a child of ap_sweep_team does: cells whose numbers it reads, until there are none.
%   AP_SWEEP_WORKER (file)
%   Inputs :  file, with the plan of the sweep. File descriptor 3 gives the numbers, 4 takes what is said
%   The child ends when its input ends, when another process is its parent, or after Ctrl-C, which a terminal sends to
%   all of its processes. It finishes the cell it is at before it ends.
%   See also ap_sweep_team, ap_sweep_cell.

% SPDX-License-Identifier: BSD-3-Clause

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');
loaded = load ('-binary', file, 'plan');
plan = loaded.plan;
warned = ap_sweep_warned ();
numbers = fopen ('/dev/fd/3', 'r');
words = fopen ('/dev/fd/4', 'w');
tell (words, 0, 'ready');
line = fgetl (numbers);
while ischar (line)
  for k = sscanf (strrep (line, '#', ''), '%d')'
    [record, stopped] = ap_sweep_cell (plan, k);
    if stopped
      tell (words, 0, 'left');
      return
    end
    try
      ap_sweep_store (plan, k, record);
      tell (words, k, record.status);
    catch err
      tell (words, k, ['unsaved ' regexprep(err.message, '^attnpath_sweep: |\n', '')]);
      return
    end
    if attnpath_interrupt_mex ('seen') || getppid () ~= plan.parent
      tell (words, 0, 'left');
      return
    end
  end
  line = fgetl (numbers);
end
end

function tell (words, k, word)
fprintf (words, '%d %s\n', k, word);
fflush (words);
end
