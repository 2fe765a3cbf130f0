function data = ap_allow_gradient (data, model)
%AP_ALLOW_GRADIENT  Limit on the gradient of a solution: ten times that at the end of its search.
%   data = AP_ALLOW_GRADIENT (data, model)
%   Inputs :  data, from ap_prepare;  model, solution or a struct like it, whose gradrel need not be there
%   Outputs:  data.gradrel, which gateways refuse to see exceeded at the order parameters: network or labels were then
%             changed after the solution was found. It is 1e-5 at least, as rounding differs from one form of the
%             examples to another, and 1e-4 if the model lacks it
%   The wider a network, the less a change shows: labels times 1.01 give 2e-3 at width 100, and 1.5e-5 at 10000.
%   See also ap_prepare, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause

data.gradrel = 1e-4;
if isfield (model, 'gradrel') && isnumeric (model.gradrel) && numel (model.gradrel) == 1 && model.gradrel >= 0
  data.gradrel = max (1e-5, 10 * double (model.gradrel));
end
end
