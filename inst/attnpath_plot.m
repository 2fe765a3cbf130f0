function h = attnpath_plot (model, what, varargin)
%ATTNPATH_PLOT  Figures of a solution, sample or sweep: order parameter, kernel, scores, chains and more.
%
%   h = ATTNPATH_PLOT (model, 'order')
%   h = ATTNPATH_PLOT (model, 'kernel')
%   h = ATTNPATH_PLOT (model, 'alignment')
%   h = ATTNPATH_PLOT (model, 'scores', 'Costs', file)
%   h = ATTNPATH_PLOT (file, 'scores')
%   h = ATTNPATH_PLOT (rows, 'scores')
%   h = ATTNPATH_PLOT (model, 'reliability')
%   h = ATTNPATH_PLOT (model, 'confusion')
%   h = ATTNPATH_PLOT (curve, 'pruning')
%   h = ATTNPATH_PLOT (in, 'influence')
%   h = ATTNPATH_PLOT (post, 'trace')
%   h = ATTNPATH_PLOT (result, 'sweep', 'X', name, 'Y', names)
%   h = ATTNPATH_PLOT (model, what, Name, Value, ...)
%   h = ATTNPATH_PLOT (ax, model, what, ...)
%
%   'order'      image of U, path against path: blue below zero, white at zero, red above. The values are
%                written into the cells. Several outputs have outlined blocks: one for each pair of paths,
%                which holds the classes, or with 'Blocks', 'classes' one for each pair of classes
%   'kernel'     image of the training kernel K, examples sorted by label, with a line where the label changes.
%                The colours span the entries off the diagonal; the diagonal itself is often far above them.
%                Coupled outputs have a block for each pair. Octave 9 of Debian 13 leaves images of more than
%                64 rows out of PDF and SVG files: print them to PNG
%   'alignment'  overlap of each eigenvector of K with the labels, at finite width and in the GP limit
%   'scores'     a bar for each head, the largest 1. With 'Costs' a second one beside it: what the head costs a
%                model of your own, the largest 1, with one standard error; and the rank correlation of the two
%                with its standard error, heads taken as a sample. A file alone gives the costs
%   'reliability'   share of +1 against the probability that attnpath_probability gives, in bins; bars are one
%                standard error of the share (Wilson's interval: shares of 0 and 1 have one too). A calibrated
%                predictor lies on the diagonal. The examples are those of training, each left out, unless
%                'Probability' and 'Labels' are given. For more than two classes: share of right answers
%                against the largest probability
%   'confusion'  how many examples of each class, a row for each, are taken for which: counts, and below them
%                percent of the row, which are the shades. The examples are those of training, each left out,
%                unless 'Labels' and 'Predicted' are given
%   'pruning'    leave-one-out error or log evidence against the heads removed, in their order, from left to
%                right
%   'influence'  image of the change of each head's score without each example, of attnpath_influence, most
%                influential first. With 'Entry', [x c]: the examples that decide prediction x, output c
%   'trace'      an entry of U against the draw, a line for each chain. Chains that have forgotten where they
%                started look alike
%   'sweep'      fields of the results against a field of the grid: means over the seeds, with bars of one
%                standard error where there are several, a curve for each field and for each value of another
%                field of the grid. A value at X = Inf is a dotted line across. Curves that are added to held
%                axes take the next colours, and the legend grows
%
%   Inputs :
%     model     solution from attnpath_solve, sample from attnpath_sample, or any struct with net and U, and
%               for 'kernel', 'alignment', 'reliability' and 'confusion' also paths and y. The mean is
%               taken of several U, Pi x Pi x draws. Or an expansion from attnpath_expand: 'order' and 'kernel'
%               show its means, 'order' with standard deviations below them, 'scores' its scores, all other
%               words its solution
%     rows      for 'scores': what attnpath_scores returned, [layer head score] or [layer head score error].
%               Bars of one standard error are drawn where there are errors
%     file      for 'scores': of export_attention.py, what each head costs a transformer of your own
%     curve     second output of a search by attnpath_prune
%     in        what attnpath_influence returned
%     post      sample from attnpath_sample
%     result    struct array from attnpath_sweep, or part of one
%     what      one of the words above
%     ax        axes to draw in, as by 'Parent'
%   Options, by name or as one struct, of each word its own:
%     'Parent'      []     axes to draw in, whose contents are replaced unless hold is on; [] for the current
%                          axes. Place and font size of the axes stay as they are, but that without 'Parent'
%                          axes alone in their figure make room for long names
%     'Names'       {}     labels: of the Pi paths for 'order', of the sum (H) heads for 'scores', layer by
%                          layer, of the heads removed for 'pruning', in their order, of the C classes for
%                          'confusion', of the curves for 'sweep', field by field. With {} paths are named
%                          (h_1,...,h_L), heads layer.head, and classes as model.classes says
%     'Blocks'      'paths'  for 'order' of several outputs: 'paths' or 'classes'
%     'Paths'       []     for 'order': show these paths only, in this order; [] for all
%     'Scale'       []     for 'order': the value of full colour; [] for the largest |U| that is shown
%     'Numbers'     []     for 'order': true or false, write the values into the cells; [] for up to 8 paths
%     'By'          ''     for 'scores': a word of attnpath_scores; '' for what it returns without one
%     'Costs'       []     for 'scores': the file that head_costs of export_attention.py writes, or rows
%                          [layer head cost] or [layer head cost error], such as attnpath_scores (gd, X, y)
%     'Components'  30     for 'alignment': so many eigenvectors, from that of the largest eigenvalue on
%     'Entry'       []     'trace': row and column of U, [1 1] unless given; 'influence': input and output
%     'Probability' []     for 'reliability': P x 1 probabilities of +1, or P x C, from attnpath_probability
%     'Labels'      []     for 'reliability' and 'confusion': the P x 1 labels -1 and +1 that belong to them,
%                          or classes of the type of model.classes
%     'Predicted'   []     for 'confusion': P x 1 classes, as attnpath_predict returns them third
%     'Bins'        10     for 'reliability': bins of equal width from 0 to 1
%     'X'           ''     for 'sweep': a field of the grid that holds numbers. Its axis is logarithmic where
%                          all are positive and the largest is 20 times the smallest
%     'Y'           ''     for 'sweep': what is drawn, a field that holds one number in each cell, or a cell of
%                          several such as {'theory', 'draws', 'gp'}
%     'Errors'      {}     for 'sweep': fields of the standard errors of Y, one for each, or '' for none: bars
%                          are then made of these, and not of the spread over the seeds
%     'Curves'      ''     for 'sweep': a field of the grid, with a curve for each value; '' for one curve
%     'Over'        'seed' for 'sweep': the field of the grid over which means are taken. Fields that are none
%                          of these three may have one value only
%
%   Outputs: struct of graphics handles: axes, and what applies of image, text, line, bar (of 'sweep' a line of
%            error bars for each curve), cost and error (bars of costs, and their errors), legend, colorbar
%
%   Equation: (T6), theory.md section 8.
%
%   Example:
%     >> task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     >> h = attnpath_plot (sol, 'order', 'Names', task.path_names);
%     >> title (h.axes, 'U of a narrow network')
%     >> get (h.axes, 'xlim')
%     ans =
%        0.5000   4.5000
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_sample, attnpath_align, attnpath_scores, attnpath_probability,
%   attnpath_kernel, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: plot.tst   SOURCE: theory.md section 8

if nargin > 2 && numel (model) == 1 && ~isstruct (model) && ishghandle (model)
  h = attnpath_plot (what, varargin{:}, 'Parent', model);
  if nargout == 0, clear h; end
  return
end
if nargin < 2
  ap_fail ('plot', 'usage', 'the call is h = attnpath_plot (model, what, Name, Value, ...)');
end
if isa (what, 'string') && numel (what) == 1, what = char (what); end
%        word           draws                 its options, beside Parent
kinds = {'order',       @ap_plot_order,       {'Names', 'Blocks', 'Paths', 'Scale', 'Numbers'}
         'kernel',      @ap_plot_kernel,      {}
         'alignment',   @ap_plot_alignment,   {'Components'}
         'scores',      @ap_plot_scores,      {'Names', 'By', 'Costs'}
         'reliability', @ap_plot_reliability, {'Probability', 'Labels', 'Bins'}
         'confusion',   @ap_plot_confusion,   {'Names', 'Labels', 'Predicted'}
         'pruning',     @ap_plot_pruning,     {'Names'}
         'influence',   @ap_plot_influence,   {'Names', 'Entry'}
         'trace',       @ap_plot_trace,       {'Entry'}
         'sweep',       @ap_plot_sweep,       {'Names', 'X', 'Y', 'Errors', 'Curves', 'Over'}};
what = ap_check_value ('plot', 'what', what, 'word', kinds(:,1)');
table = {'Parent',      [],      'any',    []
         'Names',       {},      'any',    []
         'Paths',       [],      'any',    []
         'Scale',       [],      'number', [realmin Inf]
         'Numbers',     [],      'flag',   []
         'By',          '',      'text',   []
         'Costs',       [],      'any',    []
         'Components',  30,      'count',  [1 Inf]
         'Entry',       [],      'any',    []
         'Probability', [],      'any',    []
         'Blocks',      'paths', 'word',   {'paths', 'classes'}
         'Labels',      [],      'any',    []
         'Predicted',   [],      'any',    []
         'Bins',        10,      'count',  [1 1e6]
         'X',           '',      'text',   []
         'Y',           '',      'any',    []
         'Errors',      {},      'any',    []
         'Curves',      '',      'text',   []
         'Over',        'seed',  'text',   []};
kind = kinds(strcmp (what, kinds(:,1)),:);
opt = ap_options ('plot', table(ismember (table(:,1), [{'Parent'}, kind{3}]),:), varargin);
check_parent (opt.Parent);
if strcmp (what, 'scores') && ischar (model) && ~isempty (opt.Costs)
  ap_fail ('plot', 'badValue', 'Costs are shown beside scores: attnpath_plot (model, ''scores'', ''Costs'', file)');
end
prepare = kind{2};
draw = prepare (model, opt);             % what is wrong is said here, before anything is drawn
check_graphics ();
if isempty (opt.Parent), opt.Parent = gca (); end
held = ishold (opt.Parent);
if ~held, clear_axes (opt.Parent); end
h = draw (opt.Parent);
if ap_plot_by_gnuplot (h.axes), for_gnuplot (h.axes); end
if ~held, set (h.axes, 'nextplot', 'replace'); end
if nargout == 0, clear h; end
end

function check_parent (ax)
if ~isempty (ax) && ~(numel (ax) == 1 && all (ishghandle (ax)) && strcmp (get (ax, 'type'), 'axes'))
  ap_fail ('plot', 'badValue', 'Parent must be the handle of axes, not %s', ap_describe (ax));
end
end

function check_graphics ()
if exist ('OCTAVE_VERSION', 'builtin') && isempty (available_graphics_toolkits ())
  ap_fail ('plot', 'noGraphics', ['this Octave has nothing to draw with: octave-cli has not, nor has any other ' ...
           'without a display. With gnuplot installed (Debian: gnuplot-nox) it has, and Ctrl-C ends what runs, not ' ...
           'Octave. xvfb-run -a octave --no-gui script.m draws into files too, but Ctrl-C ends it altogether']);
end
end

function for_gnuplot (ax)
% Octave hands texts on as they are. Of a text of several lines gnuplot reads the second as a command, where it takes \n
% (and a blank, lest \nu follow); and in quotes it drops the first \ of what would be an escape
for h = findall (ax, 'type', 'text')'
  words = get (h, 'string');
  if iscell (words) || size (words, 1) > 1, words = strjoin (cellstr (words)', char (10)); end
  set (h, 'string', strrep (strrep (words, '\_', '\\_'), char (10), '\n '));
end
for ticks = {'xticklabel', 'yticklabel'}
  names = get (ax, ticks{1});
  if iscell (names) && any (~cellfun (@isempty, strfind (names, char (10))))
    set (ax, ticks{1}, strrep (names, char (10), '\n '));
  end
end
end

function clear_axes (ax)
% Their place and type size stay
size_of_text = get (ax, 'fontsize');
set (ax, 'nextplot', 'replace');
newplot (ax);                                                      % unlike cla, it keeps a subplot's listeners
set (ax, 'fontsize', size_of_text, 'nextplot', 'add');             % so that imagesc resets nothing
end

%!error id=attnpath:plot:badValue attnpath_plot (struct (), 'nonsense')
%!testif ; ~isempty (available_graphics_toolkits ())
%! ax = axes ('parent', figure ('visible', 'off'));
%! h = attnpath_plot (struct ('net', attnpath_net (2), 'U', [2 1; 1 3]), 'order', 'Parent', ax);
%! assert (get (h.image, 'cdata'), [2 1; 1 3]);
%! close (get (ax, 'parent'));

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'order', 'Names', task.path_names);
%! % U weighs the four attention paths: the network subtracts what it sees along (2,1) from what it sees along (1,1)
%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'alignment');
