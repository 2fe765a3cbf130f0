function told = ap_progress_line (told, after, format, varargin)
%AP_PROGRESS_LINE  A line of progress, if one is due: after two seconds, then more seldom, at least every eight.
%
%   told = AP_PROGRESS_LINE (told, after, format, value, ...)
%   Inputs :  told, seconds after which the last line was told, 0 where there was none;  after, seconds since the work
%             began;  format and values, of the line, without its end, which is the time
%   Outputs:  told, of the next call
%   For work that ap_run does not cut into chunks.
%   See also ap_run.

% SPDX-License-Identifier: BSD-3-Clause

if after >= told && after < min (max (2, 2 * told), told + 8), return; end        % before: the clock was set back
told = after;
fprintf ([format ', after %.0f s\n'], varargin{:}, after);
ap_flush ();
end
