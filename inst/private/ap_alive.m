function yes = ap_alive (process)
%AP_ALIVE  Is there a process of this number on this host? false where a host cannot tell: MATLAB, Windows.
%   yes = AP_ALIVE (process)
%   Processes of other users, which may not be asked, are there.
%   See also ap_process, ap_claim.

% SPDX-License-Identifier: BSD-3-Clause

yes = false;
if exist ('OCTAVE_VERSION', 'builtin') && ~ispc ()
  [failed, why] = kill (process, 0);
  [~, nobody] = kill (double (intmax ('int32')), 0);         % beyond all numbers that a system gives
  yes = failed == 0 || ~strcmp (why, nobody);
end
end
