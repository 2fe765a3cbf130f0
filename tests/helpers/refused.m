function refused (name, f, table)
% REFUSED  Each call f (option, value) is refused, see refuses, by a message of attnpath_NAME that has the option, and
% the value where that is a number or text of one row
%   refused (name, f, table)
%   Inputs :  name, of the function without attnpath_; f, function handle; table, rows of an id, an option and a cell of
%             values
for row = table'
  for value = row{3}
    names = row(2);
    if isnumeric (row{2}), names{1} = sprintf ('%g', row{2}); end
    if ischar (value{1}) && ~strcmp (row{1}, 'unknownOption'), names{end+1} = value{1}; end
    if isfloat (value{1}) && isreal (value{1}) && isscalar (value{1}) ...
       && any (strcmp (row{1}, {'badValue', 'notFinite'}))
      names{end+1} = sprintf ('%.10g', full (value{1}));
    end
    [~, message] = refuses ([name ':' row{1}], @() f (row{2}, value{1}), names);
    assert (strncmp (message, ['attnpath_' name ': '], numel (name) + 11), message);
  end
end
end
