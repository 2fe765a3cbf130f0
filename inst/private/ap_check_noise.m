function noise = ap_check_noise (fname, name, noise, P)
%AP_CHECK_NOISE  Variances of the labels' noise, one for each example, or an error.
%
%   noise = AP_CHECK_NOISE (fname, name, noise, P)
%   Inputs :  name, of the option, for the message;  noise, P positive numbers or Inf, or [];  P, number of examples
%   Outputs:  1 x P, or []
%   Errors:   attnpath:<fname>: badClass, sparse, notReal, empty, badShape, notFinite, badValue
%   See also ap_by_noise, ap_check_lengths.

% SPDX-License-Identifier: BSD-3-Clause

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
