function [n, rows] = ap_unknowns (net, order)
%AP_UNKNOWNS  How many order parameters of a solution are unknowns of its Hessian.
%
%   [n, rows] = AP_UNKNOWNS (net, order)
%   Inputs :  order, 1 x L cell, or 1 x (L+1) of coupled outputs
%   Outputs:  n, their number;  rows, of each matrix of them: those below a skip connection are leading blocks of others
%   See also ap_say_price, attnpath_expand, attnpath_evidence.

% SPDX-License-Identifier: BSD-3-Clause

rows = cellfun (@(U) size (U, 1), order([true, net.skip(1:numel (order)-1) == 0]));
n = sum (rows .* (rows + 1)) / 2;
end
