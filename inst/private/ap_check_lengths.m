function lengths = ap_check_lengths (fname, lengths, N0, T, P)
%AP_CHECK_LENGTHS  Numbers of tokens of P zero-padded examples, as 1 x P, or [] when all have T.
%
%   lengths = AP_CHECK_LENGTHS (fname, lengths, N0, T, P)
%   Inputs :  N0, T, P, the size of X
%   Errors:   attnpath:<fname>: badValue, badShape, and those of ap_check_array
%   Example:  opt.Lengths = ap_check_lengths ('paths', opt.Lengths, size (X, 1), size (X, 2), size (X, 3));

% SPDX-License-Identifier: BSD-3-Clause

if isempty (lengths) && isnumeric (lengths)
  lengths = [];
  return
end
if isnumeric (lengths) && numel (lengths) == N0 && N0 ~= P
  ap_fail (fname, 'badShape', ['X is %d x %d x %d, so that it has %d examples, and Lengths has %d: X must be N0 x ' ...
           'T x P (features, tokens, examples). If yours has examples first, as in PyTorch, permute (X, [3 2 1]) ' ...
           'reorders it'], N0, T, P, P, N0);
end
lengths = ap_check_value (fname, 'Lengths, numbers of tokens in X,', lengths, 'counts', {P, 1, T});
end
