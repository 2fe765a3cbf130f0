function net = ap_check_net (fname, net)
%AP_CHECK_NET  A network from attnpath_net, checked and completed. The core checks the ranges of its numbers.
%
%   net = AP_CHECK_NET (fname, net)
%   Outputs:  net, with the fields skip and headscale, which networks of 0.2.0 lack; later code relies on them
%   Errors:   attnpath:<fname>: badClass, missingField, badShape, and those of ap_check_array, ap_check_value
%             and ap_check_case
%   Every call of a public function begins here. A network that is right passes a few cheap tests of all fields
%   together; one that fails them is gone through field by field, for the message.
%   See also attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause

fields = {'heads', 'L', 'H', 'N0', 'width', 'variance', 'temperature', 'readout', 'attention', 'causal'};
more = {'skip', 'headscale', 'bandwidth', 'ridge', 'kernel'};                 % which older nets lack
usual = is_usual (net);
if ~usual, complain (fname, net, fields); end
if ~usual || size (struct2cell (net), 1) > numel (fields) + numel (more)
  ap_check_case (fname, 'net', net, [fields, more]);
end
if ~isfield (net, 'skip'), net.skip = zeros (1, net.L); end
if ~isfield (net, 'headscale'), net.headscale = ap_head_scales (fname, '', net, net.H); end
if ~isfield (net, 'bandwidth'), net.bandwidth = 1; end             % as in versions that knew no others
if ~isfield (net, 'kernel'), net.kernel = 'exponential'; end
if ~isfield (net, 'ridge'), net.ridge = 1e-3; end
end

function yes = is_usual (net)
% Whether net has all fields, and each is right. Where it is not, complain finds the reason
yes = false;
if ~isstruct (net) || numel (net) ~= 1, return; end
try
  L = net.L;  H = net.H;  N = net.width;  skip = net.skip;  scales = net.headscale;
  numbers = {L, H, N, net.variance, net.temperature, net.N0, skip, net.bandwidth, net.ridge, scales{:}};
  values = [numbers{:}];                           % calls take time: one for the checks that all share
  sizes = cellfun ('prodofsize', numbers);
  wanted = [1, L, L + 1, L + 2, 1, 1, L, 1, 1, H];
  scales = [scales{:}];
  counts = [H, net.N0 + 1];
  yes = all (cellfun ('isclass', numbers, 'double')) && isreal (values) && ~issparse (values) ...
        && numel (sizes) == numel (wanted) && all (sizes == wanted) ...
        && all (isfinite (values)) && all (counts >= 1 & counts == fix (counts)) && all ([skip, scales] >= 0) ...
        && all (skip == 0 | N(1:L) == N(2:L+1)) && all (scales <= 1e15) && iscell (net.headscale) ...
        && ischar (net.attention) && ischar (net.kernel) && (ischar (net.readout) || isnumeric (net.readout)) ...
        && islogical (net.causal) && numel (net.causal) == 1 && iscell (net.heads) ...
        && (isempty (net.heads) || numel (net.heads) == L) && all (cellfun (@is_layer, net.heads));
catch                                              % a field is missing, or of a class without these tests
end
end

function yes = is_layer (heads)
yes = isfloat (heads) || (isstruct (heads) && all (isfield (heads, {'Q', 'K'})));
end

function complain (fname, net, fields)
% What is wrong, in words
ap_refuse (fname, 'badClass', ~isstruct (net) || numel (net) ~= 1, ...
           'net must be one struct, made by attnpath_net, not %s', {net});
missing = find (~isfield (net, fields), 1);
ap_refuse (fname, 'missingField', ~isempty (missing), 'net has no field %s: make it with attnpath_net', ...
           fields{missing});
ap_check_array (fname, 'net.H', net.H, {1, 'L'});
ap_refuse (fname, 'badShape', ~isequal (net.L, numel (net.H)), 'net.L is %s, but net.H has %d layers', {net.L}, ...
           numel (net.H));
for l = 1:net.L
  ap_check_value (fname, sprintf ('net.H(%d)', l), net.H(l), 'count');
end
ap_check_value (fname, 'net.N0', net.N0, 'count', [0 Inf]);
check_layers (fname, 'width', net.width, net.L + 1);
check_layers (fname, 'variance', net.variance, net.L + 2);
if isfield (net, 'skip')
  ap_refuse (fname, 'badShape', ~isrow (net.skip), 'net.skip must be 1 x %d, not %s', net.L, {net.skip});
  ap_check_skip (fname, 'net.skip', net.skip, net.width);
end
ap_head_scales (fname, 'net.headscale', net, net.H);
for field = intersect ({'temperature', 'bandwidth', 'ridge'}, fieldnames (net)', 'stable')
  ap_check_value (fname, ['net.' field{1}], net.(field{1}), 'number', [-Inf Inf]);
end
for field = intersect ({'attention', 'kernel'}, fieldnames (net)')
  value = net.(field{1});
  ap_refuse (fname, 'badClass', ~ischar (value), 'net.%s must be a word, not %s', field{1}, {value});
end
ap_refuse (fname, 'badClass', ~ischar (net.readout) && ~isnumeric (net.readout), ...
           'net.readout must be a word or the number of a token, not %s', {net.readout});
ap_check_value (fname, 'net.causal', net.causal, 'flag');
ap_refuse (fname, 'badClass', ~iscell (net.heads), 'net.heads must be a cell, not %s', {net.heads});
ap_refuse (fname, 'badShape', ~isempty (net.heads) && numel (net.heads) ~= net.L, ...
           'net.heads is %s, but net.H has %d layers', {net.heads}, net.L);
for l = 1:numel (net.heads)
  ap_refuse (fname, 'badClass', ~is_layer (net.heads{l}), ...
             'net.heads{%d} must be an array or a struct with Q and K, not %s', l, {net.heads{l}});
end
end

function check_layers (fname, field, value, n)
% A single number was given instead of one for each layer
if isnumeric (value) && numel (value) == 1
  ap_fail (fname, 'badShape', 'net.%s must be 1 x %d, not %s: net.%s(:) = %s gives each layer this number', field, ...
           n, {value}, field, num2str (value, 10));
end
ap_check_array (fname, ['net.' field], value, {1, n});
end
