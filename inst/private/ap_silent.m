function back = ap_silent (ids)
%AP_SILENT  Turns warnings of attnpath off for a while.
%
%   back = AP_SILENT (ids)
%   Inputs :  ids, cell of identifiers without their first part, such as {'loo:saddle'}
%   Outputs:  back, an onCleanup that sets them as they were
%   See also ap_warn_minimum.

% SPDX-License-Identifier: BSD-3-Clause

saved = cellfun (@(id) warning ('off', ['attnpath:' id]), ids, 'UniformOutput', false);
back = onCleanup (@() warning ([saved{:}]));
end
