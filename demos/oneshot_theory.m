function theory = oneshot_theory (cells, axis_of)
%ONESHOT_THEORY  The theory at all widths and temperatures, and the temperatures that three criteria choose.
%
%   theory = oneshot_theory (cells, axis_of)
%   Inputs :  cells, of oneshot_cell, widths (the last Inf, the GP limit) x temperatures x draws of the training set;
%             axis_of, struct of widths and temperatures, and of two widths, shown and scored, whose order parameters
%             the cells have
%   Outputs:  struct of
%     test, loo, evidence, valid,
%     gradnorm, evaluations, seconds    draws x temperatures x widths; gp_test, draws x temperatures
%     T, chosen                         draws x widths x 3: temperature by leave-one-out, by validation, by evidence,
%                                       never by the test set, and the test accuracy there; gp, draws x 3, chosen in
%                                       the GP limit
%     shown, scored                     1 x draws struct array, for oneshot_solution, T by leave-one-out

% SPDX-License-Identifier: BSD-3-Clause

count = numel (axis_of.widths);
by_draw = @(x) permute (reshape (x, size (cells, 1), size (cells, 2), []), [3 2 1]);
accuracy = cat (1, cells.accuracy);                % columns: training classes, held-out classes
theory.valid = by_draw (accuracy(:,1));
theory.test = by_draw (accuracy(:,2));
for name = {'loo', 'evidence', 'gradnorm', 'evaluations', 'seconds'}
  theory.(name{1}) = by_draw ([cells.(name{1})]);
end
criteria = {-theory.loo, theory.valid, theory.evidence};
for c = 1:3, [theory.chosen(:,:,c), theory.T(:,:,c)] = at_best (criteria{c}, theory.test, axis_of.temperatures); end
theory.gp = permute (theory.chosen(:,end,:), [1 3 2]);
theory.gp_test = theory.test(:,:,end);
for name = {'chosen', 'T'}, theory.(name{1}) = theory.(name{1})(:,1:count,:); end
for name = {'valid', 'test', 'loo', 'evidence', 'gradnorm', 'evaluations', 'seconds'}
  theory.(name{1}) = theory.(name{1})(:,:,1:count);
end
theory.shown = solutions (cells, axis_of, theory.T(:,:,1), axis_of.shown);
theory.scored = solutions (cells, axis_of, theory.T(:,:,1), axis_of.scored);
end

function [accuracy, T] = at_best (criterion, test, temperatures)
% Test accuracy at the temperature of the largest criterion, for each draw and width
[~, at] = max (criterion, [], 2);
for d = 1:size (test, 1)
  for n = 1:size (test, 3)
    accuracy(d,n) = test(d,at(d,1,n),n);
    T(d,n) = temperatures(at(d,1,n));
  end
end
end

function at = solutions (cells, axis_of, T, width)
n = find (axis_of.widths == width);
for d = 1:size (T, 1)
  cell_of = cells(n,axis_of.temperatures == T(d,n),d);
  at(d) = struct ('width', width, 'temperature', T(d,n), 'order', {cell_of.order});
end
end
