function yes = ap_alive (process)
%AP_ALIVE  True if this host runs a process of this number; false if that is unknown: MATLAB, Windows.
%   yes = AP_ALIVE (process)
%   Processes of other users, which refuse the signal, count as running.
%   See also ap_process, ap_claim.

% SPDX-License-Identifier: BSD-3-Clause

yes = false;
if exist ('OCTAVE_VERSION', 'builtin') && ~ispc ()
  [failed, why] = kill (process, 0);
  [~, nobody] = kill (double (intmax ('int32')), 0);         % beyond all numbers that a system gives
  yes = failed == 0 || ~strcmp (why, nobody);
end
end
