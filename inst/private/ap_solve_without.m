function sol = ap_solve_without (model, heads, from, varargin)
%AP_SOLVE_WITHOUT  The solution without some heads of a layer, for its criterion: no certificate, nothing printed.
%
%   sol = AP_SOLVE_WITHOUT (model, heads, from)
%   sol = AP_SOLVE_WITHOUT (model, heads, from, Name, Value, ...)      with more options of attnpath_solve
%   Inputs :  model, struct of net, order, and paths, y and perhaps noise, or moments, checked;  heads, rows [layer
%             head] of one layer;  from, 'gp', or 'rest': the search starts from the entries of U_1 .. U_l whose
%             partial paths are left, l the layer of the heads. U_l of higher layers do not depend on them
%   The warning attnpath:solve:noise is not repeated: the solution with all heads raised it.
%   See also attnpath_prune, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

y = {};
if isfield (model, 'moments')
  given = model.moments;
else
  given = model.paths;
  y = {model.y};
  varargin = [{'Noise', ap_noise_of(model)}, varargin];
end
[net, given] = attnpath_prune (model.net, heads, given);
start = from;
if strcmp (from, 'rest'), start = rest_of (model, heads); end
saved = warning ('off', 'attnpath:solve:noise');
back = onCleanup (@() warning (saved));
sol = attnpath_solve (net, given, y{:}, 'Start', start, 'Certificate', false, 'Display', false, varargin{:});
end

function start = rest_of (model, heads)
start = model.order;
skip = model.net.skip;
for l = 1:heads(1,1)
  every = ap_path_list (model.net.H(l:end), skip(l:end));
  left = ~ismember (every(:,heads(1,1)-l+1), heads(:,2));
  left = kron (left, ones (size (start{l}, 1) / numel (left), 1)) > 0;         % all outputs of each path
  start{l} = start{l}(left,left);
end
end
