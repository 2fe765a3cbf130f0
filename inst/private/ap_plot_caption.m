function ap_plot_caption (ax, where, words)
%AP_PLOT_CAPTION  Title or label, in the type size of the axes.
%
%   AP_PLOT_CAPTION (ax, where, words)      where: 'title', 'xlabel' or 'ylabel';  words: a cell of several lines
%   Octave gives gnuplot the ends of lines as they are, and gnuplot reads what follows as a command: it takes \n.

% SPDX-License-Identifier: BSD-3-Clause

if iscell (words) && ap_plot_by_gnuplot (ax), words = strjoin (words, '\\n '); end
set (get (ax, where), 'string', words, 'fontsize', get (ax, 'fontsize'), 'fontweight', 'normal');
end
