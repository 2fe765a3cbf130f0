function refused (name, f, table)
% REFUSED  Each call f (option, value) is refused: the identifier attnpath:NAME:id, and a message of attnpath_NAME that has
% the option, and the value where that is a number or text of one row
%   refused (name, f, table)
%   Inputs :  name, of the function without attnpath_; f, function handle; table, rows of an id, an option, a cell of values
for row = table'
  for value = row{3}
    caught = struct ('identifier', 'none', 'message', 'no error');
    try
      f (row{2}, value{1});
    catch caught
    end
    want = {row{2}, '', ''};
    if isnumeric (row{2}), want{1} = sprintf ('%g', row{2}); end
    if ischar (value{1}) && ~strcmp (row{1}, 'unknownOption'), want{2} = value{1}; end
    if isfloat (value{1}) && isreal (value{1}) && isscalar (value{1}) && any (strcmp (row{1}, {'badValue', 'notFinite'}))
      want{3} = sprintf ('%.10g', full (value{1}));
    end
    assert (caught.identifier, ['attnpath:' name ':' row{1}]);
    assert (strncmp (caught.message, ['attnpath_' name ': '], numel (name) + 11), caught.message);
    for k = 1:3
      assert (isempty (want{k}) || any (strfind (caught.message, want{k})), '%s has no %s', caught.message, want{k});
    end
  end
end
end
