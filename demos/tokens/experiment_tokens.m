function experiment_tokens ()
%EXPERIMENT_TOKENS  Labels at every token: the hidden state behind each token of Markov chains, by position
%
%   Noise hides the states: a token alone tells its state with 84 %. Two layers have heads that average a token and the
%   one before it, the one after it, or both, and a random head. Panels:
%     (a) test accuracy against the position in the sequence, by the theory at the smallest width and in the GP limit,
%         by the average over draws from the posterior, and by the posterior of the states given the whole sequence and
%         the true parameters of the chains, which no method exceeds
%     (b) test accuracy against width N
%     (c) mean squared error against N: on the test set, and estimated from the training set by leaving out whole
%         sequences, or single tokens
%   Prints these numbers and writes demo_tokens.png and demo_tokens.pdf into the current directory or the folder in the
%   environment variable ATTNPATH_DEMO_DIR. It needs a graphics toolkit: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/run_demo.m tokens
%
%   See also attnpath_demo, attnpath_task_markov, attnpath_loo.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_tokens');
plan = settings ();
grid = struct ('seed', 1:plan.tasks, 'part', {{'theory', 'draws'}});
result = sweep_cells ('demo_tokens', @(c) tokens_cell (c, plan), grid);
r = struct ('theory', cat (3, result(:,1).right), 'draws', cat (3, result(:,2).right), ...
            'loss', cat (3, result(:,1).loss), 'accuracy', cat (3, result(:,1).accuracy));
print_tables (r, plan, result(:,2));
draw_page (r, plan, folder);
end

function plan = settings ()
plan.tasks = 5;
plan.P = 12;
plan.Ptest = 1000;
plan.tokens = 12;
plan.features = 50;
plan.temperature = 0.3;
plan.widths = [10 30 100 300 1000];
plan.sampled = 10;
plan.averaged = 100;             % draws of U whose predictors are averaged
plan.sampler = {'Display', false, 'Draws', 1000, 'Warmup', 1000};
plan = quick_mode (plan, struct ('tasks', 2, 'P', 8, 'Ptest', 100, 'tokens', 8, 'features', 20, 'widths', [10 100], ...
                   'sampled', 10, 'averaged', 20, 'sampler', {{'Display', false, 'Draws', 30, 'Warmup', 40}}));
end

function print_tables (r, plan, drawn)
fprintf (['\nThe state behind each token: %d tasks, each of %d training and %d test sequences of %d tokens, ' ...
          '%d features, T = %g\n'], plan.tasks, plan.P, plan.Ptest, plan.tokens, plan.features, plan.temperature);
all_of = 100 * permute (mean (r.theory, 1), [3 2 1]);
sampled = 100 * permute (mean (r.draws, 1), [3 2 1]);
texts = percent_text (all_of);
fprintf ('\n  width N   test accuracy    of posterior draws\n');
for k = 1:numel (plan.widths)
  at = find (plan.sampled == plan.widths(k));
  more = {''};
  if ~isempty (at), more = percent_text (sampled(:,at)); end
  fprintf ('  %7d   %s   %s\n', plan.widths(k), texts{k}, more{1});
end
fprintf ('  GP limit  %s\n  optimum   %s\n', texts{end-1:end});
for k = 1:numel (plan.sampled)
  fprintf ('draws at N = %d, first task: %s\n', plan.sampled(k), drawn(1).reason{k});
end
[e, se] = mean_error (reshape (permute (r.loss, [3 1 2]), plan.tasks, []));
a = 100 * mean (r.accuracy, 3);
e = reshape (e, [], 3);
se = reshape (se, [], 3);
fprintf ('\n  mean squared error, and accuracy in %%, on the test set, and without test labels by leaving out\n');
fprintf ('  width N      test set               sequences              tokens\n');
for k = 1:numel (plan.widths)
  fprintf ('  %7d', plan.widths(k));
  fprintf ('   %.3f +- %.3f  %5.1f', [e(k,:); se(k,:); a(k,:)]);
  fprintf ('\n');
end
gap = permute (r.loss(:,2:3,:) - r.loss(:,[1 1],:), [3 1 2]);
fprintf ('  difference from the test set, mean over widths and tasks: sequences %+.3f, tokens %+.3f\n', ...
         mean (reshape (gap, [], 2), 1));
end

function draw_page (r, plan, folder)
fig = figure_page ([13 4.6]);
if isempty (fig), return; end
by_position (fig, r, plan);
by_width (fig, r, plan);
errors (fig, r, plan);
save_figure (fig, fullfile (folder, 'demo_tokens'));
end

function [names, ink, dash, marks] = look ()
names = {'theory', 'posterior draws', 'GP limit', 'optimum'};
ink = [0.00 0.32 0.62; 0.80 0.10 0.10; 0.85 0.55 0.10; 0 0 0];
dash = {'-', '--', '-', '-'};
marks = 'osd^';
end

function by_position (fig, r, plan)
ax = axes ('parent', fig, 'position', [0.06 0.32 0.27 0.56], 'box', 'on');
[names, ink, dash, marks] = look ();
at = find (plan.widths == plan.sampled(1));
lines = {r.theory(:,at,:), r.draws(:,1,:), r.theory(:,end-1,:), r.theory(:,end,:)};
position = (1:plan.tokens)';
for k = 1:4
  [m, se] = mean_error (100 * permute (lines{k}, [3 1 2]));
  h(k) = curve (ax, position, m(:), ink(k,:), dash{k}, 1.4, marks(k), 5);
  error_bars (ax, position, m(:), se(:), ink(k,:), 0.7);
end
set (ax, 'xlim', [0.5, plan.tokens + 0.5]);
label_axes (ax, 'a', sprintf ('state behind each token, N = %d', plan.sampled(1)), 'position in the sequence', ...
            'test accuracy (%)');
key_beside (fig, [0.06 0.02 0.27 0.17], h, names);
end

function by_width (fig, r, plan)
[names, ink, dash] = look ();
ax = log_axes (fig, [0.40 0.32 0.25 0.56], plan.widths([1 end]) .* [0.8 1.25], plan.widths);
[m, se] = mean_error (100 * permute (mean (r.theory, 1), [3 2 1]));
n = numel (plan.widths);
h(1) = curve (ax, plan.widths, m(1:n), ink(1,:), dash{1}, 1.4, 'o', 5);
error_bars (ax, plan.widths, m(1:n), se(1:n), ink(1,:), 0.7);
[d, error_of_d] = mean_error (100 * permute (mean (r.draws, 1), [3 2 1]));
h(2) = curve (ax, plan.sampled, d, ink(2,:), 'none', 1.4, 's', 6);
error_bars (ax, plan.sampled, d, error_of_d, ink(2,:), 0.7);
for k = 1:2, h(2+k) = curve (ax, plan.widths([1 end]), m(n+k) * [1 1], ink(2+k,:), dash{2+k}, 1.4); end
label_axes (ax, 'b', 'all positions', 'width N', 'test accuracy (%)');
key_beside (fig, [0.40 0.02 0.25 0.17], h, names);
end

function errors (fig, r, plan)
ax = log_axes (fig, [0.72 0.32 0.25 0.56], plan.widths([1 end]) .* [0.8 1.25], plan.widths);
ink = [0 0 0; 0.00 0.32 0.62; 0.80 0.10 0.10];
[dash, marks] = deal ({'-', '-', '--'}, 'o^s');
for k = 1:3
  [m, se] = mean_error (permute (r.loss(:,k,:), [3 1 2]));
  h(k) = curve (ax, plan.widths, m, ink(k,:), dash{k}, 1.4, marks(k), 5);
  error_bars (ax, plan.widths, m, se, ink(k,:), 0.7);
end
label_axes (ax, 'c', 'what leaving out says of new sequences', 'width N', 'mean squared error');
key_beside (fig, [0.72 0.02 0.25 0.17], h, {'test set', 'without sequences', 'without tokens'});
end
