function ap_sweep_worker (file)
%AP_SWEEP_WORKER  What a child of ap_sweep_team does: cells whose numbers it reads, until there are none.
%   AP_SWEEP_WORKER (file)
%   Inputs :  file, with the plan of the sweep
%   It goes when its input ends, when another process is its parent, or after Ctrl-C, which a terminal sends to all of
%   its processes: always after the cell it is at.
%   See also ap_sweep_team, ap_sweep_cell.

% SPDX-License-Identifier: BSD-3-Clause

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');
loaded = load ('-binary', file, 'plan');
plan = loaded.plan;
warned = ap_sweep_warned ();
tell (0, 'ready');
line = fgetl (stdin ());
while ischar (line)
  for k = sscanf (strrep (line, '#', ''), '%d')'
    [record, stopped] = ap_sweep_cell (plan, k);
    if stopped
      tell (0, 'left');
      return
    end
    try
      ap_sweep_store (plan, k, record);
      tell (k, record.status);
    catch err
      tell (k, ['unsaved ' regexprep(err.message, '^attnpath_sweep: |\n', '')]);
      return
    end
    if attnpath_interrupt_mex ('seen') || getppid () ~= plan.parent
      tell (0, 'left');
      return
    end
  end
  line = fgetl (stdin ());
end
end

function tell (k, word)
fprintf ('%s%d %s\n', char (1), k, word);
fflush (stdout);
end
