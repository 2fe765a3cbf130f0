function note_characters (fig, source)
%NOTE_CHARACTERS  Add a note at the foot of a page if its sequences are of made-up characters.
%
%   note_characters (fig, source)
%   Inputs :  source, text that describes the source of the sequences, as from attnpath_task_oneshot

% SPDX-License-Identifier: BSD-3-Clause

if ~strncmp (source, 'generator', 9), return; end
ax = axes ('parent', fig, 'position', [0 0 1 1], 'visible', 'off');
text (0.5, 0.006, 'Omniglot was not there: these are made-up characters, and no number here is one of the paper''s', ...
      'parent', ax, 'horizontalalignment', 'center', 'verticalalignment', 'bottom', 'fontsize', 9, ...
      'color', [0.80 0.10 0.10]);
end
