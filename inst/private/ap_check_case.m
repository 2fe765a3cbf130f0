function ap_check_case (fname, name, value, known)
%AP_CHECK_CASE  An error where a field of a struct has the name of one that is read, but for upper and lower case.
%
%   AP_CHECK_CASE (fname, name, value, known)
%   Inputs :  name, of the struct, for the message;  known, cell of the names of the fields that are read
%   Any other field is the user's own.
%   Errors:   attnpath:<fname>:unknownField
%   See also ap_options, ap_check_net.

% SPDX-License-Identifier: BSD-3-Clause

persistent right                                   % accepted last: most calls repeat it, which saves 0.1 ms
if ~isstruct (value), return; end
names = fieldnames (value);
asked = [names; known(:)];
if numel (asked) == numel (right) && all (strcmp (asked, right)), return; end
for k = 1:numel (known)
  like = names(strcmpi (names, known{k}) & ~strcmp (names, known{k}));
  if ~isempty (like) && ~any (strcmp (like{1}, known))
    ap_fail (fname, 'unknownField', '%s has a field %s, which nothing reads: it is %s that counts', name, like{1}, ...
             known{k});
  end
end
right = asked;
end
