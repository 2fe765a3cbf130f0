function value = ap_check_choice (fname, name, value, choices)
%AP_CHECK_CHOICE  One of several words, in its own spelling, or an error that lists them.
%
%   value = AP_CHECK_CHOICE (fname, name, value, choices)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;
%             choices, cell of the words allowed, compared without regard to case
%   Errors:   attnpath:<fname>: badClass where value is not text, badValue where it is not one of the words
%   Example:  what = ap_check_choice ('plot', 'what', what, {'order', 'kernel', 'alignment', 'scores'});
%   See also ap_check_count, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

what = 'badClass';
match = [];
if ischar (value)
  what = 'badValue';
  if size (value, 1) == 1, match = find (strcmpi (value, choices)); end
end
if isempty (match)
  ap_fail (fname, what, '%s must be one of %s, not %s', name, strjoin (choices(:)', ', '), ap_describe (value));
end
value = choices{match};
end
