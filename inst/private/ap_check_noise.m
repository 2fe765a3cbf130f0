function noise = ap_check_noise (fname, name, noise, P, y)
%AP_CHECK_NOISE  Variances of the labels' noise, one for each example, or an error.
%
%   noise = AP_CHECK_NOISE (fname, name, noise, P)
%   noise = AP_CHECK_NOISE (fname, name, noise, many, y)
%   Inputs :  name, of the option, for the message;  noise, P positive numbers or Inf, or [];  P, number of examples;
%             many, from ap_tokens: noise is then T x P, or 1 x P for all tokens of a sequence;  y, their labels from
%             ap_labels, NaN for none
%   Outputs:  1 x P, or []. Of tokens without a label it is Inf, by which they are no examples
%   Errors:   attnpath:<fname>: badClass, sparse, notReal, empty, badShape, notFinite, badValue
%   See also ap_by_noise, ap_check_lengths.

% SPDX-License-Identifier: BSD-3-Clause

if isstruct (P)
  noise = of_tokens (fname, name, noise, P, y);
  return
end
if isnumeric (noise) && ~any (size (noise)), return; end      % isequal takes forty times as long
if isnumeric (noise) && iscolumn (noise), noise = noise.'; end
shape = noise;
if isfloat (shape), shape(~isfinite (shape)) = 1; end          % what this looks at is all but the numbers
ap_check_array (fname, name, shape, {1, P});
noise = double (noise);
bad = find (~(noise > 0), 1);
if ~isempty (bad)
  what = ap_either (isnan (noise(bad)), 'notFinite', 'badValue');
  ap_fail (fname, what, ['%s must be variances above 0, or Inf for an example that is not used, but ' ...
           'number %d of %d is %g'], name, bad, P, noise(bad));
elseif any (noise < 1e-200)
  bad = find (noise < 1e-200, 1);
  ap_fail (fname, 'badValue', ['%s must be variances of 1e-200 or more, but number %d of %d is %g: its example ' ...
           'would overflow, and 1e-12 beside others near 1 means an exact label as well'], name, bad, P, noise(bad));
elseif all (noise == Inf)
  ap_fail (fname, 'badValue', '%s is Inf for all of %d examples: there is none to learn from', name, P);
end
end

function noise = of_tokens (fname, name, noise, many, y)
n = numel (many.place);
if ~isnumeric (noise) || any (size (noise))
  if isnumeric (noise) && isequal (size (noise), [1, many.P]), noise = repmat (noise, many.T, 1); end
  ap_refuse (fname, 'badShape', ~isequal (size (noise), [many.T, many.P]), ...
             '%s must be T x P, %d x %d, or 1 x P for all tokens of a sequence, not %s', name, many.T, many.P, {noise});
  noise = ap_check_noise (fname, name, reshape (noise(many.place), 1, n), n);
end
none = any (isnan (y), 2);
if ~any (none), return; end
if isempty (noise), noise = ones (1, n); end
noise(none) = Inf;
ap_refuse (fname, 'badValue', all (noise == Inf), ...
           '%s is Inf for all tokens with a label: there is none to learn from', name);
end
