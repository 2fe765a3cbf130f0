function text = ap_columns (words)
%AP_COLUMNS  A table: a line for each row of words, in columns that end below each other.
%
%   text = AP_COLUMNS (words)
%   Inputs :  words, n x columns cell of texts
%   Example:  fprintf ('%s', ap_columns ({'width', 'x'; '10', '3'}))

% SPDX-License-Identifier: BSD-3-Clause

wide = repmat (num2cell (max (cellfun (@numel, words), [], 1)), size (words, 1), 1);
padded = cellfun (@(word, width) sprintf ('  %*s', width, word), words, wide, 'UniformOutput', false);
padded(:,end+1) = {char(10)};
text = regexprep (strjoin (padded', ''), ' +\n', '\n');
end
