function yes = drawable ()
% DRAWABLE  Whether this Octave can draw.

% SPDX-License-Identifier: BSD-3-Clause

yes = ~isempty (available_graphics_toolkits ());
end
