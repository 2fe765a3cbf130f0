function [mse, accuracy] = ap_mse_accuracy (mu, y, noise)
%AP_MSE_ACCURACY  Mean squared error of predictions, and the fraction of them that are right.
%
%   [mse, accuracy] = AP_MSE_ACCURACY (mu, y, noise)
%   Inputs :  mu, y, P x C, means and labels;  noise, P x 1, or []
%   Outputs:  mse, over all outputs, an example's weight one over its noise;  accuracy, of one output, the fraction of
%             means with the sign of the label, NaN unless labels are -1 and +1; of several, with the largest mean at
%             the largest label, NaN if the labels of an example have two largest, which are no classes
%   See also ap_by_noise, attnpath_loo, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

mse = mean ((mu(:) - y(:)) .^ 2);
if ~isempty (noise)
  weight = min (noise) ./ noise;
  mse = weight' * mean ((mu - y) .^ 2, 2) / sum (weight);
end
if size (y, 2) == 1
  accuracy = mean (sign (mu) == sign (y));
  if any (abs (y) ~= 1), accuracy = NaN; end
  return
end
[top, class] = max (y, [], 2);
[~, predicted] = max (mu, [], 2);
accuracy = mean (predicted == class);
if any (sum (bsxfun (@eq, y, top), 2) > 1), accuracy = NaN; end
end
