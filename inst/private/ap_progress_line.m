function told = ap_progress_line (told, shown, format, varargin)
%AP_PROGRESS_LINE  A line of progress, if one is due: after two seconds, then more seldom, at least every eight.
%
%   told = AP_PROGRESS_LINE ()                                    where the work begins
%   told = AP_PROGRESS_LINE (told, shown, format, value, ...)
%   Inputs :  told, of the last call;  shown, whether lines are wanted at all;  format and values, of the line,
%             without its end, which is the time since the work began
%   Outputs:  told, of the next call: when the work began, and the seconds after which the last line was told
%   For work that ap_run does not cut into chunks.
%   See also ap_run.

% SPDX-License-Identifier: BSD-3-Clause

if nargin == 0, told = struct ('begun', tic (), 'at', 0); return; end
if ~shown, return; end
after = toc (told.begun);
if after >= told.at && after < min (max (2, 2 * told.at), told.at + 8), return; end      % or was the clock set back?
told.at = after;
fprintf ([format ', after %.0f s\n'], varargin{:}, after);
ap_flush ();
end
