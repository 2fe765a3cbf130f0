function [S, grad, part] = attnpath_action (net, paths, varargin)
%ATTNPATH_ACTION  Action of the order parameters, its gradient and its parts.
%
%   S = ATTNPATH_ACTION (net, paths, y, order)
%   [S, grad, part] = ATTNPATH_ACTION (net, paths, y, order)
%   [S, grad, part] = ATTNPATH_ACTION (net, paths, y, order, 'Noise', noise)
%   [S, grad, part] = ATTNPATH_ACTION (net, moments, order)
%
%   The order parameters of a wide network minimize the action; attnpath_solve finds the minimum.
%   The readout's order parameter u_a is eliminated in closed form.
%
%   Inputs :
%     net       network, from attnpath_net
%     paths     from attnpath_paths, for P examples (or its Xi, N0 x P x Pi)
%     y         P x 1 labels, or P x C of C outputs
%     moments   instead of paths and y: from attnpath_moments
%     order     1 x L cell {U_1, ..., U_L} of symmetric positive definite matrices; U_l is Pi_l x Pi_l with
%               Pi_l = H_l H_{l+1} ... H_L. With C > 1 coupled outputs U_l is Pi_l C x Pi_l C, path
%               slowest, output fastest, and a last member is the readout's C x C matrix; with a cell of L
%               matrices Pi_l x Pi_l the outputs share them (see attnpath_solve). Where layer l has a skip
%               connection, it counts as one more head in Pi_l, and U_(l+1) is the leading block of U_l
%   Options, by name or as one struct:
%     'Noise'   []   1 x P variances of the labels' noise in units of the temperature, as for attnpath_solve
%
%   Outputs:
%     S         action: energy + entropy
%     grad      cell like order, grad{l} = dS/dU_l, symmetric. Where U_l is a leading block of U_(l-1), grad{l}
%               is 0 and grad{l-1} contains its contribution
%     part      struct with energy, entropy, ua, and gradnorm: the largest |entry| of all grad{l}, divided by
%               max (net.width)
%
%   Equation: (T7), (T8), (T9) of theory.md; for several outputs (T18), (T19); with 'Noise' (T35).
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2)}, 'Width', 10);
%     >> paths = attnpath_paths (net, cat (3, [1 2 3; 4 5 6], [1 0 -1; 0 1 2]));
%     >> [S, grad, part] = attnpath_action (net, paths, [1; -1], {eye(2)});
%     >> S
%     S = 47.547
%     >> grad{1}
%     ans =
%       -6.6409  -6.6409
%       -6.6409  -6.6409
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_kernel.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: action.tst, test_ap_action.c   REFERENCE: ref_action.m   SOURCE: (T7), (T8), (T9)

moments = nargin > 1 && ap_is_moments (paths);
ap_check_call ('action', nargin > 1 && numel (varargin) > 1 - moments, ...
               '[S, grad, part] = attnpath_action (net, paths, y, order)');
net = ap_check_net ('action', net);
table = {'Noise', [], 'any', []};
if moments
  C = ap_outputs (paths);
  [order, shared] = check_order (varargin{1}, net, C);
  opt = ap_options ('action', table, varargin(2:end));
  data = ap_examples ('action', net, paths, [], [], once (shared, []), [], opt.Noise);
else
  [Xi, of] = ap_check_inputs ('action', 'paths', paths, net);
  many = ap_tokens ('action', 'paths', net, paths, size (Xi, 2));
  y = ap_labels ('action', 'y', varargin{1}, many, true);
  C = size (y, 2);
  [order, shared] = check_order (varargin{2}, net, C);
  opt = ap_options ('action', table, varargin(3:end));
  noise = ap_check_noise ('action', 'Noise', opt.Noise, many, y);
  data = ap_prepare ('action', net, Xi, y, once (shared, of), noise);
end
ap_check_cold ('action', net, data, order{1});
net = ap_without_heads (net, data);
memory = 2^28;                     % bytes of stored kernels; more would gain little
if nargout < 2
  S = ap_gateway ('action', @attnpath_action_mex, net, data, order, memory);
else
  [S, grad, part.energy, part.entropy, part.ua, part.gradnorm] = ...
    ap_gateway ('action', @attnpath_action_mex, net, data, order, memory);
  if C > 1 && ~shared, part.ua = order{end}; end
end
end

function [order, shared] = check_order (order, net, C)
blocks = ap_output_blocks (net, order, C);
shared = blocks < C;
order = ap_check_order ('action', 'order', order, net, blocks);
end

function settings = once (shared, of)
% One evaluation has no use for stored kernels or a basis
settings = struct ('memory', 0, 'store', false, 'reduce', false, 'evaluations', 0, 'threads', 0, 'shared', shared, ...
                   'of', of);
end

%!test % the gradient is the slope of the action
%! net = attnpath_net ({zeros(2, 2, 2)}, 'Width', 10);
%! paths = attnpath_paths (net, cat (3, [1 2 3; 4 5 6], [1 0 -1; 0 1 2]));
%! [S, grad] = attnpath_action (net, paths, [1; -1], {eye(2)});
%! V = [1 2; 2 -1];
%! slope = diff (cellfun (@(h) attnpath_action (net, paths, [1; -1], {eye(2) + h * V}), {-1e-4, 1e-4})) / 2e-4;
%! assert (slope, sum (sum (grad{1} .* V)), 1e-5);
