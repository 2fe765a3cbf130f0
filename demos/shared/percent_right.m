function percent = percent_right (mu, y)
%PERCENT_RIGHT  Accuracy: percentage of predictions that have the sign of the label.
%
%   percent = percent_right (mu, y)
%   Inputs :  mu, outputs of a network, from attnpath_predict;  y, labels +1 and -1

% SPDX-License-Identifier: BSD-3-Clause

percent = 100 * mean (sign (mu) == y);
end
