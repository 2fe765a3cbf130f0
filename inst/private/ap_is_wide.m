function yes = ap_is_wide (net, order)
%AP_IS_WIDE  Whether no order parameter is singular, as (T25) and expansions need: widths N_l >= rows of U_l.
%
%   yes = AP_IS_WIDE (net, order)
%   See also attnpath_evidence, attnpath_expand, ap_sampling_needs.

% SPDX-License-Identifier: BSD-3-Clause

yes = all (net.width(1:numel (order)) >= cellfun (@(U) size (U, 1), order));
end
