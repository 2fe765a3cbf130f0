function ap_plot_caption (ax, where, words)
%AP_PLOT_CAPTION  Title or label, in the type size of the axes.
%
%   AP_PLOT_CAPTION (ax, where, words)      where: 'title', 'xlabel' or 'ylabel';  words: a cell of several lines

% SPDX-License-Identifier: BSD-3-Clause

set (get (ax, where), 'string', words, 'fontsize', get (ax, 'fontsize'), 'fontweight', 'normal');
end
