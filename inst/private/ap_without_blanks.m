function text = ap_without_blanks (text)
%AP_WITHOUT_BLANKS  The text of a function without blanks, but for those inside its text constants.
%   text = AP_WITHOUT_BLANKS (text)
%   A handle is written with other blanks than it was typed with, and by other versions with others still.
%   See also ap_digest, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause

constant = '"(?:[^"\\]|\\.|"")*"|(?<![\w)\]}''.])''(?:[^'']|'''')*''';
[words, between] = regexp (text, constant, 'match', 'split');
pieces = [regexprep(between, '\s', ''); [words, {''}]];
text = [pieces{:}];
end
