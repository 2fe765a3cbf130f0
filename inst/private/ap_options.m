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
%   Kinds and ranges are those of ap_check_value, [] where a kind has no range. 'any' is what the caller checks.
%   Where the default is empty, this empty value may also be given: the caller fills it in. What depends on several
%   options, or on other arguments, is checked by the caller.
%   Names are case-insensitive. In a pair the beginning of a name will do, if no other begins with it; in a struct,
%   which programs make, names are written out in full. Where a name is given twice the last one counts.
%   Errors:   attnpath:<fname>: nameValue, unknownOption, and those of ap_check_value
%   Warnings: attnpath:<fname>:oldOption, one for all options that have been replaced and are still taken
%   Example:  opt = ap_options ('solve', {'Tolerance', 1e-8, 'number', [0 1]}, {'tolerance', 1e-6})

% SPDX-License-Identifier: BSD-3-Clause

opt = cell2struct (table(:,2), table(:,1), 1);
if isempty (args), return; end
replaced = {};
given = false (1, size (table, 1));
k = 1;
while k <= numel (args)
  whole = isstruct (args{k});
  if whole
    if numel (args{k}) ~= 1
      ap_fail (fname, 'nameValue', 'options must be one struct, not %s', {args{k}});
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
             'no partner: %s%s'], numel (args), {args{k}}, meant (table, ap_char (args{k})));
  end
  for i = 1:numel (names)
    row = [];
    if ischar (names{i}), row = find (strcmpi (names{i}, table(:,1))); end
    if numel (row) == 1
      opt.(table{row,1}) = ap_char (values{i});
    else
      [row, old] = other_name (fname, table, ap_char (names{i}), whole);
      if isempty (old)
        opt.(table{row,1}) = ap_char (values{i});
      else
        opt.(old{3}).(old{4}) = values{i};
        replaced{end+1} = sprintf ('%s by the field %s of %s', old{2}, old{4}, old{3});
      end
    end
    given(row) = true;
  end
end
if ~isempty (replaced)
  warning (['attnpath:' fname ':oldOption'], ['attnpath_%s: options have been replaced: %s. The next version ' ...
           'refuses them'], fname, strjoin (replaced, ', '));
end
for row = find (given)
  [name, default, kind, range] = table{row,:};
  if ~(isempty (default) && isequal (opt.(name), default) && isa (opt.(name), class (default)))
    opt.(name) = ap_check_value (fname, name, opt.(name), kind, range);
  end
end
end

function [row, old] = other_name (fname, table, name, whole)
% The row of an abbreviated name, or of the option that has replaced one of the version before: old is then its line
before = {'tune',  'TemperatureRange', 'Ranges', 'temperature'
          'tune',  'WidthRange',       'Ranges', 'width'
          'tune',  'ScaleRange',       'Ranges', 'scale'
          'tune',  'BandwidthRange',   'Ranges', 'bandwidth'
          'tune',  'RidgeRange',       'Ranges', 'ridge'};
ap_refuse (fname, 'nameValue', ~ischar (name) || size (name, 1) ~= 1, 'an option name must be text, not %s', {name});
row = find (strcmpi (name, table(:,1)));
old = before(strcmp (fname, before(:,1)) & strcmpi (name, before(:,2)),:);
if ~isempty (old), row = find (strcmp (old{3}, table(:,1))); end
if isempty (row) && ~whole && ~isempty (name)
  row = find (strncmpi (name, table(:,1), numel (name)));
  ap_refuse (fname, 'unknownOption', numel (row) > 1, 'the option %s may be any of %s', {name}, ...
             strjoin (table(row,1)', ', '));
end
ap_refuse (fname, 'unknownOption', isempty (row), 'unknown option %s, not one of %s', {name}, ...
           strjoin (table(:,1)', ', '));
end

function hint = meant (table, word)
% The option, or options, of which this is a value
hint = '';
if ~ischar (word) || size (word, 1) ~= 1, return; end
takes = @(kind, range) strcmp (kind, 'word') && any (strcmpi (word, range));
rows = find (cellfun (takes, table(:,3), table(:,4)))';
pairs = strcat ('''', table(rows,1)', ''', ''', lower (word), '''');
if ~isempty (rows), hint = ['; ' strjoin(pairs, ' or ') ' is a pair']; end
end

function value = ap_char (value)
% MATLAB's string scalars become char rows, so that later code has one type of text
if isa (value, 'string') && numel (value) == 1
  value = char (value);
end
end
