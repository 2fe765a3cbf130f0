function [each, weight] = ap_by_group (each, weight, group)
%AP_BY_GROUP  Weighted means over the examples of each group, for standard errors over groups that are independent.
%
%   [each, weight] = AP_BY_GROUP (each, weight, group)
%   Inputs :  each, n x k values;  weight, n x 1;  group, from ap_left_groups, or []
%   Outputs:  of each group the weighted mean and the sum of weights; as they are without groups
%   See also ap_left_groups.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (group), return; end
in = sparse (group, 1:numel (group), weight);
weight = full (sum (in, 2));
each = bsxfun (@rdivide, full (in * each), weight);
end
