function rows = ap_resume_data (given)
%AP_RESUME_DATA  Values that identify a training set in the checkpoint of a run that can be resumed.
%
%   rows = AP_RESUME_DATA (given)
%   Inputs :  given, struct of moments, or of paths.Xi, y and perhaps noise, that were checked
%   Outputs:  rows, n x 2 cell, name and value, as ap_resume compares them
%   See also ap_resume, ap_fingerprint.

% SPDX-License-Identifier: BSD-3-Clause

if isfield (given, 'moments')
  rows = {'the moments', ap_fingerprint(given.moments.sums); 'their examples', given.moments.P};
else
  y = given.y;
  y(isnan (y)) = Inf;                              % of tokens without a label, for NaN equals nothing
  rows = {'y', y; 'the training set', ap_fingerprint(given.paths.Xi)};
  if isfield (given, 'noise'), rows(end+1,:) = {'Noise', given.noise}; end
end
end
