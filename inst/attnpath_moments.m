function m = attnpath_moments (varargin)
%ATTNPATH_MOMENTS  Second moments of any number of examples, sufficient for the theory.
%
%   m = ATTNPATH_MOMENTS (net, X, y)
%   m = ATTNPATH_MOMENTS (net, paths, y)
%   m = ATTNPATH_MOMENTS (net, source)
%   m = ATTNPATH_MOMENTS (..., Name, Value, ...)
%   m = ATTNPATH_MOMENTS (m1, m2, ...)
%
%   Examples enter the theory only through sums, computed in parts, in several calls or on several machines.
%   attnpath_solve, _sample and _action take m for X and y, in a time independent of the number of examples.
%
%   Inputs :
%     net       network, from attnpath_net. Widths, variances and temperature do not matter here
%     X         N0 x T x P tokens, double or single
%     paths     instead of X: from attnpath_paths
%     y         P x 1 labels, or P x C for C outputs; or classes, as for attnpath_solve. With the readout 'all'
%               T x P, or T x P x C, also in the parts of a source; P then counts the labelled tokens
%     source    function of one number: source (k) returns part k of a data set larger than memory, and []
%               after the last part. A part is a struct of X, N0 x T x P_k tokens, and y, P_k x 1 or P_k x C
%               labels. Optional fields: A, 1 x L cell of attention maps, as for attnpath_paths; Lengths and
%               Noise, 1 x P_k each, as the options. attnpath_source returns a source of MAT files
%     m1, m2    moments of the same network, to be added
%   Options, by name or as one struct:
%     'Form'        'square'  'square': the sums themselves; or 'factor', for small temperatures: their
%                             triangular factor, with twice the digits in about three times the time. With
%                             'square' a temperature that is too small is an error of the solver
%     'Lengths'     []        1 x P numbers of tokens, where examples X are zero-padded to a common T
%     'Parts'       []        number of parts of a source, for the remaining time that is printed
%     'Checkpoint'  ''        a file, written at intervals. The same call resumes from it, also after a crash
%     'Classes'     []        as for attnpath_solve: y is classes. A list of them is required if a part may
%                             lack one: for a source with strings or integers as labels, and for moments to be
%                             added later
%     'Noise'       []        as for attnpath_solve: 1 x P variances of the labels' noise in units of the
%                             temperature. The parts of a source have the field Noise instead
%     'Display'     true      progress, in runs of more than two seconds
%
%   Outputs: struct with
%     P         number of examples, without those of noise Inf
%     H, N0     1 x L heads of each layer;  features of a token;  skip, of a net with skip connections;
%               headscale, unless all are 1: functions rescale m for a net with other scales
%     form      'square' or 'factor'
%     of        description of the network that the path inputs depend on, in one line
%     parts     a row of numbers for each part, to detect a repeated part
%     classes   list of classes, if labels were classes
%     complete  false after Ctrl-C, which in Octave (not on Windows) ends the run with the examples so far
%     sums      n x n, n = N0 Pi + C: B'B, or R of B = Q R, where B, P x n, has the path inputs of an example
%               end to end, and its C labels, in a row, both divided by the square root of its noise
%     lognoise  sum of the logarithms of the noise, with 'Noise'
%     outputs   C, if above 1
%   Without an output a summary is printed instead.
%   Equation: (T20), (T21); section 13 of theory.md; (T35).
%   Errors:   attnpath:moments: usage, badSource, samePart, otherNet, badValue, otherRun, inUse,
%             badCheckpoint, file, tooLarge, and those of attnpath_paths. Warnings: interrupted
%
%   Example:
%     >> task = attnpath_task_markov ('P', 3000, 'Features', 6, 'Tokens', 4);
%     >> net = attnpath_net (task.heads, 'Width', 10);
%     >> m1 = attnpath_moments (net, task.Xtrain(:,:,1:2000), task.ytrain(1:2000));
%     >> m2 = attnpath_moments (net, task.Xtrain(:,:,2001:end), task.ytrain(2001:end));
%     >> m = attnpath_moments (m1, m2);
%     >> m.P
%     ans = 3000
%     >> sol = attnpath_solve (net, m);
%     >> f = attnpath_predict (sol, task.Xtest);
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_source, attnpath_solve, attnpath_sample, attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: moments.tst, test_ap_moments.c   REFERENCE: ref_weightspace.m   SOURCE: (T20), (T21)

ap_check_call ('moments', nargin > 1 || (nargin == 1 && ap_is_moments (varargin{1})), ...
               ['m = attnpath_moments (net, X, y, Name, Value, ...), attnpath_moments (net, source, ...) or ' ...
               'attnpath_moments (m1, m2, ...)']);
if ap_is_moments (varargin{1})
  m = together (varargin);
else
  m = gather (varargin{:});
end
if nargout == 0
  fprintf ('%d examples in %d part%s: %s\n', m.P, size (m.parts, 1), repmat ('s', 1, size (m.parts, 1) ~= 1), m.of);
  fprintf ('sums, of the form %s: %d x %d numbers\n', m.form, size (m.sums));
  clear -regexp ^m$
end
end

% ---- several moments into one ----

function m = together (list)
m = ap_check_moments ('moments', 'm1', list{1});
for k = 2:numel (list)
  name = sprintf ('m%d', k);
  ap_refuse ('moments', 'badClass', ~ap_is_moments (list{k}), '%s must be moments like m1, not %s', name, {list{k}});
  other = ap_check_moments ('moments', name, list{k});
  twice = find (ismember (single (other.parts), single (m.parts), 'rows'), 1);        % as a file may have kept them
  ap_refuse ('moments', 'otherNet', ~strcmp (other.of, m.of), ...
             'm1 and %s are moments of two networks: of %s, and of %s', name, m.of, other.of);
  ap_refuse ('moments', 'badShape', ap_outputs (other) ~= ap_outputs (m), 'm1 has labels of %d outputs, %s of %d', ...
             ap_outputs (m), name, ap_outputs (other));
  ap_refuse ('moments', 'badValue', ~strcmp (other.form, m.form), ...
             'm1 is of the form %s, %s of the form %s: gather one of them again', m.form, name, other.form);
  ap_refuse ('moments', 'badValue', ~isequal (ap_field (m, 'classes', []), ap_field (other, 'classes', [])), ...
             'm1 and %s have labels of other classes: gather both with the same list, ''Classes'', {...}', name);
  ap_refuse ('moments', 'samePart', ~isempty (twice), ['%s holds a part that is in the moments before it already: ' ...
             'number %d of its %d. %s'], name, twice, size (other.parts, 1), meant ());
  if strcmp (m.form, 'square')
    m.sums = m.sums + other.sums;
  else
    [~, m.sums] = qr ([m.sums; other.sums], 0);
  end
  logs = [ap_field(m, 'lognoise', []), ap_field(other, 'lognoise', [])];
  if ~isempty (logs), m.lognoise = sum (logs); end
  [m.P, m.parts, m.complete] = deal (m.P + other.P, [m.parts; other.parts], m.complete && other.complete);
  if isfield (m, 'signs') && ~isfield (other, 'signs'), m = rmfield (m, 'signs'); end
end
end

function text = meant ()
text = 'Examples that are to count n times are gathered once, with ''Noise'', ones (1, P) / n';
end

% ---- gathering ----

function m = gather (net, X, varargin)
from_source = isa (X, 'function_handle');
y = [];
if ~from_source, [y, varargin] = ap_take_labels (X, varargin); end
table = {'Form',       'square', 'word',  {'square', 'factor'}
         'Lengths',    [],       'any',   []
         'Parts',      [],       'count', [1 1e9]
         'Checkpoint', '',       'file',  []
         'Classes',    [],       'any',   []
         'Noise',      [],       'any',   []
         'Display',    true,     'display',  []};
opt = ap_options ('moments', table, varargin);
net = ap_check_net ('moments', net);
ap_refuse ('moments', 'badValue', from_source && ~isempty (opt.Lengths), ...
           'Lengths belong to tokens X: the parts of a source bring their own');
ap_refuse ('moments', 'badValue', from_source && ~isempty (opt.Noise), ...
           'Noise belongs to examples X and y: the parts of a source bring their own');
if from_source
  [source, opt.name] = deal (X, @(k) sprintf ('source (%d).', k));
else                                               % one part, the user's own X and y
  parts = {struct('X', {X}, 'y', {y}, 'Lengths', {opt.Lengths}, 'Noise', {opt.Noise}), []};
  [source, opt.name, opt.Parts] = deal (@(k) parts{k}, @(k) '', 1);
end

held = ap_hold ();                                 % from here on Ctrl-C ends the run without loss
[run, ending] = add_up (net, source, opt);

ap_refuse ('moments', 'badSource', run.P == 0, ...
           'no examples were added: source (1) must be a struct with X and y, not [], and some token has a label');
if strcmp (opt.Form, 'square'), run.sums = tril (run.sums) + tril (run.sums, -1)'; end
m = struct ('P', run.P, 'H', net.H, 'N0', run.N0, 'form', opt.Form, 'of', run.of, 'parts', run.parts, ...
            'complete', strcmp (ending, 'complete'), 'sums', run.sums);
if any (net.skip), m.skip = net.skip; end
m = ap_note_head_scales (m, net);
if ~isempty (run.classes), m.classes = run.classes; end
if ~isempty (run.lognoise), m.lognoise = run.lognoise; end
if run.signs, m.signs = true; end
C = size (run.sums, 1) - run.N0 * ap_path_count (net);
if C > 1, m.outputs = C; end
none = ap_field (run, 'none', [0 0]);
if opt.Display && none(1) > 0, fprintf ('attnpath_moments: %d of %d tokens have no label\n', none); end
if ~m.complete
  warning ('attnpath:moments:interrupted', 'attnpath_moments: interrupted after %d examples', m.P);
end
attnpath_interrupt_mex ('forget');
end

function [run, ending] = add_up (net, source, opt)
clock = tic ();
problem = {'Form', opt.Form; 'the network', ap_net_text(net, net.N0, false)};
if ~isequal (opt.Classes, []), problem(end+1,:) = {'Classes', opt.Classes}; end
fields = {'sums', 'P', 'N0', 'of', 'parts', 'k', 'at', 'chunks'};
[run, claim] = ap_resume ('moments', opt.Checkpoint, problem, fields);
if ~isempty (run)
  check_resumed (run, net, source, opt);
else
  run = struct ('problem', {problem}, 'sums', [], 'P', 0, 'N0', net.N0, 'of', '', 'parts', zeros (0, 5), ...
                'k', 0, 'at', 0, 'chunks', 0, 'classes', [], 'lognoise', [], 'signs', true);
end
if ~isfield (run, 'classes'), run.classes = []; end           % checkpoints of 0.1.0 have numbers only
if ~isfield (run, 'lognoise'), run.lognoise = []; end         % those of 0.2.0 have one noise for all
if ~isfield (run, 'signs'), run.signs = false; end            % those of 0.3.0 have no signs
run.part = [];                                     % the current part; a checkpoint does not hold it
job = struct ('name', 'moments', 'goal', Inf, 'done', @(run) run.chunks, ...
              'advance', @(run, count) advance (run, net, source, opt), ...
              'clock', @() toc (clock), 'file', opt.Checkpoint, 'every', 10, ...
              'pack', @(run) struct ('attnpath_moments_run', rmfield (run, 'part')), 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, notes, last, opt, clock));
[run, ending] = ap_run (job, run);
end

function check_resumed (run, net, source, opt)
% Checks that the checkpoint holds these examples: those of its first part, and of its last, unfinished one
for k = unique ([1, size(run.parts, 1)])
  part = ap_check_part ('moments', source, k, net, run.N0, opt.name (k), opt.Classes);
  ap_refuse ('moments', 'otherRun', isempty (part) || ~isequal (part.mark, run.parts(k,:)), ['%s belongs to other ' ...
             'examples: part %d differs; remove the file, or choose another name'], opt.Checkpoint, k);
end
end

function [run, ending] = advance (run, net, source, opt)
% One more chunk. Sizes of chunks depend on those of the examples alone, so that sums do not depend on the clock
ending = '';
run = with_part (run, net, source, opt);
if isempty (run.part), ending = 'complete'; else, run = add_chunk (run, net, opt); end
end

function run = with_part (run, net, source, opt)
% The part at run.k and run.at, or the next one if that is used up; [] after the last
while isempty (run.part) || run.at >= run.part.P
  if run.k == 0 || ~isempty (run.part), [run.k, run.at] = deal (run.k + 1, 0); end
  run.part = ap_check_part ('moments', source, run.k, net, run.N0, opt.name (run.k), opt.Classes);
  if isempty (run.part), return; end
  if run.at == 0, run = note_part (run, net); end
end
end

function run = note_part (run, net)
part = run.part;
of = ap_net_text (net, part.N0, part.brought);
if isempty (run.of), run.of = of; end
labelled = part.none < size (part.y, 1);
if run.P == 0 && labelled, run.classes = part.classes; end
again = find (ismember (run.parts, part.mark, 'rows'), 1);
C = size (run.sums, 1) - part.N0 * ap_path_count (net);   % of the parts before it
ap_refuse ('moments', 'otherNet', ~strcmp (run.of, of), '%s is of %s, the parts before it of %s', called (run), of, ...
           run.of);
ap_refuse ('moments', 'badSource', labelled && ~isequal (run.classes, part.classes), ['the labels of %s are of ' ...
           'other classes than those before: list all of them, ''Classes'', {...}'], called (run));
ap_refuse ('moments', 'samePart', ~isempty (again), '%s is part %d once more. %s', called (run), again, meant ());
ap_refuse ('moments', 'badShape', labelled && ~isempty (run.sums) && size (part.y, 2) ~= C, ...
           '%s has labels of %d outputs, the parts before it of %d', called (run), size (part.y, 2), C);
learned = part.y(ap_used_examples (part.noise, size (part.y, 1)),:);
run.signs = run.signs && (~labelled || (isempty (part.classes) && size (part.y, 2) == 1 && all (abs (learned) == 1)));
run.none = ap_field (run, 'none', [0 0]) + [part.none, size(part.y, 1)];
run.parts(end+1,:) = part.mark;
run.N0 = part.N0;
end

function text = called (run)
text = sprintf ('part %d', run.k);
if ~isempty (run.part.file), text = sprintf ('%s, %s,', text, run.part.file); end
end

function run = add_chunk (run, net, opt)
part = run.part;
each = part.N0 * max (part.T, ap_path_count (net));
if isstruct (part.many), each = part.N0 * part.many.T * ap_path_count (net); end
chunk = run.at+1:min (part.P, run.at + max (16, min (4096, floor (2^24 / each))));
Xi = part.inputs (chunk);
rows = part.rows (chunk);
y = part.y(rows,:);
if ~isempty (part.noise)
  [Xi, y, t] = ap_by_noise (Xi, y, part.noise(rows));
  if ~isstruct (part.many) || any (t ~= 1), run.lognoise = sum ([run.lognoise; log(t)]); end
end
try
  if ~isempty (y), run.sums = attnpath_moments_mex (opt.Form, run.sums, Xi, y); end
catch err
  ap_rethrow ('moments', err, sprintf (' (part %d, examples %d to %d)', run.k, chunk(1), chunk(end)));
end
[run.P, run.at, run.chunks] = deal (run.P + size (y, 1), chunk(end), run.chunks + 1);
end

function [where, more, first] = report (run, first, last, opt, clock)
% first: time and part at the first report
done = run.k - 1;                                  % parts
if ~isempty (run.part), done = done + run.at / run.part.P; end
if isempty (first), first = [toc(clock), done]; end
where = sprintf ('%d examples', run.P);
if ~isequal (opt.Parts, 1), where = sprintf ('%s, part %d', where, size (run.parts, 1)); end
if opt.Parts > 1, where = sprintf ('%s of %d', where, opt.Parts); end
more = '';
if ~isempty (opt.Parts) && done > first(2) && ~last
  more = sprintf (', %.0f s left', (opt.Parts - done) / (done - first(2)) * (toc (clock) - first(1)));
end
end

%!test % parts are merged to the moments of the whole
%! net = attnpath_net ({zeros(2, 2, 2)});
%! X = reshape (1:40, 2, 4, 5);  y = (1:5)';
%! whole = attnpath_solve (net, attnpath_moments (net, X, y));
%! parts = attnpath_moments (attnpath_moments (net, X(:,:,1:2), y(1:2)), attnpath_moments (net, X(:,:,3:5), y(3:5)));
%! assert (parts.P, 5);
%! assert (attnpath_solve (net, parts).U, whole.U, 1e-6);
