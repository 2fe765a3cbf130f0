function C = ap_outputs (given, y)
%AP_OUTPUTS  Number of outputs of a training set.
%
%   C = AP_OUTPUTS (moments)
%   C = AP_OUTPUTS (given, y)
%   Inputs :  moments, from attnpath_moments;  given and y, path inputs and checked labels, or moments and [], as from
%             ap_training_set
%   See also ap_labels, ap_training_set.

% SPDX-License-Identifier: BSD-3-Clause

C = 1;
if nargin > 1 && ~isempty (y)
  C = size (y, 2);
elseif isfield (given, 'outputs')
  C = given.outputs;
end
end
