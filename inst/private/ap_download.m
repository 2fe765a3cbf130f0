function ap_download (fname, url, target, bytes, digest, check)
%AP_DOWNLOAD  Fetch a file that then is whole and the right one, or is not there at all.
%
%   AP_DOWNLOAD (fname, url, target, bytes, digest, check)
%   Inputs :  fname, stem of the calling function
%             url, http, https, ftp or file
%             target, name of the file to be; its folder is made if it is missing
%             bytes, digest, size and SHA-256 of the file, [] and '' where they are not known
%             check, function of a file's name that raises an error if the file is not good
%   Errors:   attnpath:<fname>: noNetwork, badDownload, file, and those of check
%   The file is fetched under another name, and renamed when it has passed all checks. Neither Octave nor MATLAB can
%   resume a transfer: one that broke off leaves nothing, and the next call begins again. If target is there already,
%   nothing is done.
%   See also ap_cache_folder, ap_sha256.

% SPDX-License-Identifier: BSD-3-Clause

if exist (target, 'file'), return; end
folder = fileparts (target);
if ~exist (folder, 'dir')
  [ok, why] = mkdir (folder);
  ap_refuse (fname, 'file', ~ok, 'the folder %s cannot be made: %s', folder, why);
end
temporary = [tempname(folder) '.part'];
tidy = onCleanup (@() ap_delete (temporary));
try
  if exist ('OCTAVE_VERSION', 'builtin') || strncmpi (url, 'file:', 5)
    urlwrite (url, temporary);                             % Octave has no websave
  else
    websave (temporary, url);                              % MATLAB advises against urlwrite, and will drop it
  end
catch err
  ap_fail (fname, 'noNetwork', ['%s cannot be fetched (%s). The file may also be fetched by other means, and put ' ...
           'into %s'], url, err.message, folder);
end

found = dir (temporary);
ap_refuse (fname, 'badDownload', isempty (found), '%s gave no file', url);
ap_refuse (fname, 'badDownload', ~isempty (bytes) && found.bytes ~= bytes, ...
           '%s gave %.0f bytes, not %.0f: nothing is kept of it, try again', url, found.bytes, bytes);
if ~isempty (digest)
  has = ap_sha256 (ap_bytes (temporary, Inf));
  ap_refuse (fname, 'badDownload', ~strcmp (has, digest), '%s has SHA-256 %s, not %s: nothing is kept of it', url, ...
             has, digest);
end
check (temporary);
[failed, why] = ap_rename (temporary, target);
if failed, ap_fail (fname, 'file', '%s cannot be written: %s', target, why); end
end
