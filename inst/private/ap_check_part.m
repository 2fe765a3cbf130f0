function part = ap_check_part (fname, k, part, net, N0)
%AP_CHECK_PART  Part k of a data set that comes in parts, checked, with its path inputs on demand.
%
%   part = AP_CHECK_PART (fname, k, part, net, N0)
%   Inputs :  fname, stem of the calling function;  k, its number, for messages;  part, what source (k) returned: a
%             struct with X (tokens, or a struct from attnpath_paths), and perhaps y, A and Lengths;  N0, features
%             wanted, or 0
%   Outputs:  struct of P, T and N0, counts;  y, P x 1, or [] where there is none;  brought;  mark, 1 x 5, which tells
%             it from other parts: of at most 2^18 numbers of its tokens, and its labels;  inputs, @(which): N0 x k x Pi
%             path inputs of these examples
%   Errors:   attnpath:<fname>: badSource, and those of ap_inputs and ap_labels, whose messages name the part
%   See also attnpath_moments, attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (part) || numel (part) ~= 1 || ~isfield (part, 'X')
  ap_fail (fname, 'badSource', 'source (%d) must be a struct with fields X and y, or [] at the end, not %s', k, ...
           ap_describe (part));
end
name = sprintf ('source (%d).', k);
given = struct ('A', [], 'Lengths', [], 'y', []);
names = fieldnames (given);
for i = 1:3
  if isfield (part, names{i}), given.(names{i}) = part.(names{i}); end
end
X = part.X;
part = struct ('y', []);
if N0 == 0, N0 = 'N0'; end
if isstruct (X)
  Xi = ap_check_inputs (fname, [name 'X'], X, net, net.N0, given.Lengths);
  [part.N0, part.P, ~] = size (Xi);
  part.T = 1;
  part.brought = ap_brought (X);
  part.inputs = @(which) Xi(:,which,:);
  X = Xi;
else
  X = ap_check_array (fname, [name 'X'], X, {N0, 'T', 'P'});
  [part.N0, part.T, part.P] = size (X);
  lengths = ap_check_lengths (fname, given.Lengths, part.T, part.P);
  part.brought = ~(isnumeric (given.A) && isempty (given.A));
  if part.brought, given.A = ap_check_maps (fname, given.A, net, part.T, part.P, lengths); end
  part.inputs = @(which) some_inputs (fname, net, X, lengths, given.A, which);
end
if ~isempty (given.y) || strcmp (fname, 'moments')
  part.y = ap_labels (fname, [name 'y'], given.y, part.P);
end
part.mark = ap_fingerprint ([reshape(X(1:max (1, floor (numel (X) / 2^18)):end), [], 1); part.y; part.P]);
end

function Xi = some_inputs (fname, net, X, lengths, A, which)
if ~isempty (lengths), lengths = lengths(which); end
if iscell (A), A = cellfun (@(a) a(:,:,:,which), A, 'UniformOutput', false); end
Xi = ap_inputs (fname, net, X(:,:,which), lengths, A);
end
