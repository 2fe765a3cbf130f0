function label_axes (ax, letter, heading, x, y, height)
%LABEL_AXES  Letter, heading and labels of a panel; an empty heading or label is left unchanged.
%
%   label_axes (ax, letter, heading, x, y)
%   label_axes (ax, letter, heading, x, y, height)
%   Inputs :  letter, for the upper left corner, in bold and brackets;  heading, above;  x, y, labels of the axes;
%             height, of the letter, in heights of the axes (default 1.07)

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
