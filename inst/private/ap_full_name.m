function name = ap_full_name (name)
%AP_FULL_NAME  The name of a file or folder from the root on, which is good in any folder; '' stays ''.
%   name = AP_FULL_NAME (name)
%   A ~ at its beginning is the home. MATLAB's names are not made free of dots.
%   See also ap_delete.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (name), return; end
if exist ('OCTAVE_VERSION', 'builtin')
  name = make_absolute_filename (tilde_expand (name));
elseif isempty (regexp (name, '^([/\\~]|[A-Za-z]:)', 'once'))
  name = fullfile (pwd (), name);
end
end
