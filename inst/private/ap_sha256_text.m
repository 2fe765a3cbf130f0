function digest = ap_sha256_text (text)
%AP_SHA256_TEXT  SHA-256 of a text, as 64 lower-case hexadecimal digits.
%
%   digest = AP_SHA256_TEXT (text)
%   Inputs :  text, a row of char, or of uint8
%   See also ap_sha256.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  digest = hash ('sha256', char (text));
else
  engine = java.security.MessageDigest.getInstance ('SHA-256');
  engine.update (uint8 (text));
  digest = sprintf ('%02x', typecast (engine.digest (), 'uint8'));
end
end
