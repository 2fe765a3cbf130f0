function [mark, host] = ap_process ()
%AP_PROCESS  A name of this process that no other has: its host and its number.
%   [mark, host] = AP_PROCESS ()
%   See also ap_save, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause

persistent known
if isempty (known)
  if exist ('OCTAVE_VERSION', 'builtin')
    known = {regexprep(gethostname (), '[^\w.]', '_'), getpid()};
  else
    [~, unique_name] = fileparts (tempname ());
    known = {unique_name, feature('getpid')};
  end
end
host = known{1};
mark = sprintf ('%s-%d', known{:});
end
