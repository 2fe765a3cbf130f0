function text = ap_describe (value)
%AP_DESCRIBE  A short text for any value, to be quoted in an error message.
%
%   text = AP_DESCRIBE (value)
%   Output:   numbers as themselves, text in quotes, anything larger or stranger as its size and class
%   Example:  ap_describe (2.5)             % 2.5
%             ap_describe (zeros (3, 4))    % a 3 x 4 double
%   See also ap_options.

% SPDX-License-Identifier: BSD-3-Clause

sizes = strrep (regexprep (num2str (size (value)), ' +', ' '), ' ', ' x ');
plain = isnumeric (value) && ~issparse (value);
if ischar (value) && ndims (value) == 2 && size (value, 1) == 1 && numel (value) <= 60
  text = ['''' value ''''];
elseif islogical (value) && numel (value) == 1
  words = {'false', 'true'};
  text = words{1 + full(value)};
elseif plain && numel (value) == 1 && isa (value, 'double')
  text = num2str (value, 10);
elseif plain && numel (value) == 1
  text = [class(value) ' ' num2str(value, 10)];
elseif isempty (value)
  text = ['an empty (' sizes ') ' class(value)];
elseif issparse (value)
  text = ['a ' sizes ' sparse ' class(value)];
else
  text = ['a ' sizes ' ' class(value)];
end
end
