function e = calibration_error (p, y)
% calibration_error: difference between probabilities and shares, debiased
%
%   e = calibration_error (p, y)
%   Inputs :  p, n x 1 probabilities of +1;  y, n x 1 labels -1 and +1
%   Outputs:  e, root of the mean over examples of (mean of p - share of +1)^2 of their bin of p, of width 0.1, minus
%             the noise of the shares, share (1 - share) / (number - 1) (Kumar, Liang, Ma 2019)

% SPDX-License-Identifier: BSD-3-Clause

at = min (10, floor (10 * p) + 1);
e = 0;
for b = 1:10
  in = at == b;
  n = sum (in);
  if n < 2, continue; end
  share = mean (y(in) > 0);
  e = e + n / numel (p) * ((mean (p(in)) - share) ^ 2 - share * (1 - share) / (n - 1));
end
e = sqrt (max (0, e));
end
