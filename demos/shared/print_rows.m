function print_rows (form, varargin)
%PRINT_ROWS  Print a table, row by row.
%
%   print_rows (form, column, column, ...)
%   Inputs :  form, format of one row, as for fprintf;  columns with as many rows as the table: a matrix, which fills
%             several places of form, or a cell of texts

% SPDX-License-Identifier: BSD-3-Clause

for k = 1:size (varargin{1}, 1)
  row = {};
  for c = 1:numel (varargin)
    entry = varargin{c}(k,:);
    if ~iscell (entry), entry = num2cell (entry); end
    row = [row, entry];
  end
  fprintf (form, row{:});
end
end
