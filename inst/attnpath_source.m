function source = attnpath_source (files, varargin)
%ATTNPATH_SOURCE  A data set in several MAT files, one part each, for the functions that take data in parts.
%
%   source = ATTNPATH_SOURCE (files)
%   source = ATTNPATH_SOURCE (files, Name, Value)
%
%   Inputs :
%     files     cell of file names, or one name with a star ('data/part*.mat'): the files it matches, by name.
%               A file holds the variables X and y, optionally A and Lengths, or those of 'Names'. Octave reads
%               all formats of its save, MATLAB those of save -v7. Octave does not read files that MATLAB saved
%               with -v7.3
%   Options, by name or as one struct:
%     'Names'   {'X', 'y', 'A', 'Lengths'}   names of these four variables in the files; an optional fifth is
%                                            that of the labels' Noise
%
%   Outputs:
%     source    function: source (k) is part k, a struct with the variables found and the name of the file, and
%               source (n+1) is [] for n files. At most one file is in memory at a time. Files of
%               export_attention.py hold the readout: a net with another one raises a warning. Files of two
%               different exports, such as of different layers, are refused. The answers of the model in them
%               are the field answer
%
%   Errors:   attnpath:source: usage, badClass, empty, file, missingField
%
%   Example:
%     >> X = randn (3, 4, 20);  y = sign (randn (20, 1));
%     >> name = [tempname() '.mat'];  save ('-v6', name, 'X', 'y');
%     >> net = attnpath_net ({randn(3, 3, 2)});
%     >> m = attnpath_moments (net, attnpath_source ({name}));
%     >> m.P
%     ans = 20
%     >> delete (name);
%
%
%   See also attnpath_moments, attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: moments.tst

ap_check_call ('source', nargin >= 1, 'source = attnpath_source (files, Name, Value)');
table = {'Names', {'X', 'y', 'A', 'Lengths'}, 'any', []};
opt = ap_options ('source', table, varargin);
ap_refuse ('source', 'badClass', ~iscellstr (opt.Names) || ~any (numel (opt.Names) == [4 5]), ...
           'Names must be a cell of names, of X, y, A, Lengths and perhaps Noise, not %s', {opt.Names});
if ischar (files) && size (files, 1) == 1
  pattern = files;
  found = dir (pattern);
  files = sort (cellfun (@(name) fullfile (fileparts (pattern), name), {found(~[found.isdir]).name}, ...
                         'UniformOutput', false));
  ap_refuse ('source', 'file', exist (pattern, 'dir') == 7, '%s is a folder: give the files in it, such as %s', ...
             pattern, fullfile (pattern, '*.mat'));
  ap_refuse ('source', 'file', isempty (files), 'there is no file %s', pattern);
end
ap_refuse ('source', 'badClass', ~iscellstr (files), 'files must be a cell of file names, not %s', {files});
ap_refuse ('source', 'empty', isempty (files), 'files is empty');
missing = find (~cellfun (@isfile, files), 1);
ap_refuse ('source', 'file', ~isempty (missing), 'there is no file %s', files{missing});
files = cellfun (@ap_full_name, files, 'UniformOutput', false);               % good in another folder as well
check_exports (files);
source = @(k) part_of (files, k, opt.Names);
end

function check_exports (files)
% Files of export_attention.py begin with a description of the export: a pattern may match files of two exports
begins = 'MATLAB 5.0 MAT-file, written by export_attention.py of attnpath: ';
known = '';
for k = 1:numel (files)
  head = char (ap_bytes (files{k}, 116));          % of a file that cannot be opened load reports the reason
  if ~strncmp (head, begins, numel (begins)), continue; end
  head = strtrim (head(numel (begins)+1:end));
  if isempty (known), [known, first] = deal (head, files{k}); end
  ap_refuse ('source', 'file', ~strcmp (head, known), ['%s and %s are of two exports (%s; %s): give files of one, ' ...
             'or a name with a star that matches those alone'], first, files{k}, known, head);
end
end

function part = part_of (files, k, names)
part = [];
k = ap_check_value ('source', 'k, the number of a part,', k, 'count');
if k > numel (files), return; end
on_disk = dir (files{k});
ap_say ('source', on_disk.bytes > 2 ^ 27, 'reading %s, %.0f MB', files{k}, on_disk.bytes / 1e6);      % takes seconds
found = read (files{k});
long = cellfun (@numel, names) > 1;                % a letter may be anything
ap_check_case ('source', files{k}, found, names(long & ~isfield (found, names)));
wanted = {'X', 'y', 'A', 'Lengths', 'Noise'};
part = struct ('file', files{k});
for i = 1:numel (names)
  if isfield (found, names{i})
    part.(wanted{i}) = found.(names{i});
  elseif i == 1
    ap_fail ('source', 'missingField', '%s holds no variable %s: if the tokens have another name there, give Names', ...
             files{k}, names{i});
  end
end
if isfield (found, 'readout') && ischar (found.readout), part.readout = found.readout; end
if isfield (found, 'answer'), part.answer = found.answer; end
end

function found = read (name)
% The variables of a file. Without '-mat' Octave's load reads all formats of Octave's save
found = [];
why = 'it holds numbers, but no variables';
try
  if exist ('OCTAVE_VERSION', 'builtin'), found = load (name); else, found = load (name, '-mat'); end
catch err
  why = err.message;
end
if isstruct (found), return; end
bytes = dir (name);
remedy = 'If it was cut off on its way here, copy or write it once more';
other = other_format (name);
if ~isempty (other), remedy = sprintf ('It is of %s: write it with save -v7', other); end
ap_fail ('source', 'file', '%s (%d bytes) cannot be read as a MAT file: %s. %s', name, bytes.bytes, why, remedy);
end

function format = other_format (name)
% The format of a file that only the other of Octave and MATLAB reads, or ''
format = '';
head = char (ap_bytes (name, 19));
known = {'MATLAB 7.3 MAT-file', 'MATLAB''s format -v7.3'
         '# Created by Octave',  'Octave''s text format'
         'Octave-1-',            'Octave''s binary format'};
if exist ('OCTAVE_VERSION', 'builtin'), known = known(1,:); else, known = known(2:3,:); end
k = find (cellfun (@(begin) strncmp (head, begin, numel (begin)), known(:,1)));
if ~isempty (k), format = known{k,2}; end
end

%!test
%! name = [tempname() '.mat'];
%! [X, y] = deal (ones (2, 3, 4), (1:4)');
%! save ('-v6', name, 'X', 'y');
%! source = attnpath_source ({name});
%! part = source (1);
%! delete (name);
%! assert (part.y, y);
%! assert (isempty (source (2)));
