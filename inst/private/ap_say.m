function ap_say (fname, shown, format, varargin)
%AP_SAY  Prints a line under the caller's name, at once, if a condition holds.
%
%   AP_SAY (fname, shown, format, ...)
%   Inputs :  fname, stem of the calling function;  shown, the condition;  format, ... as for sprintf, without the
%             end of the line. They are evaluated in any case
%   Example:  ap_say ('sweep', opt.Display, '%d of %d cells have their files', k, total);
%   See also ap_progress_line, ap_fail.

% SPDX-License-Identifier: BSD-3-Clause

if ~shown, return; end
fprintf (['attnpath_%s: ' format '\n'], fname, varargin{:});
ap_flush ();
end
