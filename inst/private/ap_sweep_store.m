function ap_sweep_store (plan, k, record)
%AP_SWEEP_STORE  Write the record of one cell into the folder of a sweep, as a file that is always whole.
%   AP_SWEEP_STORE (plan, k, record)
%   Errors:   attnpath:sweep:file
%   The record says its own name, so that a file that was renamed or copied is not taken for another cell.
%   Two processes may come to write the same cell (one of a sweep that was killed, one of the next): each has a file
%   name.HOST-PROCESS.new of its own, which is renamed.
%   See also attnpath_sweep, ap_save.

% SPDX-License-Identifier: BSD-3-Clause

record.file = plan.file{k};
ap_save ([plan.folder filesep() plan.file{k}], 'sweep', record, ap_process ());
end
