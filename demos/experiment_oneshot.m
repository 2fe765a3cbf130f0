function experiment_oneshot ()
%EXPERIMENT_ONESHOT  One-shot image task: theory on a trained network's attention, scores, pruning (Figure 3 of [1])
%
%   A network of two layers of four heads was trained by gradient descent to tell which of two handwritten
%   characters, shown once each, a third one is. Its attention is then fixed, and the Bayesian theory asked what a
%   network of width N learns with it from 600 sequences. Panels as in Figure 3 of [1]:
%     (b) accuracy on held-out classes against width N: theory, draws from the exact posterior, the Gaussian-process
%         (GP) limit, and the trained network; temperature T chosen by squared leave-one-out error, by a validation
%         split, and by evidence
%     (c) the order parameter U of theory, of posterior draws, and of the trained network's weights
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) how well scores of heads foretell the drop in the trained network's accuracy when one head is removed: rank
%         correlations of the theory's scores, of those of the trained network, and of gradient-based importance [2]
%     (f) accuracy while heads are removed in order of score, in the order that a search by leave-one-out finds, and
%         at random
%     (g) the evidence of all widths and temperatures, with the accuracy at each
%   (b) is for classes that are not in the training data, (e) and (f) for all classes of the test data: of the 156 of
%   Omniglot's small set 2, 50 are also in small set 1. The table of (e) has both. All made-up classes are new.
%   Bars in (b), (e) and (f) are standard errors over draws of the training set. All that is chosen is chosen on
%   sequences of training classes.
%   Prints these numbers and writes demo_oneshot.png and demo_oneshot.pdf, into the current directory or the folder
%   in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a display,
%   xvfb-run -a octave --no-gui demos/demo_oneshot.m
%
%   The work is sweeps of the theory, of posterior draws, of the trained network's outputs and of the scores: with a
%   folder in the environment variable ATTNPATH_CELLS what was interrupted goes on (see sweep_cells).
%   The trained network comes with the demo, in oneshot_trained.mat. ATTNPATH_TRAIN=1 trains one anew by the same
%   recipe, which takes half an hour, and writes it beside the figures: what was interrupted goes on, and a network that
%   is there is not trained again. Images are Omniglot's, from the folder that the environment variable
%   ATTNPATH_OMNIGLOT names or from the cache (attnpath_omniglot), and otherwise made-up characters, on which the
%   network that comes with the demo was not trained: the demo says which.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   [2] Michel, Levy, Neubig, Are Sixteen Heads Really Better than One?, NeurIPS 2019, arXiv:1905.10650.
%   See also attnpath_demo, attnpath_sweep, attnpath_task_oneshot, attnpath_train, attnpath_solve, attnpath_scores,
%   attnpath_prune.

% SPDX-License-Identifier: BSD-3-Clause

begun = tic ();
folder = figure_folder ('demo_oneshot');
[plan, draws, axis_of] = settings ();
[plan.network, name] = trained_network (folder);
demo_progress ('sequences, as the attention of the trained network sees them');
data = oneshot_data (1, plan);
plan.of = {data.source, data.trained.source, data.trained.accuracy};   % else cells of other images would be taken
if strncmp (data.source.train, 'generator', 9), name = [name '_generator']; end
fprintf ('\nOne-shot images. Training: %s\n                 test: %s\n', data.source.train, data.source.test);
fprintf (['Trained network: %s; %d steps, test accuracy %.1f %% then (mean of the last five), ' ...
          '%.1f %% on this test set\n'], ...
         data.trained.source.train, data.trained.history.step(end), 100 * data.trained.accuracy, data.accuracy(2));

fprintf ('\nTheory, and the GP limit\n');
grid = struct ('width', [axis_of.widths Inf], 'temperature', axis_of.temperatures, 'seed', 1:plan.draws);
theory = oneshot_theory (sweep_cells ([name '_theory'], @(c) oneshot_cell (c, plan), grid), axis_of);

fprintf ('\nDraws from the exact posterior, for the first training set\n');
draws.width = axis_of.widths;
draws.temperature = theory.T(1,:,1);               % that leave-one-out chooses for the theory
grid = struct ('width', axis_of.sampled, 'seed', 1);
post = sweep_cells ([name '_draws'], @(c) oneshot_draws_cell (c, plan, draws), grid);

fprintf ('\nOutputs of the trained network, %d sequences of each kind\n', axis_of.parts * plan.together);
grid = struct ('seed', 1:axis_of.parts, 'which', {{'all', 'new'}});
outputs = sweep_cells ([name '_outputs'], @(c) oneshot_outputs_cell (c, plan), grid);

fprintf ('\nScores of heads, and the search for heads to remove\n');
scored = theory.scored;
grid = struct ('seed', 1:plan.draws, 'score', {[axis_of.scores, {'search'}]});
worth = sweep_cells ([name '_worth'], @(c) oneshot_worth_cell (c, plan, scored), grid);
heads = oneshot_heads (outputs, worth, axis_of, data.net.H);

oneshot_tables (theory, post, heads, data, plan, axis_of);
fprintf ('\nthis call took %.1f minutes\n', toc (begun) / 60);
oneshot_page (theory, post, heads, data, plan, axis_of, folder);
end

function [plan, draws, axis_of] = settings ()
% Cells hold plan and draws, and the temperatures that are chosen: where these change attnpath_sweep refuses the folder.
% The rest of axis_of are grids, and what is shown
plan.draws = 5;                    % of the training set: curves are means over them, bars their standard error
plan.P = 600;
plan.Pvalid = 600;                 % further sequences of the training classes, on which T is chosen as well
plan.Ptest = 1000;
plan.together = 4000;              % test sequences on which heads are removed, so many at a time, for memory
plan.kept = [10 20];               % widths whose order parameters are kept: those shown and scored, below
draws.sampler = {'Seed', 0, 'Chains', 2, 'Warmup', 40, 'Draws', 25, 'Display', true};      % for some minutes: the
                                   % table says by how much this misses what attnpath_sample asks for
draws.averaged = 40;               % draws of U whose predictors are averaged
axis_of.widths = [10 20 50 200 1000];
axis_of.temperatures = [0.05 0.1 0.25 0.5 1];
axis_of.sampled = [10 50 1000];    % widths at which the posterior is sampled, for the first training set
axis_of.parts = 5;                 % times plan.together sequences: drops differ by a few per cent. Of all classes of
                                   % the test data, and as many of those that are not in the training data
axis_of.shown = 10;                % width whose U and kernel are shown
axis_of.scored = 20;               % width at which heads are scored: the narrowest at which (T25) has the evidence
axis_of.scores = {'order', 'predictor', 'loo', 'evidence', 'importance', 'output', 'ablation'};
axis_of.score_names = {'|U|', 'predictor', 'leave-one-out', 'evidence', 'importance', 'output', 'ablation'};
plan = quick_mode (plan, struct ('draws', 2, 'P', 60, 'Pvalid', 100, 'Ptest', 200, 'together', 200));
draws = quick_mode (draws, struct ('sampler', {{'Seed', 0, 'Chains', 2, 'Warmup', 30, 'Draws', 40, 'Display', false}}));
axis_of = quick_mode (axis_of, struct ('widths', [10 20 1000], 'temperatures', [0.1 1], 'sampled', 10, 'parts', 2));
end

function [network, name] = trained_network (folder)
% Of the network, for oneshot_network, and of the cells that depend on it
[network, name] = deal ('2x4', 'oneshot');
if ~strcmp (getenv ('ATTNPATH_TRAIN'), '1'), return; end
[network, name] = deal (fullfile (folder, 'oneshot_trained.mat'), 'oneshot_anew');
if exist (network, 'file') == 2, return; end
oneshot_train (network, true, 'Rate', 2.5e-4, 'Schedule', 'cosine', 'Steps', 20000, 'Seed', 1, ...
               'Checkpoint', [network '.checkpoint']);     % turned images are classes of their own
fprintf ('wrote %s\n', network);
end
