function ap_check_case (fname, name, value, known)
%AP_CHECK_CASE  An error where a field of a struct has the name of one that is read, but for upper and lower case.
%
%   AP_CHECK_CASE (fname, name, value, known)
%   Inputs :  name, of the struct, for the message;  known, cell of the names of the fields that are read
%   Any other field is the user's own. The fields are compared only if the struct has more than the known ones.
%   Errors:   attnpath:<fname>:unknownField
%   See also ap_options, ap_check_net.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (value) || size (struct2cell (value), 1) == sum (isfield (value, known)), return; end
names = fieldnames (value);
all_ = sprintf ('|%s', known{:});
like = regexpi (sprintf ('%s\n', names{:}), ['^(' all_(2:end) ')$'], 'match', 'lineanchors');
if numel (like) == sum (isfield (value, known)), return; end
for k = 1:numel (names)
  meant = known(strcmpi (names{k}, known));
  if ~isempty (meant) && ~any (strcmp (names{k}, meant))
    ap_fail (fname, 'unknownField', '%s has a field %s, which nothing reads: it is %s that counts', name, names{k}, ...
             meant{1});
  end
end
end
