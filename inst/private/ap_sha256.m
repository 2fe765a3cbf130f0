function digest = ap_sha256 (bytes)
%AP_SHA256  SHA-256 of a text or of the bytes of a file, as 64 lower-case hexadecimal digits.
%
%   digest = AP_SHA256 (bytes)
%   Inputs :  bytes, a row of char, or of uint8
%   See also ap_download, ap_digest.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  digest = hash ('sha256', char (bytes));
else
  engine = java.security.MessageDigest.getInstance ('SHA-256');
  engine.update (uint8 (bytes));
  digest = sprintf ('%02x', typecast (engine.digest (), 'uint8'));
end
end
