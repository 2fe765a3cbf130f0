function make_signatures (file)
%MAKE_SIGNATURES  Names of arguments and options of every function, for MATLAB's suggestions while one types.
%   MAKE_SIGNATURES ()
%   MAKE_SIGNATURES (file)
%   Inputs :  file, to be written; left out: inst/functionSignatures.json, where MATLAB looks for it
%   Arguments are those of the first usage line of the help, options those of the function's table. make_mex calls this
%   under MATLAB; Octave has no use for the file.
%   Example:
%     cd attnpath/mex; make_signatures

% SPDX-License-Identifier: BSD-3-Clause

inst = fullfile (fileparts (mfilename ('fullpath')), '..', 'inst');
if nargin < 1, file = fullfile (inst, 'functionSignatures.json'); end
found = dir (fullfile (inst, 'attnpath_*.m'));
entries = cell (1, numel (found));
for k = 1:numel (found)
  [~, name] = fileparts (found(k).name);
  source = fileread (fullfile (inst, found(k).name));
  inputs = [arguments_of(source, name), options_of(source, fullfile (inst, 'private'))];
  entries{k} = sprintf ('  "%s": {"inputs": [%s]}', name, strjoin (inputs, ', '));
end
fid = fopen (file, 'w');
if fid < 0, error ('make_signatures:file', '%s cannot be written', file); end
fprintf (fid, '{\n  "_schemaVersion": "1.0.0",\n%s\n}\n', strjoin (entries, sprintf (',\n')));
fclose (fid);
end

function list = arguments_of (source, name)
usage = regexp (source, ['%   [^\n(]*' upper(name) ' \(([^)\n]*)\)'], 'tokens', 'once');
list = {};
if isempty (usage), return; end
for word = strtrim (strsplit (usage{1}, ','))
  if ~isempty (regexp (word{1}, '^[A-Za-z]\w*$', 'once')) && ~any (strcmp (word{1}, {'Name', 'Value'}))
    list{end+1} = sprintf ('{"name": "%s", "kind": "required"}', word{1});
  end
end
end

function list = options_of (source, folder)
list = {};
text = regexp (source, '^table = (.*?);$', 'tokens', 'lineanchors', 'once');
if isempty (text), return; end
here = cd (folder);                                        % the table may call ap_head_options
back = onCleanup (@() cd (here));
table = eval (text{1});
for k = 1:size (table, 1)
  list{end+1} = sprintf ('{"name": "%s", "kind": "namevalue"%s}', table{k,1}, type_of (table{k,3}, table{k,4}));
end
end

function text = type_of (kind, range)
switch kind
  case {'number', 'positive', 'count', 'seed'}
    text = ', "type": ["numeric", "scalar"]';
  case 'flag'
    text = ', "type": ["logical", "scalar"]';
  case 'display'
    text = ', "type": [["logical", "scalar"], ["char", "choices={''off'', ''final'', ''iter''}"]]';
  case 'word'
    text = sprintf (', "type": ["char", "choices={%s}"]', ...
                    strjoin (cellfun (@(word) ['''' word ''''], range(:)', 'UniformOutput', false), ', '));
  case 'file'
    text = ', "type": ["file"]';
  case 'text'
    text = ', "type": ["char"]';
  otherwise
    text = '';
end
end
