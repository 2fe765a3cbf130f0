function experiment_markov (changes)
%EXPERIMENT_MARKOV  Hidden Markov chain task: accuracy against width, order parameter, alignment (Figure 2 of [1])
%
%   experiment_markov ()
%   experiment_markov (changes)
%
%   Two networks with fixed attention learn to tell chains that stay in their state from chains that leave
%   it. Panels as in Figure 2 of [1]:
%     (c) test accuracy against width N, by the theory and by draws from the exact posterior, with the
%         Gaussian-process (GP) limits of the whole network and of two smaller ones; below it the order
%         parameter U, which says how much each pair of paths counts, of the theory and of the draws
%     (d) overlap of the kernel's principal components with the labels, N = 10 against the GP limit
%     (e) as (c), with stronger noise and a network of the good and the denoising path only
%   Prints these numbers and writes demo_markov.png and demo_markov.pdf, into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/demo_markov.m
%   changes is a struct of settings that are others than those below.
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   See also attnpath_demo, attnpath_task_markov, attnpath_solve, attnpath_predict, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1, changes = struct (); end
folder = figure_folder ('demo_markov');
plan = settings (changes);
grid = struct ('width', [plan.widths, Inf], 'seed', 1:plan.tasks, 'experiment', {plan.experiments});
bare = plan;                      % the theory takes seconds, the draws minutes
bare.sampled = [];
fprintf ('Theory: %d tasks of each kind, %d widths\n', plan.tasks, numel (plan.widths));
result = sweep_cells ([plan.name '_theory'], @(c) markov_cell (c, bare), grid);
markov_page (result, plan, folder);
fprintf ('\nThe same with draws from the exact posterior, at %d widths\n', numel (plan.sampled));
grid.width = plan.sampled;
[~, place] = ismember (plan.sampled, plan.widths);
result(place,:,:) = sweep_cells (plan.name, @(c) markov_cell (c, plan), grid);
markov_tables (result, plan);
markov_page (result, plan, folder);
end

function plan = settings (changes)
plan.name = 'demo_markov';
plan.widths = [10 30 50 100 300 500 1000];
plan.sampled = [10 30 100 1000];  % widths at which the posterior is sampled as well
plan.tasks = 5;                   % drawn at random: curves are means over them, bands and bars their standard error
plan.sampler = {'Display', false};                % 1000 draws of each of four chains
plan.averaged = 100;              % draws of U whose predictors are averaged
plan.Ptest = 1000;
for name = fieldnames (changes)'
  plan.(name{1}) = changes.(name{1});
end
plan = quick_mode (plan, struct ('sampled', [10 1000], 'tasks', 1, 'averaged', 40, 'Ptest', 200));

% Of each experiment: the order in which its paths are shown (the task lists them as (1,1), (1,2), (2,1), (2,2), here
% the two that matter come first), the widths whose U is shown, and the GP limits: label, and heads to remove as rows
% [layer head]. A GP limit of fewer paths is that of the smaller network, with the average kernel of its own paths.
plan.experiments = {'four', 'two'};
plan.title = struct ('four', 'four paths', 'two', 'two paths, perpendicular noise 5');
plan.H = struct ('four', [2 2], 'two', [2 1]);
plan.path_names = struct ('four', {{'good'; 'adv. 1'; 'denoising'; 'adv. 2'}}, 'two', {{'good'; 'denoising'}});
plan.shown = struct ('four', [1 3 2 4], 'two', [1 2]);
plan.U_at = struct ('four', [10 100 1000], 'two', 10);
plan.gp = struct ('four', {{'GP, all paths',        zeros(0, 2)
                            'GP, good path',        [1 2; 2 2]
                            'GP, good + denoising', [2 2]}}, ...
                  'two', {{'GP, both paths', zeros(0, 2)
                           'GP, good path',  [1 2]}});
end
