function batches = ap_oneshot_train (task, data)
%AP_ONESHOT_TRAIN  Batches of the one-shot task for attnpath_train: every step has sequences of its own.
%
%   batches = AP_ONESHOT_TRAIN (task, data)
%   Inputs :  task, from attnpath_task_oneshot;  data, struct of the sizes N0 and T of its sequences
%   Outputs:  struct of images, embedding, positions, ways and shots, and of functions:
%     together   sequences that one draw of images gives where they are paired
%     marks      @(batches): fingerprint of the images and choices of the sequences
%     check      @(batches, data): error if the labels of data are not those of such sequences
%     compress   @(batches, data): [batches, basis], tokens as coordinates in a basis, [] where that is not worth it
%     draw       @(batches, data, count, paired): [X, y], sequences N0 x T x count and their labels, in single precision
%   Errors:   attnpath:train: badTask, and those of ap_check_value and ap_check_array
%   See also ap_oneshot_choose, ap_oneshot_ways, ap_oneshot_batch, attnpath_train.

% SPDX-License-Identifier: BSD-3-Clause

f = 'train';
if ~isstruct (task.images) || ~isfield (task.images, 'train') || ~isstruct (task.settings) ...
   || ~isfield (task.settings, 'Shots')
  ap_fail (f, 'badTask', ['a task with images must be one of attnpath_task_oneshot: it has no images.train, or no ' ...
           'settings.Shots']);
end
ways = 2;
if isfield (task.settings, 'Ways')
  ways = ap_check_value (f, 'task.settings.Ways', task.settings.Ways, 'count', [2 1000]);
end
images = single (ap_check_array (f, 'task.images.train', task.images.train, ...
                                 {'pixels', 'patches', 'drawings', 'classes'}));
shots = ap_check_value (f, 'task.settings.Shots', task.settings.Shots, 'count');
embedding = ap_check_array (f, 'task.embedding', task.embedding, {data.N0, ways + 1});
positions = ap_check_array (f, 'task.positions', task.positions, {data.N0, data.T});
[pixels, patches, drawings, classes] = size (images);
if mod (data.N0, pixels) ~= 0 || data.T ~= (ways * shots + 1) * patches || drawings <= shots || classes < ways
  ap_fail (f, 'badTask', ['task.images.train, %d x %d x %d x %d, does not fit tokens of %d features, %d to a ' ...
           'sequence, with %d shots of each class'], pixels, patches, drawings, classes, data.N0, data.T, shots);
end
batches = struct ('images', images, 'embedding', embedding, 'positions', positions, 'ways', ways, 'shots', shots, ...
                  'together', ways ^ 2, 'marks', @marks, 'check', @check, 'compress', @compress, 'draw', @draw);
end

function row = marks (batches)
row = [ap_fingerprint(batches.images), ap_fingerprint(batches.embedding), ap_fingerprint(batches.positions)];
end

function check (batches, data)
if batches.ways > 2
  numbers = 1:batches.ways;
  if ~(isnumeric (data.classes) && isequal (sort (double (data.classes(:)')), numbers))
    ap_fail ('train', 'badTask', ['sequences of %d ways are drawn with the numbers 1 to %d for labels, and ' ...
             'task.ytrain must hold these'], batches.ways, batches.ways);
  end
elseif data.C > 1
  ap_fail ('train', 'badTask', 'sequences of two ways have one label each, and task.ytrain has %d', data.C);
end
end

function [X, y] = draw (batches, data, count, paired)
[~, ~, drawings, classes] = size (batches.images);
if batches.ways == 2
  choice = ap_oneshot_choose (count, classes, drawings, batches.shots, paired);
  y = single (choice.y);
else
  choice = ap_oneshot_ways (count, classes, drawings, batches.shots, batches.ways, paired);
  y = single (ap_classes ('train', 'y', choice.y, data.classes, false));
end
X = ap_oneshot_batch (batches.images, choice, batches.embedding, batches.positions);
end

% ---- tokens in a basis -----------------------------------------------------------------------------------

function [batches, basis] = compress (batches, data)
% Tokens span fewer dimensions than they have: equal channels, smooth positions. A step then costs less, and is the same
% to the rounding of single precision, below which directions are left out
basis = [];
[pixels, count, drawings, classes] = size (batches.images);
channels = double (bsxfun (@eq, ceil ((1:data.N0)' * pixels / data.N0), 1:pixels));        % a pixel, channel by channel
B = span_of ([channels, batches.positions, batches.embedding], 3e-7);
if size (B, 2) > 0.8 * data.N0, return; end
basis = single (B);
batches.images = reshape (product (single (product (B', channels)), batches.images(:,:)), [], count, drawings, classes);
batches.embedding = product (B', batches.embedding);
batches.positions = product (B', batches.positions);
end

function Y = product (A, X)
% A * X, added up in one order, as BLAS does not promise for another number of threads
Y = zeros (size (A, 1), size (X, 2), class (X));
for j = 1:size (A, 2), Y = Y + bsxfun (@times, A(:,j), X(j,:)); end
end

function B = span_of (V, tolerance)
% Orthonormal basis of the columns, the largest remainder first. Sums are elementwise: they do not depend on threads
B = zeros (size (V, 1), 0);
largest = max (sum (V .^ 2, 1));
while size (B, 2) < size (V, 1)
  [size_of, k] = max (sum (V .^ 2, 1));
  if size_of <= tolerance ^ 2 * largest, break; end
  v = V(:,k);
  for again = 1:2                                  % the second time for what rounding left of the others
    for j = 1:size (B, 2), v = v - B(:,j) * sum (B(:,j) .* v); end
  end
  v = v / sqrt (sum (v .^ 2));
  B(:,end+1) = v;
  V = V - bsxfun (@times, v, sum (bsxfun (@times, v, V), 1));
end
end
