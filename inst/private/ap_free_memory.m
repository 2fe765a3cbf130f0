function bytes = ap_free_memory ()
%AP_FREE_MEMORY  Free memory of this machine, in bytes; Inf if unknown.
%
%   See also ap_say_price, attnpath_sample.

% SPDX-License-Identifier: BSD-3-Clause

bytes = Inf;
free = regexp (char (ap_bytes ('/proc/meminfo', Inf)), 'MemAvailable:\s*(\d+) kB', 'tokens', 'once');
if ~isempty (free), bytes = 1024 * str2double (free{1}); end
end
