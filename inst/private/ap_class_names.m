function names = ap_class_names (classes)
%AP_CLASS_NAMES  Classes as texts, for axes and tables.
%
%   names = AP_CLASS_NAMES (classes)
%   Inputs :  classes, of any type of ap_class_keys, such as sol.classes
%   Outputs:  C x 1 cell of texts
%   Example:  ap_class_names ([-1; 1])'        % -1 1, as texts
%   See also ap_class_keys, ap_class_text.

% SPDX-License-Identifier: BSD-3-Clause

if isnumeric (classes), classes = double (classes); end
if isfloat (classes) || islogical (classes)
  names = arrayfun (@ap_describe, classes(:), 'UniformOutput', false);
else
  names = cellstr (classes(:));
end
end
