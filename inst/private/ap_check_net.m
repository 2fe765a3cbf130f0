function ap_check_net (fname, net)
%AP_CHECK_NET  Is this a network from attnpath_net? The ranges of its numbers are checked by the gateways.
%
%   AP_CHECK_NET (fname, net)
%   Errors:   attnpath:<fname>: badClass, missingField, badShape, and those of ap_check_array and ap_check_number
%   See also attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (net) || numel (net) ~= 1
  ap_fail (fname, 'badClass', 'net must be one struct, made by attnpath_net, not %s', ap_describe (net));
end
fields = {'heads', 'L', 'H', 'N0', 'width', 'variance', 'temperature', 'readout', 'attention', 'causal'};
there = isfield (net, fields);
if ~all (there)
  missing = fields(~there);
  ap_fail (fname, 'missingField', 'net has no field %s: make it with attnpath_net', missing{1});
end
H = ap_check_array (fname, 'net.H', net.H, {1, 'L'});
L = numel (H);
if ~(isnumeric (net.L) && numel (net.L) == 1 && net.L == L)
  ap_fail (fname, 'badShape', 'net.L is %s, but net.H has %d layers', ap_describe (net.L), L);
end
bad = find (H < 1 | H ~= fix (H), 1);
if ~isempty (bad)
  ap_check_count (fname, sprintf ('net.H(%d)', bad), H(bad));
end
ap_check_count (fname, 'net.N0', net.N0, 0, Inf);
ap_check_array (fname, 'net.width', net.width, {1, L + 1});
ap_check_array (fname, 'net.variance', net.variance, {1, L + 2});
ap_check_number (fname, 'net.temperature', net.temperature, -Inf, Inf);
if ~iscell (net.heads)
  ap_fail (fname, 'badClass', 'net.heads must be a cell, not %s', ap_describe (net.heads));
elseif ~isempty (net.heads) && numel (net.heads) ~= L
  ap_fail (fname, 'badShape', 'net.heads is %s, but net.H has %d layers', ap_describe (net.heads), L);
end
for l = 1:numel (net.heads)
  if ~isfloat (net.heads{l}) && ~(isstruct (net.heads{l}) && all (isfield (net.heads{l}, {'Q', 'K'})))
    ap_fail (fname, 'badClass', 'net.heads{%d} must be an array or a struct with Q and K, not %s', l, ...
             ap_describe (net.heads{l}));
  end
end
end
