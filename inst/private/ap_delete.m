function ap_delete (name)
%AP_DELETE  Delete a file, if it is there.
%   AP_DELETE (name)
%   Octave's delete takes a star and brackets in a name as patterns, and deletes what fits.
%   See also ap_full_name.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  [~, ~] = unlink (tilde_expand (name));
elseif isfile (name)
  delete (name);
end
end
