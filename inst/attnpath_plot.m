function h = attnpath_plot (model, what, varargin)
%ATTNPATH_PLOT  Figures of a solution, sample or sweep: order parameter, kernel, scores, chains and more.
%
%   h = ATTNPATH_PLOT (model, what)
%   h = ATTNPATH_PLOT (model, what, Name, Value, ...)
%   h = ATTNPATH_PLOT (ax, model, what, ...)
%
%   what, and the model it requires:
%     'order'        solution: image of U, path by path; for several outputs a block for each pair of paths
%     'kernel'       solution: image of the training kernel K, examples sorted by label, colours by the entries
%                    off the diagonal
%     'alignment'    solution: overlap of eigenvectors of K with the labels, at this width and in the GP limit
%     'scores'       solution; or rows of attnpath_scores, [layer head score] or with error; or a file of costs
%                    of export_attention.py: a bar for each head, the largest 1, with one standard error
%     'reliability'  solution: share of +1 (for more classes: of right answers) against the predicted
%                    probability, in bins, with Wilson's intervals; leave-one-out
%     'confusion'    solution: counts of examples by class (row) and leave-one-out prediction (column)
%     'pruning'      second output of a search by attnpath_prune: its criterion against the heads removed
%     'influence'    from attnpath_influence: change of each head's score without each example, the most
%                    influential first; with 'Entry' the examples with most influence on one prediction
%     'trace'        sample: an entry of U against the draw, a line for each chain
%     'sweep'        results of attnpath_sweep: fields against a field of the grid, means over the seeds with
%                    one standard error, a curve for each field and value of 'Curves'. A value at X = Inf is a
%                    dotted line. Curves that are added to held axes take the next colours
%   The solution may be a sample (the mean of its U is used), an expansion from attnpath_expand, or any struct
%   with net and U, and for words that need labels paths and y. ax: axes to draw in, as with 'Parent'.
%
%   Options, by name or as one struct; each belongs to one word:
%     'Parent'      []     axes to draw in; their contents are replaced unless hold is on. [] for the current
%                          axes, which make room for long names if they are alone in their figure
%     'Names'       {}     labels of paths ('order'), heads ('scores', 'influence'), heads removed ('pruning'),
%                          classes ('confusion') or curves ('sweep'); {} for their numbers or own names
%     'Blocks'      'paths'  'order' of several outputs: 'paths' or 'classes'
%     'Paths'       []     'order': show these paths only, in this order; [] for all
%     'Scale'       []     'order': the value of full colour; [] for the largest |U| shown
%     'Numbers'     []     'order': true or false, write the values into the cells; [] for up to 8 paths
%     'By'          ''     'scores': a word of attnpath_scores; '' for its default
%     'Costs'       []     'scores': costs of heads, as second bars: the file from head_costs of
%                          export_attention.py, or rows [layer head cost] or with error
%     'Components'  30     'alignment': number of eigenvectors, from the largest eigenvalue on
%     'Entry'       []     'trace': row and column of U, [1 1] unless given; 'influence': input and output
%     'Probability' []     'reliability': P x 1 probabilities of +1, or P x C, from attnpath_probability
%     'Labels'      []     'reliability', 'confusion': P x 1 true labels -1 and +1, or classes
%     'Predicted'   []     'confusion': P x 1 classes, as the third output of attnpath_predict
%     'Bins'        10     'reliability': bins of equal width from 0 to 1
%     'X'           ''     'sweep': a field of the grid that holds numbers
%     'Y'           ''     'sweep': a field that holds one number in each cell, or a cell of several
%     'Errors'      {}     'sweep': fields of the standard errors of Y, one for each, or '' for none
%     'Curves'      ''     'sweep': a field of the grid, with a curve for each value; '' for one curve
%     'Over'        'seed' 'sweep': the field of the grid over which means are taken. All fields but these
%                          three may have one value only
%
%   Outputs: struct of graphics handles: axes, and what applies of image, text, line, bar (of 'sweep' a line of
%            error bars for each curve), cost and error (bars of costs, and their errors), legend, colorbar
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
%   See also attnpath_solve, attnpath_sample, attnpath_align, attnpath_scores, attnpath_kernel, attnpath_sweep.

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
%        word           draws                 its options, in addition to Parent
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
draw = prepare (model, opt);             % all errors are raised here, before anything is drawn
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
% Octave passes texts on unchanged. gnuplot reads the second line of a text as a command, but accepts \n instead
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

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'order', 'Names', task.path_names);
%! % U weighs the four attention paths: the network subtracts what it sees along (2,1) from what it sees along (1,1)
%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'alignment');
