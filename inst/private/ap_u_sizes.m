function sizes = ap_u_sizes (net, U, C)
%AP_U_SIZES  |U|, each entry times the scales of both its paths.
%
%   sizes = AP_U_SIZES (net, U, C)
%   Inputs :  U, Pi C x Pi C x draws;  C, outputs
%   Scales of heads are in the path inputs, as are gains of skip connections, s_l sqrt (H_l) where a head has its scale:
%   a path's share in the predictor is U times these (theory.md section 8).
%   See also ap_u_scores, ap_path_scale.

% SPDX-License-Identifier: BSD-3-Clause

list = ap_path_list (net.H, net.skip);
past = bsxfun (@times, list == 0, net.skip .* sqrt (net.H));
scale = kron (ap_path_scale (net.headscale, list) .* prod (past + (list > 0), 2), ones (C, 1));
sizes = bsxfun (@times, abs (U), scale * scale');
end
