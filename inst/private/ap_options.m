function opt = ap_options (fname, table, args)
%AP_OPTIONS  Options from one table: defaults, name-value pairs and structs put in, every value checked.
%
%   opt = AP_OPTIONS (fname, table, args)
%   Inputs :  fname, stem of the calling function ('solve' for attnpath_solve)
%             table, one row {name, default, kind, range} for each option, of literals only: tests/m/options.tst
%             reads it from the source and compares it with the help
%             args, the caller's varargin: structs of options and name-value pairs, in any order
%   Outputs:  opt, struct with a field for each row, in the order of the rows
%
%   kind        range         what is allowed
%   'number'    [lo hi]       one finite real number from lo to hi
%   'positive'  []            one finite real number above 0
%   'count'     [lo hi]       one integer from lo to hi
%   'seed'      []            one integer from 0 to 2^32 - 1
%   'flag'      []            true or false, or 1 or 0
%   'display'   []            as for ap_check_display: a flag, or 'off', 'final' or 'iter'
%   'word'      {word, ..}    one of these words
%   'text'      []            one line of text
%   'file'      []            name of a checkpoint, or '' for none
%   'row'       {n, lo, hi}   row of numbers from lo to hi, or a column; n, a letter for their number
%   'array'     {size, ..}    array of these sizes, as for ap_check_array
%   'any'       []            whatever the caller itself checks
%
%   Where the default is empty, this empty value may also be given: the caller fills it in. What depends on several
%   options, or on other arguments, is checked by the caller.
%   Names are case-insensitive. In a pair the beginning of a name will do, if no other begins with it; in a struct,
%   which programs make, names are written out in full. Of a name given twice the last counts.
%   Errors:   attnpath:<fname>: nameValue, unknownOption, and those of the functions named ap_check_
%   Example:  opt = ap_options ('solve', {'Tolerance', 1e-8, 'number', [0 1]}, {'tolerance', 1e-6})

% SPDX-License-Identifier: BSD-3-Clause

opt = cell2struct (table(:,2), table(:,1), 1);
if isempty (args), return; end
given = false (1, size (table, 1));
k = 1;
while k <= numel (args)
  whole = isstruct (args{k});
  if whole
    if numel (args{k}) ~= 1
      ap_fail (fname, 'nameValue', 'options must be one struct, not %s', ap_describe (args{k}));
    end
    names = fieldnames (args{k});
    values = struct2cell (args{k});
    k = k + 1;
  elseif k < numel (args)
    names = args(k);
    values = args(k+1);
    k = k + 2;
  else
    ap_fail (fname, 'nameValue', ['options must be name-value pairs or structs; the last of these %d arguments has ' ...
             'no partner: %s'], numel (args), ap_describe (args{k}));
  end
  for i = 1:numel (names)
    row = row_of (fname, table, ap_char (names{i}), whole);
    opt.(table{row,1}) = ap_char (values{i});
    given(row) = true;
  end
end
for row = find (given)
  [name, default, kind, range] = table{row,:};
  if ~(isempty (default) && isequal (opt.(name), default) && isa (opt.(name), class (default)))
    opt.(name) = checked (fname, name, opt.(name), kind, range);
  end
end
end

function row = row_of (fname, table, name, whole)
% The row of the table with this name; whole: its beginning will not do
if ~ischar (name) || size (name, 1) ~= 1
  ap_fail (fname, 'nameValue', 'an option name must be text, not %s', ap_describe (name));
end
row = find (strcmpi (name, table(:,1)));
if isempty (row) && ~whole && ~isempty (name)
  row = find (strncmpi (name, table(:,1), numel (name)));
  if numel (row) > 1
    ap_fail (fname, 'unknownOption', 'the option %s may be any of %s', ap_describe (name), ...
             strjoin (table(row,1)', ', '));
  end
end
if isempty (row)
  ap_fail (fname, 'unknownOption', 'unknown option %s; known are %s', ap_describe (name), strjoin (table(:,1)', ', '));
end
end

function value = checked (fname, name, value, kind, range)
switch kind
  case 'number',    value = ap_check_number (fname, name, value, range(1), range(2));
  case 'positive',  value = ap_check_positive (fname, name, value);
  case 'count',     value = ap_check_count (fname, name, value, range(1), range(2));
  case 'seed',      value = ap_check_count (fname, name, value, 0, 2^32 - 1);
  case 'flag',      value = ap_check_flag (fname, name, value);
  case 'word',      value = ap_check_choice (fname, name, value, range);
  case 'display',   value = ap_check_display (fname, name, value);
  case 'text',      value = ap_check_text (fname, name, value);
  case 'file',      ap_check_checkpoint (fname, value);
  case 'row',       value = ap_check_row (fname, name, value, range{:});
  case 'array',     value = ap_check_array (fname, name, value, range);
end
end

function value = ap_char (value)
% MATLAB's string scalars become char rows, so that nothing downstream needs to know of them
if isa (value, 'string') && numel (value) == 1
  value = char (value);
end
end
