function experiment_figures (names)
%EXPERIMENT_FIGURES  Every figure of the paper, its appendix and its published scripts, in runs that can be resumed
%
%   experiment_figures ()
%   experiment_figures (names)
%   Inputs :  names, cell of figures; otherwise those in the environment variable ATTNPATH_FIGURES, such as '2 kernels',
%             or all of the list below
%   Prints the list of figures with the minutes of each, and their results; writes a PNG and a PDF of each figure into
%   the current directory, or the folder in the environment variable ATTNPATH_DEMO_DIR. Cells of the sweeps are kept in
%   the folder that ATTNPATH_CELLS names (default: subfolder cells of the figures' folder), and an interrupted run
%   resumes. ATTNPATH_WORKERS is the number of processes; ATTNPATH_QUICK=1 reduces the settings.
%   doc/figures.md compares the results with those of the paper, doc/conditional_mean.md those of exchangeable tokens
%   with those of [2].
%
%   [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a Statistical
%       Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%   [2] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent Variable
%       Models, arXiv:2212.14852.
%   See also attnpath_demo, attnpath_sweep, experiment_markov, experiment_oneshot.

% SPDX-License-Identifier: BSD-3-Clause

folder = figure_folder ('demo_figures');
list = figures ();
if nargin < 1, names = strsplit (strtrim (getenv ('ATTNPATH_FIGURES')), ' '); end
if isempty (names) || isempty (names{1}), names = list(:,1)'; end
before = {'1c', 'attention'; '1d', 'kernels'; '3b', 'images'};             % names in version 0.3.0
[old, at] = ismember (names, before(:,1));
names(old) = before(at(old),2);
[known, rows] = ismember (names, list(:,1));
if ~all (known)
  first = find (~known, 1);
  error ('attnpath:demo:figure', 'experiment_figures: there is no figure %s; there are %s', names{first}, ...
         strjoin (list(:,1)', ', '));
end
list = list(rows,:);
fprintf ('Figures to draw, with minutes of a quiet core if no cells are kept (ATTNPATH_QUICK=1: below one each)\n');
print_rows ('  %-13s %4.3g min   %s\n', list(:,1), list(:,3), list(:,4));
kept = getenv ('ATTNPATH_CELLS');
if isempty (kept)
  setenv ('ATTNPATH_CELLS', fullfile (folder, 'cells'));
  put_back = onCleanup (@() setenv ('ATTNPATH_CELLS', ''));
end
failed = {};
for k = 1:size (list, 1)
  fprintf ('\n---- %s: %s\n', list{k,1}, list{k,4});
  started = tic ();
  draw = list{k,2};
  try
    draw (folder);
    fprintf ('%s took %.1f minutes\n', list{k,1}, toc (started) / 60);
  catch failure
    fprintf ('%s failed after %.1f minutes, the others continue: %s\n', list{k,1}, toc (started) / 60, failure.message);
    failed{end+1} = [list{k,1} ': ' failure.message];
  end
end
if ~isempty (failed)
  error ('attnpath:demo:figures', 'experiment_figures: %d of %d figures failed\n  %s', numel (failed), ...
         size (list, 1), strjoin (failed, '\n  '));
end
end

function list = figures ()
% Name, function of the folder, minutes, subject. Minutes are rough: processor time of runs on a busy machine;
% extrapolated from single solutions for 'images'
far = struct ('name', 'figure_2', 'widths', [10 30 50 100 300 500 1000 3000 10000], ...
              'sampled', [10 30 100 300 1000 10000]);
list = {'scheme',       @paper_scheme,                   0.1, 'schemes: heads, and |U| of their paths'
        'attention',    @paper_attention,                0.1, 'attention maps, and weights of tokens in paths'
        'kernels',      @paper_kernels,                  0.1, 'kernels along good, denoising and adversarial paths'
        '2',            @(folder) experiment_markov(far), 3, 'hidden Markov chain task, N to 10 000, posterior draws'
        'temperatures', @paper_temperatures,             0.5, 'the same at ten temperatures'
        'appendix',     @paper_appendix,                 0.3, 'diagonal of U, silenced heads, Hessian, kernel'
        'networks',     @paper_networks,                 2, 'three layers of three heads and two of eight, pruned'
        '3',            @(folder) experiment_oneshot('figure_3'), 52, ...
         'one-shot images, and pruning of a trained network'
        'trained',      @paper_trained,                 25, 'the networks of figure networks, trained on images'
        'images',       @paper_images,                   30, 'the same, N to 10 000, ten temperatures, other images'
        'sufficiency',  @exchangeable_sufficiency,       1.5, 'exchangeable tokens: the latent''s posterior suffices'
        'lengths',      @exchangeable_lengths,           4, 'exchangeable tokens: generalisation at six lengths'
        'masked',       @exchangeable_masked,            8, 'exchangeable tokens: masked ones, and few labels'};
end
