function gib = peak_memory ()
% peak_memory: peak memory of this whole process, in GiB (Linux: VmHWM)

% SPDX-License-Identifier: BSD-3-Clause

status = fileread ('/proc/self/status');
kib = regexp (status, 'VmHWM:\s*(\d+)', 'tokens', 'once');
gib = str2double (kib{1}) / 2^20;
end
