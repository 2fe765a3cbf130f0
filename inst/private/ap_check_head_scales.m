function scale = ap_check_head_scales (fname, name, scale, H)
%AP_CHECK_HEAD_SCALES  Prior scales of heads, one row for each layer, checked; an error reports what is wrong.
%
%   scale = AP_CHECK_HEAD_SCALES (fname, name, scale, H)
%   Inputs :  scale, cell {1 x H_1, ..., 1 x H_L}, from 0 to 1e15;  H, 1 x L head counts
%   Outputs:  scale, 1 x L cell of rows
%   Errors:   attnpath:<fname>: badClass, badShape, and those of ap_check_value
%   See also attnpath_net, ap_head_scales.

% SPDX-License-Identifier: BSD-3-Clause

L = numel (H);
if ~iscell (scale)
  ap_fail (fname, 'badClass', '%s must be a cell with a row of numbers for each layer, not %s', name, ...
           ap_describe (scale));
elseif ~isvector (scale) || numel (scale) ~= L
  ap_fail (fname, 'badShape', '%s must be a 1 x %d cell, a row of numbers for each layer, not %s', name, L, ...
           ap_describe (scale));
end
scale = reshape (scale, 1, L);
for l = 1:L
  scale{l} = ap_check_value (fname, sprintf ('%s{%d}', name, l), scale{l}, 'row', {H(l), 0, 1e15});
end
end
