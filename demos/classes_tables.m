function classes_tables (theory, post, plan, axis_of)
%CLASSES_TABLES  Print what experiment_classes has found.
%
%   classes_tables (theory, post, plan, axis_of)
%   Inputs :  theory, cells of classes_cell, widths (the last Inf) x seeds;  post, cells of classes_draws_cell, widths x
%             seeds;  plan, axis_of, structs of settings

% SPDX-License-Identifier: BSD-3-Clause

d = classes_data (plan.kept, plan);
print_accuracies (theory, plan, axis_of);
first = theory(:,axis_of.seeds == plan.kept);
print_draws (theory, post, axis_of);
print_U (first, post(:,axis_of.seeds(1:size (post, 2)) == plan.kept), plan, axis_of);
print_confusion (first, d.ytest, plan, axis_of);
fprintf ('  Scores of the heads at N = %d, seed %d: layer, head, and a column for each class\n', axis_of.widths(1), ...
         plan.kept);
for m = 1:numel (plan.fits)
  print_rows (['    %d %d' repmat('%9.3f', 1, plan.classes) '\n'], heads_of (d.net.H), ...
              class_scores (first(1).U{m}, d.net.H, plan.classes));
end
end

function print_accuracies (theory, plan, axis_of)
fprintf ('\n%d classes of hidden Markov chains. Tasks: %d, each of %d training and %d test sequences\n', ...
         plan.classes, numel (axis_of.seeds), plan.P, plan.Ptest);
accuracy = by_task (theory(1:end-1,:), 'accuracy');
gradnorm = by_task (theory(1:end-1,:), 'gradnorm');
seconds = by_task (theory(1:end-1,:), 'seconds');
for m = 1:numel (plan.fits)
  fprintf ('  %s\n  width N   test accuracy   gradnorm  time per fit\n', axis_of.fit_names{m});
  print_rows ('  %7d   %s   %8.1e  %9.2f s\n', axis_of.widths', percent_text (accuracy(:,:,m)), ...
              max (gradnorm(:,:,m), [], 1)', median (seconds(:,:,m), 1)');
end
print_rows ('       GP   %s\n', percent_text (by_task (theory(end,:), 'accuracy')));
for m = 2:numel (plan.fits)
  gain = accuracy(:,:,1) - accuracy(:,:,m);                % task by task: what tasks share drops out
  fprintf ('  Coupled outputs are better than %s by (percent, means over tasks)\n', axis_of.fit_names{m});
  [more, error_of] = mean_error (gain);
  print_rows ('  %7d   %+5.2f +- %4.2f\n', axis_of.widths', more', error_of');
end
end

function print_draws (theory, post, axis_of)
[~, at] = ismember (axis_of.sampled, axis_of.widths);
fprintf ('  Draws from the exact posterior of coupled outputs, tasks: %d\n', size (post, 2));
fprintf ('%s\n%s\n', ...
         '  width N     test accuracy   draws - theory     largest R-hat   smallest ESS  time per sample', ...
         '                                task by task         U       f       U      f');
accuracy = by_task (post, 'accuracy');
same = by_task (theory(at,1:size (post, 2)), 'accuracy');
[more, error_of] = mean_error (accuracy - same(:,:,1));
rhat = by_task (post, 'rhat');
ess = by_task (post, 'ess');
worst = @(x, f) reshape (f (x, [], 1), [], 2);
print_rows ('  N = %-5d   %s   %+5.2f +- %4.2f   %7.3f %7.3f   %5.1f  %5.1f   %12.1f s\n', axis_of.sampled', ...
            percent_text (accuracy), more', error_of', worst (rhat, @max), worst (ess, @min), ...
            median (by_task (post, 'seconds'), 1)');
[~, k] = min (arrayfun (@(p) min (p.ess), post(:)));
fprintf ('  R-hat 1.01 and an ESS of 400 are wanted throughout: %d of %d samples have it. The worst, N = %d:\n', ...
         sum ([post.converged]), numel (post), post(k).cell.width);
fprintf ('    %s\n', post(k).reason);
end

function print_U (first, post, plan, axis_of)
[~, at] = ismember (axis_of.sampled, axis_of.widths);
for k = 1:numel (post)
  r = corrcoef (first(at(k)).U{1}(:), post(k).U(:));
  fprintf ('  U at N = %d, seed %d: correlation of its entries, theory and mean of the draws: %.3f\n', ...
           axis_of.sampled(k), plan.kept, r(1,2));
end
end

function print_confusion (first, y, plan, axis_of)
form = ['    ' repmat('%7d', 1, plan.classes) '\n'];
counts = @(class) accumarray (double ([y, class]), 1, [1 1] * plan.classes);
for m = 1:numel (plan.fits)
  fprintf ('  Confusion at N = %d, seed %d, %s: a row for each class\n', axis_of.widths(1), plan.kept, ...
           axis_of.fit_names{m});
  print_rows (form, counts (first(1).class(:,m)));
end
fprintf ('  Confusion of the GP limit\n');
print_rows (form, counts (first(end).class));
end
