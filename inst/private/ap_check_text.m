function value = ap_check_text (fname, name, value)
%AP_CHECK_TEXT  One line of text, or '', or an error that says what is wrong.
%
%   value = AP_CHECK_TEXT (fname, name, value)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message
%   Errors:   attnpath:<fname>: badClass, badShape
%   Example:  folder = ap_check_text ('omniglot', 'Folder', folder);
%   See also ap_check_choice, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

if ~ischar (value)
  ap_fail (fname, 'badClass', '%s must be text, not %s', name, ap_describe (value));
elseif size (value, 1) > 1
  ap_fail (fname, 'badShape', '%s must be text, not %s', name, ap_describe (value));
end
end
