function panel_letter (ax, letter, height)
%PANEL_LETTER  The letter of a panel, in bold and brackets, above the upper left corner of its axes.
%
%   panel_letter (ax, letter)
%   panel_letter (ax, letter, height)
%   Inputs :  height, of the letter, in heights of the axes: 1.07 where nothing is said

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 3, height = 1.07; end
page = get (get (ax, 'parent'), 'papersize');
place = get (ax, 'position');
text (-0.55 / (page(1) * place(3)), height, ['(' letter ')'], 'parent', ax, 'units', 'normalized', ...
      'fontweight', 'bold', 'fontsize', 12);                         % 0.55 inches to the left, on every panel
end
