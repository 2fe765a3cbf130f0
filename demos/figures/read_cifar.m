function [images, labels] = read_cifar (file)
%READ_CIFAR  Images and labels from a MAT file of CIFAR-10 or CIFAR-100.
%
%   [images, labels] = read_cifar (file)
%   Inputs :  file, of the MATLAB versions of the data sets: test_batch.mat, data_batch_1.mat, ..; test.mat, train.mat
%   Outputs:  images, 32 x 32 x number, single from 0 (black) to 1 (white): 0.299 red + 0.587 green + 0.114 blue;
%             labels, number x 1: of CIFAR-100 the fine ones
%   The format: data, number x 3072 uint8: the red, then the green, then the blue bytes of each image, row by row.
%   Errors:   attnpath:demo:file if it is not such a file

% SPDX-License-Identifier: BSD-3-Clause

try
  content = load (file, '-mat');
catch failure
  error ('attnpath:demo:file', '%s is not a MAT file (%s)', file, failure.message);
end
if isfield (content, 'fine_labels'), content.labels = content.fine_labels; end
if ~all (isfield (content, {'data', 'labels'})) || ~isa (content.data, 'uint8') || size (content.data, 2) ~= 3072 ...
   || ndims (content.data) > 2 || ~isnumeric (content.labels) || numel (content.labels) ~= size (content.data, 1) ...
   || ~all (isfinite (double (content.labels(:))))
  error ('attnpath:demo:file', ['%s is not of CIFAR: it must have data, n x 3072 uint8, and n labels or ' ...
         'fine_labels'], file);
end
n = size (content.data, 1);
planes = reshape (single (content.data') / 255, 1024, 3, n);
grey = reshape (0.299 * planes(:,1,:) + 0.587 * planes(:,2,:) + 0.114 * planes(:,3,:), 32, 32, n);
images = permute (grey, [2 1 3]);                % rows first
labels = double (content.labels(:));
end
