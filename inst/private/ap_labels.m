function y = ap_labels (fname, name, y, P, several)
%AP_LABELS  Labels of P examples, as P x 1 or P x C double, or an error: the one door through which labels enter.
%
%   y = AP_LABELS (fname, name, y, P)
%   y = AP_LABELS (fname, name, y, P, several)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  P, number of examples;
%             several, true where the caller can do with C outputs. A row of P labels is taken as a column
%   Errors:   attnpath:<fname>: those of ap_check_array; outputs, where several labels an example are too many
%   Example:  y = ap_labels ('align', 'y', y, size (K, 1));
%   See also ap_examples, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

if isfloat (y) && P > 1 && isequal (size (y), [1 P]), y = y(:); end
columns = 1;
if isfloat (y) && size (y, 1) == P && size (y, 2) > 1 && ndims (y) == 2
  columns = size (y, 2);
  if nargin < 5 || ~several
    ap_fail (fname, 'outputs', ['%s must be one label an example, %d x 1, not %s: attnpath_%s takes one output, each ' ...
             'column for itself'], name, P, ap_describe (y), fname);
  end
end
y = ap_check_array (fname, name, y, {P, columns});
end
