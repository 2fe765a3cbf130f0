function choice = ap_oneshot_ways (P, classes, drawings, shots, ways)
%AP_ONESHOT_WAYS  Draw P sequences of more than two classes: which classes, drawings, order and labels.
%
%   choice = AP_ONESHOT_WAYS (P, classes, drawings, shots, ways)
%   Inputs :  classes, drawings, numbers of them to choose from;  shots, shown images of each of the classes;  ways, C,
%             number of classes in a sequence
%   Outputs:  struct of class, drawing and label, each (C shots + 1) x P, the query last with label 0, and y, P x 1
%             int32, the labels of the queries: 1, 2, ... C, 1, ...
%   C different classes at random, of which the first is that of the query; the others have the other labels in their
%   order, which is random because the classes are. Drawings of a class without repetition, also by the query; the shown
%   images in random order. Every sequence takes the same number of random numbers, in its turn: a larger P extends a
%   smaller one. Call it through ap_seeded. Two classes have a function of their own, which came first.
%   Example:  choice = ap_seeded ([seed, 1], @() ap_oneshot_ways (600, 136, 20, 1, 5));
%   See also ap_oneshot_choose, ap_oneshot_batch, ap_seeded.

% SPDX-License-Identifier: BSD-3-Clause

u = rand (classes + ways * drawings + ways * shots, P);
[~, class] = sort (u(1:classes,:), 1);
class = class(1:ways,:);
asked = mod (0:P-1, ways);
label = repmat ((1:ways)', 1, P);                         % first class: asked + 1; others: the rest in order
label = [1 + asked; label(1:ways-1,:) + bsxfun(@ge, label(1:ways-1,:), 1 + asked)];
picked = zeros (shots * ways, P);
for k = 1:ways
  [~, order] = sort (u(classes+(k-1)*drawings+(1:drawings),:), 1);
  picked((k-1)*shots+(1:shots),:) = order(1:shots,:);
  if k == 1, query = order(shots+1,:); end
end
[~, order] = sort (u(classes+ways*drawings+1:end,:), 1);
order = bsxfun (@plus, order, ways * shots * (0:P-1));
of = kron ((1:ways)', ones (shots, 1));                   % whose image each is, before they are shuffled
shown = class(of,:);
choice.class = [shown(order); class(1,:)];
choice.drawing = [picked(order); query];
shown = label(of,:);
choice.label = [shown(order); zeros(1, P)];
choice.y = int32 (1 + asked');
end
