function data = attnpath_omniglot (set, varargin)
%ATTNPATH_OMNIGLOT  Images of handwritten characters: the Omniglot data set, or made-up ones in its shapes.
%
%   data = ATTNPATH_OMNIGLOT (set)
%   data = ATTNPATH_OMNIGLOT (set, Name, Value, ...)
%
%   Omniglot [1] holds characters of 50 alphabets, each drawn by 20 people. This function reads the data set's
%   own MATLAB files, from a folder of yours or from the per-user cache; the files are not part of this
%   package. The generator needs no file: its characters are strokes that look like handwriting and mean
%   nothing.
%
%   Inputs :
%     set    'small1'      data_background_small1.mat, 136 characters of 5 alphabets
%            'small2'      data_background_small2.mat, 156 characters of 5 alphabets; Greek and Latin are those
%                          of small1 (50 characters, the same images)
%            'background'  data_background.mat, 30 alphabets
%            'evaluation'  data_evaluation.mat, 20 other alphabets
%            'generator'   no file
%   Options, by name or as one struct:
%     'Folder'    ''      where the file is. With '' it is looked for in the folder that the environment
%                         variable ATTNPATH_OMNIGLOT names, then in the cache: $XDG_CACHE_HOME/attnpath or
%                         ~/.cache/attnpath, on Windows %LOCALAPPDATA%\attnpath
%     'Download'  false   true: a file that is in none of these folders is fetched from the data set's public
%                         repository into the cache. Nothing is ever fetched unasked or written elsewhere
%     'Address'   'https://raw.githubusercontent.com/brendenlake/omniglot/master/matlab'
%                         base of the URL that files are fetched from; a mirror may be given instead
%     'Classes'   []      the first so many classes; [] for all of the file, or 100 of the generator
%     'Seed'      1       of the generator. More classes of one seed leave the first ones as they are
%
%   Outputs: struct with, for C classes,
%     images      105 x 105 x 20 x C logical: true is paper, false is ink
%     alphabet    C x 1 cell of names
%     character   C x 1 number of the character in its alphabet
%     source      'data_background_small1.mat', or 'generator, seed 1'
%     file        the file that was read, '' for the generator
%
%   A download of small1 or small2 is checked by size and SHA-256, and every file by its structure. The two
%   large files are checked by their structure alone: their size and SHA-256 are not recorded here. A download
%   that breaks off leaves nothing behind, and begins again when it is asked for again.
%
%   Errors:   attnpath:omniglot: usage, badClass, badValue, noFile, badFile, tooFew, noNetwork, badDownload,
%             file
%
%   Example:
%     >> data = attnpath_omniglot ('generator', 'Classes', 2);
%     >> size (data.images)
%     ans =
%        105   105    20     2
%     >> imagesc (data.images(:,:,1,1)), colormap (gray)
%
%
%   References:
%     [1] Lake, Salakhutdinov, Tenenbaum, Human-level concept learning through probabilistic program induction,
%         Science 350, 1332-1338 (2015).
%
%   See also attnpath_task_oneshot.
%
%   TESTING: omniglot.tst   SOURCE: the data set's README

% SPDX-License-Identifier: BSD-3-Clause

% set, file, and its size and SHA-256 where they could be measured
known = {'small1',     'data_background_small1.mat', 2562343, ...
                       '3c71b2d73736c64566d12e55f3abcd2e3968152db2f555b4b82fb9387cc008d0'
         'small2',     'data_background_small2.mat', 3535849, ...
                       'f248e7164bf283078fcf130cb364c8ff89eaeb2de2e351bad4b03ccf80643c9b'
         'background', 'data_background.mat',        [],      ''
         'evaluation', 'data_evaluation.mat',        [],      ''};
if nargin < 1
  ap_fail ('omniglot', 'usage', 'the call is data = attnpath_omniglot (set, Name, Value, ...)');
end
set = ap_check_choice ('omniglot', 'set', set, [known(:,1); {'generator'}]);
table = {'Folder',   '',    'text',  []
         'Download', false, 'flag',  []
         'Address',  'https://raw.githubusercontent.com/brendenlake/omniglot/master/matlab', 'text', []
         'Classes',  [],    'count', [1 Inf]
         'Seed',     1,     'seed',  []};
opt = ap_options ('omniglot', table, varargin);

if strcmp (set, 'generator')
  if isempty (opt.Classes), opt.Classes = 100; end
  data.images = ap_strokes (opt.Classes, 20, opt.Seed);
  data.alphabet = repmat ({'generator'}, opt.Classes, 1);
  data.character = (1:opt.Classes)';
  data.source = sprintf ('generator, seed %d', opt.Seed);
  data.file = '';
else
  row = strcmp (set, known(:,1));
  file = locate (opt, known(row,2:4));
  data = first_classes (read_file (file, file), opt.Classes, file);
  data.source = known{row,2};
  data.file = file;
end
end

function file = locate (opt, known)
% The file in the first folder that has it; otherwise the file is fetched into the cache
cache = ap_cache ();
if isempty (opt.Folder)
  folders = {getenv('ATTNPATH_OMNIGLOT'), cache};
else
  folders = {opt.Folder};
end
folders = folders(~cellfun (@isempty, folders));
for k = 1:numel (folders)
  file = fullfile (folders{k}, known{1});
  if exist (file, 'file') == 2, return; end
end
where = strjoin (folders, ' or ');
if isempty (where), where = 'any folder that the environment names'; end
url = [regexprep(opt.Address, '/$', '') '/' known{1}];
if ~opt.Download
  ap_fail ('omniglot', 'noFile', ['there is no %s in %s. Give the ''Folder'' that it is in, or name it in the ' ...
           'environment variable ATTNPATH_OMNIGLOT, or let attnpath_omniglot fetch it from %s: ''Download'', ' ...
           'true. attnpath_omniglot (''generator'') needs no file'], known{1}, where, url);
elseif isempty (cache)
  ap_fail ('omniglot', 'file', ['there is no place for a download: the environment names neither a home nor a ' ...
           'cache folder. Fetch %s by other means, and give its ''Folder'''], url);
end
file = fullfile (cache, known{1});
ap_download ('omniglot', url, file, known{2:3}, @(name) read_file (name, url));
end

function data = read_file (file, shown)
% All of the file that is used, or an error that says what is wrong with the file
f = 'omniglot';
try
  content = load (file, '-mat', 'images', 'names');
catch err
  ap_fail (f, 'badFile', ['%s is not a MAT file with variables images and names, or not the whole of one ' ...
           '(%s)'], shown, err.message);
end
if ~all (isfield (content, {'images', 'names'}))
  ap_fail (f, 'badFile', '%s has no variables images and names: it is not a file of the Omniglot data set', shown);
end
names = content.names;
if ~iscell (content.images) || isempty (content.images) || ~all (cellfun (@iscell, content.images(:))) ...
   || ~iscellstr (names) || numel (names) ~= numel (content.images)
  ap_fail (f, 'badFile', ['%s is not of the Omniglot data set: images must be a cell of alphabets, each a cell of ' ...
           'characters, and names their names, but they are %s and %s'], shown, ...
           ap_describe (content.images), ap_describe (names));
end

counts = cellfun (@numel, content.images(:));
data.images = true (105, 105, 20, sum (counts));
data.alphabet = cell (sum (counts), 1);
data.character = zeros (sum (counts), 1);
k = 0;
for a = 1:numel (names)
  for c = 1:counts(a)
    k = k + 1;
    data.images(:,:,:,k) = character (content.images{a}{c}, shown, sprintf ('%s, character %d', names{a}, c));
    data.alphabet{k} = names{a};
    data.character(k) = c;
  end
end
paper = nnz (data.images) / numel (data.images);
if paper < 0.5
  ap_fail (f, 'badFile', ['%s has more ink than paper (ones are %.3g of all pixels): it is not of the Omniglot ' ...
           'data set, whose ones are paper'], shown, paper);
end
end

function pages = character (drawings, shown, which)
% the 20 drawings of a character, 105 x 105 x 20 logical
f = 'omniglot';
if ~iscell (drawings) || numel (drawings) ~= 20
  ap_fail (f, 'badFile', '%s, %s: 20 drawings in a cell are expected, not %s', shown, which, ap_describe (drawings));
end
for d = 1:20
  image = drawings{d};
  if ~(islogical (image) || isnumeric (image)) || numel (image) ~= 105^2 || size (image, 1) ~= 105
    ap_fail (f, 'badFile', '%s, %s, drawing %d: an image of 105 x 105 pixels is expected, not %s', shown, which, d, ...
             ap_describe (image));
  elseif ~islogical (image) && any (image(:) ~= 0 & image(:) ~= 1)
    ap_fail (f, 'badFile', '%s, %s, drawing %d: pixels must be 0 or 1', shown, which, d);
  end
end
pages = logical (cat (3, drawings{:}));
end

function data = first_classes (data, wanted, file)
found = size (data.images, 4);
if isempty (wanted), wanted = found; end
if wanted > found
  ap_fail ('omniglot', 'tooFew', '%s has %d classes, and %d were asked for', file, found, wanted);
end
data.images = data.images(:,:,:,1:wanted);
data.alphabet = data.alphabet(1:wanted);
data.character = data.character(1:wanted);
end

%!test
%! data = attnpath_omniglot ('generator', 'Classes', 2);
%! assert (size (data.images), [105 105 20 2]);
%! assert (attnpath_omniglot ('generator', 'Classes', 3).images(:,:,:,1:2), data.images);
