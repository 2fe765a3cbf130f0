function text = ap_class_text (classes)
%AP_CLASS_TEXT  Classes in one line, for a message: the first ten of them.
%
%   text = AP_CLASS_TEXT (classes)
%   Inputs :  classes, cell of texts, or numbers
%   Example:  ap_class_text ([1 2 3])          % 1, 2, 3
%   See also ap_class_names.

% SPDX-License-Identifier: BSD-3-Clause

names = ap_class_names (classes);
if iscell (classes), names = strcat ('''', names, ''''); end
text = strjoin (names(1:min (10, numel (names)))', ', ');
if numel (names) > 10, text = sprintf ('%s, ... (%d of them)', text, numel (names)); end
end
