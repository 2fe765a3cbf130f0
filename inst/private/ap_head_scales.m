function scale = ap_head_scales (net)
%AP_HEAD_SCALES  Prior scales of the heads of a network, default 1 (T34).
%
%   scale = AP_HEAD_SCALES (net)     1 x L cell of 1 x H_l
%   Inputs :  net, network, or moments: those without the field headscale have ones
%   See also attnpath_net, ap_path_scale, ap_check_head_scales.

% SPDX-License-Identifier: BSD-3-Clause

if isfield (net, 'headscale')
  scale = net.headscale;
else
  scale = arrayfun (@(H) ones (1, H), net.H, 'UniformOutput', false);
end
end
