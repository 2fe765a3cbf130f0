function number = ap_class_of (fname, name, labels, classes)
%AP_CLASS_OF  The class of each label, as a number from 1 on.
%
%   number = AP_CLASS_OF (fname, name, labels, classes)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  labels, n classes of any
%             type of ap_class_keys;  classes, C of them, such as sol.classes
%   Outputs:  n x 1, from 1 to C
%   Errors:   attnpath:<fname>: badClass, where one is texts and the other numbers, badValue, where a label is none of
%             the classes, and those of ap_class_keys
%   Example:  number = ap_class_of ('plot', 'Labels', {'b', 'a', 'b'}, {'a', 'b'})'        % 2 1 2
%   See also ap_classes, ap_class_keys.

% SPDX-License-Identifier: BSD-3-Clause

keys = ap_class_keys (fname, name, labels);
list = ap_class_keys (fname, 'the list of classes', classes);
if iscell (keys) ~= iscell (list)
  kinds = {'numbers', 'texts'};
  ap_fail (fname, 'badClass', '%s must be of the type of the classes, %s, not %s: %s', name, ...
           kinds{1 + iscell(list)}, kinds{1 + iscell(keys)}, {labels});
end
[found, number] = ismember (keys, list);
number = number(:);
wrong = find (~found, 1);
if ~isempty (wrong)
  ap_fail (fname, 'badValue', '%s must be of the classes %s, but element %d is %s', name, ap_class_text (list), ...
           wrong, ap_class_text (keys(wrong)));
end
end
