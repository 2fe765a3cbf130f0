function error_bars (ax, x, y, half, ink, width, cap)
%ERROR_BARS  Upright bars from y - half to y + half.
%
%   error_bars (ax, x, y, half, ink, width)
%   error_bars (ax, x, y, half, ink, width, cap)
%   Inputs :  x, y, half, vectors;  ink, colour;  width, of the lines;  cap, the ends of the bars reach from
%             x (1 - cap) to x (1 + cap), for a logarithmic x axis (default 0: no ends)

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 7, cap = 0; end
for k = 1:numel (x)
  ends = y(k) + half(k) * [-1 1];
  line ([1 1] * x(k), ends, 'parent', ax, 'color', ink, 'linewidth', width);
  for at = ends(1:2 * (cap > 0))
    line (x(k) * (1 + cap * [-1 1]), [at at], 'parent', ax, 'color', ink, 'linewidth', width);
  end
end
end
