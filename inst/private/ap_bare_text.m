function text = ap_bare_text (text)
%AP_BARE_TEXT  The text of a function without blanks, but for those inside its text constants.
%   text = AP_BARE_TEXT (text)
%   A handle is written with other blanks than it was typed with, and by other versions with others still.
%   See also ap_mark, ap_sweep_folder.

% SPDX-License-Identifier: BSD-3-Clause

constant = '"(?:[^"\\]|\\.|"")*"|(?<![\w)\]}''.])''(?:[^'']|'''')*''';
[words, between] = regexp (text, constant, 'match', 'split');
pieces = [regexprep(between, '\s', ''); [words, {''}]];
text = [pieces{:}];
end
