function choice = ap_oneshot_choose (P, classes, drawings, shots, ways, paired)
%AP_ONESHOT_CHOOSE  Draw P sequences: which classes, which drawings, in which order, with which label.
%
%   choice = AP_ONESHOT_CHOOSE (P, classes, drawings, shots, ways)
%   choice = AP_ONESHOT_CHOOSE (P, classes, drawings, shots, ways, paired)
%   Inputs :  classes, drawings, numbers of them to choose from;  shots, shown images of each of the classes;  ways, C,
%             number of classes in a sequence;  paired, true: P is a multiple of C^2, and P/C^2 draws of images give
%             C^2 sequences each, as below
%   Outputs:  struct of class, drawing and label, each (C shots + 1) x P, the query last with label 0, and y, P x 1, the
%             labels of the queries: of two classes +1, -1, +1, ..; of more 1, 2, .. C, 1, .. as int32, where sequences
%             are not paired
%   C different classes at random, of which the first is that of the query; the others have the other labels in their
%   order, which is random because the classes are. Drawings of a class without repetition, also by the query; the shown
%   images in random order. Every sequence takes the same number of random numbers, in its turn: a larger P extends a
%   smaller one. Call it through ap_seeded.
%
%   Paired: the query comes from each of the C classes, and for each of these the labels are moved on by 0 .. C-1 places
%   of the circle 1, 2, .. C, 1; of two classes +1, -1, +1. The sequences of one query have all C answers, once each,
%   and so have those of one labelling: in a sum over the C^2, terms of the query alone and terms of the shown images
%   with their labels alone meet every answer equally often, and cancel. No smaller set of these sequences does that: a
%   query that is in it needs every answer, and so every labelling; a labelling needs every answer, and so every query.
%   Example:  choice = ap_seeded ([seed, 4, step], @() ap_oneshot_choose (128, 136, 20, 1, 2));
%   See also ap_oneshot_batch, ap_seeded.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 6 || ~paired
  choice = asked (draw (P, classes, drawings, shots, ways), 1, 0);
  return
end
d = draw (P / ways ^ 2, classes, drawings, shots, ways);
all = cell (1, ways ^ 2);
for shift = 0:ways-1
  for k = 1:ways, all{shift*ways+k} = asked (d, k, shift); end
end
all = [all{:}];
choice = struct ('class', [all.class], 'drawing', [all.drawing], 'label', [all.label], 'y', cat (1, all.y));
end

function d = draw (P, classes, drawings, shots, ways)
% Shown images, (C shots) x P, and for each class, C x P, its label and a drawing of it that is not shown. Two classes
% take two random numbers, more of them one for each class that there is
take = classes;
if ways == 2, take = 2; end
u = rand (take + ways * drawings + ways * shots, P);
if ways == 2
  first = 1 + floor (classes * u(1,:));
  other = 1 + floor ((classes - 1) * u(2,:));
  d.class = [first; other + (other >= first)];
  d.label = [1; -1] * (1 - 2 * mod (0:P-1, 2));
else
  [~, class] = sort (u(1:classes,:), 1);
  d.class = class(1:ways,:);
  first = 1 + mod (0:P-1, ways);
  rest = repmat ((1:ways-1)', 1, P);                      % in their order
  d.label = [first; rest + bsxfun(@ge, rest, first)];
end
picked = zeros (shots * ways, P);
d.query = zeros (ways, P);
for k = 1:ways
  [~, order] = sort (u(take+(k-1)*drawings+(1:drawings),:), 1);
  picked((k-1)*shots+(1:shots),:) = order(1:shots,:);
  d.query(k,:) = order(shots+1,:);
end
[~, order] = sort (u(take+ways*drawings+1:end,:), 1);
order = bsxfun (@plus, order, ways * shots * (0:P-1));
of = kron ((1:ways)', ones (shots, 1));                   % whose image each is, before they are shuffled
[class, label] = deal (d.class(of,:), d.label(of,:));
d.shown = struct ('class', class(order), 'drawing', picked(order), 'label', label(order));
end

function choice = asked (d, k, shift)
% The query is of class k, and labels are moved on by shift
ways = size (d.class, 1);
if ways == 2
  moved = @(label) (1 - 2 * shift) * label;
  choice.y = moved (d.label(k,:))';
else
  moved = @(label) 1 + mod (label - 1 + shift, ways);
  choice.y = int32 (moved (d.label(k,:))');
end
choice.class = [d.shown.class; d.class(k,:)];
choice.drawing = [d.shown.drawing; d.query(k,:)];
choice.label = [moved(d.shown.label); zeros(1, size (d.class, 2))];
end
