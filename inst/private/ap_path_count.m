function paths = ap_path_count (net, l)
%AP_PATH_COUNT  Number of paths of a network, and of partial paths from a layer on: Pi_l, the size of U_l.
%
%   paths = AP_PATH_COUNT (net)      Pi, the number of paths
%   paths = AP_PATH_COUNT (net, l)   Pi_l of each layer in l; 1 of layer L + 1, the readout
%   Inputs :  net, network or moments, of which only H, 1 x L head counts, and skip are looked at
%   Example:  ap_path_count (attnpath_net ([3 2]), 1:3)   % [6 2 1]
%   See also ap_path_list, ap_head_list, ap_output_blocks.

% SPDX-License-Identifier: BSD-3-Clause

branches = net.H;                                                % calls take time: moments may lack skip
if isfield (net, 'skip'), branches = branches + (net.skip > 0); end
if nargin < 2
  paths = prod (branches);
else
  behind = cumprod ([1, branches(end:-1:1)]);
  paths = behind(end+1-l);
end
end
