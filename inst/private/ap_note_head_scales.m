function made = ap_note_head_scales (made, net)
%AP_NOTE_HEAD_SCALES  Path inputs, or moments, with a field of the head scales that they contain.
%
%   made = AP_NOTE_HEAD_SCALES (made, net)
%   Outputs:  made, with the field headscale of net where not all scales are 1, and without it where they are
%   See also ap_head_scales, ap_rescale.

% SPDX-License-Identifier: BSD-3-Clause

scale = net.headscale;
if any ([scale{:}] ~= 1)
  made.headscale = scale;
elseif isfield (made, 'headscale')
  made = rmfield (made, 'headscale');
end
end
