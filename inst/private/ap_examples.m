function [data, given, many] = ap_examples (fname, net, X, y, lengths, settings, wanted, noise, display)
%AP_EXAMPLES  Training examples from tokens, a paths struct or moments, and their labels, made ready for the gateways.
%
%   [data, given] = AP_EXAMPLES (fname, net, X, y, lengths, settings)
%   [data, given] = AP_EXAMPLES (fname, net, X, y, lengths, settings, wanted)
%   [data, given] = AP_EXAMPLES (fname, net, X, y, lengths, settings, wanted, noise, display)
%   Inputs :  fname, stem of the calling function;  X, N0 x T x P tokens, a struct from attnpath_paths, or moments;  y,
%             labels, ignored with moments;  lengths, the option 'Lengths', which belongs to tokens;  settings,
%             of ap_prepare but reduce, which is true;  wanted, the option 'Classes', for ap_labels;  noise, the option
%             'Noise', which belongs to examples;  display, true for the progress of ap_inputs
%   Outputs:  data, as from ap_prepare;  given, struct of the first fields of a solution or a sample: net; paths, y and,
%             where it was given, noise, or moments; and classes, where labels are classes
%             many, from ap_tokens
%   Where some tokens have no label, display prints how many
%   Errors:   attnpath:<fname>: those of ap_check_inputs, ap_inputs, ap_labels, ap_check_noise, ap_check_moments and
%             ap_prepare
%   Warnings: attnpath:<fname>:oneExample where as many labels as tokens come with one example
%   See also ap_prepare, ap_check_inputs, ap_inputs, ap_labels.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 7, wanted = []; end
if nargin < 8, noise = []; end
if nargin < 9, display = false; end
settings.reduce = true;
many = [];
if ap_is_moments (X)
  X = ap_check_moments (fname, 'X', X, net, lengths);
  ap_refuse (fname, 'badValue', ~isequal (noise, []), ...
             'Noise belongs to examples, and X holds moments: give it to attnpath_moments');
  ap_refuse (fname, 'badValue', ~isequal (wanted, []), ...
             'Classes belongs to labels, and X holds moments: give it to attnpath_moments');
  data = ap_prepare (fname, net, X, [], settings);
  given = struct ('net', net, 'moments', X);
  if isfield (X, 'classes'), given.classes = X.classes; end
  return
end
if isstruct (X)
  [Xi, of] = ap_check_inputs (fname, 'X', X, net, net.N0, lengths, isnumeric (noise) && isempty (noise));
  settings.of = of;
else
  [Xi, of] = ap_inputs (fname, net, X, lengths, [], display);
end
if ~isstruct (X) && size (Xi, 2) == 1 && isfloat (y) && isrow (y) && numel (y) == size (X, 2) && numel (y) > 1
  warning (['attnpath:' fname ':oneExample'], ['attnpath_%s: X is one example of %d tokens, and so y counts as its ' ...
           'outputs; if these are labels of as many examples, X is reshape (X, size (X, 1), 1, %d)'], fname, ...
           numel (y), numel (y));
end
many = ap_tokens (fname, 'X', net, X, size (Xi, 2), lengths);
[y, classes] = ap_labels (fname, 'y', y, many, true, wanted);
each = ap_check_noise (fname, 'Noise', noise, many, y);
data = ap_prepare (fname, net, Xi, y, settings, each);
paths = ap_paths_struct (net, Xi, ap_is_brought (X), of, many);
given = struct ('net', net, 'paths', paths, 'y', ap_to_tokens (many, y));
if ~isstruct (many), noise = each; end
if ~isempty (noise)
  given.noise = double (noise);
  given.noise(isnan (noise)) = Inf;                % where no token is: NaN equals nothing
end
none = sum (isnan (y(:,1)));
if none > 0 && display && ~strcmp (fname, 'tune')                % at its end attnpath_tune solves
  fprintf ('attnpath_%s: %d of %d tokens have no label\n', fname, none, size (y, 1));
end
if ~isempty (classes), given.classes = classes; end
end
