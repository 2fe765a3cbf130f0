function [n, message] = refuses (id, calls, names)
  % [n, message] = refuses (id, calls, names): each call, a function without arguments, must end with the error
  % attnpath:<id>, whose message has every one of names: what is wrong, its value, never the words around them. Or
  % refuses (table), with a row {id, calls, names} or {id, calls} for each id. n calls were refused, the last by
  % message.
  n = 0;
  if iscell (id)
    for row = id'
      [more, message] = refuses (row{:});
      n = n + more;
    end
    return
  end
  if nargin < 3, names = {}; end
  if ~iscell (calls), calls = {calls}; end
  for call = calls
    caught = struct ('identifier', 'no error', 'message', '');
    try
      call{1} ();
    catch caught
    end
    lacks = @(name) ~isempty (name) && isempty (strfind (caught.message, name));
    due = regexp (caught.identifier, ['^attnpath:' strrep(id, '*', '\w+') '$'], 'once');
    if isempty (due) || any (cellfun (lacks, cellstr (names)))
      error ('refuses:wrong', 'attnpath:%s naming ''%s'' was due, and here is %s: %s\n  of %s', id, ...
             strjoin (cellstr (names), ''', '''), caught.identifier, caught.message, func2str (call{1}));
    end
    [n, message] = deal (n + 1, caught.message);
  end
end
