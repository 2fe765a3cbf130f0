function choice = ap_oneshot_choose (P, classes, drawings, shots, paired)
%AP_ONESHOT_CHOOSE  Draw P sequences: which classes, which drawings, in which order, with which label.
%
%   choice = AP_ONESHOT_CHOOSE (P, classes, drawings, shots)
%   choice = AP_ONESHOT_CHOOSE (P, classes, drawings, shots, paired)
%   Inputs :  classes, drawings, numbers of them to choose from;  shots, shown images of each of the two classes;
%             paired, true: P is a multiple of 4, and P/4 draws of images give four sequences each, the query from
%             either class and either class labelled +1. Terms independent of the answer cancel in sums over them
%   Outputs:  struct of class, drawing and label, each (2 shots + 1) x P, the query last with label 0, and
%             y, P x 1, the labels of the queries: +1, -1, +1, ...
%   Two different classes at random, the first that of the query; drawings of a class without repetition, also by the
%   query; the shown images in random order. Every sequence takes the same number of random numbers, in its turn: a
%   larger P extends a smaller one. Call it through ap_seeded.
%   Example:  choice = ap_seeded ([seed, 4, step], @() ap_oneshot_choose (128, 136, 20, 1));
%   See also ap_oneshot_batch, ap_seeded.

% SPDX-License-Identifier: BSD-3-Clause

if nargin > 4 && paired
  choice = four (P / 4, classes, drawings, shots);
  return
end
choice = draw (P, classes, drawings, shots);
end

function [choice, rival] = draw (P, classes, drawings, shots)
% rival: 2 x P, the class other than the query's, and a drawing of it that is not shown
u = rand (2 + 2 * drawings + 2 * shots, P);
class = 1 + floor (classes * u(1,:));
other = 1 + floor ((classes - 1) * u(2,:));
other = other + (other >= class);
[~, own] = sort (u(3:2+drawings,:), 1);
[~, others] = sort (u(3+drawings:2+2*drawings,:), 1);
[~, order] = sort (u(3+2*drawings:end,:), 1);

choice.y = 1 - 2 * mod ((0:P-1)', 2);
each = ones (shots, 1);
order = bsxfun (@plus, order, 2 * shots * (0:P-1));
shown = [each * class; each * other];
choice.class = [shown(order); class];
shown = [own(1:shots,:); others(1:shots,:)];
choice.drawing = [shown(order); own(shots+1,:)];
shown = [each; -each] * choice.y';
choice.label = [shown(order); zeros(1, P)];
rival = [other; others(shots+1,:)];
end

function choice = four (P, classes, drawings, shots)
[one, rival] = draw (P, classes, drawings, shots);
other = one;
other.class(end,:) = rival(1,:);
other.drawing(end,:) = rival(2,:);
other.y = -one.y;
choice.y = [one.y; other.y; -one.y; -other.y];
choice.class = [one.class, other.class, one.class, other.class];
choice.drawing = [one.drawing, other.drawing, one.drawing, other.drawing];
choice.label = [one.label, one.label, -one.label, -one.label];
end
