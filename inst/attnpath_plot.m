function h = attnpath_plot (model, what, varargin)
%ATTNPATH_PLOT  Figures of a solution, sample or sweep: order parameter, kernel, scores, chains and more.
%
%   h = ATTNPATH_PLOT (model, 'order')
%   h = ATTNPATH_PLOT (model, 'kernel')
%   h = ATTNPATH_PLOT (model, 'alignment')
%   h = ATTNPATH_PLOT (model, 'scores')
%   h = ATTNPATH_PLOT (model, 'reliability')
%   h = ATTNPATH_PLOT (model, 'confusion')
%   h = ATTNPATH_PLOT (curve, 'pruning')
%   h = ATTNPATH_PLOT (post, 'trace')
%   h = ATTNPATH_PLOT (result, 'sweep', 'X', name, 'Y', name)
%   h = ATTNPATH_PLOT (model, what, Name, Value, ...)
%   h = ATTNPATH_PLOT (ax, model, what, ...)
%
%   'order'      image of U, path against path: blue below zero, white at zero, red above. The values are
%                written into the cells. Of several outputs blocks are outlined: one for each pair of paths,
%                which holds the classes, or with 'Blocks', 'classes' one for each pair of classes
%   'kernel'     image of the training kernel K, examples sorted by label, with a line where the label changes.
%                The colours span the entries off the diagonal; the diagonal itself is often far above them
%   'alignment'  overlap of each eigenvector of K with the labels, at finite width and in the GP limit
%   'scores'     a bar for each head, the largest 1
%   'reliability'   share of +1 against the probability that attnpath_probability gives, in bins; bars are one
%                standard error of the share. Of a calibrated predictor it lies on the diagonal. The examples
%                are those of training, each left out, unless 'Probability' and 'Labels' are given. Of more
%                than two classes: share of right answers against the largest probability
%   'confusion'  how many examples of each class, a row for each, are taken for which: counts, and below them
%                percent of the row, which are the shades. The examples are those of training, each left out,
%                unless 'Labels' and 'Predicted' are given
%   'pruning'    leave-one-out error or log evidence against the heads removed, in their order, from left to
%                right
%   'trace'      an entry of U against the draw, a line for each chain. Chains that have forgotten where they
%                started look alike
%   'sweep'      a field of the results against a field of the grid: means over the seeds, with bars of one
%                standard error, and a curve for each value of another field
%
%   Inputs :
%     model     solution from attnpath_solve, sample from attnpath_sample, or any struct with net and U, and
%               for 'kernel', 'alignment', 'reliability' and 'confusion' also paths and y. Of several U,
%               Pi x Pi x draws, the mean is taken
%     curve     second output of a search by attnpath_prune
%     post      sample from attnpath_sample
%     result    struct array from attnpath_sweep, or part of one
%     what      one of the words above
%     ax        axes to draw in, as by 'Parent'
%   Options, by name or as one struct:
%     'Parent'      []     axes to draw in, whose contents are replaced unless hold is on; [] for the current
%                          axes. Place and font size of the axes stay as they are
%     'Names'       {}     labels: of the Pi paths for 'order', of the sum (H) heads for 'scores', layer by
%                          layer, of the heads removed for 'pruning', in their order, of the C classes for
%                          'confusion'. With {} paths are named (h_1,...,h_L), heads layer.head, and classes as
%                          model.classes says
%     'Blocks'      'paths'  for 'order' of several outputs: 'paths' or 'classes'
%     'Paths'       []     for 'order': show these paths only, in this order; [] for all
%     'Scale'       []     for 'order': the value of full colour; [] for the largest |U| that is shown
%     'Numbers'     []     for 'order': true or false, write the values into the cells; [] for up to 8 paths
%     'Components'  30     for 'alignment': so many eigenvectors, from that of the largest eigenvalue on
%     'Entry'       [1 1]  for 'trace': row and column of U
%     'Probability' []     for 'reliability': P x 1 probabilities of +1, or P x C, from attnpath_probability
%     'Labels'      []     for 'reliability' and 'confusion': the P x 1 labels -1 and +1 that belong to them,
%                          or classes of the type of model.classes
%     'Predicted'   []     for 'confusion': P x 1 classes, as attnpath_predict returns them third
%     'Bins'        10     for 'reliability': bins of equal width from 0 to 1
%     'X'           ''     for 'sweep': a field of the grid that holds numbers. Its axis is logarithmic where
%                          all are positive and the largest is 20 times the smallest
%     'Y'           ''     for 'sweep': what is drawn, a field that holds one number in each cell
%     'Curves'      ''     for 'sweep': a field of the grid, with a curve for each value; '' for one curve
%     'Over'        'seed' for 'sweep': the field of the grid over which means are taken. Fields that are none
%                          of these three may have one value only
%
%   Outputs: struct of graphics handles: axes, and what applies of image, text, line, bar (of 'sweep' a line of
%            error bars for each curve), legend, colorbar
%
%   Equation: (T6), theory.md section 8.
%
%   Example:
%     task = attnpath_task_markov ('P', 50, 'Ptest', 2);
%     net = attnpath_net (task.heads, 'Width', 10);
%     sol = attnpath_solve (net, task.Xtrain, task.ytrain);
%     h = attnpath_plot (sol, 'order', 'Names', task.path_names);
%     title (h.axes, 'U of a narrow network')
%     get (h.axes, 'xlim')                     % 0.5 4.5
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_sample, attnpath_align, attnpath_scores, attnpath_probability,
%   attnpath_kernel, attnpath_sweep.
%
%   TESTING: plot.tst   SOURCE: theory.md section 8

% SPDX-License-Identifier: BSD-3-Clause

if nargin > 2 && numel (model) == 1 && ~isstruct (model) && ishghandle (model)
  h = attnpath_plot (what, varargin{:}, 'Parent', model);
  if nargout == 0, clear h; end
  return
end
if nargin < 2
  ap_fail ('plot', 'usage', 'the call is h = attnpath_plot (model, what, Name, Value, ...)');
end
if isa (what, 'string') && numel (what) == 1, what = char (what); end
what = ap_check_choice ('plot', 'what', what, {'order', 'kernel', 'alignment', 'scores', 'reliability', ...
                                               'confusion', 'pruning', 'trace', 'sweep'});
table = {'Parent',     [],    'any',    []
         'Names',      {},    'any',    []
         'Paths',      [],    'any',    []
         'Scale',      [],    'number', [realmin Inf]
         'Numbers',    [],    'flag',   []
         'Components', 30,    'count',  [1 Inf]
         'Entry',      [1 1], 'any',    []
         'Probability', [],    'any',   []
         'Blocks',     'paths', 'word', {'paths', 'classes'}
         'Labels',     [],     'any',   []
         'Predicted',  [],     'any',   []
         'Bins',       10,     'count', [1 1e6]
         'X',          '',     'text',  []
         'Y',          '',     'text',  []
         'Curves',     '',     'text',  []
         'Over',       'seed', 'text',  []};
opt = ap_options ('plot', table, varargin);
entry = [];
if strcmp (what, 'trace'), entry = check_trace (model, opt); end
check_parent (opt.Parent);
if strcmp (what, 'sweep')
  curves = ap_sweep_curves (model, opt);
elseif strcmp (what, 'pruning')
  opt.Names = check_pruning (model, opt);
else
  asked = model;
  [model, opt.outputs] = check_model (model, what, opt);
  opt = check_options (opt, what, model);
  if strcmp (what, 'reliability'), opt = check_reliability (opt, asked, model.y); end
  if strcmp (what, 'confusion'), [opt, counts] = confusion (opt, asked); end
end
check_graphics ();
if isempty (opt.Parent), opt.Parent = gca (); end
opt.held = ishold (opt.Parent);

% Nothing is drawn before all arguments and options are known to be right.
switch what
  case 'order'
    h = draw_order (model, opt);
  case 'kernel'
    h = draw_kernel (model, attnpath_kernel (model.net, model.paths, model.U), opt);
  case 'alignment'
    gp = ap_gp_order (model.net);
    overlap = attnpath_align (attnpath_kernel (model.net, model.paths, model.U), model.y);
    overlap(:,2) = attnpath_align (attnpath_kernel (model.net, model.paths, gp{1}), model.y);
    h = draw_alignment (model, overlap, opt);
  case 'scores'
    h = draw_scores (sortrows (attnpath_scores (model), [1 2]), opt);
  case 'reliability'
    h = draw_reliability (opt);
  case 'confusion'
    h = draw_confusion (counts, opt);
  case 'pruning'
    h = draw_pruning (model, opt);
  case 'trace'
    h = draw_trace (entry, opt);
  case 'sweep'
    h = draw_sweep (curves, opt);
end
if ~opt.held, set (h.axes, 'nextplot', 'replace'); end
if nargout == 0, clear h; end
end

function check_graphics ()
if exist ('OCTAVE_VERSION', 'builtin') && isempty (available_graphics_toolkits ())
  ap_fail ('plot', 'noGraphics', ['this Octave has nothing to draw with: octave-cli has not, nor has any other ' ...
           'without a display; there, xvfb-run -a octave --no-gui script.m draws into files']);
end
end

function [model, C] = check_model (model, what, opt)
% C: outputs that have an index in U
C = 1;
if ~isstruct (model) || numel (model) ~= 1
  ap_fail ('plot', 'badClass', 'model must be one struct, from attnpath_solve, not %s', ...
           ap_describe (model));
end
needs = {'net', 'U', 'paths', 'y'};
if any (strcmp (what, {'order', 'scores', 'trace'})), needs = needs(1:2); end
if strcmp (what, 'confusion') && ~(isempty (opt.Predicted) && isempty (opt.Labels)), needs = {}; end
missing = needs(~isfield (model, needs));
if ~isempty (missing)
  ap_fail ('plot', 'missingField', '''%s'' needs a model with a field %s', what, missing{1});
end
if isempty (needs), return; end
ap_check_net ('plot', model.net);
if isfloat (model.U) && ~issparse (model.U), model.U = mean (model.U(:,:,:), 3); end
if numel (needs) == 2
  [model.U, C] = ap_order_blocks ('plot', 'model.U', model.U, model.net, 'any');
  return
end
[model.U, C] = ap_order_blocks ('plot', 'model.U', model.U, model.net, 'semidefinite');
Xi = ap_check_inputs ('plot', 'model.paths', model.paths, model.net);
several = any (strcmp (what, {'reliability', 'confusion'}));
model.y = ap_labels ('plot', 'model.y', model.y, size (Xi, 2), several);
if strcmp (what, 'alignment') && ~any (model.y)
  ap_fail ('plot', 'badValue', 'model.y is all zero: nothing can be aligned with it');
end
end

function entry = check_trace (post, opt)
% draws x chains of one entry of U
if ~isstruct (post) || numel (post) ~= 1 || ~all (isfield (post, {'U', 'logpost'}))
  ap_fail ('plot', 'missingField', '''trace'' needs a sample, from attnpath_sample');
end
[draws, chains] = size (post.logpost);
U = ap_check_array ('plot', 'model.U', post.U, {'Pi', size(post.U, 1), draws, chains});
at = ap_check_row ('plot', 'Entry', opt.Entry, 2);
for k = at, ap_check_count ('plot', 'Entry (each of them)', k, 1, size (U, 1)); end
entry = reshape (U(at(1),at(2),:,:), draws, chains);
end

function names = check_pruning (curve, opt)
% The names of the heads removed
if ~isstruct (curve) || numel (curve) ~= 1 || ~all (isfield (curve, {'by', 'heads', 'value'}))
  ap_fail ('plot', 'missingField', '''pruning'' needs the second output of a search by attnpath_prune');
end
k = size (curve.heads, 1);
ap_check_array ('plot', 'curve.value', curve.value, {k + 1, 1});
names = opt.Names;
if isempty (names)
  names = arrayfun (@(i) sprintf ('%d.%d', curve.heads(i,:)), 1:k, 'UniformOutput', false);
elseif ~iscellstr (names)
  ap_fail ('plot', 'badClass', 'Names must be a cell of texts, not %s', ap_describe (names));
elseif numel (names) ~= k
  ap_fail ('plot', 'badShape', 'Names must hold %d texts, one for each head removed, not %d', k, numel (names));
end
end

function check_parent (ax)
if ~isempty (ax) && ~(numel (ax) == 1 && all (ishghandle (ax)) && strcmp (get (ax, 'type'), 'axes'))
  ap_fail ('plot', 'badValue', 'Parent must be the handle of axes, not %s', ap_describe (ax));
end
end

function [opt, counts] = confusion (opt, model)
% counts: class by predicted class
if isempty (opt.Labels) ~= isempty (opt.Predicted)
  ap_fail ('plot', 'badValue', 'Labels and Predicted belong together: give both or none');
elseif isempty (opt.Labels)
  classes = ap_model_classes ('plot', model, model.y);
  loo = attnpath_loo (model);
  numbers = 1:numel (classes);
  number = ap_decide (loo.mean, numbers);
  true_one = ap_decide (model.y, numbers);             % the column of a label that is largest, like its mean's
else
  classes = known_classes (model, opt);
  true_one = ap_class_of ('plot', 'Labels', opt.Labels, classes);
  number = ap_class_of ('plot', 'Predicted', opt.Predicted, classes);
  if numel (number) ~= numel (true_one)
    ap_fail ('plot', 'badShape', 'Labels and Predicted must be of the same length, not %d and %d', numel (true_one), ...
             numel (number));
  end
end
C = numel (classes);
counts = accumarray ([true_one, number], 1, [C C]);
if isempty (opt.Names), opt.Names = ap_class_names (classes); end
if numel (opt.Names) ~= C
  ap_fail ('plot', 'badShape', 'Names must hold %d texts for ''confusion'', not %d', C, numel (opt.Names));
end
end

function classes = known_classes (model, opt)
% Of a model that does not say: those that occur
if isfield (model, 'classes')
  classes = model.classes;
else
  classes = unique (ap_class_keys ('plot', 'Labels', opt.Labels));
  more = ap_class_keys ('plot', 'Predicted', opt.Predicted);
  if iscell (more) == iscell (classes), classes = unique ([classes; more]); end
end
end

function opt = of_classes (opt, model, y)
% The largest probability of each example, and whether it is that of its class: like two classes from here on
if isempty (opt.Labels)
  opt.Probability = attnpath_probability (model);
  [~, number] = max (y, [], 2);
else
  classes = (1:size (opt.Probability, 2))';
  if isfield (model, 'classes'), classes = model.classes; end
  opt.Probability = ap_check_array ('plot', 'Probability', opt.Probability, {'P', numel(classes)});
  wrong = find (any (opt.Probability < 0, 2) | abs (sum (opt.Probability, 2) - 1) > 1e-6, 1);
  if ~isempty (wrong)
    ap_fail ('plot', 'badValue', 'row %d of Probability must be probabilities that add up to 1, not to %g', wrong, ...
             sum (opt.Probability(wrong,:)));
  end
  number = ap_class_of ('plot', 'Labels', opt.Labels, classes);
  if numel (number) ~= size (opt.Probability, 1)
    ap_fail ('plot', 'badShape', 'Labels must be %d x 1, not %s', size (opt.Probability, 1), ap_describe (opt.Labels));
  end
end
[~, ~, opt.Probability, opt.Labels] = ap_class_losses (opt.Probability, number, opt.Bins);
opt.words = {'largest probability', 'share of right answers'};
end

function opt = check_reliability (opt, model, y)
% Probabilities and labels, where they are not given those of the training examples, each left out
opt.words = {'probability of +1', 'share of +1'};
if size (opt.Probability, 2) > 1 || (isempty (opt.Probability) && isempty (opt.Labels) && size (y, 2) > 1)
  opt = of_classes (opt, model, y);
elseif isfield (model, 'classes')
  names = ap_class_names (model.classes);
  opt.words = {['probability of ' names{2}], ['share of ' names{2}]};
  if ~isempty (opt.Labels), opt.Labels = 2 * ap_class_of ('plot', 'Labels', opt.Labels, model.classes) - 3; end
end
if isempty (opt.Probability) ~= isempty (opt.Labels)
  ap_fail ('plot', 'badValue', 'Probability and Labels belong together: give both or none');
elseif isempty (opt.Labels)
  opt.Probability = attnpath_probability (model);
  opt.Labels = model.y;
end
opt.Probability = ap_check_array ('plot', 'Probability', opt.Probability, {'P', 1});
if any (opt.Probability < 0 | opt.Probability > 1)
  ap_fail ('plot', 'badValue', 'Probability must be between 0 and 1, not %g to %g', min (opt.Probability), ...
           max (opt.Probability));
end
opt.Labels = ap_labels ('plot', 'Labels', opt.Labels, numel (opt.Probability));
if any (abs (opt.Labels) ~= 1)
  ap_fail ('plot', 'badValue', 'Labels must be -1 and +1');
end
end

function opt = check_options (opt, what, model)
f = 'plot';
if strcmp (what, 'confusion') && ~isfield (model, 'net'), net.H = 1; else, net = model.net; end
n = prod (net.H);
if isempty (opt.Paths)
  opt.Paths = 1:n;
else
  opt.Paths = ap_check_row (f, 'Paths', opt.Paths, 'k');
  for k = opt.Paths
    ap_check_count (f, 'Paths (each of them)', k, 1, n);
  end
end
if isempty (opt.Numbers), opt.Numbers = numel (opt.Paths) * opt.outputs <= 8; end
if isempty (opt.Names)
  opt.Names = default_names (what, net.H);
elseif ~iscellstr (opt.Names)
  ap_fail (f, 'badClass', 'Names must be a cell of texts, not %s', ap_describe (opt.Names));
elseif any (strcmp (what, {'order', 'scores'})) && numel (opt.Names) ~= numel (default_names (what, net.H))
  ap_fail (f, 'badShape', 'Names must hold %d texts for ''%s'', not %d', ...
           numel (default_names (what, net.H)), what, numel (opt.Names));
end
end

function names = default_names (what, H)
switch what
  case 'order'
    names = cellfun (@(path) ['(' strrep(regexprep (num2str (path), ' +', ' '), ' ', ',') ')'], ...
                     num2cell (ap_pathlist (H), 2), 'UniformOutput', false);
  case 'scores'
    names = {};
    for l = 1:numel (H)
      names = [names, arrayfun(@(head) sprintf ('%d.%d', l, head), 1:H(l), 'UniformOutput', false)];
    end
  otherwise
    names = {};
end
end

% ---- one function for each kind of figure ----

function h = draw_order (model, opt)
C = opt.outputs;
n = numel (opt.Paths) * C;
at = reshape (bsxfun (@plus, (1:C)', C * (opt.Paths(:)' - 1)), 1, n);      % a path slowly, a class fast
inner = C;
names = opt.Names(opt.Paths);
if C > 1 && strcmp (opt.Blocks, 'classes')
  at = reshape (reshape (at, C, [])', 1, n);
  inner = n / C;
  names = class_names (model, C);
end
U = model.U(at,at);
scale = opt.Scale;
if isempty (scale), scale = max (abs (U(:))); end
if scale == 0, scale = 1; end
h.axes = fresh_axes (opt);
h.image = imagesc (U, 'Parent', h.axes);
set (h.axes, 'clim', [-scale scale], 'colormap', diverging (), 'xlim', [0.5 n+0.5], 'ylim', [0.5 n+0.5], ...
     'ydir', 'reverse', 'dataaspectratio', [1 1 1], 'ticklength', [0 0], 'layer', 'top', 'box', 'on', ...
     'xtick', (inner + 1) / 2:inner:n, 'ytick', (inner + 1) / 2:inner:n, 'yticklabel', names);
caption (h.axes, 'title', ['U, ' width_text(model.net)]);
h.text = column_names (h.axes, (inner + 1) / 2:inner:n, n + 0.5, names);
if C > 1, h.line = outline (h.axes, inner, n); end
if opt.Numbers
  form = '%.2f';
  if scale < 0.1 || scale >= 100, form = '%.2g'; end
  small = min (get (h.axes, 'fontsize'), points_across (h.axes) / n / 3.2);      % five digits and a margin
  for q = 1:n
    for p = 1:n
      ink = [1 1 1] * (abs (U(p,q)) > 0.6 * scale);
      h.text(end+1) = text (q, p, number_text (form, U(p,q)), 'Parent', h.axes, 'color', ink, ...
                            'fontsize', small, 'horizontalalignment', 'center', 'verticalalignment', 'middle');
    end
  end
else
  h.colorbar = colorbar (h.axes);
end
end

function names = class_names (model, C)
classes = (1:C)';
if isfield (model, 'classes'), classes = model.classes; end
names = ap_class_names (classes);
end

function h = outline (ax, inner, n)
% Lines between blocks of so many rows
at = 0.5 + inner:inner:n;
x = [at; at; NaN(size (at))];
y = repmat ([0.5; n + 0.5; NaN], 1, numel (at));
h = line ([x(:); y(:)], [y(:); x(:)], 'Parent', ax, 'color', [0 0 0], 'linewidth', 1);
end

function h = draw_confusion (counts, opt)
C = size (counts, 1);
total = sum (counts, 2);
rate = bsxfun (@rdivide, counts, max (1, total));
h.axes = fresh_axes (opt);
h.image = imagesc (100 * rate, 'Parent', h.axes);
set (h.axes, 'clim', [0 100], 'colormap', sequential (), 'xlim', [0.5 C+0.5], 'ylim', [0.5 C+0.5], ...
     'ydir', 'reverse', 'dataaspectratio', [1 1 1], 'ticklength', [0 0], 'layer', 'top', 'box', 'on', 'xtick', 1:C, ...
     'ytick', 1:C, 'yticklabel', opt.Names);
h.text = column_names (h.axes, 1:C, C + 0.5, opt.Names);
if isempty (h.text), caption (h.axes, 'xlabel', 'predicted class'); end
caption (h.axes, 'ylabel', 'class');
right = 100 * trace (counts) / max (1, sum (total));
caption (h.axes, 'title', sprintf ('%d examples, %.1f %% right', sum (total), right));
h.line = outline (h.axes, 1, C);
set (h.line, 'linewidth', 0.5, 'color', [0.6 0.6 0.6]);
small = min (get (h.axes, 'fontsize'), points_across (h.axes) / C / 3.2);
for q = 1:C
  for p = 1:C
    ink = [1 1 1] * (rate(p,q) > 0.45);                     % the shade there is half as dark as it gets
    words = sprintf ('%d\n%.0f %%', counts(p,q), 100 * rate(p,q));
    h.text(end+1) = text (q, p, words, 'Parent', h.axes, 'color', ink, 'fontsize', small, ...
                          'horizontalalignment', 'center', 'verticalalignment', 'middle');
  end
end
end

function h = draw_kernel (model, K, opt)
[labels, rank] = sort (model.y, 'descend');
K = K(rank,rank);
n = numel (labels);
shades = K(~eye (n));
if isempty (shades), shades = K; end
low = min (shades);
high = max (shades);
if high <= low, high = low + max (1, abs (low)); end
h.axes = fresh_axes (opt);
h.image = imagesc (K, 'Parent', h.axes);
set (h.axes, 'clim', [low high], 'colormap', sequential (), 'xlim', [0.5 n+0.5], 'ylim', [0.5 n+0.5], ...
     'ydir', 'reverse', 'dataaspectratio', [1 1 1], 'layer', 'top', 'box', 'on');
change = find (diff (labels)) + 0.5;
h.line = [];
of = '';
sorted = ', sorted by label';
if numel (change) < 10
  of = 'label of ';
  sorted = '';
  for c = change'
    h.line = [h.line; line([c c], [0.5 n+0.5], 'Parent', h.axes, 'color', [0 0 0], 'linewidth', 1); ...
              line([0.5 n+0.5], [c c], 'Parent', h.axes, 'color', [0 0 0], 'linewidth', 1)];
  end
  middle = ([0.5; change] + [change; n+0.5]) / 2;
  names = arrayfun (@(v) sprintf ('%+g', v), labels(round (middle)), 'UniformOutput', false);
  set (h.axes, 'xtick', middle, 'ytick', middle, 'xticklabel', names, 'yticklabel', names, 'ticklength', [0 0]);
end
caption (h.axes, 'xlabel', [of 'example \nu' sorted]);
caption (h.axes, 'ylabel', [of 'example \mu' sorted]);
caption (h.axes, 'title', ['kernel K(\mu,\nu), ' width_text(model.net)]);
h.colorbar = colorbar (h.axes);
end

function h = draw_alignment (model, overlap, opt)
k = 1:min (opt.Components, size (overlap, 1));
h.axes = fresh_axes (opt);
h.line = [line(k, overlap(k,1), 'Parent', h.axes, 'color', [0.00 0.32 0.62], 'linestyle', '-', ...
               'linewidth', 1.2, 'marker', 'o', 'markersize', 5, 'markerfacecolor', [0.00 0.32 0.62]); ...
          line(k, overlap(k,2), 'Parent', h.axes, 'color', [0.90 0.45 0.05], 'linestyle', '--', ...
               'linewidth', 1.2, 'marker', 's', 'markersize', 5, 'markerfacecolor', [1 1 1])];
highest = max (max (overlap(k,:)));
set (h.axes, 'xlim', [0, numel(k) + 1], 'ylim', [0, 1.2 * highest], 'box', 'on');  % the legend goes on top
caption (h.axes, 'xlabel', 'principal component k of the kernel, largest first');
caption (h.axes, 'ylabel', 'overlap with the labels, |v_k^T y| / |y|');
h.legend = legend (h.line, {width_text(model.net), 'GP limit'}, 'location', 'northeast', ...
                   'orientation', 'horizontal', 'box', 'off');
end

function h = draw_scores (score, opt)
% score: rows [layer head score], layer by layer; a gap between the layers, and shades that alternate
n = size (score, 1);
x = (1:n)' + 0.6 * (score(:,1) - 1);
shades = [0.20 0.40 0.65; 0.72 0.80 0.90];
h.axes = fresh_axes (opt);
h.bar = [];
for l = 1:score(end,1)
  of = score(:,1) == l;
  corners = [x(of)-0.4, x(of)-0.4, x(of)+0.4, x(of)+0.4]';
  heights = [0*x(of), score(of,3), score(of,3), 0*x(of)]';
  h.bar(l,1) = patch ('XData', corners, 'YData', heights, 'facecolor', shades(2 - mod (l, 2),:), ...
                      'edgecolor', [0 0 0], 'Parent', h.axes);
end
set (h.axes, 'xlim', [x(1)-0.7, x(end)+0.7], 'ylim', [0 1.05], 'xtick', x, ...
     'ytick', 0:0.2:1, 'box', 'on', 'ticklength', [0 0], 'layer', 'top');
h.text = column_names (h.axes, x, 0, opt.Names);
if isempty (h.text), caption (h.axes, 'xlabel', 'head (layer.head)'); end
caption (h.axes, 'ylabel', 'head score');
end

function h = draw_reliability (opt)
[bins, ece] = ap_reliability (opt.Probability, opt.Labels, opt.Bins);
p = bins(:,1)';
share = bins(:,2)';
se = sqrt (share .* (1 - share) ./ bins(:,3)');
h.axes = fresh_axes (opt);
h.line = [line([0 1], [0 1], 'Parent', h.axes, 'color', [0.6 0.6 0.6], 'linestyle', '--'); ...
          line(p, share, 'Parent', h.axes, 'color', [0.00 0.32 0.62], 'linestyle', '-', 'linewidth', 1.2, ...
               'marker', 'o', 'markersize', 5, 'markerfacecolor', [0.00 0.32 0.62])];
for k = find (se > 0)
  h.line(end+1,1) = line ([p(k) p(k)], share(k) + [-1 1] * se(k), 'Parent', h.axes, 'color', [0.00 0.32 0.62]);
end
set (h.axes, 'xlim', [0 1], 'ylim', [0 1], 'dataaspectratio', [1 1 1], 'box', 'on');
caption (h.axes, 'xlabel', opt.words{1});
caption (h.axes, 'ylabel', opt.words{2});
caption (h.axes, 'title', sprintf ('%d examples, calibration error %.3f', numel (opt.Labels), ece));
end

function h = draw_pruning (curve, opt)
n = numel (curve.value);
h.axes = fresh_axes (opt);
h.line = line (0:n-1, curve.value, 'Parent', h.axes, 'color', [0.00 0.32 0.62], 'linewidth', 1.5, 'marker', 'o', ...
               'markersize', 5, 'markerfacecolor', [0.00 0.32 0.62]);
reach = max (curve.value) - min (curve.value);
if reach == 0, reach = max (1, abs (curve.value(1))); end
low = min (curve.value) - 0.05 * reach;
set (h.axes, 'xlim', [-0.5, n - 0.5], 'ylim', [low, max(curve.value) + 0.05 * reach], 'xtick', 0:n-1, 'box', 'on');
h.text = column_names (h.axes, 0:n-1, low, [{'none'}, opt.Names(:)']);
if isempty (h.text), caption (h.axes, 'xlabel', 'heads removed, one after the other (layer.head)'); end
if strcmp (curve.by, 'loo')
  caption (h.axes, 'ylabel', 'squared leave-one-out error');
else
  caption (h.axes, 'ylabel', 'log evidence');
end
end

function h = draw_trace (entry, opt)
[draws, chains] = size (entry);
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, chains)));
h.axes = fresh_axes (opt);
h.line = zeros (chains, 1);
for c = 1:chains
  h.line(c) = line (1:draws, entry(:,c), 'Parent', h.axes, 'color', shades(c,:), 'linewidth', 0.5);
end
set (h.axes, 'xlim', [0, draws + 1], 'box', 'on');
caption (h.axes, 'xlabel', sprintf ('draw, of each of %d chains', chains));
caption (h.axes, 'ylabel', sprintf ('U(%d,%d)', opt.Entry));
end

function h = draw_sweep (c, opt)
% c, from ap_sweep_curves: x, and a column of means and of standard errors for each curve
h.axes = fresh_axes (opt);
n = size (c.m, 2);
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, n)));
for k = 1:n
  x = [c.x c.x NaN(size (c.x))]';
  y = [c.m(:,k) - c.se(:,k), c.m(:,k) + c.se(:,k), NaN(size (c.x))]';
  h.bar(k,1) = line (x(:), y(:), 'Parent', h.axes, 'color', shades(k,:), 'linewidth', 1);
  h.line(k,1) = line (c.x, c.m(:,k), 'Parent', h.axes, 'color', shades(k,:), 'linewidth', 1.5, 'marker', 'o', ...
                      'markersize', 5, 'markerfacecolor', shades(k,:));
end
set (h.axes, 'box', 'on', 'xscale', c.scale, 'xlim', c.ends);
words = @(name) strrep (name, '_', '\_');
caption (h.axes, 'xlabel', words (opt.X));
caption (h.axes, 'ylabel', words (opt.Y));
if ~isempty (opt.Curves)
  h.legend = legend (h.line, cellfun (@(value) words ([opt.Curves ' ' value]), c.names, 'UniformOutput', false), ...
                     'location', 'best');
end
end

% ---- shared by them ----

function ax = fresh_axes (opt)
ax = opt.Parent;
if opt.held, return; end
size_of_text = get (ax, 'fontsize');
set (ax, 'nextplot', 'replace');
newplot (ax);                                                      % unlike cla, it keeps a subplot's listeners
set (ax, 'fontsize', size_of_text, 'nextplot', 'add');             % so that imagesc resets nothing
end

function caption (ax, where, words)
% Title or label, in the type size of the axes
set (get (ax, where), 'string', words, 'fontsize', get (ax, 'fontsize'), 'fontweight', 'normal');
end

function t = column_names (ax, x, y, names)
% Names below columns x of axes that end at y: tick labels while there is room, otherwise upright text
t = [];
size_of_text = get (ax, 'fontsize');
room = points_across (ax) / diff (get (ax, 'xlim')) * min ([1; diff(x(:))]);
if max (cellfun (@numel, names)) * 0.52 * size_of_text < room
  set (ax, 'xticklabel', names);
  return
end
set (ax, 'xticklabel', {});
for k = 1:numel (x)
  t(k) = text (x(k), y, [names{k} ' '], 'Parent', ax, 'fontsize', size_of_text, 'rotation', 90, ...
               'horizontalalignment', 'right', 'verticalalignment', 'middle');
end
end

function width = points_across (ax)
% Width of the drawing area; square axes may be narrower than their position says. The units of the axes stay
% untouched, because Octave's subplot would lay out its neighbours anew
position = getpixelposition (ax) * 72 / get (0, 'screenpixelsperinch');
width = position(3);
if strcmp (get (ax, 'dataaspectratiomode'), 'manual'), width = min (position(3:4)); end
end

function text = number_text (form, value)
text = sprintf (form, value);
if str2double (text) == 0, text = sprintf (form, 0); end           % no -0.00
end

function text = width_text (net)
if all (net.width == net.width(1))
  text = sprintf ('N = %g', net.width(1));
else
  text = ['N = ' strjoin(arrayfun (@(N) sprintf ('%g', N), net.width, 'UniformOutput', false), ', ')];
end
end

function map = diverging ()
% Blue, white, red: both ends equally dark, so that a print in grey shows the size, and the cells the sign
map = interp1 ([-1 -0.5 0 0.5 1], [0.08 0.28 0.55; 0.45 0.66 0.85; 1 1 1; 0.96 0.62 0.50; 0.66 0.08 0.12], ...
               linspace (-1, 1, 255)');
end

function map = sequential ()
% Pale yellow to dark blue, its lightness falling steadily: prints in grey as it looks
map = interp1 ([0 0.25 0.5 0.75 1], [1 1 0.90; 0.78 0.91 0.71; 0.33 0.71 0.72; 0.14 0.42 0.64; 0.05 0.14 0.38], ...
               linspace (0, 1, 255)');
end

%!error id=attnpath:plot:badValue attnpath_plot (struct (), 'nonsense')
%!test
%! if isempty (available_graphics_toolkits ()), return; end
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
