function tells (text, words)
% tells (text, words): fails unless a text has all of these.

% SPDX-License-Identifier: BSD-3-Clause

for word = words
  assert (~isempty (strfind (text, word{1})), [word{1} ' is not in: ' text]);
end
end
