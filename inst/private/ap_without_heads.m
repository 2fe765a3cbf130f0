function net = ap_without_heads (net, data)
%AP_WITHOUT_HEADS  The network without the weights of its heads, for gateways that work on path inputs.
%
%   net = AP_WITHOUT_HEADS (net)
%   net = AP_WITHOUT_HEADS (net, data)
%   Inputs :  data, from ap_prepare: where marks of its network are still to be compared, heads stay
%   A gateway checks all numbers it gets, and needs path inputs instead of heads.
%   See also ap_examples, ap_prepare.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2 || isempty (data.of), net.heads = {}; end
end
