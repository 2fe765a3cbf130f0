function check_numbers (root)
% CHECK_NUMBERS  Every number that README.md says in words has a source, and the source says the same.
%   check_numbers (root)
%   tests/checks/readme_numbers has a row for each such number: words of README with the number in them, the file that
%   it comes from, and a regular expression for what this file says. The number must stand in what the expression finds,
%   in its parentheses if it has some: the same, or one that rounds to it. Several rows with the same words: each number
%   in what one of them finds. Not looked at: blocks of results, and the numbers at the start of a comment behind an
%   expression, which check_readme compares with what is printed; inline code; addresses; equations such as (T1).
%   Prints what is wrong, and nothing if nothing is.
text = prose (fileread (fullfile (root, 'README.md')));
rows = strsplit (strtrim (fileread (fullfile (root, 'tests', 'checks', 'readme_numbers'))), "\n");
found = {};                                                % a sentence for each fault
covered = false (size (text));
[words, says] = deal ({});
for k = 1:numel (rows)
  if isempty (rows{k}) || rows{k}(1) == '#', continue, end
  row = strtrim (strsplit (rows{k}, ' | '));
  if numel (row) ~= 3
    found{end+1} = ['tests/checks/readme_numbers: not words | file | expression: ' rows{k}];
    continue
  end
  here = strfind (text, row{1});
  if isempty (here), found{end+1} = ['README.md does not say: ' row{1}]; end
  for place = here, covered(place:place+numel (row{1})-1) = true; end
  [said, parts] = regexp (fileread (fullfile (root, row{2})), row{3}, 'match', 'tokens', 'lineanchors');
  if any (row{3} == '(' & [' ' row{3}(1:end-1)] ~= '\' & [row{3}(2:end) ' '] ~= '?'), said = [parts{:}]; end
  if isempty (said), found{end+1} = sprintf ('%s has nothing like %s', row{2}, row{3}); end
  known = find (strcmp (words, row{1}));
  if isempty (known)
    words{end+1} = row{1};
    says{end+1} = said;
  else
    says{known} = [says{known}, said];
  end
end
for k = 1:numel (words)
  [n, unit] = numbers (words{k});
  have = numbers (strjoin (says{k}, ' '));
  if isempty (n), found{end+1} = ['no number in the words: ' words{k}]; end
  for j = 1:numel (n)
    if ~any (abs (have - n(j)) <= unit(j) / 2 * (1 + 1e-9))
      found{end+1} = sprintf ('README.md says "%s": no %g in\n    %s', words{k}, n(j), strjoin (says{k}, "\n    "));
    end
  end
end
[n, unit, from] = numbers (text);
for j = find (~covered(from))
  around = text(max (1, from(j) - 40):min (numel (text), from(j) + 20));
  found{end+1} = sprintf ('README.md: no row of tests/checks/readme_numbers for %g in "..%s.."', n(j), around);
end
if ~isempty (found), printf ('%s\n', found{:}); end
end

function text = prose (text)
% README without what carries its own check, in one line. What is left of code are its comments
text = regexprep (text, '(?<=\n)prints\n```\n.*?\n```\n', "\n");
[blocks, between] = regexp (text, '(?<=\n)```[a-z]*\n.*?\n```(?=\n)', 'match', 'split');
for k = 1:numel (blocks)
  lines = strsplit (blocks{k}, "\n");
  for j = 1:numel (lines)
    lines{j} = regexprep (lines{j}, '^([^%=]*[^%=;\s])[ ]+%[ ]-?[\d. ]+', '');          % compared by check_readme
    comment = regexp (lines{j}, '[%#].*', 'match', 'once');
    lines{j} = comment;
  end
  blocks{k} = strjoin (lines, ' ');
end
pieces = [between; [blocks, {''}]];
text = [pieces{:}];
text = regexprep (text, '\]\([^)]*\)', ']');               % addresses of links
text = regexprep (text, '`[^`]*`', ' ');
text = regexprep (text, '\s*(\n>\s*)?\s+', ' ');
end

function [x, unit, from] = numbers (text)
% The numbers in a text, one unit of the last digit of each, and where they begin
[words, from] = regexp (text, '(?<![\w.:-])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])', 'match', 'start');
x = str2double (words);
unit = last_digits (words);
end
