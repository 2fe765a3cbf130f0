function ap_check_fields (fname, name, value, fields, origin)
%AP_CHECK_FIELDS  An error unless a value is one struct with these fields.
%
%   AP_CHECK_FIELDS (fname, name, value, fields, origin)
%   Inputs :  name, of the argument, for the message;  fields, cell of names;  origin, the function that makes such
%             structs
%   Errors:   attnpath:<fname>: badClass, missingField

% SPDX-License-Identifier: BSD-3-Clause

ap_refuse (fname, 'badClass', ~isstruct (value) || numel (value) ~= 1, '%s must be one struct, from %s, not %s', ...
           name, origin, {value});
missing = find (~isfield (value, fields), 1);
ap_refuse (fname, 'missingField', ~isempty (missing), '%s has no field %s: it must come from %s', name, ...
           fields{missing}, origin);
end
