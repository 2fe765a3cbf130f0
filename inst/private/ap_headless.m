function net = ap_headless (net)
%AP_HEADLESS  The network without the weights of its heads, for gateways that work on path inputs.
%
%   net = AP_HEADLESS (net)
%   A gateway looks at every number that it is given, and path inputs are all that it needs of the heads.
%   See also ap_examples, ap_prepare.

% SPDX-License-Identifier: BSD-3-Clause

net.heads = {};
end
