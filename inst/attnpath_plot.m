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
%     'scores'       model of attnpath_scores, by its default; or rows that it returned; or a file of costs
%                    of export_attention.py: a bar for each head, the largest 1, with one standard error
%     'reliability'  solution: share of +1 (for more classes: of right answers) against the leave-one-out
%                    probability, in bins, with Wilson's intervals
%     'confusion'    solution: counts of examples by class (row) and leave-one-out prediction (column)
%     'pruning'      second output of a search by attnpath_prune: its criterion against the heads removed
%     'influence'    from attnpath_influence: change of each head's score without each example, the most
%                    influential first; with 'Entry' the examples with most influence on one prediction
%     'contributions'  from attnpath_predict with 'ByPath': what each path adds to the mean of one output at
%                    one input, and their sum
%     'scheme'       network, or solution: heads as boxes, layer by layer, and paths as lines; of a solution as
%                    wide as the sum of |U| over the row of the path, entries times the scales of both paths
%     'trace'        sample: an entry of U against the draw, a line for each chain
%     'sweep'        results of attnpath_sweep: fields against a field of the grid, means over the seeds with
%                    one standard error, a curve for each field and value of 'Curves'. A value at X = Inf is a
%                    dotted line, its bar at the right. Curves that are added to held axes take the next
%                    colours
%   The solution may be a sample (the mean of its U is used), an expansion from attnpath_expand, or any struct
%   with net and U, and for words that need labels paths and y. ax: axes to draw in, as with 'Parent'.
%
%   Options, by name or as one struct; all but the first three belong to one word:
%     'Parent'      []     axes to draw in; their contents are replaced unless hold is on. [] for the current
%                          axes, which make room for long names if they are alone in their figure
%     'Size'        []     [width height] in cm of the whole figure, on paper and in files; [] leaves it.
%                          With gnuplot a legend of n entries needs n + 1 double lines of height
%     'Font'        []     type size in points of all texts of the axes; [] leaves that of the axes
%     'Names'       {}     labels of paths ('order', 'contributions'), heads ('scores', 'influence',
%                          'scheme'), heads removed ('pruning'), classes ('confusion') or curves ('sweep');
%                          {} for their numbers or own names
%     'Blocks'      'paths'  'order' of several outputs: 'paths' or 'classes'
%     'Paths'       []     'order', 'scheme': show these paths only, in this order; [] for all
%     'Scale'       []     'order': the value of full colour; [] for the largest |U| shown
%     'Numbers'     []     'order': true or false, write the values into the cells; [] for up to 8 paths
%     'By'          ''     'scores': a word of attnpath_scores; '' for its default for the model, 'loo' for a
%                          solution. The axis names it
%     'Costs'       []     'scores': costs of heads, as second bars: the file from head_costs of
%                          export_attention.py, or rows [layer head cost] or with error
%     'Components'  30     'alignment': number of eigenvectors, from the largest eigenvalue on
%     'Entry'       []     'trace': row and column of U, [1 1] unless given; 'influence', 'contributions':
%                          input and output, [1 1] unless given for 'contributions'
%     'Probability' []     'reliability': P x 1 probabilities of +1, or P x C, from attnpath_probability
%     'Labels'      []     'reliability', 'confusion': P x 1 true labels -1 and +1, or classes
%     'Predicted'   []     'confusion': P x 1 classes, as the third output of attnpath_predict
%     'Bins'        10     'reliability': bins of equal width from 0 to 1
%     'X'           ''     'sweep': a field of the grid that holds numbers
%     'Y'           ''     'sweep': a field that holds one number in each cell, or a cell of several
%     'Errors'      {}     'sweep': fields of errors of Y, one for each, or '' for none. These given errors,
%                          such as a standard deviation over draws, are drawn as they are, and each point
%                          must be one cell. Otherwise bars are the standard error of the mean over
%                          the cells of 'Over'
%     'Curves'      ''     'sweep': a field of the grid, with a curve for each value; '' for one curve
%     'Over'        'seed' 'sweep': the field of the grid over which means are taken. All fields of the grid
%                          except X, Curves and Over may have one value only
%     'LogX'        []     'sweep': true or false, a logarithmic axis; [] where all of X are positive and the
%                          largest is at least 20 times the smallest
%
%   Outputs: struct of graphics handles: axes, and those that the figure has of image, text, line, box (of a
%            scheme), bar (for 'sweep' the error bars), cost and error (bars of costs, and their errors),
%            legend, colorbar
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
  if nargout == 0, clear -regexp ^h$; end
  return
end
ap_check_call ('plot', nargin >= 2, 'h = attnpath_plot (model, what, Name, Value, ...)');
if isa (what, 'string') && numel (what) == 1, what = char (what); end
%        word           figure               its options, in addition to Parent, Size and Font
kinds = {'order',       @order_figure,        {'Names', 'Blocks', 'Paths', 'Scale', 'Numbers'}
         'kernel',      @kernel_figure,       {}
         'alignment',   @alignment_figure,    {'Components'}
         'scores',      @ap_plot_scores,      {'Names', 'By', 'Costs'}
         'reliability', @reliability_figure,  {'Probability', 'Labels', 'Bins'}
         'confusion',   @confusion_figure,    {'Names', 'Labels', 'Predicted'}
         'pruning',     @pruning_figure,      {'Names'}
         'influence',   @influence_figure,    {'Names', 'Entry'}
         'contributions', @ap_plot_contributions, {'Names', 'Entry'}
         'scheme',      @ap_plot_scheme,      {'Names', 'Paths'}
         'trace',       @trace_figure,        {'Entry'}
         'sweep',       @ap_plot_sweep,       {'Names', 'X', 'Y', 'Errors', 'Curves', 'Over', 'LogX'}};
what = ap_check_value ('plot', 'what', what, 'word', kinds(:,1)');
table = {'Parent',      [],      'any',    []
         'Size',        [],      'row',    {2, 1, 200}
         'Font',        [],      'number', [1 100]
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
         'Over',        'seed',  'text',   []
         'LogX',        [],      'flag',   []};
kind = kinds(strcmp (what, kinds(:,1)),:);
opt = ap_options ('plot', table(ismember (table(:,1), [{'Parent', 'Size', 'Font'}, kind{3}]),:), varargin);
ax = opt.Parent;
if ~isempty (ax) && ~(numel (ax) == 1 && all (ishghandle (ax)) && strcmp (get (ax, 'type'), 'axes'))
  ap_fail ('plot', 'badValue', 'Parent must be the handle of axes, not %s', {ax});
elseif strcmp (what, 'scores') && ischar (model) && ~isempty (opt.Costs)
  ap_fail ('plot', 'badValue', 'Costs are shown beside scores: attnpath_plot (model, ''scores'', ''Costs'', file)');
end
if isempty (ax), ax = get (get (0, 'currentfigure'), 'currentaxes'); end
opt.held = ~isempty (ax) && ishold (ax);
draw = kind{2};
[h, ax] = draw (model, opt);
if ~isempty (opt.Font) && isfield (h, 'colorbar'), set (h.colorbar, 'fontsize', opt.Font); end
ap_plot_fit (ax, opt, h);
if ap_plot_by_gnuplot (ax)
  for_gnuplot (ax);
  if ~isempty (opt.Size), set (findobj (ax, 'type', 'line'), 'markersize', 2.5); end       % its marks keep their size
end
if ~opt.held, set (ax, 'nextplot', 'replace'); end
h.axes = ax;
if nargout == 0, clear -regexp ^h$; end
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

% ---- kinds of figures ----
% Each checks its model and options, and then has its axes of ap_plot_begin: nothing is drawn, no figure made, before.
% It returns a struct of graphics handles, and the axes.

function [h, ax] = kernel_figure (model, opt)
[model, C] = ap_plot_model ('kernel', model, true);
K = ap_gateway ('plot', @attnpath_kernel, model.net, model.paths, ap_field (model, 'expansion', model.U));
[P, several] = size (model.y);
if several == 1
  [labels, rank] = sort (model.y, 'descend');
  name = @(label) sprintf ('%+g', label);
else
  [~, labels] = max (model.y, [], 2);
  [labels, rank] = sort (labels);
  name = @(label) sprintf ('%d', label);
end
if C > 1                                           % a block has its examples sorted by the largest label
  rank = reshape (bsxfun (@plus, rank, P * (0:C-1)), [], 1);
  labels = kron ((1:C)', ones (P, 1));             % of a row its output
end
if isfield (model, 'classes') && numel (model.classes) > 0
  classes = ap_class_names (model.classes);
  name = @(label) classes{label};
  if several == 1, name = @(label) classes{1 + (label > 0)}; end
end
n = numel (labels);
shades = K(~eye (n));
if isempty (shades), shades = K; end
low = min (shades);
high = max (shades);
if high <= low, high = low + max (1, abs (low)); end
ax = ap_plot_begin (opt);
h = image_of (ax, K(rank,rank), 'sequential', [low high], 'dataaspectratio', [1 1 1]);
change = find (diff (labels)) + 0.5;
h.line = [];
of = '';
sorted = ', sorted by label';
if numel (change) < 10
  of = 'label of ';
  if C > 1, of = 'output and '; end
  sorted = '';
  if ~isempty (change), h.line = block_lines (ax, change', n); end
  middle = ([0.5; change] + [change; n+0.5]) / 2;
  names = arrayfun (name, labels(round (middle)), 'UniformOutput', false);
  set (ax, 'xtick', middle, 'ytick', middle, 'xticklabel', names, 'yticklabel', names, 'ticklength', [0 0]);
end
ap_plot_axes (ax, {[of 'example \nu' sorted], [of 'example \mu' sorted], ...
                   ['kernel K(\mu,\nu), ' width_text(model.net)]});
h.colorbar = colours_beside (ax);
end

function [h, ax] = alignment_figure (model, opt)
model = ap_plot_model ('alignment', model, true);
[paths, y] = deal (struct ('Xi', model.paths.Xi(:,model.left,:)), model.y(model.left,:));
ap_refuse ('plot', 'badValue', ~any (y(:)), 'model.y is all zero: nothing can be aligned with it');
orders = [{model.U}, ap_gp_order(model.net)];      % the GP limit has one kernel for all outputs
for m = 1:2
  overlap{m} = attnpath_align (attnpath_kernel (model.net, paths, orders{m}), y);
  overlap{m} = overlap{m}(1:min (opt.Components, end));
end
ax = ap_plot_begin (opt);
k = 1:numel (overlap{1});
h.line = [marked_line(ax, k, overlap{1}); ...
          marked_line(ax, 1:numel (overlap{2}), overlap{2}, 'color', [0.90 0.45 0.05], 'linestyle', '--', 'marker', ...
                      's', 'markerfacecolor', [1 1 1])];
if ap_plot_by_gnuplot (ax), set (h.line(2), 'markerfacecolor', 'none'); end   % whose legends lose a mark of two colours
words = {'principal component k of the kernel, largest first', 'overlap with the labels, |v_k^T y| / |y|'};
ap_plot_axes (ax, words, 'xlim', [0, k(end) + 1], 'ylim', [0, 1.2 * max(vertcat (overlap{:}))]);   % room for the legend
h.legend = legend (h.line, {width_text(model.net), 'GP limit'}, 'location', 'northeast', ...
                   'orientation', 'horizontal', 'box', 'off', 'fontsize', get (ax, 'fontsize'));
end

function [h, ax] = confusion_figure (model, opt)
if ap_is_expansion (model), model = model.sol; end
if both_given (opt, 'Predicted')
  ap_plot_model ('confusion', model);
  classes = known_classes (model, opt);
  true_one = ap_class_of ('plot', 'Labels', opt.Labels, classes);
  number = ap_class_of ('plot', 'Predicted', opt.Predicted, classes);
  ap_refuse ('plot', 'badShape', numel (number) ~= numel (true_one), ...
             'Labels and Predicted must be of the same length, not %d and %d', numel (true_one), numel (number));
else
  checked = ap_plot_model ('confusion', model, true);
  classes = ap_model_classes ('plot', model, checked.y);
  mu = ap_from_tokens (checked.many, getfield (ap_gateway ('plot', @attnpath_loo, model), 'mean'));
  numbers = 1:numel (classes);
  number = ap_class_decide (mu(checked.left,:), numbers);
  true_one = ap_class_decide (checked.y(checked.left,:), numbers);        % the column that is largest, like its mean's
end
C = numel (classes);
counts = accumarray ([true_one, number], 1, [C C]);                % class by predicted class
names = ap_plot_names ('confusion', opt.Names, ap_class_names (classes), 'class');
ax = ap_plot_begin (opt);
total = sum (counts, 2);
rate = bsxfun (@rdivide, counts, max (1, total));
h = image_of (ax, 100 * rate, 'sequential', [0 100], 'dataaspectratio', [1 1 1], 'ticklength', [0 0], ...
              'xtick', 1:C, 'ytick', 1:C);
h.text = ap_plot_labels (ax, names, 1:C, C + 0.5, true, opt.Parent, 'predicted class');
right = 100 * trace (counts) / max (1, sum (total));
ap_plot_axes (ax, {'', 'class', sprintf('%d examples, %.1f %% right', sum (total), right)});
h.line = block_lines (ax, 1.5:C, C);
set (h.line, 'linewidth', 0.5, 'color', [0.6 0.6 0.6]);
words = arrayfun (@(count, share) sprintf ('%d\n%.0f %%', count, 100 * share), counts, rate, 'UniformOutput', false);
h.text = [h.text, numbers_in(ax, words, rate > 0.45)];      % where the shade is half as dark as it gets
end

function yes = both_given (opt, name)
% Whether Labels and the option of this name are given, which belong together
yes = ~isempty (opt.Labels);
ap_refuse ('plot', 'badValue', yes == isempty (opt.(name)), 'Labels and %s belong together: give both or none', name);
end

function classes = known_classes (model, opt)
% Where the model does not list its classes: those that occur
if isfield (model, 'classes')
  classes = model.classes;
else
  classes = unique (ap_class_keys ('plot', 'Labels', opt.Labels));
  more = ap_class_keys ('plot', 'Predicted', opt.Predicted);
  if iscell (more) == iscell (classes), classes = unique ([classes; more]); end
end
end

function [h, ax] = pruning_figure (curve, opt)
ap_refuse ('plot', 'missingField', numel (curve) ~= 1 || ~all (isfield (curve, {'by', 'heads', 'value'})), ...
           '''pruning'' needs the second output of a search by attnpath_prune');
by = ap_check_value ('plot', 'curve.by', curve.by, 'word', {'loo', 'evidence'});
heads = zeros (0, 2);
if ~isempty (curve.heads), heads = ap_check_array ('plot', 'curve.heads', curve.heads, {'k', 2}); end
n = size (heads, 1) + 1;
value = ap_check_array ('plot', 'curve.value', curve.value, {n, 1});
names = ap_plot_names ('pruning', opt.Names, heads, 'head removed');
ax = ap_plot_begin (opt);
h.line = marked_line (ax, 0:n-1, value, 'linewidth', 1.5);
reach = max (value) - min (value);
if reach == 0, reach = max (1, abs (value(1))); end
ends = [min(value), max(value)] + 0.05 * reach * [-1 1];
words = {'', 'log evidence'};
if strcmp (by, 'loo'), words{2} = 'squared leave-one-out error'; end
ap_plot_axes (ax, words, 'xlim', [-0.5, n - 0.5], 'ylim', ends, 'xtick', 0:n-1);
h.text = ap_plot_labels (ax, [{'none'}, names(:)'], 0:n-1, ends(1), false, opt.Parent, ...
                         'heads removed, one after the other (layer.head)');
end

function [h, ax] = influence_figure (in, opt)
if ~isstruct (in) || numel (in) ~= 1 || ~all (isfield (in, {'scores', 'heads', 'mean', 'norm', 'groups'}))
  ap_fail ('plot', 'missingField', 'for ''influence'' the first argument must come from attnpath_influence, not %s', ...
           {in});
elseif ~isempty (opt.Entry)
  [h, ax] = prediction_figure (in, opt);
  return
end
[~, rank] = sort (in.norm, 'descend');
names = ap_plot_names ('influence', opt.Names, in.heads, 'head');
ax = ap_plot_begin (opt);
[n, heads] = size (in.scores);
largest = max (max (abs (in.scores(:))), realmin);
h = image_of (ax, in.scores(rank,:), 'diverging', [-largest, largest], 'ticklength', [0 0], 'xtick', 1:heads);
h.text = ap_plot_labels (ax, names, 1:heads, n + 0.5, false, opt.Parent, 'head (layer.head)');
[box, wide] = ap_plot_pixels (ax);
lines = floor (wide * box(4) / box(3) / (1.3 * get (ax, 'fontsize')));             % more numbers cannot be read
shown = 1:ceil (n / max (1, min (25, lines))):n;
numbers = arrayfun (@(g) sprintf ('%g', g), in.groups(rank(shown)), 'UniformOutput', false);
set (ax, 'ytick', shown, 'yticklabel', numbers);
ap_plot_axes (ax, {'', 'example or group, most influential first', 'change of ''share'' without the example'});
h.colorbar = [];
ap_plot_fit (ax, opt, h);
h.colorbar = colours_beside (ax);
end

function [h, ax] = prediction_figure (in, opt)
% Influence on one prediction: up to twenty examples
if isempty (in.mean), ap_fail ('plot', 'missingField', 'in has no mean: give attnpath_influence the inputs X'); end
at = ap_check_value ('plot', 'Entry', opt.Entry, 'counts', {2, 1, [size(in.mean, 2), size(in.mean, 3)]});
change = in.mean(:,at(1),at(2));
[~, rank] = sort (abs (change), 'descend');
n = min (20, numel (rank));
names = arrayfun (@(g) sprintf ('%g', g), in.groups(rank(1:n))', 'UniformOutput', false);
ax = ap_plot_begin (opt);
h.bar = ap_plot_bars (ax, (1:n)' - 0.4, 0.8, change(rank(1:n)), ones (n, 1), [0.20 0.40 0.65]);
ap_plot_axes (ax, {'', 'change without the example', sprintf('output %d of input %d', at([2 1]))}, ...
              'xlim', [0.3, n + 0.7], 'xtick', 1:n, 'ticklength', [0 0], 'layer', 'top');
h.text = ap_plot_labels (ax, names, 1:n, getfield (get (ax, 'ylim'), {1}), false, opt.Parent, 'example or group');
end

function [h, ax] = trace_figure (post, opt)
ap_refuse ('plot', 'missingField', ~isstruct (post) || numel (post) ~= 1 || ~all (isfield (post, {'U', 'logpost'})), ...
           '''trace'' needs a sample, from attnpath_sample');
[draws, chains] = size (post.logpost);
U = ap_check_array ('plot', 'model.U', post.U, {'Pi', size(post.U, 1), draws, chains});
if isempty (opt.Entry), opt.Entry = [1 1]; end
at = ap_check_value ('plot', 'Entry', opt.Entry, 'counts', {2, 1, size(U, 1)});
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, chains)));
ax = ap_plot_begin (opt);
for c = 1:chains
  h.line(c,1) = line (1:draws, reshape (U(at(1),at(2),:,c), 1, []), 'Parent', ax, 'color', shades(c,:), ...
                      'linewidth', 0.5);
end
ap_plot_axes (ax, {sprintf('draw, of each of %d chains', chains), sprintf('U(%d,%d)', at)}, 'xlim', [0, draws + 1]);
end

function [h, ax] = order_figure (model, opt)
[model, C] = ap_plot_model ('order', model, false);
spread = [];
if isfield (model, 'expansion'), [model.U, spread] = deal (model.expansion.U, model.expansion.U_sd); end
names = cellfun (@path_name, num2cell (ap_path_list (model.net.H, model.net.skip), 2), 'UniformOutput', false);
paths = numel (names);
names = ap_plot_names ('order', opt.Names, names, 'path');
if isempty (opt.Paths), opt.Paths = 1:paths; end
opt.Paths = ap_check_value ('plot', 'Paths', opt.Paths, 'counts', {'k', 1, paths});
n = numel (opt.Paths) * C;
if isempty (opt.Numbers), opt.Numbers = n <= 8; end
at = reshape (bsxfun (@plus, (1:C)', C * (opt.Paths - 1)), 1, n);          % a path slowly, a class fast
inner = C;
names = names(opt.Paths);
if C > 1 && strcmp (opt.Blocks, 'classes')
  at = reshape (reshape (at, C, [])', 1, n);
  inner = n / C;
  names = ap_class_names (ap_field (model, 'classes', (1:C)'));    % those that the model lists, or numbers
end
U = model.U(at,at);
scale = opt.Scale;
if isempty (scale), scale = max (abs (U(:))); end
if scale == 0, scale = 1; end
ax = ap_plot_begin (opt);
h = image_of (ax, U, 'diverging', [-scale scale], 'dataaspectratio', [1 1 1], 'ticklength', [0 0]);
ap_plot_axes (ax, {'', '', ['U, ' width_text(model.net)]});
middle = (inner + 1) / 2:inner:n;
some = 1:ceil (numel (names) / 24):numel (names);  % more cannot be read
set (ax, 'xtick', middle(some), 'ytick', middle(some));
h.text = ap_plot_labels (ax, names(some), middle(some), n + 0.5, true, opt.Parent, '');
if C > 1, h.line = block_lines (ax, 0.5 + inner:inner:n, n); end
if ~opt.Numbers
  h.colorbar = colours_beside (ax);
  return
end
form = '%.2f';
if scale < 0.1 || scale >= 100, form = '%.2g'; end
text_of = @(values) arrayfun (@(value) number_text (form, value), values, 'UniformOutput', false);
words = text_of (U);
if ~isempty (spread), words = strcat (words, {[char(10) '+-']}, text_of (spread(at,at))); end
h.text = [h.text, numbers_in(ax, words, abs (U) > 0.6 * scale)];
end

function name = path_name (path)
% (2,-,1): head 2 of layer 1, by the skip connection of layer 2, head 1 of layer 3
names = cellfun (@num2str, num2cell (path), 'UniformOutput', false);
names(path == 0) = {'-'};
name = ['(' strjoin(names, ',') ')'];
end

function text = number_text (form, value)
text = sprintf (form, value);
if str2double (text) == 0, text = sprintf (form, 0); end           % no -0.00
end

function [h, ax] = reliability_figure (model, opt)
if ap_is_expansion (model), model = model.sol; end
[p, right, words] = reliability_of (model, opt);
ax = ap_plot_begin (opt);
[bins, ece] = ap_reliability (p, right, opt.Bins);
[p, share, n] = deal (bins(:,1)', bins(:,2)', bins(:,3)');
middle = (n .* share + 0.5) ./ (n + 1);            % Wilson's interval: the shares that this one is one error from
half = sqrt (n .* share .* (1 - share) + 0.25) ./ (n + 1);
h.line = [line([0 1], [0 1], 'Parent', ax, 'color', [0.6 0.6 0.6], 'linestyle', '--'); ...
          marked_line(ax, p, share); ...
          line([p; p], [middle - half; middle + half], 'Parent', ax, 'color', [0.00 0.32 0.62])];
head = {sprintf('%d examples', numel (right)), sprintf('expected calibration error %.3f', ece)};      % for a subplot
ap_plot_axes (ax, [words, {head}], 'xlim', [0 1], 'ylim', [0 1], 'dataaspectratio', [1 1 1]);
end

function [p, right, words] = reliability_of (model, opt)
% Probabilities, of the examples left out where none are given; -1 and +1 for whether what they are of is true; and what
% it is in words. Of several classes it is the most probable one
checked = ap_plot_model ('reliability', model, true);
given = both_given (opt, 'Probability');
words = {'probability of +1', 'share of +1'};
if given
  [p, right] = deal (opt.Probability, opt.Labels);
else
  p = ap_from_tokens (checked.many, ap_gateway ('plot', @attnpath_probability, model));
  [p, right] = deal (p(checked.left,:), checked.y(checked.left,:));
end
if size (p, 2) > 1
  if given
    number = check_classes (model, p, right);
  else
    [~, number] = max (right, [], 2);
  end
  [~, ~, p, right] = ap_class_losses (p, number, opt.Bins);
  words = {'largest probability', 'share of right answers'};
elseif isfield (model, 'classes')
  names = ap_class_names (ap_model_classes ('plot', model, checked.y));
  words = {['probability of ' names{2}], ['share of ' names{2}]};
  if given, right = 2 * ap_class_of ('plot', 'Labels', right, model.classes) - 3; end
end
p = ap_check_array ('plot', 'Probability', p, {'P', 1});
ap_refuse ('plot', 'badValue', any (p < 0 | p > 1), 'Probability must be between 0 and 1, not %g to %g', min (p), ...
           max (p));
right = ap_labels ('plot', 'Labels', right, numel (p));
ap_refuse ('plot', 'badValue', any (abs (right) ~= 1), 'Labels must be -1 and +1');
end

function number = check_classes (model, p, labels)
% The class of each example, after a check that probabilities of so many classes belong to them
classes = ap_field (model, 'classes', (1:size (p, 2))');
p = ap_check_array ('plot', 'Probability', p, {'P', numel(classes)});
wrong = find (any (p < 0, 2) | abs (sum (p, 2) - 1) > 1e-6, 1);
ap_refuse ('plot', 'badValue', ~isempty (wrong), ...
           'row %d of Probability must be probabilities that add up to 1, not to %g', wrong, sum (p(wrong,:)));
number = ap_class_of ('plot', 'Labels', labels, classes);
ap_refuse ('plot', 'badShape', numel (number) ~= size (p, 1), 'Labels must be %d x 1, not %s', size (p, 1), {labels});
end

% ---- what several kinds draw ----

function h = image_of (ax, values, map, limits, varargin)
% A matrix as an image, row by row from above, in colours that survive a print in grey.
% Inputs :  map, 'diverging', blue, white, red: both ends equally dark, so that grey shows the size, and numbers in the
%           cells the sign; or 'sequential', pale yellow to dark blue, its lightness falling steadily;  limits, the
%           values of the first and the last colour;  further properties of the axes
% Outputs:  struct of image
if strcmp (map, 'diverging')
  shades = [0.08 0.28 0.55; 0.45 0.66 0.85; 1 1 1; 0.96 0.62 0.50; 0.66 0.08 0.12];
else
  shades = [1 1 0.90; 0.78 0.91 0.71; 0.33 0.71 0.72; 0.14 0.42 0.64; 0.05 0.14 0.38];
end
h.image = imagesc (values, 'Parent', ax);
cells_under (h.image);
[m, n] = size (values);
colours = interp1 (linspace (-1, 1, 5), shades, linspace (-1, 1, 255)');
set (ax, 'clim', limits, 'colormap', colours, 'ydir', 'reverse', 'xlim', [0.5 n+0.5], 'ylim', [0.5 m+0.5], ...
     'layer', 'top', 'box', 'on', varargin{:});
end

function h = colours_beside (ax)
h = colorbar (ax);
cells_under (findobj (h, 'type', 'image'));
end

function cells_under (h)
% The cells of an image with scaled colours once more, as patches that lie under it.
% Octave 9 of Debian 13 drops images from PDF and SVG files and keeps patches. On the screen, and where images are kept,
% these are hidden. Older Octaves have none: they keep images, and their PDF files, by way of PostScript, may
% fail with patches. Images of more than 64 x 64 have none, which would make files large. The patches are known by
% their tag, 'cells'. The corners of a cell have its colour, and no third coordinate: see ap_plot_bars, and for one axes
% that has depth Octave sorts a whole figure in space.
if ~exist ('OCTAVE_VERSION', 'builtin') || compare_versions (OCTAVE_VERSION (), '9', '<'), return; end
if ap_plot_by_gnuplot (h), return; end                                     % which keeps images
C = get (h, 'CData');
if numel (C) > 64 ^ 2, return; end
ax = get (h, 'Parent');
[x, y] = deal (edges (get (h, 'XData'), size (C, 2)), edges (get (h, 'YData'), size (C, 1)));
[left, low] = meshgrid (x(1:end-1), y(1:end-1));
[right, high] = meshgrid (x(2:end), y(2:end));
cells = patch ('Parent', ax, 'Vertices', [left(:), low(:); left(:), high(:); right(:), high(:); right(:), low(:)], ...
               'Faces', reshape (1:4*numel (C), [], 4), 'FaceVertexCData', repmat (C(:), 4, 1), ...
               'FaceColor', 'interp', 'EdgeColor', 'interp', 'LineWidth', 0.1, 'Tag', 'cells');
others = get (ax, 'Children');
others = others(others ~= cells);
set (ax, 'Children', [others; cells]);                                     % under all
set (cells, 'HandleVisibility', 'off');
end

function x = edges (centres, n)
% The edges of n cells, the first and the last of which have these centres
wide = (centres(end) - centres(1)) / max (n - 1, 1) + (n == 1);
x = centres(1) - wide / 2 + wide * (0:n);
end

function h = block_lines (ax, at, n)
% Lines between blocks of a square image of n rows. at: 1 x k, places between rows
x = [at; at; NaN(size (at))];
y = repmat ([0.5; n + 0.5; NaN], 1, numel (at));
h = line ([x(:); y(:)], [y(:); x(:)], 'Parent', ax, 'color', [0 0 0], 'linewidth', 1);
end

function h = numbers_in (ax, words, dark)
% Words in the cells of a square image, white on dark ones. words: n x n cell; dark: n x n; h: 1 x n^2 handles
n = size (words, 1);
[~, width] = ap_plot_pixels (ax);
small = min (get (ax, 'fontsize'), width / n / 3.2);               % five digits and a margin
h = zeros (1, n ^ 2);
for k = 1:n ^ 2
  [p, q] = ind2sub ([n n], k);
  h(k) = text (q, p, words{k}, 'Parent', ax, 'color', [1 1 1] * dark(k), 'fontsize', small, ...
               'horizontalalignment', 'center', 'verticalalignment', 'middle');
end
end

function h = marked_line (ax, x, y, varargin)
% A line through round marks, blue, with other properties of the line
blue = [0.00 0.32 0.62];
h = line (x, y, 'Parent', ax, 'color', blue, 'linestyle', '-', 'linewidth', 1.2, 'marker', 'o', 'markersize', 5, ...
          'markerfacecolor', blue, varargin{:});
end

function text = width_text (net)
% The widths of a network for a title: one number where they are equal
widths = arrayfun (@(N) sprintf ('%g', N), net.width, 'UniformOutput', false);
if all (net.width == net.width(1)), widths = widths(1); end
text = ['N = ' strjoin(widths, ', ')];
end

%!error id=attnpath:plot:badValue attnpath_plot (struct (), 'ordr')

%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'order', 'Names', task.path_names);
%! % U weighs the four attention paths: the network subtracts what it sees along (2,1) from what it sees along (1,1)
%!demo
%! task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%! sol = attnpath_solve (attnpath_net (task.heads, 'Width', 10), task.Xtrain, task.ytrain);
%! attnpath_plot (sol, 'alignment');
