function paths = ap_paths_struct (net, Xi, brought, of, many)
%AP_PATHS_STRUCT  The struct of path inputs, as attnpath_paths returns it.
%
%   paths = AP_PATHS_STRUCT (net, Xi, brought, of)
%   paths = AP_PATHS_STRUCT (net, Xi, brought, of, many)
%   Inputs :  Xi, N0 x P x Pi;  brought, true where attention maps were brought by the user;  of, from ap_net_mark, []
%             where it is not known which network they are of;  many, from ap_tokens
%   Outputs:  struct of Xi, heads, brought, of where that is known, example, token and tokens where all are read, skip
%             where the network has skip connections, and headscale where not all scales of its heads are 1
%   See also attnpath_paths, ap_net_mark, ap_check_inputs.

% SPDX-License-Identifier: BSD-3-Clause

skip = net.skip;
paths = struct ('Xi', Xi, 'heads', ap_path_list (net.H, skip), 'brought', brought);
if ~isempty (of), paths.of = of; end
if any (skip), paths.skip = skip; end
if nargin > 4 && isstruct (many)
  [paths.example, paths.token, paths.tokens] = deal (many.example', many.token', many.T);
end
paths = ap_note_head_scales (paths, net);
end
