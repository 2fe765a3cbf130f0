function oneshot_tables (theory, post, heads, data, plan, axis_of)
%ONESHOT_TABLES  Print what experiment_oneshot has found.
%
%   oneshot_tables (theory, post, heads, data, plan, axis_of)
%   Inputs :  theory, from oneshot_theory;  post, cells of oneshot_draws_cell;  heads, from oneshot_heads;  data, from
%             oneshot_data;  plan, axis_of, structs of settings

% SPDX-License-Identifier: BSD-3-Clause

print_accuracies (theory, post, plan, axis_of);
print_map (theory, plan, axis_of);
print_U (theory, post, data.trained, axis_of);
print_heads (heads, plan, axis_of);
print_removal (heads);
end

function print_accuracies (theory, post, plan, axis_of)
fprintf ('\n(b) accuracy on held-out classes, %d sequences; %d training sequences, %d draws of them\n', ...
         plan.Ptest, plan.P, plan.draws);
fprintf (['  width N   T by leave-one-out  chosen T     T by validation  chosen T     T by evidence    ' ...
          'chosen T     evaluations  time per solve\n']);
for n = 1:numel (axis_of.widths)
  for r = 1:3
    temperatures{n,r} = strjoin (arrayfun (@num2str, unique (theory.T(:,n,r))', 'UniformOutput', false), ' ');
  end
end
print_rows ('  %7d   %s      %-11s  %s   %-11s  %s   %-11s  %11.1f  %11.2f s\n', axis_of.widths', ...
            percent_text (theory.chosen(:,:,1)), temperatures(:,1), percent_text (theory.chosen(:,:,2)), ...
            temperatures(:,2), percent_text (theory.chosen(:,:,3)), temperatures(:,3), ...
            squeeze (mean (mean (theory.evaluations, 1), 2)), squeeze (median (median (theory.seconds, 1), 2)));
gp = percent_text (theory.gp);
fprintf ('       GP   %s                   %s                %s\n', gp{:});
fprintf ('  largest gradnorm of all %d solutions %.1e\n', numel (theory.gradnorm), max (theory.gradnorm(:)));
for k = 1:numel (post)
  N = axis_of.sampled(k);
  fprintf (['  posterior draws, N = %d, T = %g, first training set: %.1f %% (theory %.1f %%); %.0f s; ' ...
            '1.01 and 400 are wanted:\n    %s\n'], N, post(k).T, post(k).accuracy(2), ...
           theory.chosen(1,axis_of.widths == N,1), post(k).seconds, post(k).reason);
end
end

function print_map (theory, plan, axis_of)
% Widths and temperatures together
fprintf ('\n(g) widths and temperatures together (rows: T; columns: N)\n            %s      GP\n', ...
         sprintf ('%7d', axis_of.widths));
columns = numel (axis_of.widths);
over = @(x) reshape (mean (x, 1), [], columns);
form = ['  %7.2f   ' repmat('%7.1f', 1, columns)];
fprintf ('  mean accuracy (%%)\n');
print_rows ([form ' %7.1f\n'], axis_of.temperatures', over (theory.test), mean (theory.gp_test, 1)');
fprintf ('  mean log evidence to leading order, for each example\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], axis_of.temperatures', over (theory.evidence) / plan.P);
fprintf ('  mean squared leave-one-out error, corrected\n');
print_rows ([strrep(form, '.1f', '.3f') '\n'], axis_of.temperatures', over (theory.loo));
names = {'leave-one-out', 'validation', 'evidence'};
criteria = {-theory.loo, theory.valid, theory.evidence};
for c = 1:3
  [m, error_of_m] = mean_error (at_best_of_all (criteria{c}, theory.test));
  fprintf ('  accuracy where %s is best of all: %.1f +- %.1f %%\n', names{c}, m, error_of_m);
end
end

function accuracy = at_best_of_all (criterion, test)
for d = 1:size (test, 1)
  [~, at] = max (criterion(d,:));
  accuracy(d,1) = test(d,at);
end
end

function print_U (theory, post, trained, axis_of)
U = theory.shown(1).order{1};
for k = find (axis_of.sampled == axis_of.shown)
  fprintf (['\n(c) U at N = %d: correlation of its entries, theory and draws %.3f, ' ...
            'theory and trained network %.3f\n'], axis_of.shown, correlation (U, post(k).U), ...
           correlation (U, trained.U));
end
end

function print_heads (heads, plan, axis_of)
fprintf ('\n(e) trained network with one head removed: %d sequences of all classes of the test data, and as\n', ...
         axis_of.parts * plan.together);
fprintf ('    many of those that are not in the training data; %.1f %% and %.1f %% with all heads\n', heads.full);
fprintf ('    scores: means over the draws, the theory''s at N = %d\n', axis_of.scored);
count = numel (heads.names);
fprintf ('  layer head  %s   all: accuracy  lost   not in training: lost\n', sprintf ('%14s', heads.names{:}));
score = reshape (mean (heads.score, 1), [], count);
table = [heads.list, score, heads.full(1) - heads.lost(1,:)', heads.lost'];
print_rows (['  %5d %4d  ' repmat('%14.3f', 1, count) '  %13.1f %%  %5.1f  %20.1f\n'], sortrows (table, 3));
fprintf ('  rank correlation with what is lost: mean over the draws, and standard deviation\n');
for w = 1:count
  r = reshape (heads.correlation(:,w,:), [], 2);
  fprintf ('  %-14s  all %5.2f +- %.2f   not in training %5.2f +- %.2f\n', heads.names{w}, ...
           [mean(r, 1); std(r, 0, 1)]);
end
fprintf ('  paper, same order: 83.8 %% with all heads; 81.8 83.0 79.5 75.4 76.0 76.5 74.3 74.9 %% without one;\n');
fprintf ('    rank correlation 0.86\n');
end

function print_removal (heads)
count = numel (heads.names);
fprintf ('\n(f) heads removed one after the other, in the order of each score (means over the draws)\n');
fprintf ('  removed %s   by search   at random (mean and spread of all choices)\n', ...
         sprintf ('%14s', heads.names{:}));
print_rows (['  %7d ' repmat('%12.1f %%', 1, count) '   %7.1f %%   %6.1f +- %4.1f %% of %d\n'], ...
            (0:size (heads.removed, 2) - 1)', reshape (mean (heads.removed, 1), [], count), mean (heads.search, 1)', ...
            heads.random);
for d = 1:numel (heads.found)
  fprintf ('  the search, draw %d: heads%s; leave-one-out error%s\n', d, sprintf (' %d.%d', heads.found{d}'), ...
           sprintf (' %.3f', heads.error(d,:)));
end
end

function r = correlation (a, b)
both = corrcoef (a(:), b(:));
r = both(1,2);
end
