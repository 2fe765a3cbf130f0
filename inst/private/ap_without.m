function [value, each, order] = ap_without (model, heads, by)
%AP_WITHOUT  Criterion of the solution without some heads of a layer: smaller is better.
%
%   [value, each, order] = AP_WITHOUT (model, heads, by)
%   Inputs :  model, from ap_check_removable;  heads, rows [layer head] of one layer, or [] for the model as it is;
%             by, 'loo' for the squared leave-one-out error (T24), 'evidence' for minus the log evidence (T25)
%   Outputs:  value, NaN where no minimum is found, and where Ctrl-C is held back and was pressed;  each, the squared
%             error of each example, mean over outputs, [] for the evidence;  order, the order parameters
%   The search starts from the entries of U_1 .. U_l whose partial paths are left, l the layer of the heads, since U_l
%   of higher layers do not depend on them; then from the GP limit, where that found none, or where U is far from its
%   size there and attnpath_solve makes ten starts: the lower minimum counts. There is no certificate, nothing is
%   printed, and warnings of the model with all heads come with it alone.
%   See also attnpath_prune, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

order = model.order;
if isempty (heads)
  [value, each] = cost (model, by, model.leave);
  return
end
back = ap_silent ({'solve:notConverged', 'solve:noise', 'solve:scale', 'solve:realLabels', 'loo:seen', 'loo:copies'});
given = ap_field (model, 'moments', ap_field (model, 'paths', []));
if size (heads, 1) == model.net.H(heads(1,1))      % the layer's skip connection is left
  [net, given] = deal (model.net, silent (given, model.net, heads(1,1)));
else
  [net, given] = attnpath_prune (model.net, heads, given);
  order = rest_of (order, model.net, heads);
end
given = {given};
if isfield (model, 'paths'), given = [given, {model.y, 'Noise', ap_field(model, 'noise', [])}]; end
[value, each, best] = deal (NaN, [], []);
used = cellfun (@(scale) sum (scale > 0), net.headscale) + (net.skip > 0);
above = fliplr (cumprod (fliplr ([used(2:end), 1])));
several = any (used == 1 & above > 1);             % minima, see ap_starts.c
size_of = @(order) norm (order{1}, 'fro');
blocks = size (order{1}, 1) / ap_path_count (net);
try
  for start = {order, 'gp'}
    sol = attnpath_solve (net, given{:}, 'Start', start{1}, 'Certificate', false, 'Display', false, ...
                          'Outputs', model.outputs);
    if attnpath_interrupt_mex ('seen'), return; end
    if isempty (best), order = sol.order; end
    if sol.converged && (isempty (best) || sol.action < best.action), [best, order] = deal (sol, sol.order); end
    few = ~several || size_of (sol.order) < ap_growth_limit () * size_of (ap_gp_order (net, blocks));
    if ~isempty (best) && few, break; end
  end
  if ~isempty (best), [value, each] = cost (best, by, model.leave); end
catch err                                          % temperature 0 and a kernel that became singular
  singular = ~isempty (regexp (err.identifier, ':notPositiveDefinite$', 'once'));
  if ~singular && ~attnpath_interrupt_mex ('seen'), rethrow (err); end
end
end

function [value, each] = cost (sol, by, leave)
each = zeros (0, 1);
if attnpath_interrupt_mex ('seen')
  value = NaN;
elseif strcmp (by, 'loo')
  loo = attnpath_loo (sol, 'Leave', leave, 'Display', false);
  many = ap_tokens ('scores', 'model.paths', sol.net, sol.paths, size (sol.paths.Xi, 2));
  [value, each] = deal (loo.mse, mean (ap_from_tokens (many, loo.mean - sol.y) .^ 2, 2));
else
  value = -attnpath_evidence (sol, 'Display', false);
end
if attnpath_interrupt_mex ('seen'), value = NaN; end         % what was cut short is worth nothing
end

function given = silent (given, net, layer)
% Path inputs, or their moments, with zeros for the paths through heads of a layer. The order parameters of these paths
% are then those of the prior, given the others, which have the saddle point of the network without them (section 16)
paths = ap_path_list (net.H, net.skip);
left = double (paths(:,layer) == 0);
if ~ap_is_moments (given)
  given.Xi = bsxfun (@times, given.Xi, reshape (left, 1, 1, []));
  return
end
left = [kron(left, ones (given.N0, 1)); ones(ap_outputs (given), 1)];
given.sums = bsxfun (@times, given.sums, left');
if strcmp (given.form, 'square'), given.sums = bsxfun (@times, given.sums, left); end
end

function order = rest_of (order, net, heads)
for l = 1:heads(1,1)
  every = ap_path_list (net.H(l:end), net.skip(l:end));
  left = ~ismember (every(:,heads(1,1)-l+1), heads(:,2));
  left = kron (left, ones (size (order{l}, 1) / numel (left), 1)) > 0;         % all outputs of each path
  order{l} = order{l}(left,left);
end
end
