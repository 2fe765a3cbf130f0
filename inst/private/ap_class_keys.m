function [keys, known] = ap_class_keys (fname, name, values)
%AP_CLASS_KEYS  Class labels of any type, as what can be compared: a cell of texts, or numbers.
%
%   [keys, known] = AP_CLASS_KEYS (fname, name, values)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  values, a vector: cell of
%             texts, logical, numbers of any type, MATLAB's categorical or string
%   Outputs:  keys, n x 1 cell of texts or double;  known, the classes that the type itself lists, in its order, as keys
%             are: false and true, or the categories; [] if values alone define them
%   Errors:   attnpath:<fname>: badClass, where texts are mixed with others, badShape, empty (no label, or an example
%             without a class), notFinite, notReal, sparse
%   See also ap_classes, ap_class_of.

% SPDX-License-Identifier: BSD-3-Clause

known = [];
if isa (values, 'categorical')
  known = reshape (categories (values), [], 1);
  lost = find (isundefined (values(:)), 1);
  keys = cellstr (values(:));
elseif isa (values, 'string')
  lost = find (ismissing (values(:)) | strlength (values(:)) == 0, 1);
  if isempty (lost), keys = cellstr (values(:)); end
elseif iscell (values)
  keys = texts (fname, name, values(:));
  lost = find (cellfun (@isempty, strtrim (keys)), 1);
elseif (isnumeric (values) || islogical (values)) && ~issparse (values) && isreal (values)
  lost = [];
  keys = double (values(:));
  far = find (abs (keys) >= 2 ^ 53, 1);
  ap_refuse (fname, 'badValue', isinteger (values) && ~isempty (far), ['%s holds the class %s at element %d: whole ' ...
             'numbers of 2^53 or more are not told apart here, give texts instead'], name, ...
             sprintf ('%d', values(far)), far);
  if islogical (values), known = [0; 1]; end
else
  keys = ap_check_array (fname, name, values, {'P', 1});       % which refuses it, or takes what behaves like numbers
end
ap_refuse (fname, 'empty', numel (values) == 0, '%s is %s', name, {values});
ap_refuse (fname, 'badShape', ndims (values) > 2 || min (size (values)) > 1, ['%s holds classes, and must be ' ...
           'P x 1, not %s: several outputs for each example are numbers in double'], name, {values});
ap_refuse (fname, 'empty', ~isempty (lost), '%s has no class at element %d: it is empty, blank or undefined', ...
           name, lost);
if isnumeric (keys), lost = find (~isfinite (keys), 1); end
ap_refuse (fname, 'notFinite', ~isempty (lost), '%s has no class at element %d: it is %g', name, lost, ...
           keys(lost));
end

function values = texts (fname, name, values)
if iscellstr (values), return; end
is_text = cellfun (@(v) ischar (v) && (size (v, 1) == 1 || isempty (v)), values);
ap_refuse (fname, 'badClass', ~any (is_text), ['%s must be numbers, or classes such as a cell of texts, not a cell ' ...
           'of others: element 1 is %s'], name, {values{1}});
k = find (~is_text, 1);
ap_fail (fname, 'badClass', '%s mixes types: some of its elements are texts, but element %d is %s', name, k, ...
         {values{k}});
end
