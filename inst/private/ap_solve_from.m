function sol = ap_solve_from (net, given, y, start, varargin)
%AP_SOLVE_FROM  A solution among many, for its criterion: from a start, without a certificate.
%
%   sol = AP_SOLVE_FROM (net, given, y, start)
%   sol = AP_SOLVE_FROM (net, given, y, start, Name, Value, ...)      with more options of attnpath_solve
%   Inputs :  given, paths struct or moments;  y, labels, not looked at beside moments;  start, option 'Start' of
%             attnpath_solve
%   The warning attnpath:solve:noise stays away: the user knows it from the solution that the others begin with.
%   See also ap_without_head.

% SPDX-License-Identifier: BSD-3-Clause

if ap_is_moments (given), y = {}; else, y = {y}; end
saved = warning ('off', 'attnpath:solve:noise');
back = onCleanup (@() warning (saved));
sol = attnpath_solve (net, given, y{:}, 'Start', start, 'Certificate', false, 'Display', false, varargin{:});
end
