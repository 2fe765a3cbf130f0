function [y, classes] = ap_classes (fname, name, y, wanted, all_there)
%AP_CLASSES  Labels that are classes, coded as real numbers, and the classes. Numbers stay unchanged.
%
%   [y, classes] = AP_CLASSES (fname, name, y, wanted, all_there)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for messages;  y, labels: numbers in double
%             or single; or classes, as a cell of texts, logical, an integer type, MATLAB's categorical or string;
%             wanted, the option 'Classes' of the caller: true, y of any type is classes; false, y is numbers; a list,
%             these are the classes, in this order; [], by the type of y. all_there, false: a class may have no
%             example, as in a test set or in one part of the data
%   Outputs:  y, as it was where it is numbers; otherwise P x 1 for two classes, the first -1, the second +1, and
%             P x C for more: 1 in the column of the class, -1/(C-1) in the others;  classes, C x 1 of the type of y, in
%             the order of the columns: sorted, or as the type or the list has them; [] where y is numbers
%   Errors:   attnpath:<fname>: badValue, tooFew, and those of ap_class_keys and ap_class_of
%
%   Why this code. The prior of every output has mean zero, and a network without a bias has no cheap way to a constant.
%   Of 0 and 1 the mean is 1/C, which the kernel would have to explain before it comes to differences of classes. Here
%   labels of as many examples of each class have mean zero in every column, each row adds up to zero, and the two
%   columns of C = 2 are the labels -1 and +1 of one output and their negatives: one output is sufficient.
%   It is C/(C-1) times 0 and 1, minus the mean. P x C numbers of another code and scale may be given as they are.
%   Example:  [y, classes] = ap_classes ('solve', 'y', {'b'; 'a'; 'b'}, [], true);      % [1; -1; 1], {'a'; 'b'}
%   See also ap_labels, ap_class_of, ap_class_decide.

% SPDX-License-Identifier: BSD-3-Clause

classes = [];
if iscell (wanted) && all (cellfun (@(v) isnumeric (v) && numel (v) == 1, wanted(:))), wanted = [wanted{:}]'; end
given = ~isempty (wanted) && ~is_flag (wanted);
ap_refuse (fname, 'badValue', ischar (wanted) && size (wanted, 1) > 1, ...
           'Classes is %s: words come in a cell, cellstr (..)', {wanted});
ap_refuse (fname, 'badValue', ischar (wanted) || (is_flag (wanted) && wanted ~= 0 && wanted ~= 1), ...
           'Classes must be true, false or a list of classes, not %s', {wanted});
% A single text is no label, but the name of an option that was taken for one
whole = (islogical (y) || isinteger (y)) && ~issparse (y);
by_type = iscell (y) || whole || isa (y, 'categorical') || isa (y, 'string');
if is_flag (wanted) && ~wanted && by_type
  ap_fail (fname, 'badValue', ...
           '''Classes'', false means numbers in double, and %s is %s: leave the option out for classes', name, {y});
elseif ~by_type && ~given && (isempty (wanted) || ~wanted)
  return
end
[keys, known] = ap_class_keys (fname, name, y);
if given
  list = ap_class_keys (fname, 'Classes', wanted);
  if numel (unique (list)) < numel (list)
    ap_fail (fname, 'badValue', 'Classes lists a class twice: %s', ap_class_text (list));
  end
  number = ap_class_of (fname, name, y, wanted);
  classes = reshape (wanted, [], 1);
elseif ~isempty (known)
  [~, number] = ismember (keys, known);
  list = known;
  if islogical (y), list = [false; true]; end
else
  [list, ~, number] = unique (keys);
end
C = numel (list);
P = numel (number);
number = number(:);
[seen, first] = ismember ((1:C)', number);
if all_there || C < 2, check_counts (fname, name, list, seen, P, islogical (y) && ~given); end
if ~given && islogical (y)
  classes = [false; true];
elseif ~given && ~all (seen)              % of a categorical, whose type lists classes that are not there
  classes = categorical (list, list);
elseif ~given
  classes = reshape (y(first), [], 1);
end
y = 2 * number - 3;
if C > 2
  y = -ones (P, C) / (C - 1);
  y((1:P)' + P * (number - 1)) = 1;
end
end

function yes = is_flag (wanted)
yes = (islogical (wanted) || isnumeric (wanted)) && numel (wanted) == 1;
end

function check_counts (fname, name, list, seen, P, by_type)
C = numel (list);
if sum (seen) == 1 && (C == 1 || by_type)
  ap_fail (fname, 'tooFew', '%s has one class only, %s: at least two are needed', name, ap_class_text (list(seen)));
elseif C > P
  ap_fail (fname, 'tooFew', '%s has more classes than examples: %d classes, %d examples', name, C, P);
elseif ~all (seen)
  ap_fail (fname, 'tooFew', '%s has no example of class %s', name, ap_class_text (list(find (~seen, 1))));
end
end
