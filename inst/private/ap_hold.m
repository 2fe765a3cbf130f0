function held = ap_hold ()
%AP_HOLD  Holds Ctrl-C back: work looks for it, attnpath_interrupt_mex ('seen'), and ends without loss.
%
%   held = AP_HOLD ()
%   Outputs:  held, an onCleanup, with which Ctrl-C is an ordinary interrupt again
%   The caller ends with attnpath_interrupt_mex ('forget'), see ap_run.
%   See also ap_run.

% SPDX-License-Identifier: BSD-3-Clause

held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');
end
