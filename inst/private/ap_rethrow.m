function ap_rethrow (fname, err, more)
%AP_RETHROW  An error of another function, in the name of the one that the user called.
%
%   AP_RETHROW (fname, err)
%   AP_RETHROW (fname, err, more)
%   Inputs :  fname, stem of the function that the user called;  err, what was caught;  more, put behind its sentence
%   The middle part of an id attnpath:stem:what becomes fname. Other ids are left as they are.
%   See also ap_fail.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 3, more = ''; end
what = regexp (err.identifier, '^attnpath:\w+:(\w+)$', 'tokens', 'once');
message = [regexprep(err.message, '^attnpath_\w+: ', ''), more];
if isempty (what), error (struct ('message', message, 'identifier', err.identifier)); end
what = what{1};
ap_fail (fname, what, '%s', message);
end
