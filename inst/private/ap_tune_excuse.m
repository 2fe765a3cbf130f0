function why = ap_tune_excuse (err)
%AP_TUNE_EXCUSE  What numbers at one point of a search can bring about, in words; any other error is raised.
%
%   why = AP_TUNE_EXCUSE (err)
%   See also attnpath_tune, ap_tune_point.

% SPDX-License-Identifier: BSD-3-Clause

known = any (strcmp (regexprep (err.identifier, '.*:', ''), {'notPositiveDefinite', 'notFinite'}));
if ~known && ~attnpath_interrupt_mex ('seen'), ap_rethrow ('tune', err); end
why = regexprep (err.message, '^attnpath_\w+: ', '');
end
