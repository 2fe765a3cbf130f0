function data = ap_allow_gradient (data, model)
%AP_ALLOW_GRADIENT  How far from stationary a solution may be: what its search has left, and ten times that.
%   data = AP_ALLOW_GRADIENT (data, model)
%   Inputs :  data, from ap_prepare;  model, solution or a struct like it, whose gradrel need not be there
%   Outputs:  data.gradrel, which gateways refuse to see exceeded at the order parameters: network or labels were then
%             changed after the solution was found. It is 1e-5 at least, as rounding differs from one form of the
%             examples to another, and 1e-4 where the model does not say
%   Of a network of width N it is 1/N of a change that counts: a labels' percent is 2e-5 for N = 10000.
%   See also ap_prepare, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause

data.gradrel = 1e-4;
if isfield (model, 'gradrel') && isnumeric (model.gradrel) && numel (model.gradrel) == 1 && model.gradrel >= 0
  data.gradrel = max (1e-5, 10 * double (model.gradrel));
end
end
