function class = ap_class_decide (mu, classes)
%AP_CLASS_DECIDE  The class that means of outputs speak for.
%
%   class = AP_CLASS_DECIDE (mu, classes)
%   Inputs :  mu, P x 1, means of one output, or P x C;  classes, C x 1: two for one output
%   Outputs:  P x 1, of the type of classes: the second of two where the mean is above zero, and the first otherwise; of
%             more the one with the largest mean, the first of equals
%   Example:  ap_class_decide ([-0.3; 0.1], {'a'; 'b'})'          % a b
%   See also ap_classes, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

if size (mu, 2) == 1
  number = 1 + (mu > 0);
else
  [~, number] = max (mu, [], 2);
end
class = reshape (classes(number), [], 1);
end
