function lengths = ap_check_lengths (fname, lengths, T, P)
%AP_CHECK_LENGTHS  Numbers of tokens of P zero-padded examples, as 1 x P, or [] when all have T.
%
%   lengths = AP_CHECK_LENGTHS (fname, lengths, T, P)
%   Errors:   attnpath:<fname>: badValue, and those of ap_check_array
%   Example:  opt.Lengths = ap_check_lengths ('paths', opt.Lengths, size (X, 2), size (X, 3));

% SPDX-License-Identifier: BSD-3-Clause

if isempty (lengths) && isnumeric (lengths)
  lengths = [];
  return
end
lengths = ap_check_value (fname, 'Lengths', lengths, 'row', {P});
bad = find (lengths < 1 | lengths > T | lengths ~= fix (lengths), 1);
if ~isempty (bad)
  ap_fail (fname, 'badValue', 'Lengths must be integers from 1 to %d, the tokens in X; number %d is %.10g', ...
           T, bad, lengths(bad));
end
end
