function label_axes (ax, letter, heading, x, y, height)
%LABEL_AXES  Letter, heading and labels of a panel; those that are empty stay as they are.
%
%   label_axes (ax, letter, heading, x, y)
%   label_axes (ax, letter, heading, x, y, height)
%   Inputs :  letter, for the upper left corner, in bold and brackets;  heading, above;  x, y, below and beside;
%             height, of the letter, in heights of the axes: 1.07 where nothing is said

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 6, height = 1.07; end
if ~isempty (heading), title (ax, heading, 'fontweight', 'normal', 'fontsize', 10); end
if ~isempty (x), xlabel (ax, x); end
if ~isempty (y), ylabel (ax, y); end
page = get (get (ax, 'parent'), 'papersize');
place = get (ax, 'position');
text (-0.55 / (page(1) * place(3)), height, ['(' letter ')'], 'parent', ax, 'units', 'normalized', ...
      'fontweight', 'bold', 'fontsize', 12);                         % 0.55 inches to the left, on every panel
end
