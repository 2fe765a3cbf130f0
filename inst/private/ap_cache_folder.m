function folder = ap_cache_folder ()
%AP_CACHE_FOLDER  The user's folder for downloads of attnpath, or '' if the system has none.
%
%   folder = AP_CACHE_FOLDER ()
%   $XDG_CACHE_HOME/attnpath or ~/.cache/attnpath; on Windows %LOCALAPPDATA%\attnpath. It is not created here.
%   See also ap_download.

% SPDX-License-Identifier: BSD-3-Clause

base = getenv ('XDG_CACHE_HOME');
if ispc ()
  base = getenv ('LOCALAPPDATA');
elseif isempty (base) && ~isempty (getenv ('HOME'))
  base = fullfile (getenv ('HOME'), '.cache');
end
folder = '';
if ~isempty (base), folder = fullfile (base, 'attnpath'); end
end
