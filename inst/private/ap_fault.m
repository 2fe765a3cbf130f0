function what = ap_fault (value, of_class, of_shape)
%AP_FAULT  The fault of a value: the last part of an error's id, in the order of ap_check_array.
%
%   what = AP_FAULT (value, of_class, of_shape)
%   Inputs :  of_class, of_shape, whether value has the class and the shape wanted
%   Outputs:  'sparse', 'badClass', 'notReal', 'empty', 'badShape', or '' where it is none of these
%   See also ap_check_value, ap_check_array.

% SPDX-License-Identifier: BSD-3-Clause

words = {'sparse', 'badClass', 'notReal', 'empty', 'badShape', ''};
what = words{find([issparse(value), ~of_class, ~isreal(value), isempty(value), ~of_shape, true], 1)};
end
