function y = ap_labels (fname, name, y, P)
%AP_LABELS  Labels of P examples, as P x 1 double, or an error: the one door through which labels enter.
%
%   y = AP_LABELS (fname, name, y, P)
%   Inputs :  fname, stem of the calling function;  name, of the argument, for the message;  P, number of examples
%   Errors:   attnpath:<fname>: those of ap_check_array
%   Example:  y = ap_labels ('align', 'y', y, size (K, 1));
%   See also ap_examples, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

y = ap_check_array (fname, name, y, {P, 1});
end
