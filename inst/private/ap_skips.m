function skip = ap_skips (net)
%AP_SKIPS  Gains of the skip connections of a network, 0 for none (T26).
%
%   skip = AP_SKIPS (net)     1 x L
%   Inputs :  net, network, moments or path inputs; those without the field skip have none
%   Outputs:  of moments and networks 1 x L; [] of path inputs without the field
%   See also attnpath_net, ap_path_count.

% SPDX-License-Identifier: BSD-3-Clause

skip = [];
if isfield (net, 'skip')
  skip = net.skip;
elseif isfield (net, 'H')
  skip = zeros (size (net.H));
end
end
