function ap_flush ()
%AP_FLUSH  Show at once what has been printed. MATLAB does so by itself.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); end
end
