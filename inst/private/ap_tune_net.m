function net = ap_tune_net (net, at)
%AP_TUNE_NET  A network with what a point of a search says of it.
%
%   net = AP_TUNE_NET (net, at)
%   Inputs :  at, struct of temperature, width, scale, the factor on the variance, and perhaps of bandwidth, ridge and
%             headscale
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

net.variance(1) = net.variance(1) * at.scale;
at = rmfield (at, 'scale');
for name = fieldnames (at)', net.(name{1}) = at.(name{1}); end
end
