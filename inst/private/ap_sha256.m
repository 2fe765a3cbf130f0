function digest = ap_sha256 (file)
%AP_SHA256  SHA-256 of a file, as 64 lower-case hexadecimal digits.
%
%   digest = AP_SHA256 (file)
%   See also ap_download.

% SPDX-License-Identifier: BSD-3-Clause

fid = fopen (file, 'r');
bytes = fread (fid, Inf, '*uint8');
fclose (fid);
if exist ('OCTAVE_VERSION', 'builtin')
  digest = hash ('sha256', char (bytes'));
else
  engine = java.security.MessageDigest.getInstance ('SHA-256');
  engine.update (bytes);
  digest = sprintf ('%02x', typecast (engine.digest (), 'uint8'));
end
end
