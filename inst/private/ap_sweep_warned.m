function restore = ap_sweep_warned ()
%AP_SWEEP_WARNED  A run that Ctrl-C ended within a cell of a sweep is an error there: what it gave back is no result.
%   restore = AP_SWEEP_WARNED ()
%   Outputs:  restore, an onCleanup that makes such errors warnings again
%   See also ap_sweep_cell.

% SPDX-License-Identifier: BSD-3-Clause

before = warning ();
restore = onCleanup (@() warning (before));
for stem = {'sample', 'train', 'sweep'}            % all that warn so: tests/m/sweep.tst looks for more
  warning ('error', ['attnpath:' stem{1} ':interrupted']);
end
end
