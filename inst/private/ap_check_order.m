function order = ap_check_order (fname, name, order, net, C)
%AP_CHECK_ORDER  The order parameters {U_1, ..., U_L} of a network, checked; an error reports what is wrong.
%
%   order = AP_CHECK_ORDER (fname, name, order, net, C)
%   Outputs:  1 x L cell of symmetric positive definite matrices, U_l of size Pi_l, see ap_path_count; of C > 1
%             coupled outputs 1 x (L+1), U_l of size Pi_l C, the readout's matrix last
%             Where layer l has a skip connection U_{l+1} must be the leading block of U_l
%   Errors:   attnpath:<fname>: badClass, badShape, badValue, and those of ap_check_symmetric
%   Example:  order = ap_check_order ('action', 'order', order, net, 1);
%   See also ap_check_symmetric.

% SPDX-License-Identifier: BSD-3-Clause

members = net.L + (C > 1);
if ~iscell (order) || numel (order) ~= members
  what = ap_either (iscell (order), 'badShape', 'badClass');
  ap_fail (fname, what, '%s must be a 1 x %d cell {U_1, U_2, ...}, not %s', name, members, {order});
end
order = order(:)';
rows = ap_path_count (net, 1:members) * C;
for l = 1:members
  order{l} = ap_check_symmetric (fname, sprintf ('%s{%d}', name, l), order{l}, rows(l), 'definite');
end
skip = net.skip;
for l = find (skip(1:members-1) > 0)
  n = size (order{l+1}, 1);
  off = order{l}(1:n,1:n) - order{l+1};
  ap_refuse (fname, 'badValue', max (abs (off(:))) > 1e-6 * max (abs (order{l+1}(:))), ['%s{%d} must be the first ' ...
             '%d rows and columns of %s{%d}, for layer %d has a skip connection: an entry is off by %.3g'], name, ...
             l + 1, n, name, l, l, max (abs (off(:))));
end
end
