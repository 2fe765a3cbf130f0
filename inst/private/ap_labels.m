function [y, classes] = ap_labels (fname, name, y, P, several, wanted, all_there)
%AP_LABELS  Labels of P examples, as P x 1 or P x C double, or an error: the one door through which labels enter.
%
%   y = AP_LABELS (fname, name, y, P)
%   [y, classes] = AP_LABELS (fname, name, y, P, several, wanted)
%   [y, classes] = AP_LABELS (fname, name, y, P, several, wanted, all_there)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  P, number of examples;
%             several, true where the caller can do with C outputs;  wanted and all_there, as for ap_classes. Where
%             wanted is given, by a function with an option 'Classes', numbers that may be classes raise a warning
%             that names it
%   Outputs:  y, numbers as they are, a row as a column, or classes coded by ap_classes;  classes, C x 1, or []
%   Errors:   attnpath:<fname>: those of ap_classes and ap_check_array; outputs, where several labels an example are too
%             many
%   Example:  y = ap_labels ('align', 'y', y, size (K, 1));
%   See also ap_examples, ap_classes, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

asked = nargin > 5;
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
  ap_fail (fname, 'badShape', '%s must be %d x 1, a class for each example, not %s', name, P, ap_describe (given));
end
if isfloat (y) && P > 1 && isrow (y) && numel (y) == P, y = y(:); end
columns = 1;
if isfloat (y) && size (y, 1) == P && size (y, 2) > 1 && ndims (y) == 2
  columns = size (y, 2);
  if (nargin < 5 || ~several) && ~isempty (classes)
    ap_fail (fname, 'outputs', '%s has %d classes, and attnpath_%s takes one output, which distinguishes two', name, ...
             columns, fname);
  elseif nargin < 5 || ~several
    ap_fail (fname, 'outputs', ['%s must be one label an example, %d x 1, not %s: attnpath_%s takes one output, ' ...
             'each column for itself'], name, P, ap_describe (y), fname);
  end
end
y = ap_check_array (fname, name, y, {P, columns});
if ~isfinite (sum (y(:) .^ 2))
  [~, at] = max (abs (y(:)));
  ap_fail (fname, 'notFinite', ['%s has the value %g at element %d, and squares of labels overflow: bring the ' ...
           'labels and the tokens to a size near 1'], name, y(at), at);
end
if asked && isempty (wanted) && isempty (classes), remark (fname, name, y); end
end

function check_kind (fname, name, y, P)
% Words in the rows of a char array; and labels of several examples instead of one
if ischar (y) && (P == 1 || size (y, 1) > 1 || numel (y) == P)
  ap_fail (fname, 'badClass', '%s is text, %s: words that are classes come in a cell, see cellstr', name, ...
           ap_describe (y));
elseif P == 1 && numel (y) > 1 && (iscolumn (y) || iscell (y)) && ~issparse (y)
  ap_fail (fname, 'badShape', ['%s has %d labels, and there is one example: the examples are the pages of ' ...
           'X, N0 x T x P. If each column of X is an example of one token, reshape (X, size (X, 1), 1, %d); if it ' ...
           'is a sequence, reshape (X, N0, T, %d)'], name, numel (y), numel (y), numel (y));
end
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
