function paper_images (folder)
%PAPER_IMAGES  The one-shot task at ten temperatures, up to N = 10 000, and on other images (after Figure 3b).
%
%   paper_images (folder)
%   Widths and temperatures are those of the published scripts. The attention is that of a trained network of the
%   demos. Panels: (a) accuracy on held-out classes against width, with the temperature by validation on further
%   sequences of the training classes, by evidence, and best for the test set, as published; GP limit; (b) a curve for
%   each temperature, and posterior draws at one of them; (c) accuracy on MNIST, Fashion-MNIST and CIFAR, at the
%   temperatures of validation on Omniglot. The user puts these images into the folder ATTNPATH_IMAGES. If there are
%   none, the panel has a note on the files to download.
%   See also image_sets, oneshot_cell, experiment_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('P', 600, 'Pvalid', 600, 'Ptest', 1000, 'drawings', 100), ...
                   struct ('P', 60, 'Pvalid', 60, 'Ptest', 60));
draws = quick_mode (struct ('temperature', 0.25, 'averaged', 40, ...
                            'sampler', {{'Chains', 2, 'Warmup', 100, 'Draws', 60, 'Display', false}}), ...
                    struct ('averaged', 10, 'sampler', {{'Chains', 2, 'Warmup', 20, 'Draws', 20, 'Display', false}}));
axis_of = quick_mode (struct ('widths', [10 20 50 100 200 500 1000 2000 5000 10000], 'seeds', 1:5, ...
                              'temperatures', [0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 1.5], ...
                              'sampled', [10 100 1000]), ...
                      struct ('widths', [10 1000], 'temperatures', [0.1 0.25], 'seeds', 1, 'sampled', 10));
sets = image_sets (1);
plan.sets = {sets(cellfun (@isempty, {sets.needs})).name};     % cells depend on images and characters
plan.characters = 'Omniglot';
try
  attnpath_omniglot ('small2', 'Classes', 1);
catch
  plan.characters = 'generator';
end
grid = struct ('temperature', axis_of.temperatures, 'width', [axis_of.widths Inf], 'seed', axis_of.seeds);
name = strjoin ([{'images', plan.characters}, plan.sets], '_');
result = sweep_cells (name, @(c) oneshot_cell (c, plan), grid);
grid = struct ('width', axis_of.sampled, 'seed', axis_of.seeds);
sampled = sweep_cells ([name '_draws'], @(c) oneshot_draws_cell (c, plan, draws), grid);

names = result(1).names;
accuracy = reshape (cat (1, result.accuracy), [size(result, 1), size(result, 2), numel(axis_of.seeds), numel(names)]);
evidence = reshape ([result.evidence], size (result, 1), size (result, 2), []);
chosen = {at_largest(accuracy, accuracy(:,:,:,1)), at_largest(accuracy, evidence), ...
          at_largest(accuracy, accuracy(:,:,:,2))};            % each: widths x seeds x sets
trained = reshape (cat (1, result(1,1,:).trained), [], numel (names));
tables (chosen, trained, accuracy, sampled, names, axis_of, plan, draws);

fig = figure_page ([12 4.8]);
if isempty (fig), return; end
draw_choices (fig, chosen, trained, axis_of);
draw_temperatures (fig, accuracy, sampled, axis_of, draws);
draw_elsewhere (fig, chosen{1}, trained, names, axis_of);
note_characters (fig, plan.characters);
save_figure (fig, fullfile (folder, 'figure_images'));
end

function best = at_largest (accuracy, criterion)
% widths x seeds x sets: accuracy at the temperature of the largest criterion of each width and seed
[~, at] = max (criterion, [], 1);
for w = 1:size (accuracy, 2)
  for s = 1:size (accuracy, 3), best(w,s,:) = accuracy(at(1,w,s),w,s,:); end
end
end

function tables (chosen, trained, accuracy, sampled, names, axis_of, plan, draws)
fprintf ('\nOne-shot images (%s), %d training sequences, %d draws of all sequences, %d test sequences\n', ...
         plan.characters, plan.P, numel (axis_of.seeds), plan.Ptest);
print_rows ('  trained network: %s on %s\n', percent_text (trained), names');
fprintf ('  accuracy on held-out classes; T by validation, by evidence, best for the test set\n');
print_rows ('  %7g   %s  %s  %s\n', [axis_of.widths Inf]', texts (chosen{1}(:,:,2)), texts (chosen{2}(:,:,2)), ...
            texts (chosen{3}(:,:,2)));
fprintf ('  mean accuracy on held-out classes (rows: T; columns: N, then GP)\n            %s     GP\n', ...
         sprintf ('%7d', axis_of.widths));
print_rows (['  %7.3f   ' repmat('%7.1f', 1, size (accuracy, 2)) '\n'], axis_of.temperatures', ...
            mean (accuracy(:,:,:,2), 3));
fprintf (['  posterior draws at T = %g, with the theory at that temperature; largest R-hat, least effective ' ...
          'sample size, mean seconds\n'], draws.temperature);
print_rows ('  %7d   %s  %s   %5.3f  %4.0f  %5.0f\n', axis_of.sampled', percent_text (held_out (sampled)), ...
            texts (at_temperature (accuracy, axis_of, draws)), max (field_of (sampled, 'rhat'), [], 1)', ...
            min (field_of (sampled, 'ess'), [], 1)', mean (field_of (sampled, 'seconds'), 1)');
for k = 3:numel (names)
  fprintf ('  %s, T by validation on characters\n', names{k});
  print_rows ('  %7g   %s\n', [axis_of.widths Inf]', texts (chosen{1}(:,:,k)));
end
for set = image_sets (1)
  if ~isempty (set.needs), fprintf ('  %s: %s\n', set.name, set.needs); end
end
end

function x = held_out (sampled)
% seeds x widths: accuracy of posterior draws on held-out classes
accuracy = reshape (cat (1, sampled.accuracy), size (sampled, 1), size (sampled, 2), []);
x = accuracy(:,:,2)';
end

function x = at_temperature (accuracy, axis_of, draws)
% widths x seeds: the theory's accuracy on held-out classes, at widths and temperature of the posterior draws
[~, at] = ismember (axis_of.sampled, axis_of.widths);
x = reshape (accuracy(axis_of.temperatures == draws.temperature,at,:,2), numel (at), []);
end

function column = texts (x)
column = percent_text (x');
end

function draw_choices (fig, chosen, trained, axis_of)
inks = {[0.00 0.32 0.62], [0.80 0.10 0.10], [0.60 0.60 0.60]};
dashes = {'-', '--', ':'};
marks = 'x^o';
ax = log_axes (fig, [0.06 0.15 0.26 0.70], axis_of.widths([1 end]) .* [0.7 1.4], [10 100 1000 10000]);
for k = 1:3
  [m, s] = mean_error (chosen{k}(1:end-1,:,2)');
  if numel (axis_of.seeds) > 1, error_bars (ax, axis_of.widths, m, s, inks{k}, 1, 0.02); end
  lines(k) = curve (ax, axis_of.widths, m, inks{k}, dashes{k}, 1.3, marks(k), 6);
end
across = get (ax, 'xlim');
lines(4) = curve (ax, across, [1 1] * mean (chosen{1}(end,:,2)), [0.85 0.55 0.10], '-.', 1.3);
lines(5) = curve (ax, across, [1 1] * mean (trained(:,2)), [0.30 0.30 0.30], ':', 1.6);
limits = get (ax, 'ylim');
set (ax, 'ylim', [limits(1) - 0.55 * diff(limits), limits(2)]);
names = {'T by validation', 'T by evidence', 'best T for the test set', 'GP, T by validation', 'trained network'};
set (legend (lines, names, 'location', 'southwest'), 'box', 'off', 'fontsize', 8);
label_axes (ax, 'a', 'held-out classes', 'width N', 'accuracy (%)');
end

function draw_temperatures (fig, accuracy, sampled, axis_of, draws)
marks = 'ox+*sd^v<>';
ax = log_axes (fig, [0.385 0.15 0.20 0.70], axis_of.widths([1 end]) .* [0.7 1.4], [10 100 1000 10000]);
for t = 1:numel (axis_of.temperatures)
  share = (t - 1) / max (1, numel (axis_of.temperatures) - 1);
  ink = (1 - share) * [0.00 0.32 0.62] + share * [0.95 0.65 0.25];
  m = mean (accuracy(t,1:end-1,:,2), 3);
  lines(t) = curve (ax, axis_of.widths, m, ink, '-', 1.2, marks(t), 5);
  names{t} = sprintf ('%g', axis_of.temperatures(t));
end
[m, s] = mean_error (held_out (sampled));
if numel (axis_of.seeds) > 1, error_bars (ax, axis_of.sampled, m, s, [0 0 0], 1, 0.03); end
lines(end+1) = curve (ax, axis_of.sampled, m, [0 0 0], 'none', 1.2, 'h', 8);
names{end+1} = sprintf ('%g, draws', draws.temperature);
label_axes (ax, 'b', 'a curve for each temperature', 'width N', '');
key_beside (fig, [0.585 0.15 0.10 0.70], lines, names);
end

function draw_elsewhere (fig, chosen, trained, names, axis_of)
inks = {[0.00 0.32 0.62], [0.80 0.10 0.10], [0.85 0.55 0.10], [0 0 0]};
marks = 'xo^s';
if numel (names) < 3
  ax = axes ('parent', fig, 'position', [0.72 0.15 0.26 0.70], 'box', 'on', 'xtick', [], 'ytick', []);
  text (0.5, 0.5, {'No other images are there.', 'Download test files of MNIST,', ...
                   'Fashion-MNIST or CIFAR, unpack them,', 'and name their folder in', ...
                   'ATTNPATH\_IMAGES: see', 'help image\_sets'}, 'parent', ax, ...
        'horizontalalignment', 'center', 'fontsize', 10);
  label_axes (ax, 'c', 'images from elsewhere', '', '');
  return
end
ax = log_axes (fig, [0.72 0.15 0.26 0.70], axis_of.widths([1 end]) .* [0.7 1.4], [10 100 1000 10000]);
for k = 3:numel (names)
  [m, s] = mean_error (chosen(1:end-1,:,k)');
  if numel (axis_of.seeds) > 1, error_bars (ax, axis_of.widths, m, s, inks{k-2}, 1, 0.02); end
  lines(k-2) = curve (ax, axis_of.widths, m, inks{k-2}, '-', 1.3, marks(k-2), 6);
  curve (ax, get (ax, 'xlim'), [1 1] * mean (trained(:,k)), inks{k-2}, ':', 1.3);
end
limits = get (ax, 'ylim');
set (ax, 'ylim', limits + [0, 0.3 * diff(limits)]);
set (legend (lines, names(3:end), 'location', 'north'), 'box', 'off', 'fontsize', 8);
label_axes (ax, 'c', 'dotted: the trained network', 'width N', 'accuracy (%)');
end
