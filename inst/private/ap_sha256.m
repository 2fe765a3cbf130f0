function digest = ap_sha256 (file)
%AP_SHA256  SHA-256 of a file, as 64 lower-case hexadecimal digits.
%
%   digest = AP_SHA256 (file)
%   See also ap_download, ap_sha256_text.

% SPDX-License-Identifier: BSD-3-Clause

fid = fopen (file, 'r');
bytes = fread (fid, Inf, '*uint8');
fclose (fid);
digest = ap_sha256_text (bytes');
end
