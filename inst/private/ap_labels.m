function [y, classes] = ap_labels (fname, name, y, P, several, wanted, all_there)
%AP_LABELS  Labels of P examples, as P x 1 or P x C double, or an error: the one door through which labels enter.
%
%   y = AP_LABELS (fname, name, y, P)
%   [y, classes] = AP_LABELS (fname, name, y, P, several, wanted)
%   [y, classes] = AP_LABELS (fname, name, y, P, several, wanted, all_there)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  P, number of examples, or
%             their tokens from ap_tokens: y is then T x P, or T x P x C, NaN or '' for a token without a label;
%             several, true where the caller can do with C outputs;  wanted and all_there, as for ap_classes. Where
%             wanted is given, by a function with an option 'Classes', numbers that may be classes raise a warning
%             that names it
%   Outputs:  y, numbers as they are, a row as a column, or classes coded by ap_classes, of tokens n x C with rows of
%             NaN;  classes, C x 1, or []
%   Errors:   attnpath:<fname>: those of ap_classes and ap_check_array; outputs, where several labels an example are too
%             many
%   Example:  y = ap_labels ('align', 'y', y, size (K, 1));
%   See also ap_examples, ap_classes, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

asked = nargin > 5;
if isstruct (P)
  more = {};
  if nargin > 4, more{1} = several; end
  if asked, more{2} = wanted; end
  if nargin > 6, more{3} = all_there; end
  [y, classes] = of_tokens (fname, name, y, P, more);
  return
end
if P == 1 || ~isfloat (y), check_kind (fname, name, y, P); end
if ~asked, wanted = []; end
if nargin < 7, all_there = true; end
given = y;
if isfloat (y) && isfloat (wanted) && isempty (wanted)       % the most frequent case, and calls take time
  classes = [];
else
  [y, classes] = ap_classes (fname, name, y, wanted, all_there);
end
if ~isempty (classes) && numel (given) ~= P
  ap_fail (fname, 'badShape', '%s must be %d x 1, a class for each example, not %s', name, P, {given});
end
if isfloat (y) && P > 1 && isrow (y) && numel (y) == P, y = y(:); end
columns = 1;
if isfloat (y) && size (y, 1) == P && size (y, 2) > 1 && ndims (y) == 2
  columns = size (y, 2);
  ap_refuse (fname, 'outputs', (nargin < 5 || ~several) && ~isempty (classes), ...
             '%s has %d classes, and attnpath_%s takes one output, which distinguishes two', name, columns, fname);
  ap_refuse (fname, 'outputs', nargin < 5 || ~several, ['%s must be one label an example, %d x 1, not %s: ' ...
             'attnpath_%s takes one output, each column for itself'], name, P, {y}, fname);
end
y = ap_check_array (fname, name, y, {P, columns});
if ~isfinite (sum (y(:) .^ 2))
  [~, at] = max (abs (y(:)));
  ap_fail (fname, 'notFinite', ['%s has the value %g at element %d, and squares of labels overflow: bring the ' ...
           'labels and the tokens to a size near 1'], name, y(at), at);
end
if asked && isempty (wanted) && isempty (classes), remark (fname, name, y); end
end

function [y, classes] = of_tokens (fname, name, y, many, more)
% Those of labelled tokens as of any other examples. Types that have no value for none may hold anything in padding
shape = size (y);
shape(end+1:3) = 1;
[T, P] = deal (many.T, many.P);
ap_refuse (fname, 'badShape', numel (shape) > 3 || ~isequal (shape(1:2), [T, P]), ['%s must be T x P, %d tokens x ' ...
           '%d sequences, or T x P x C for C outputs, because the net reads all tokens, not %s'], name, T, P, {y});
if ischar (y), check_kind (fname, name, y, T * P); end
if shape(3) > 1 && (~isfloat (y) || (numel (more) > 1 && ~isempty (more{2}) && ~isequal (more{2}, false)))
  ap_fail (fname, 'badShape', ['%s holds classes, and must be T x P, %d x %d, not %s: several outputs of a token ' ...
           'are numbers, and no classes'], name, T, P, {y});
end
flat = reshape (y, T * P, shape(3));
none = ap_unlabelled (flat);
knows_none = ~(islogical (y) || isinteger (y));
place = @(k) sprintf ('token %d of sequence %d', 1 + mod (k - 1, T), ceil (k / T));
part = find (any (none, 2) & ~all (none, 2), 1);
ap_refuse (fname, 'notFinite', ~isempty (part), ['%s is NaN in some of the %d outputs of %s: a token has a label ' ...
           'in all or in none'], name, shape(3), place (part));
none = all (none, 2);
beyond = true (T * P, 1);
beyond(many.place) = false;
wrong = find (beyond & ~none, 1);
ap_refuse (fname, 'badValue', knows_none && ~isempty (wrong), ...
           '%s has a label at %s, which ends before it: NaN, or '''' of words, means none', name, place (wrong));
wrong = [];
if isfloat (flat), wrong = find (any (isinf (flat), 2), 1); end
ap_refuse (fname, 'notFinite', ~isempty (wrong), ...
           '%s must be finite, or NaN where there is no label, but is infinite at %s', name, place (wrong));
there = ~none(many.place);
if ~any (there), ap_fail (fname, 'empty', '%s has no label at any of %d tokens', name, numel (there)); end
[values, classes] = ap_labels (fname, name, flat(many.place(there),:), sum (there), more{:});
y = NaN (numel (there), size (values, 2));
y(there,:) = values;
end

function check_kind (fname, name, y, P)
% Words in the rows of a char array; and labels of several examples instead of one
ap_refuse (fname, 'badClass', ischar (y) && (P == 1 || size (y, 1) > 1 || numel (y) == P), ...
           '%s is text, %s: words that are classes come in a cell, see cellstr', name, {y});
ap_refuse (fname, 'badShape', P == 1 && numel (y) > 1 && (iscolumn (y) || iscell (y)) && ~issparse (y), ['%s has ' ...
           '%d labels, and there is one example: the examples are the pages of X, N0 x T x P. If each column of X ' ...
           'is an example of one token, reshape (X, size (X, 1), 1, %d); if it is a sequence, reshape (X, N0, T, ' ...
           '%d)'], name, numel (y), numel (y), numel (y));
end

function remark (fname, name, y)
% Whole numbers, few of them, each for several examples: perhaps they are classes. -1 and +1 are, and are understood
if size (y, 2) > 1 || all (abs (y) == 1) || any (abs (y) > 1e6 | y ~= round (y)), return; end
values = unique (y);
if numel (values) < 2 || numel (values) > min (20, numel (y) / 2), return; end
warning (['attnpath:' fname ':realLabels'], ['attnpath_%s: %s holds the numbers %s, and they are learned as ' ...
         'numbers: give ''Classes'', true if they are classes, ''Classes'', false to suppress this'], fname, ...
         name, ap_class_text (values));
end
