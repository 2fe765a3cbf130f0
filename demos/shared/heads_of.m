function list = heads_of (H)
%HEADS_OF  All heads of a network as rows [layer head], layer by layer.
%
%   list = heads_of (H)
%   Inputs :  H, 1 x L head counts       Outputs:  list, sum (H) x 2
%   The same as ap_head_list of inst/private, which demos cannot call.

% SPDX-License-Identifier: BSD-3-Clause

list = zeros (0, 2);
for l = 1:numel (H), list = [list; repmat(l, H(l), 1), (1:H(l))']; end
end
