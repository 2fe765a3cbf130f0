function save_figure (fig, folder, name)
%SAVE_FIGURE  Write a figure as NAME.png, 150 dots per inch, and NAME.pdf; then close it.
%
%   save_figure (fig, folder, name)
%   A PDF needs ghostscript.

% SPDX-License-Identifier: BSD-3-Clause

file = fullfile (folder, name);
print (fig, [file '.png'], '-dpng', '-r150');
fprintf ('\nwrote %s\n', [file '.png']);
print (fig, [file '.pdf'], '-dpdf');
fprintf ('wrote %s\n', [file '.pdf']);
close (fig);
end
