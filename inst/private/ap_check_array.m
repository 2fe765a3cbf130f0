function value = ap_check_array (fname, name, value, sizes, unread)
%AP_CHECK_ARRAY  A real, finite, full array of the shape wanted, as double, checked; an error reports what is wrong.
%
%   value = AP_CHECK_ARRAY (fname, name, value, sizes)
%   value = AP_CHECK_ARRAY (fname, name, value, sizes, unread)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  sizes, cell
%             with a number for each size that is known, and a letter for each that is free;  unread, true where
%             a gateway comes next, and tests whether all of it is finite
%   Errors:   attnpath:<fname>: badClass, sparse, notReal, empty, badShape, notFinite
%   Example:  X = ap_check_array ('paths', 'X', X, {net.N0, 'T', 'P'});
%   See also ap_check_value, ap_check_symmetric.

% SPDX-License-Identifier: BSD-3-Clause

rank = numel (sizes);
known = ~cellfun ('isclass', sizes, 'char');
shape = size (value);
shape(end+1:rank) = 1;
if ~(isfloat (value) && isreal (value) && ~issparse (value) && ~isempty (value) && numel (shape) == rank ...
     && all (shape(known) == [sizes{known}]))
  refuse (fname, name, value, sizes);
end
if nargin < 5 || ~unread
  % Summing squares is several times faster than testing elements. Not of long columns: these get threads of BLAS,
  % which wait for each other where other work has the cores
  columns = value(:,:);
  if size (columns, 1) == 1 || size (columns, 1) > 1e4
    total = sum (columns(:));
  else
    total = sum (dot (columns, columns));
  end
  if ~isfinite (total) && ~all (isfinite (value(:)))
    first = find (~isfinite (value(:)), 1);
    ap_fail (fname, 'notFinite', '%s must be finite, but element %d is %g%s', name, first, value(first), ...
             place_of (value, first));
  end
end
value = double (value);
end

function text = place_of (value, first)
% Row, column, .. of an element, unless its number alone is enough
text = '';
if isvector (value), return; end
at = cell (1, ndims (value));
[at{:}] = ind2sub (size (value), first);
text = sprintf (', at (%s)', strjoin (cellfun (@(k) sprintf ('%d', k), at, 'UniformOutput', false), ','));
end

function refuse (fname, name, value, sizes)
% Called only when something is wrong: the first thing that is
ap_refuse (fname, 'sparse', issparse (value), '%s must be full, not sparse', name);
ap_refuse (fname, 'badClass', ~isfloat (value), '%s must be double or single, not %s', name, {value});
ap_refuse (fname, 'notReal', ~isreal (value), '%s must be real, not complex', name);
ap_refuse (fname, 'empty', isempty (value), '%s is %s', name, {value});
text = cellfun (@(s) num2str (s), sizes, 'UniformOutput', false);
if numel (sizes) == 3 && strcmp (sizes{2}, 'T')
  text = strcat (text, {' features', ' tokens', ' examples'});
elseif numel (sizes) == 3 && strcmp (sizes{2}, 'P')
  text = strcat (text, {' features', ' examples', ' paths'});
end
ap_fail (fname, 'badShape', '%s must be %s, not %s', name, strjoin (text, ' x '), {value});
end
