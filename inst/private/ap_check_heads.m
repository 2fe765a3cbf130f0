function heads = ap_check_heads (fname, name, heads, H, once)
%AP_CHECK_HEADS  Rows [layer head] that name heads of a network, or rows of attnpath_scores with 'Groups'.
%
%   heads = AP_CHECK_HEADS (fname, name, heads, H)
%   heads = AP_CHECK_HEADS (fname, name, heads, H, 'once')
%   Inputs :  name, of the argument in messages;  heads, k x 2, [] for none;  H, 1 x L head counts. 'once': a head that
%             comes twice is refused, and so is a part of a group, in rows [layer head score error group size]
%   Outputs:  heads, k x 2, double
%   Errors:   attnpath:<fname>: badClass, badShape, notFinite, badValue
%   See also ap_head_list.

% SPDX-License-Identifier: BSD-3-Clause

if isnumeric (heads) && isempty (heads)
  heads = zeros (0, 2);
  return
end
group = zeros (0, 3);
if isnumeric (heads) && size (heads, 2) == 6, [group, heads] = deal (double (heads(:,[1 5 6])), heads(:,1:2)); end
ap_refuse (fname, 'badShape', isnumeric (heads) && size (heads, 2) ~= 2, ...
           '%s must be k x 2, rows [layer head] such as [1 3; 1 4], not %s', name, {heads});
heads = ap_check_array (fname, name, heads, {'k', 2});
for k = 1:size (heads, 1)
  l = ap_check_value (fname, sprintf ('%s(%d,1), a layer,', name, k), heads(k,1), 'count', [1, numel(H)]);
  ap_check_value (fname, sprintf ('%s(%d,2), a head of layer %d,', name, k, l), heads(k,2), 'count', [1, H(l)]);
end
if nargin < 5, return; end
[~, first, of] = unique (heads, 'rows', 'first');
k = find (first(of) < (1:size (heads, 1))', 1);
ap_refuse (fname, 'badValue', ~isempty (k), '%s names head %d of layer %d twice, in rows %d and %d', name, ...
           heads(k,[2 1]), first(of(k)), k);
for row = group'
  count = sum (group(:,1) == row(1) & group(:,2) == row(2));
  ap_refuse (fname, 'badValue', count ~= row(3), ['%s has %d of the %d heads of group %d in layer %d, which are ' ...
             'removed together: take more rows, or fewer'], name, count, row([3 2 1]));
end
end
