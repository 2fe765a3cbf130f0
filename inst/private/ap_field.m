function value = ap_field (s, name, usual)
%AP_FIELD  A field of a struct that may lack it.
%
%   value = AP_FIELD (s, name, usual)
%   Outputs:  value, of the field; usual where there is none
%   Example:  noise = ap_field (model, 'noise', []);      % of a model that was given none

% SPDX-License-Identifier: BSD-3-Clause

value = usual;
if isfield (s, name), value = s.(name); end
end
