function weights = ap_split_weights (values, net, N0, C)
%AP_SPLIT_WEIGHTS  One set of weights from its numbers end to end, as samplers and training keep it.
%
%   weights = ap_split_weights (values, net, N0, C)
%   Inputs :  values, vector of sum (ap_weight_sizes (net, N0, C)) numbers;  C, number of outputs
%   Outputs:  struct of V0, N_1 x N0;  V, 1 x L cell, V{l} N_{l+1} x N_l x H_l;  a, N_a x C
%   See also ap_weight_sizes, attnpath_weights, attnpath_train.

% SPDX-License-Identifier: BSD-3-Clause

N = net.width;
sizes = ap_weight_sizes (net, N0, C);
parts = mat2cell (values(:), sizes(:), 1);
weights = struct ('V0', reshape (parts{1}, N(1), N0), 'V', {cell(1, net.L)}, 'a', reshape (parts{end}, [], C));
for l = 1:net.L
  weights.V{l} = reshape (parts{l+1}, N(l+1), N(l), net.H(l));
end
end
