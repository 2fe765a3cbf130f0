function limit = ap_growth_limit ()
%AP_GROWTH_LIMIT  Size of U_1, over that in the GP limit, above which one search may miss a lower minimum: 100.
%
%   limit = AP_GROWTH_LIMIT ()
%   bench_starts.m has its table: below it 5 of 1284 problems had a lower minimum, above it 16 of 316.
%   See also ap_without, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause

limit = 100;
end
