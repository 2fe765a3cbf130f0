function bytes = ap_bytes (name, most)
%AP_BYTES  The first bytes of a file, 1 x n uint8; none of a file that cannot be opened.
%
%   bytes = AP_BYTES (name, most)
%   Inputs :  most, how many; Inf for all
%   Example:  head = char (ap_bytes (name, 116));
%   See also ap_load, ap_sha256.

% SPDX-License-Identifier: BSD-3-Clause

bytes = zeros (1, 0, 'uint8');
file = fopen (name, 'r');
if file < 0, return; end
bytes = fread (file, [1 most], '*uint8');
fclose (file);
end
