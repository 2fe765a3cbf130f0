function [Xi, of] = ap_check_inputs (fname, name, paths, net, N0, lengths, unread)
%AP_CHECK_INPUTS  Path inputs of a network, from a paths struct or as an array, or an error.
%
%   Xi = AP_CHECK_INPUTS (fname, name, paths, net)
%   Xi = AP_CHECK_INPUTS (fname, name, paths, net, N0)
%   Xi = AP_CHECK_INPUTS (fname, name, paths, net, N0, lengths)
%   Xi = AP_CHECK_INPUTS (fname, name, paths, net, N0, lengths, unread)
%   [Xi, of] = AP_CHECK_INPUTS (...)
%   Inputs :  paths, struct from attnpath_paths, or its Xi;  N0, features wanted (those of the heads, if any);
%             lengths, an option 'Lengths' not allowed with path inputs;  unread, as in ap_check_array
%   Outputs:  Xi, N0 x P x Pi. Those of a struct that were made with other scales of the heads are rescaled;  of, marks
%             of their network, which a gateway is still to compare, or []. Without this output they are compared here
%   Errors:   attnpath:<fname>: missingField, badValue, otherNet, and those of ap_check_array and ap_check_case
%   See also attnpath_paths, ap_inputs.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 5, N0 = net.N0; end
if nargin < 7, unread = false; end
if N0 == 0, N0 = 'N0'; end
if nargin > 5 && ~isempty (lengths)
  ap_fail (fname, 'badValue', 'Lengths belong to tokens, and %s holds path inputs: give them to attnpath_paths', name);
end
[of, factor] = deal ([]);
if isstruct (paths)
  known = {'Xi', 'heads', 'skip', 'headscale', 'of', 'brought'};
  has = isfield (paths, [known, {'Xtrain', 'example', 'token', 'tokens'}]);    % calls take time
  if has(7)
    ap_fail (fname, 'missingField', '%s is a task: give its tokens, such as task.Xtrain', name);
  elseif numel (paths) ~= 1 || ~has(1)
    ap_fail (fname, 'missingField', '%s must be one struct with a field Xi, from attnpath_paths', name);
  end
  if size (struct2cell (paths), 1) > sum (has)
    ap_check_case (fname, name, paths, known);
  end
  if has(5)
    of = paths.of;
    if nargout < 2 || size (paths.Xi, 3) ~= ap_path_count (net), ap_net_mark (fname, net, false, of); end
  end
  if any (has(2:4))                                              % else it has no fields of a network
    if has(3) || any (net.skip)
      check_skips (fname, name, ap_field (paths, 'skip', zeros (size (net.skip))), net.skip);
    end
    if has(4) || any ([net.headscale{:}] ~= 1)
      theirs = ap_head_scales (fname, [name '.headscale'], paths, net.H);
      factor = ap_rescale (fname, name, theirs, net);
    end
  end
  [paths, name] = deal (paths.Xi, [name '.Xi']);
end
Xi = ap_check_array (fname, name, paths, {N0, 'P', ap_path_count(net)}, unread);
if ~isempty (factor), Xi = bsxfun (@times, Xi, reshape (factor, 1, 1, [])); end
end

function check_skips (fname, name, theirs, skip)
% Path inputs depend on the gains, but their size does not: so the gains are compared
theirs = ap_check_value (fname, [name '.skip'], theirs, 'row', {'L', 0, Inf});
if ~isequal (theirs, skip) && (any (theirs) || any (skip))
  ap_fail (fname, 'otherNet', '%s holds path inputs of a network with skip connections %s, and the net has %s', ...
           name, mat2str (theirs, 15), mat2str (skip, 15));
end
end
