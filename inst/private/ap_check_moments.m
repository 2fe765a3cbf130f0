function m = ap_check_moments (fname, name, m, net, lengths)
%AP_CHECK_MOMENTS  Moments of this network, as attnpath_moments makes them, or an error.
%
%   m = AP_CHECK_MOMENTS (fname, name, m)
%   m = AP_CHECK_MOMENTS (fname, name, m, net)
%   m = AP_CHECK_MOMENTS (fname, name, m, net, lengths)
%   Inputs :  name, of the argument, for the message;  net, whose heads, rule and readout they must be of;  lengths, an
%             option 'Lengths' not allowed with moments
%   Outputs:  m, rescaled to the head scales of net
%   Errors:   attnpath:<fname>: missingField, badClass, badValue, otherNet, and those of ap_check_array
%   See also attnpath_moments, ap_net_text.

% SPDX-License-Identifier: BSD-3-Clause

fields = {'form', 'sums', 'P', 'H', 'N0', 'of', 'parts', 'complete'};
ap_check_fields (fname, name, m, fields, 'attnpath_moments');
ap_check_case (fname, name, m, [fields, {'skip', 'headscale', 'outputs', 'lognoise', 'classes'}]);
ap_check_value (fname, [name '.form'], m.form, 'word', {'square', 'factor'});
ap_check_value (fname, [name '.N0'], m.N0, 'count', [1 2^31]);
ap_check_value (fname, [name '.H, head counts,'], m.H, 'counts', {'L', 1, Inf});
if isfield (m, 'skip'), ap_check_value (fname, [name '.skip'], m.skip, 'row', {numel(m.H), 0, Inf}); end
scales = ap_head_scales (fname, [name '.headscale'], m, m.H);
ap_check_value (fname, [name '.P'], m.P, 'count', [1 2^53]);
if isfield (m, 'outputs'), ap_check_value (fname, [name '.outputs'], m.outputs, 'count', [1 2^31]); end
if isfield (m, 'lognoise'), ap_check_value (fname, [name '.lognoise'], m.lognoise, 'number', [-Inf Inf]); end
n = m.N0 * ap_path_count (m) + ap_outputs (m);
m.sums = ap_check_array (fname, [name '.sums'], m.sums, {n, n});
check_sums (fname, name, m);
ap_refuse (fname, 'badValue', is_single (m), ['%s was saved in single precision, as save -float-hdf5 and ' ...
           '-float-binary do: the last digits of its sums are lost. Save with -binary, -hdf5 or -v7 instead'], name);
ap_check_value (fname, [name '.of'], m.of, 'text');
ap_check_array (fname, [name '.parts'], m.parts, {'k', 5});
ap_check_value (fname, [name '.complete'], m.complete, 'flag');
if nargin > 3
  ours = net;
  ours.headscale = scales;                         % which may be others
  wanted = ap_net_text (ours, m.N0, false);
  known = max (numel (m.of), numel (wanted));      % all of it
  if isempty (net.heads) || ap_is_brought (m), known = find (wanted == ';', 1); end        % there is more on one side
  ap_refuse (fname, 'otherNet', ~strncmp (m.of, wanted, known), ...
             '%s are moments of another network: of %s, and the net has %s', name, m.of, wanted);
  m = rescaled (m, net, ap_rescale (fname, name, ours.headscale, net));
end
ap_refuse (fname, 'badValue', nargin > 4 && ~isempty (lengths), ...
           'Lengths belong to tokens, and %s holds moments: give them to attnpath_moments', name);
end

function yes = is_single (m)
% All numbers are of single precision, and some of the sums need more than 20 of its 24 bits
numbers = [m.sums(:); m.parts(:)];
yes = all (numbers == double (single (numbers)));
if ~yes, return; end
[f, ~] = log2 (m.sums(:));
yes = any (f * 2 ^ 20 ~= fix (f * 2 ^ 20));
end

function m = rescaled (m, net, factor)
if isempty (factor), return; end
factor = [kron(factor, ones (m.N0, 1)); ones(ap_outputs (m), 1)];
if strcmp (m.form, 'square')
  m.sums = m.sums .* (factor * factor');
else
  m.sums = bsxfun (@times, m.sums, factor');
end
m = ap_note_head_scales (m, net);
text = ap_net_text (net, m.N0, false);
m.of = [text(1:find (text == ';', 1)), m.of(find (m.of == ';', 1)+1:end)];
end

function check_sums (fname, name, m)
% No entry of a square exceeds the root of the product of two on the diagonal, but for rounding; a factor is triangular
if strcmp (m.form, 'factor')
  wrong = find (any (tril (m.sums, -1), 1), 1);
else
  d = diag (m.sums);
  wrong = find ((d < 0)' | any (m.sums .^ 2 > (1 + 1e-6) * d * d', 1), 1);
end
ap_refuse (fname, 'badValue', ~isempty (wrong), ['%s.sums is not from attnpath_moments: no %s of path inputs and ' ...
           'labels has these numbers in column %d'], name, m.form, wrong);
end
