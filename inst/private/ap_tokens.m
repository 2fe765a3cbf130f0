function many = ap_tokens (fname, name, net, X, count, lengths)
%AP_TOKENS  The examples of a network that reads all tokens, a flat list of pairs of a sequence and a token.
%
%   many = AP_TOKENS (fname, name, net, X, count)
%   many = AP_TOKENS (fname, name, net, X, count, lengths)
%   Inputs :  name, of X, for the message;  X, N0 x T x P tokens that were checked, or a struct from attnpath_paths;
%             count, n, examples in its path inputs, [] where they are not known yet;  lengths, the option 'Lengths'
%   Outputs:  count, unless net.readout is 'all': nothing else decides what shapes mean. Otherwise a struct of T, P,
%             tokens and sequences; and n x 1 each, in the order of path inputs, example (which sequence), token, and
%             place of the pair in an array T x P
%   The functions of labels and noise, ap_labels and ap_check_noise, take either for the number of examples, and make
%   flat lists of what is T x P; ap_to_tokens makes T x P of what is a flat list. All others see flat lists alone.
%   Errors:   attnpath:<fname>: missingField, badShape, badValue
%   See also ap_to_tokens, ap_labels, ap_check_noise, ap_training_set.

% SPDX-License-Identifier: BSD-3-Clause

many = count;
if ~strcmp (net.readout, 'all'), return; end
if isstruct (X)
  needs = {'example', 'token', 'tokens'};
  missing = find (~isfield (X, needs), 1);
  ap_refuse (fname, 'missingField', ~isempty (missing), ['%s has no field %s, and the net reads all tokens: path ' ...
             'inputs then come from attnpath_paths (net, X), which notes their sequences and tokens'], name, ...
             needs{max ([missing, 1])});
  if isempty (count), count = numel (X.example); end
  many = struct ('T', X.tokens, 'P', 0, 'example', [], 'token', []);
  ap_check_value (fname, [name '.tokens'], many.T, 'count');
  for field = needs(1:2)
    many.(field{1}) = ap_check_value (fname, [name '.' field{1}], X.(field{1}), 'counts', {count, 1, Inf})';
  end
  many.P = many.example(end);
  wrong = find (diff (many.example) < 0 | (diff (many.example) == 0 & diff (many.token) <= 0), 1);
  ap_refuse (fname, 'badValue', any (many.token > many.T) || ~isempty (wrong), ['%s.token must be up to %d, and ' ...
             'increase within each sequence of %s.example, which must increase: was one of them changed?'], name, ...
             many.T, name);
elseif isnumeric (X) && (isempty (count) || size (X, 2) * size (X, 3) >= count)
  [~, T, P] = size (X);
  if nargin < 6 || isempty (lengths), lengths = repmat (T, 1, P); end
  [token, example] = find (bsxfun (@le, (1:T)', reshape (lengths, 1, [])));
  many = struct ('T', T, 'P', P, 'example', example(:), 'token', token(:));
else
  ap_fail (fname, 'missingField', ['%s must be one struct from attnpath_paths (net, X): the net reads all tokens, ' ...
           'and an array of path inputs has no list of them'], name);
end
many.place = many.token + many.T * (many.example - 1);
end
