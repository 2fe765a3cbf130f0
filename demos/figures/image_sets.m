function sets = image_sets (most)
%IMAGE_SETS  The available other images on which a network trained on Omniglot can be tested.
%
%   sets = image_sets (most)
%   Inputs :  most, largest number of drawings of each class
%   Outputs:  struct array of name;  images (height x width x drawings x classes, single: 0 for ink, 1 for paper, as
%             attnpath_task_oneshot requires them), [] if the set is missing;  needs, text with what to do then
%   The environment variable ATTNPATH_IMAGES names a folder with these unpacked files:
%     mnist/ and fashion/     t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, as yann.lecun.com/exdb/mnist and
%                             github.com/zalandoresearch/fashion-mnist distribute them
%     cifar10/                test_batch.mat, and cifar100/ test.mat: the MATLAB versions of www.cs.toronto.edu/~kriz
%   MNIST and Fashion-MNIST are bright on black and are inverted; CIFAR is converted to grey, with black as ink.
%   All classes have as many drawings as the smallest class.
%   See also read_idx, read_cifar, attnpath_task_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

rows = {'MNIST',         'mnist',    't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'
        'Fashion-MNIST', 'fashion',  't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'
        'CIFAR-10',      'cifar10',  'test_batch.mat',         ''
        'CIFAR-100',     'cifar100', 'test.mat',               ''};
folder = getenv ('ATTNPATH_IMAGES');
for k = 1:size (rows, 1)
  sets(k) = struct ('name', rows{k,1}, 'images', [], 'needs', '');
  file = fullfile (folder, rows{k,2}, rows{k,3});
  if isempty (folder)
    sets(k).needs = sprintf (['name a folder in ATTNPATH_IMAGES, and put %s (and other files: see help image_sets) ' ...
                              'into its folder %s'], rows{k,3}, rows{k,2});
  elseif exist (file, 'file') ~= 2
    sets(k).needs = sprintf ('there is no %s: download it, see help image_sets', file);
  elseif isempty (rows{k,4})
    [images, labels] = read_cifar (file);
    sets(k).images = by_class (images, labels, most);
  else
    labels = read_idx (fullfile (folder, rows{k,2}, rows{k,4}));
    images = 1 - single (permute (read_idx (file), [2 1 3])) / 255;
    if numel (labels) ~= size (images, 3)
      error ('attnpath:demo:file', '%s has %d images, and there are %d labels', file, size (images, 3), numel (labels));
    end
    sets(k).images = by_class (images, labels, most);
  end
end
end

function array = by_class (images, labels, most)
classes = unique (labels(:))';
count = min ([most, arrayfun(@(c) sum (labels == c), classes)]);
array = zeros ([size(images, 1), size(images, 2), count, numel(classes)], 'single');
for k = 1:numel (classes)
  array(:,:,:,k) = images(:,:,find (labels == classes(k), count));
end
end
