function ap_check_net (fname, net)
%AP_CHECK_NET  Is this a network from attnpath_net? Its numbers are checked by the gateways.
%   AP_CHECK_NET (fname, net)
%   Errors:   attnpath:<fname>: badClass, missingField, badShape
%   See also attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (net) || numel (net) ~= 1
  ap_fail (fname, 'badClass', 'net must be one struct, made by attnpath_net, not %s', ap_describe (net));
end
fields = {'heads', 'L', 'H', 'N0', 'width', 'variance', 'temperature', 'readout', 'attention', 'causal'};
missing = fields(~isfield (net, fields));
if ~isempty (missing)
  ap_fail (fname, 'missingField', 'net has no field %s: make it with attnpath_net', missing{1});
end
ap_check_array (fname, 'net.H', net.H, {1, 'L'});
if ~isequal (net.L, numel (net.H))
  ap_fail (fname, 'badShape', 'net.L is %s, but net.H has %d layers', ap_describe (net.L), numel (net.H));
end
for l = 1:net.L
  ap_check_count (fname, sprintf ('net.H(%d)', l), net.H(l));
end
ap_check_count (fname, 'net.N0', net.N0, 0);
end
