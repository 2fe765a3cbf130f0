function experiment_classes ()
%EXPERIMENT_CLASSES  Three classes of hidden Markov chains: which paths work for which class, and at which width
%
%   A network with fixed attention learns by which step, of three on a ring of three states, a chain tends to
%   move. To each class belongs a path of its own that sees its step. Every class has 50 training examples, and
%   its own step is by 0.4 more probable than each other one, as in the task of two classes. Three ways to
%   learn them: coupled outputs, which is the theory of one network with three outputs; its approximation by
%   one U for all outputs; and three networks of one output, each of which learns one class against the rest.
%   Panels:
%     (a) test accuracy against width N: the theory of the three ways, draws from the exact posterior of coupled
%         outputs, and the Gaussian-process (GP) limit, where all three are the same
%     (b) confusion matrices of coupled outputs, at the smallest width and in the GP limit
%     (c) order parameter U of coupled outputs, in blocks of paths with the classes in them, at three widths
%     (d) scores of the heads of coupled outputs, class by class, at the smallest width
%   Bars in (a) are standard errors over tasks. Draws are fewer than attnpath_sample asks for: the table says by how
%   much R-hat and effective sample sizes of U and of the outputs f miss.
%   Prints these numbers and writes demo_classes.png and demo_classes.pdf, into the current directory or the
%   folder in the environment variable ATTNPATH_DEMO_DIR. A graphics toolkit is needed: on a machine without a
%   display, xvfb-run -a octave --no-gui demos/demo_classes.m
%
%   The work is two sweeps, of the theory and of posterior draws: with a folder in the environment variable
%   ATTNPATH_CELLS what was interrupted goes on (see sweep_cells).
%
%   See also attnpath_demo, attnpath_sweep, attnpath_task_markov, attnpath_solve, attnpath_sample, attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

begun = tic ();
folder = figure_folder ('demo_classes');
[plan, draws, axis_of] = settings ();

fprintf ('Theory, and the GP limit: %d tasks, %d widths\n', numel (axis_of.seeds), numel (axis_of.widths));
grid = struct ('width', [axis_of.widths Inf], 'seed', axis_of.seeds);
theory = sweep_cells ('classes_theory', @(c) classes_cell (c, plan), grid);

tasks = axis_of.seeds(1:axis_of.drawn);
fprintf ('\nDraws from the exact posterior of coupled outputs: %d of the tasks, %d widths\n', numel (tasks), ...
         numel (axis_of.sampled));
grid = struct ('width', axis_of.sampled, 'seed', tasks);
post = sweep_cells ('classes_draws', @(c) classes_draws_cell (c, plan, draws), grid);

classes_tables (theory, post, plan, axis_of);
fprintf ('\nthis call took %.1f minutes\n', toc (begun) / 60);
classes_page (theory, post, plan, axis_of, folder);
end

function [plan, draws, axis_of] = settings ()
% Cells hold plan and draws: where these change attnpath_sweep refuses the folder. axis_of are grids, and what is shown
plan.classes = 3;
plan.P = 50 * plan.classes;
plan.Ptest = 1000;
plan.lead = 0.4;                  % by which the step of its class is more probable than each other one
plan.temperature = 0.01;
plan.fits = {'coupled', 'shared', 'rest'};        % ways to learn several classes; coupled has to be the first
plan.kept = 1;                    % seed of the task whose U, confusion and scores are shown
draws.sampler = {'Chains', 2, 'Warmup', 20, 'Draws', 20, 'Display', true};    % for some minutes: tasks differ by more
draws.averaged = 40;              % draws of U whose predictors are averaged
draws.probes = 100;
axis_of.fit_names = {'coupled', 'one U for all', 'one against the rest'};
axis_of.widths = [10 30 100 300 1000];
axis_of.sampled = [10 100 1000];  % widths at which the posterior is sampled
axis_of.U_at = [10 100 1000];     % widths at which U is shown; the confusion and the scores are those at the first
axis_of.seeds = 1:5;              % of the tasks: curves are means over them, bars their standard error
axis_of.drawn = 5;                % of these tasks, the first, whose posterior is sampled
plan = quick_mode (plan, struct ('Ptest', 300));
draws = quick_mode (draws, struct ('sampler', {{'Chains', 2, 'Warmup', 4, 'Draws', 4, 'Display', false}}, ...
                                   'averaged', 8));
axis_of = quick_mode (axis_of, struct ('widths', [10 100 1000], 'sampled', [10 1000], 'seeds', 1, 'drawn', 1));
end
