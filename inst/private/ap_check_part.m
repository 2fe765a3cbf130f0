function part = ap_check_part (fname, source, k, net, N0, name, wanted)
%AP_CHECK_PART  Part k of a data set that comes in parts, checked, with its path inputs on demand.
%
%   part = AP_CHECK_PART (fname, source, k, net, N0)
%   part = AP_CHECK_PART (fname, source, k, net, N0, name)
%   part = AP_CHECK_PART ('moments', source, k, net, N0, name, wanted)
%   Inputs :  fname, stem of the calling function;  source, function;  k, number of the part: source (k) returns a
%             struct with X (tokens, or a struct from attnpath_paths), and perhaps y, A, Lengths and Noise, or [] behind
%             the last part;  N0, features wanted, or 0;  name, of the part in messages, 'source (k).' if left out, and
%             never that of a part that comes from a file;  wanted, the option 'Classes'
%   Outputs:  [], or a struct of name and file ('' if it comes from none), for messages;  P, T and N0, counts;  many,
%             from ap_tokens: with all tokens read, P counts sequences, and `rows` maps some of them to their examples;
%             y, P x 1, or [] where there is none: for 'moments' coded by ap_labels, otherwise as given;  noise, from
%             ap_check_noise, and for other functions than 'moments' T x P where all tokens are read;  classes, from
%             ap_labels;  none, of 'moments', tokens without a label: a part of a source may have no other;  brought;
%             known, whether it is known of which network the path inputs are;  mark, 1 x 5, which distinguishes it from
%             other parts: of sums over all its tokens, maps, lengths, labels and noise;  inputs, @(which): N0 x k x Pi
%             path inputs of these examples
%   Errors:   attnpath:<fname>: badSource, also for what the source raises, and those of ap_inputs and ap_labels
%   See also attnpath_moments, attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause

part = ap_source_part (fname, source, k);
if isnumeric (part) && isempty (part)
  part = [];
  return
end
ap_refuse (fname, 'badSource', ~isstruct (part) || numel (part) ~= 1 || ~isfield (part, 'X'), ...
           'source (%d) must be a struct with fields X and y, or [] at the end, not %s', k, {part});
if nargin < 6, name = sprintf ('source (%d).', k); end
file = '';
if isfield (part, 'file') && ischar (part.file)    % of attnpath_source
  file = part.file;
  name = [file ': '];
end
given = part;
part = struct ('y', [], 'classes', [], 'none', 0, 'name', regexprep (name, '[.: ]*$', ''), 'file', file);
known = {'A', 'Lengths', 'y', 'Noise'};
ap_check_case (fname, part.name, given, [{'X', 'file', 'readout'}, known]);
for field = known(~isfield (given, known)), given.(field{1}) = []; end
X = given.X;
if k == 1 && isfield (given, 'readout') && any (strcmp (given.readout, {'first', 'last', 'mean', 'all'})) ...
    && ~strcmp (given.readout, net.readout)
  warning (['attnpath:' fname ':readout'], ['attnpath_%s: the net reads ''%s'', but the file was ' ...
           'exported for ''%s'': if your classifier reads that, use attnpath_net (.., ''Readout'', ''%s'')'], fname, ...
           ap_readout_text (net), given.readout, given.readout);
end
if N0 == 0, N0 = 'N0'; end
if isstruct (X)
  Xi = ap_check_inputs (fname, [name 'X'], X, net, net.N0, given.Lengths);
  [part.N0, n, ~] = size (Xi);
  [part.T, part.brought, part.known] = deal (1, ap_is_brought (X), isfield (X, 'of'));
  [part, rows] = with_tokens (part, fname, name, net, X, n, []);
  part.inputs = @(which) Xi(:,rows(which),:);
  content = {Xi};
else
  X = ap_check_array (fname, [name 'X'], X, {N0, 'T', 'P'});
  [part.N0, part.T, part.P] = size (X);
  lengths = ap_check_lengths (fname, given.Lengths, part.N0, part.T, part.P);
  [part.brought, part.known] = deal (~(isnumeric (given.A) && isempty (given.A)), true);
  if part.brought, given.A = ap_check_maps (fname, given.A, net, [part.N0, part.T, part.P], lengths); end
  ends = ap_token_ends (net, part.T, part.P, lengths);
  part = with_tokens (part, fname, name, net, X, ends(end), lengths);
  part.inputs = @(which) some_inputs (fname, net, X, lengths, given.A, which);
  content = {X, lengths};
  if part.brought, content = [content, given.A(:)']; end
end
part.noise = ap_check_noise (fname, [name 'Noise'], given.Noise, part.many, 0);
numbers = [];
if strcmp (fname, 'moments')
  unlabelled = isempty (given.y) && ~isempty (name);
  ap_refuse (fname, 'badSource', unlabelled && isempty (file), 'source (%d) has no labels y', k);
  ap_refuse (fname, 'badSource', unlabelled, ['%s holds no variable y, the labels: if they have another name ' ...
             'there, give the option Names to attnpath_source'], file);
  [part.y, part.classes] = of_part (fname, name, given.y, part.many, wanted, k);
  part.none = sum (isnan (part.y(:,1)));
  if part.none == size (part.y, 1)
    part.noise = Inf (1, part.none);
  elseif part.none > 0
    part.noise = ap_check_noise (fname, [name 'Noise'], given.Noise, part.many, part.y);
  end
  numbers = part.y(:);
  numbers(isnan (numbers)) = 0;
elseif ~isempty (given.y)                          % classes are coded when all parts are known
  part.y = given.y;
  if isstruct (part.many)
    more = {true};
    if ~isfloat (part.y), more = {true, [], false}; end
    ap_labels (fname, [name 'y'], part.y, part.many, more{:});
  else
    if size (part.y, 1) == 1, part.y = part.y(:); end
    if isfloat (part.y) || numel (part.y) ~= part.P
      part.y = ap_labels (fname, [name 'y'], part.y, part.P, true);
    end
  end
end
if isstruct (part.many) && ~strcmp (fname, 'moments') && ~isempty (part.noise)
  part.noise = ap_to_tokens (part.many, part.noise');
end
sums = cellfun (@(values) both_sums (values, part.P), content, 'UniformOutput', false);
part.mark = ap_fingerprint ([cat(1, sums{:}); numbers; part.noise(:); part.P]);
end

function [part, rows] = with_tokens (part, fname, name, net, X, n, lengths)
% many, and rows (some), places of some examples, or of the tokens of some sequences, among all
part.many = ap_tokens (fname, [name 'X'], net, X, n, lengths);
[part.P, rows] = deal (n, @(some) some);
if isstruct (part.many)
  example = part.many.example;
  [part.P, rows] = deal (part.many.P, @(some) ismember (example, some));
end
part.rows = rows;
end


function [y, classes] = of_part (fname, name, y, P, wanted, k)
% The user's own X and y, without a name, hold all classes unless a list gives them. Parts may lack some
one = isempty (name);
listed = ~isequal (wanted, []) && ~isequal (wanted, true);
if ~one && isstruct (P) && size (y, 1) == P.T && size (y, 2) == P.P && all (reshape (ap_unlabelled (y), [], 1))
  [y, classes] = deal (NaN (numel (P.place), 1), []);          % other parts have labels
  return
end
unknown = iscell (y) || isinteger (y) || isa (y, 'string') || (isfloat (y) && isequal (wanted, true));
ap_refuse (fname, 'badValue', ~one && ~listed && unknown, ['%sy holds classes, and a part may lack one: list all ' ...
           'of them, such as ''Classes'', %s'], name, ap_either (iscell (y), '{''a'', ''b'', ''c''}', '[1 2 3]'));
more = {true, wanted, one && ~listed};
if k > 1 && isfloat (y) && isequal (wanted, []), more = {true}; end           % a remark is made once
[y, classes] = ap_labels (fname, [name 'y'], y, P, more{:});
end

function sums = both_sums (values, P)
% Sums over all numbers of an example, and over all examples: a change of one number changes two of them. They are
% several times faster than a fingerprint of all numbers. Path inputs N0 x P x Pi have other sums, which serve as well
values = reshape (values, [], 1);
if mod (numel (values), P) == 0, values = reshape (values, [], P); end
sums = double ([sum(values, 1)'; sum(values, 2); numel(values)]);
end

function Xi = some_inputs (fname, net, X, lengths, A, which)
if ~isempty (lengths), lengths = lengths(which); end
if iscell (A), A = cellfun (@(a) a(:,:,:,which), A, 'UniformOutput', false); end
Xi = ap_inputs (fname, net, X(:,:,which), lengths, A);
end
