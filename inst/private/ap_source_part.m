function part = ap_source_part (fname, source, k)
%AP_SOURCE_PART  What the user's source returns for part k, unchecked.
%
%   part = AP_SOURCE_PART (fname, source, k)
%   Errors:   attnpath:<fname>: badSource, and those of attnpath_source
%   See also ap_check_part, attnpath_source.

% SPDX-License-Identifier: BSD-3-Clause

ap_refuse (fname, 'badSource', strncmp (func2str (source), '@()', 3), ['a source must take the number of a part, ' ...
           'such as @(k) parts{k}, and %s takes nothing'], func2str (source));
try
  part = source (k);
catch err
  if ~isempty (regexp (err.identifier, ['^attnpath:(source|' fname '):'], 'once')), rethrow (err); end       % our own
  ap_fail (fname, 'badSource', 'source (%d) failed: %s', k, err.message);
end
end
