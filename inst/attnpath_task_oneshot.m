function task = attnpath_task_oneshot (varargin)
%ATTNPATH_TASK_ONESHOT  The one-shot image task: classify an image, given one image of each class.
%
%   task = ATTNPATH_TASK_ONESHOT ()
%   task = ATTNPATH_TASK_ONESHOT (Name, Value, ...)
%   task = ATTNPATH_TASK_ONESHOT (settings)
%
%   A sequence is one image of each of two classes, in random order, and a query: another drawing of one of
%   them. The shown images carry labels, +1 and -1 at random; the task is to predict the label of the query.
%   Every image is a row of patches, a token each. Training and test sequences have different classes: a test
%   class with the name or an image of a training class is left out.
%
%   Inputs : options, by name or as one struct
%     'P'          600    training sequences. Labels alternate +1, -1; or 1, 2, ... C, 1, 2, ...
%     'Ptest'      1000   test sequences, likewise
%     'Ways'       2      C, number of classes shown. For C > 2 the labels are 1 to C
%     'Shots'      1      shown images of each class, all of them in random order
%     'Size'       32     pixels to a side, to which images are resized
%     'Patch'      8      pixels to a side of a patch, a divisor of Size
%     'Channels'   3      equal channels, 1 or 3
%     'Augment'    false  true: training images turned by 90, 180, 270 degrees are three classes more of each
%     'Train'      []     training images: name of a set of attnpath_omniglot, or its result, or an array
%                         n x n x drawings x classes, 0 for ink and 1 for paper; [] for 'small1' if the small
%                         sets are found, otherwise 'generator' with seed 1, see task.source
%     'Test'       []     the same for the test images; [] for 'small2', or 'generator' with seed 2
%     'Folder'     ''     of the Omniglot files; '' for ATTNPATH_OMNIGLOT and the cache, see attnpath_omniglot
%     'Embedding'  []     N0 x 3, of label +1, label -1 and unknown, or N0 x (C+1), of labels 1 to C and
%                         unknown; [] for independent N(0,1). A trained network has its own
%     'Seed'       0      integer. Training set, test set and embedding have streams of their own: a larger P
%                         extends the training set and leaves the test set unchanged
%
%   Outputs: struct with, for N0 = Channels Patch^2 and T = (Ways Shots + 1) (Size / Patch)^2,
%     Xtrain      N0 x T x P      tokens, rounded to single precision, in double
%     ytrain      P x 1           labels +1, -1 in double; of C > 2 ways 1 to C in int32
%     Xtest, ytest                likewise, of Ptest sequences
%     heads, path_names           {}: attention is that of a network trained on this task
%     train, test     the images of the sequences: structs of class, drawing and label (0 for the query's),
%                     each (Ways Shots + 1) x P, the query last, and y
%     images      struct of train and test, Patch^2 x (Size / Patch)^2 x drawings x classes, single: the
%                 patches of all images, one channel, for more sequences
%     embedding   N0 x 3          of label +1, label -1 and unknown, or N0 x (C+1)
%     positions   N0 x T          sinusoidal, standardised over all entries
%     classes     struct of train and test: names, one of each class
%     source      struct of train and test: origin of the images and number of classes, in words
%     settings    struct          all options; attnpath_task_oneshot (task.settings) gives the same task
%     kind        'oneshot'       lets attnpath_train draw sequences of images
%   Without an output a line about the task is printed instead.
%
%   Equation: theory.md section 10, after [1], with how tokens are made. The published network has L = 2,
%   H = 4, readout 'mean'.
%
%   Errors:   attnpath:task_oneshot: badClass, badShape, badValue, sparse, notReal, empty, tooFew, tooLarge,
%             those of attnpath_omniglot, and those of options everywhere
%
%   Example:
%     >> task = attnpath_task_oneshot ('P', 100, 'Train', 'generator', 'Test', 'generator');
%     >> size (task.Xtrain)
%     ans =
%        192    48   100
%     >> task.source.train
%     ans = generator, seed 1: 100 classes
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_omniglot, attnpath_task_markov, attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: task_oneshot.tst   REFERENCE: ref_oneshot.m   SOURCE: theory.md section 10

% Patch is not 1: the layer norm of a single pixel is zero
table = {'P',         600,   'count', [1 Inf]
         'Ptest',     1000,  'count', [1 Inf]
         'Ways',      2,     'count', [2 1000]
         'Shots',     1,     'count', [1 Inf]
         'Size',      32,    'count', [2 Inf]
         'Patch',     8,     'count', [2 Inf]
         'Channels',  3,     'count', [1 3]
         'Augment',   false, 'flag',  []
         'Train',     [],    'any',   []
         'Test',      [],    'any',   []
         'Folder',    '',    'text',  []
         'Embedding', [],    'any',   []
         'Seed',      0,     'seed',  []};
opt = ap_options ('task_oneshot', table, varargin);
check (opt);
opt = choose_data (opt);
[train, test, shared] = apart (images_of ('Train', opt.Train, opt.Folder, 1), ...
                               images_of ('Test', opt.Test, opt.Folder, 2));
task.source = struct ('train', in_words (train, 0), 'test', in_words (test, shared));
if opt.Augment
  train = turned (train);
  task.source.train = sprintf ('%s, %d with those turned', task.source.train, size (train.images, 4));
end
enough ('Train', train, opt);
enough ('Test', test, opt, shared);

N0 = opt.Channels * opt.Patch ^ 2;
T = (opt.Ways * opt.Shots + 1) * (opt.Size / opt.Patch) ^ 2;
images = (numel (train.images) + numel (test.images)) / size (train.images, 1) ^ 2;
% sequences in double and, while they are made, in single as well; patches in single
bytes = 12 * N0 * T * (opt.P + opt.Ptest) + 4 * images * opt.Size ^ 2;
ap_refuse ('task_oneshot', 'tooLarge', bytes > 2^33, ['P = %.10g and Ptest = %.10g sequences of %.10g values, and ' ...
           'patches of %.10g images, would take %.3g GiB, and 8 are allowed'], opt.P, opt.Ptest, N0 * T, images, ...
           bytes / 2^30);

patches_of = @(set) ap_oneshot_patches (set.images, opt.Size, opt.Patch);
task.images = struct ('train', patches_of (train), 'test', patches_of (test));
task.embedding = ap_seeded ([opt.Seed, 3], @() randn (N0, opt.Ways + 1));
if ~isempty (opt.Embedding)
  task.embedding = ap_check_array ('task_oneshot', 'Embedding', opt.Embedding, {N0, opt.Ways + 1});
end
task.positions = positions (N0, T);
[task.Xtrain, task.ytrain, task.train] = sequences (task, opt, 'train', 1, opt.P);
[task.Xtest, task.ytest, task.test] = sequences (task, opt, 'test', 2, opt.Ptest);
task.classes = struct ('train', {train.names}, 'test', {test.names});
task.heads = {};
task.path_names = {};
task.settings = opt;
task.kind = 'oneshot';
task = orderfields (task, {'Xtrain', 'ytrain', 'Xtest', 'ytest', 'heads', 'path_names', 'train', 'test', 'images', ...
                           'embedding', 'positions', 'classes', 'source', 'settings', 'kind'});
if nargout == 0
  ap_task_told (task);
  clear -regexp ^task$
end
end

function check (opt)
% Checks beyond those of the table of options
f = 'task_oneshot';
ap_refuse (f, 'badValue', opt.Channels == 2, 'Channels must be 1 or 3, not 2');
ap_refuse (f, 'badValue', mod (opt.Size, opt.Patch) ~= 0, ...
           'Size must be a multiple of Patch: %d pixels cannot be cut into patches of %d', opt.Size, opt.Patch);
for name = {'P', 'Ptest'}
  ap_refuse (f, 'badValue', mod (opt.(name{1}), 2) ~= 0 && opt.Ways == 2, ...
             '%s must be even (half of each label), not %d', name{1}, opt.(name{1}));
end
end

function opt = choose_data (opt)
% A folder that was named must hold the data. Without one the cache is tried, and otherwise characters are made up
files = {'data_background_small1.mat', 'data_background_small2.mat'};
named = ~isempty (opt.Folder) || ~isempty (getenv ('ATTNPATH_OMNIGLOT'));
cached = all (cellfun (@(name) exist (fullfile (ap_cache_folder (), name), 'file') == 2, files));
sets = {'generator', 'generator'};
if named || cached, sets = {'small1', 'small2'}; end
if isequal (opt.Train, []), opt.Train = sets{1}; end
if isequal (opt.Test, []), opt.Test = sets{2}; end
end

function data = images_of (option, value, folder, seed)
% Struct of images, names and source, all checked
f = 'task_oneshot';
if ischar (value)
  set = ap_check_value (f, option, value, 'word', {'small1', 'small2', 'background', 'evaluation', 'generator'});
  value = attnpath_omniglot (set, 'Folder', folder, 'Seed', seed);
end
if isstruct (value) && numel (value) == 1 && all (isfield (value, {'images', 'alphabet', 'character', 'source'})) ...
    && iscellstr (value.alphabet) && isnumeric (value.character) && ischar (value.source) ...
    && numel (value.alphabet) == numel (value.character)
  data.images = value.images;
  data.source = value.source;
  data.names = cellfun (@(a, c) sprintf ('%s %d', a, c), value.alphabet(:), num2cell (value.character(:)), ...
                        'UniformOutput', false);
  % made-up characters of two seeds share their numbers only
  data.known = ~strncmp (data.source, 'generator', 9);
elseif isnumeric (value) || islogical (value)
  data.images = value;
  data.source = 'images of your own';
  data.names = arrayfun (@(c) sprintf ('class %d', c), (1:size (value, 4))', 'UniformOutput', false);
  data.known = false;
else
  ap_fail (f, 'badClass', '%s must be the name of a set, data of attnpath_omniglot, or an array of images, not %s', ...
           option, {value});
end
check_images (option, data.images, numel (data.names));
end

function check_images (option, images, names)
f = 'task_oneshot';
what = ap_fault (images, isnumeric (images) || islogical (images), ndims (images) <= 4);
ap_refuse (f, what, ~isempty (what), '%s must be a real array of images, n x n x drawings x classes, not %s', ...
           option, {images});
ap_refuse (f, 'badShape', size (images, 1) ~= size (images, 2), ...
           '%s must have square images, n x n x drawings x classes, not %s', option, {images});
ap_refuse (f, 'badShape', size (images, 4) ~= names, '%s has images of %d classes, and names of %d', option, ...
           size (images, 4), names);
if ~islogical (images) && ~all (images(:) >= 0 & images(:) <= 1)
  bad = find (~(images(:) >= 0 & images(:) <= 1), 1);
  ap_fail (f, 'badValue', '%s must have values from 0 (ink) to 1 (paper), but element %d is %g', option, bad, ...
           double (images(bad)));
end
end

function [train, test, count] = apart (train, test)
% The test set loses the classes that are also in the training set
same_name = train.known & test.known & ismember (test.names, train.names);
shared = same_image (train.images, test.images) | same_name;
test.images = test.images(:,:,:,~shared);
test.names = test.names(~shared);
count = sum (shared);
end

function shared = same_image (train, test)
% C x 1: true for a class of test with an image that is, pixel by pixel, an image of train. Weighted sums of the pixels
% find the candidates
shared = false (size (test, 4), 1);
if size (train, 1) ~= size (test, 1), return; end
pixels = size (train, 1) ^ 2;
weights = mod ((1:pixels) .^ 2 * 7919 + (1:pixels) * 104729, 2^20 - 3);    % whole numbers: sums are exact
[found, where] = ismember (sums (weights, test), sums (weights, train));       % drawings x classes
for k = find (found(:)')
  c = ceil (k / size (test, 3));
  shared(c) = shared(c) || isequal (double (test(:,:,k)), double (train(:,:,where(k))));
end
end

function s = sums (weights, images)
s = zeros (size (images, 3), size (images, 4));
for c = 1:size (images, 4)                         % a set in double would be many times larger
  s(:,c) = weights * round (255 * reshape (double (images(:,:,:,c)), [], size (images, 3)));
end
end

function text = in_words (data, shared)
text = sprintf ('%s: %d classes', data.source, size (data.images, 4));
if shared > 0, text = sprintf ('%s, without %d that are in the training set', text, shared); end
end

function data = turned (data)
names = data.names;
images = data.images;
for degrees = [90 180 270]
  images = flip (permute (images, [2 1 3 4]), 1);
  data.images = cat (4, data.images, images);
  more = cellfun (@(name) sprintf ('%s turned by %d', name, degrees), names, 'UniformOutput', false);
  data.names = [data.names; more];
end
end

function enough (option, data, opt, shared)
f = 'task_oneshot';
why = '';
if nargin > 3 && shared > 0, why = sprintf (' (%d more are also in Train, and left out)', shared); end
ap_refuse (f, 'tooFew', size (data.images, 4) < opt.Ways, '%s must have at least %d classes, not %d%s', option, ...
           opt.Ways, size (data.images, 4), why);
ap_refuse (f, 'tooFew', size (data.images, 3) < opt.Shots + 1, ['%s has %d drawings of each class, but Shots = %d ' ...
           'needs %d: the query is not one of those shown'], option, size (data.images, 3), opt.Shots, opt.Shots + 1);
end


function p = positions (N0, T)
row = (0:N0-1)';
p = 10000 .^ (-2 * floor (row / 2) / N0) * (0:T-1);
even = mod (row, 2) == 0;
p(even,:) = sin (p(even,:));
p(~even,:) = cos (p(~even,:));
p = (p - mean (p(:))) / std (p(:));
end

function [X, y, choice] = sequences (task, opt, part, stream, P)
patches = task.images.(part);
choose = @() ap_oneshot_choose (P, size (patches, 4), size (patches, 3), opt.Shots, opt.Ways);
choice = ap_seeded ([opt.Seed, stream], choose);
X = double (ap_oneshot_batch (patches, choice, task.embedding, task.positions));
y = choice.y;
end

%!test
%! images = rand (28, 28, 3, 4);
%! task = attnpath_task_oneshot ('Train', images(:,:,:,1:2), 'Test', images(:,:,:,3:4), 'P', 6, 'Ptest', 4);
%! assert ([size(task.Xtrain, 3), size(task.Xtest, 3)], [6 4]);
%! assert (all (abs (task.ytrain) == 1));
