function data = attnpath_omniglot (set, varargin)
%ATTNPATH_OMNIGLOT  Images of handwritten characters: the Omniglot data set, or generated ones of its sizes.
%
%   data = ATTNPATH_OMNIGLOT (set)
%   data = ATTNPATH_OMNIGLOT (set, Name, Value, ...)
%
%   Omniglot [1] holds characters of 50 alphabets, each drawn by 20 people. This function reads the data set's
%   own MATLAB files, from a folder of yours or from the per-user cache; the files are not part of this
%   package. The generator needs no file: its characters are random strokes that resemble handwriting.
%
%   Inputs :
%     set    'small1'      data_background_small1.mat, 136 characters of 5 alphabets
%            'small2'      data_background_small2.mat, 156 characters of 5 alphabets; Greek and Latin are those
%                          of small1 (50 characters, the same images)
%            'background'  data_background.mat, 30 alphabets
%            'evaluation'  data_evaluation.mat, 20 other alphabets
%            'generator'   no file
%   Options, by name or as one struct:
%     'Folder'    ''      folder of the file. '' for the folder in the environment variable ATTNPATH_OMNIGLOT,
%                         then the cache: $XDG_CACHE_HOME/attnpath or ~/.cache/attnpath, on Windows
%                         %LOCALAPPDATA%\attnpath
%     'Download'  false   true: download a file that is in none of these folders from the data set's public
%                         repository into the cache. false: no download. No other folder is written
%     'Address'   'https://raw.githubusercontent.com/brendenlake/omniglot/master/matlab'
%                         base of the download URL; it may be that of a mirror
%     'Classes'   []      number of classes, from the first; [] for all of the file, or 100 of the generator
%     'Seed'      1       of the generator. A larger number of classes leaves the first ones unchanged
%
%   Outputs: struct with, for C classes,
%     images      105 x 105 x 20 x C logical: true is paper, false is ink
%     alphabet    C x 1 cell of names
%     character   C x 1 number of the character in its alphabet
%     source      'data_background_small1.mat', or 'generator, seed 1'
%     file        the file that was read, '' for the generator
%
%   A download of small1 or small2 is checked by size and SHA-256, and every file by its structure. The two
%   large files are checked by their structure alone: their size and SHA-256 are not recorded here. An
%   interrupted download leaves no file; the same call starts it again.
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

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: omniglot.tst   SOURCE: the data set's README

% set, file, and its size and SHA-256 if known
known = {'small1',     'data_background_small1.mat', 2562343, ...
                       '3c71b2d73736c64566d12e55f3abcd2e3968152db2f555b4b82fb9387cc008d0'
         'small2',     'data_background_small2.mat', 3535849, ...
                       'f248e7164bf283078fcf130cb364c8ff89eaeb2de2e351bad4b03ccf80643c9b'
         'background', 'data_background.mat',        [],      ''
         'evaluation', 'data_evaluation.mat',        [],      ''};
ap_check_call ('omniglot', nargin >= 1, 'data = attnpath_omniglot (set, Name, Value, ...)');
set = ap_check_value ('omniglot', 'set', set, 'word', [known(:,1); {'generator'}]);
table = {'Folder',   '',    'text',  []
         'Download', false, 'flag',  []
         'Address',  'https://raw.githubusercontent.com/brendenlake/omniglot/master/matlab', 'text', []
         'Classes',  [],    'count', [1 Inf]
         'Seed',     1,     'seed',  []};
opt = ap_options ('omniglot', table, varargin);

if strcmp (set, 'generator')
  if isempty (opt.Classes), opt.Classes = 100; end
  data = struct ('images', strokes_of (opt.Classes, 20, opt.Seed), 'alphabet', ...
                 {repmat({'generator'}, opt.Classes, 1)}, 'character', (1:opt.Classes)', 'source', ...
                 sprintf ('generator, seed %d', opt.Seed), 'file', '');
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
cache = ap_cache_folder ();
folders = {opt.Folder};
if isempty (opt.Folder), folders = {getenv('ATTNPATH_OMNIGLOT'), cache}; end
folders = folders(~cellfun (@isempty, folders));
for k = 1:numel (folders)
  file = fullfile (folders{k}, known{1});
  if exist (file, 'file') == 2, return; end
end
where = strjoin (folders, ' or ');
if isempty (where), where = 'any folder that the environment names'; end
url = [regexprep(opt.Address, '/$', '') '/' known{1}];
ap_refuse ('omniglot', 'noFile', ~opt.Download, ['there is no %s in %s. Give the ''Folder'' that it is in, or name ' ...
           'it in the environment variable ATTNPATH_OMNIGLOT, or let attnpath_omniglot fetch it from %s: ' ...
           '''Download'', true. attnpath_omniglot (''generator'') needs no file'], known{1}, where, url);
ap_refuse ('omniglot', 'file', isempty (cache), ['there is no place for a download: the environment names neither ' ...
           'a home nor a cache folder. Fetch %s by other means and give its ''Folder'''], url);
file = fullfile (cache, known{1});
ap_download ('omniglot', url, file, known{2:3}, @(name) read_file (name, url));
end

function data = read_file (file, shown)
% The variables used of the file, or an error with the file's fault
f = 'omniglot';
try
  content = load (file, '-mat', 'images', 'names');
catch err
  ap_fail (f, 'badFile', ['%s is not a MAT file with variables images and names, or not the whole of one ' ...
           '(%s)'], shown, err.message);
end
ap_refuse (f, 'badFile', ~all (isfield (content, {'images', 'names'})), ...
           '%s has no variables images and names: it is not a file of the Omniglot data set', shown);
names = content.names;
if ~iscell (content.images) || isempty (content.images) || ~all (cellfun (@iscell, content.images(:))) ...
   || ~iscellstr (names) || numel (names) ~= numel (content.images)
  ap_fail (f, 'badFile', ['%s is not of the Omniglot data set: images must be a cell of alphabets, each a cell of ' ...
           'characters, and names their names, but they are %s and %s'], shown, {content.images}, {names});
end

list = ap_head_list (cellfun (@numel, content.images(:)));         % rows [alphabet character]
data = struct ('images', true (105, 105, 20, size (list, 1)), 'alphabet', {reshape(names(list(:,1)), [], 1)}, ...
               'character', list(:,2));
for k = 1:size (list, 1)
  [a, c] = deal (list(k,1), list(k,2));
  data.images(:,:,:,k) = character (content.images{a}{c}, shown, sprintf ('%s, character %d', names{a}, c));
end
paper = nnz (data.images) / numel (data.images);
ap_refuse (f, 'badFile', paper < 0.5, ['%s has more ink than paper (ones are %.3g of all pixels): it is not of the ' ...
           'Omniglot data set, whose ones are paper'], shown, paper);
end

function pages = character (drawings, shown, which)
% the 20 drawings of a character, 105 x 105 x 20 logical
f = 'omniglot';
ap_refuse (f, 'badFile', ~iscell (drawings) || numel (drawings) ~= 20, ...
           '%s, %s: 20 drawings in a cell are expected, not %s', shown, which, {drawings});
for d = 1:20
  image = drawings{d};
  if ~(islogical (image) || isnumeric (image)) || numel (image) ~= 105^2 || size (image, 1) ~= 105
    ap_fail (f, 'badFile', '%s, %s, drawing %d: an image of 105 x 105 pixels is expected, not %s', shown, which, d, ...
             {image});
  elseif ~islogical (image) && any (image(:) ~= 0 & image(:) ~= 1)
    ap_fail (f, 'badFile', '%s, %s, drawing %d: pixels must be 0 or 1', shown, which, d);
  end
end
pages = logical (cat (3, drawings{:}));
end

function data = first_classes (data, wanted, file)
found = size (data.images, 4);
if isempty (wanted), wanted = found; end
ap_refuse ('omniglot', 'tooFew', wanted > found, '%s has %d classes, fewer than the %d of Classes', file, found, ...
           wanted);
data.images = data.images(:,:,:,1:wanted);
data.alphabet = data.alphabet(1:wanted);
data.character = data.character(1:wanted);
end

function images = strokes_of (classes, drawings, seed)
% Random stroke characters in the array sizes of Omniglot, each drawn with many random variations.
% Outputs:  105 x 105 x drawings x classes logical, true is paper
% A character is one to three strokes, a stroke one to three pieces: straight or bent, with or without a corner
% between them. Strokes after the first begin on an earlier one, or beside it. A drawing varies lengths, bends,
% corners and beginnings a little, then slant, proportions, size and place of the whole. The strengths are a choice:
% ink, pen width and spread of the drawings were matched to those of Omniglot by eye.
% Each class has random numbers of its own: more classes leave the first ones unchanged. The last two sets of up
% to 200 are kept, 44 MB each at most: a demo uses the same two dozens of times.
% Example:  images = strokes_of (2, 20, 1);    % size 105 105 20 2
persistent kept                                    % rows {what was asked, its images}
if isempty (kept), kept = cell (0, 2); end
asked = [classes, drawings, seed];
row = cellfun (@(a) isequal (a, asked), kept(:,1));
if any (row)
  images = kept{row,2};
  return
end
side = 105;
images = true (side, side, drawings, classes);
for k = 1:classes
  images(:,:,:,k) = ap_seeded ([seed, k], @() draw (invent (), side, drawings));
end
if classes <= 200, kept = [{asked, images}; kept(1:min (1, end),:)]; end
end

function strokes = invent ()
% 1 x S cell; a stroke is a struct: begin on stroke `on` at the fraction `at` of its way, or `off` from there;
% 3 x pieces: lengths, turns along the piece, corners before it (radians)
count = pick ([0.15 0.4 0.45]);
for s = 1:count
  pieces = pick ([0.25 0.45 0.3]);
  length = 0.3 + 0.5 * rand (1, pieces);
  turn = (rand (1, pieces) < 0.6) .* sign (rand (1, pieces) - 0.5) .* (0.6 + 3.4 * rand (1, pieces));
  corner = (rand (1, pieces) < 0.5) .* sign (rand (1, pieces) - 0.5) .* (0.8 + 1.5 * rand (1, pieces));
  stroke.pieces = [length; turn; corner];
  stroke.heading = pick ([0.4 0.4 0.2]) * pi / 4 - pi / 4 + 0.5 * randn;     % to the right, down, or between
  stroke.on = ceil ((s - 1) * rand);
  stroke.at = rand;
  stroke.off = (rand < 0.4) * 0.4 * randn (2, 1);
  strokes{s} = stroke;
end
end

function k = pick (p)
k = find (rand < cumsum (p) / sum (p), 1);
end

function image = draw (strokes, side, drawings)
% Places in the plane are complex numbers
points = 60;                                       % of each piece, closer than the pen is wide
z = cell (1, numel (strokes));
for s = 1:numel (strokes)
  stroke = strokes{s};
  here = [1 1i] * (stroke.off * ones (1, drawings) + 0.04 * randn (2, drawings));
  if s > 1, here = here + z{stroke.on}(ceil (stroke.at * end),:); end
  heading = stroke.heading + 0.1 * randn (1, drawings);
  for piece = stroke.pieces
    length = piece(1) * exp (0.12 * randn (1, drawings));
    turn = piece(2) * exp (0.12 * randn (1, drawings)) + 0.1 * randn (1, drawings);
    heading = heading + piece(3) + (piece(3) ~= 0) * 0.15 * randn (1, drawings);
    angle = heading + ((1:points)' - 0.5) / points * turn;
    way = here + length / points .* cumsum (exp (1i * angle), 1);
    z{s} = [z{s}; way];
    here = way(end,:);
    heading = heading + turn;
  end
end
image = ink (place (vertcat (z{:}), side), side);
end

function z = place (z, side)
% slant, proportions, size and place: of the drawings of one character, each its own
drawings = size (z, 2);
low = complex (min (real (z), [], 1), min (imag (z), [], 1));
high = complex (max (real (z), [], 1), max (imag (z), [], 1));
z = z - (high + low) / 2;
size_of = (58 + 24 * rand) / max ([real(high - low), imag(high - low)]) * exp (0.12 * randn (1, drawings));
aspect = exp (0.1 * randn (1, drawings));
slant = 0.12 * randn (1, drawings);
turn = 0.08 * randn (1, drawings);
y = size_of ./ aspect .* imag (z);
x = size_of .* aspect .* real (z) + slant .* y;
z = exp (1i * turn) .* complex (x, y) + (1 + 1i) * side / 2 + 6 * [1 1i] * randn (drawings, 2)';
end

function image = ink (z, side)
% a round pen, about four pixels wide, moved along the points; points outside the paper are moved to its margin
pen = 2;
[dy, dx] = ndgrid (-pen:pen);
under = dy .^ 2 + dx .^ 2 <= pen ^ 2;
y = min (max (round (imag (z)), pen + 1), side - pen);
x = min (max (round (real (z)), pen + 1), side - pen);
drawings = size (x, 2);
first = y + side * (x - 1) + side ^ 2 * (0:drawings-1);
image = true (side, side, drawings);
image(first(:) + dy(under)' + side * dx(under)') = false;
end

%!test
%! data = attnpath_omniglot ('generator', 'Classes', 1);
%! assert (size (data.images), [105 105 20]);
%!error id=attnpath:omniglot:noFile attnpath_omniglot ('small1', 'Folder', tempname ());
