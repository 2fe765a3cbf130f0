function paths = ap_paths_struct (net, Xi, brought)
%AP_PATHS_STRUCT  Path inputs with what is known of them, as attnpath_paths returns them.
%
%   paths = AP_PATHS_STRUCT (net, Xi, brought)
%   Inputs :  Xi, N0 x P x Pi;  brought, true where attention maps were brought by the user
%   Outputs:  struct of Xi, heads, brought, skip where the network has skip connections, and headscale where not all
%             scales of its heads are 1
%   See also attnpath_paths, ap_check_inputs.

% SPDX-License-Identifier: BSD-3-Clause

skip = ap_skips (net);
paths = struct ('Xi', Xi, 'heads', ap_path_list (net.H, skip), 'brought', brought);
if any (skip), paths.skip = skip; end
paths = ap_note_head_scales (paths, net);
end
