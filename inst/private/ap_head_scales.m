function scale = ap_head_scales (fname, name, of, H)
%AP_HEAD_SCALES  Prior scales of heads (T34), checked; 1 where there are none. An error reports what is wrong.
%
%   scale = AP_HEAD_SCALES (fname, name, of, H)
%   Inputs :  of, network, path inputs or moments, whose field headscale is {1 x H_1, ..., 1 x H_L}, from 0 to 1e15;
%             name, of the field, for the message;  H, 1 x L head counts
%   Outputs:  scale, 1 x L cell of rows
%   Errors:   attnpath:<fname>: badClass, badShape, and those of ap_check_value
%   See also attnpath_net, ap_path_scale, ap_note_head_scales.

% SPDX-License-Identifier: BSD-3-Clause

L = numel (H);
if ~isfield (of, 'headscale')
  scale = arrayfun (@(H) ones (1, H), H, 'UniformOutput', false);
  return
end
scale = of.headscale;
if ~iscell (scale) || ~isvector (scale) || numel (scale) ~= L
  what = ap_either (iscell (scale), 'badShape', 'badClass');
  ap_fail (fname, what, '%s must be a 1 x %d cell, a row of numbers for each layer, not %s', name, L, {scale});
end
scale = reshape (scale, 1, L);
for l = 1:L
  scale{l} = ap_check_value (fname, sprintf ('%s{%d}', name, l), scale{l}, 'row', {H(l), 0, 1e15});
end
end
