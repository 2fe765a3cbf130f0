function weights = attnpath_weights (post, draw, chain)
%ATTNPATH_WEIGHTS  The weights of one draw of a sample, from memory or from the file next to its checkpoint.
%
%   weights = ATTNPATH_WEIGHTS (post, draw, chain)
%
%   Inputs :
%     post      from attnpath_sample, with 'Weights', true
%     draw      1 to draws
%     chain     1 to chains
%
%   Outputs: struct with
%     V0        N_1 x N0 input weights
%     V         1 x L cell, V{l} N_{l+1} x N_l x H_l value weights, of prior variance sigma_l^2: scales of
%               heads (net.headscale) multiply their attention
%     a         N_a x 1 readout weights, of C outputs N_a x C
%
%   Equation: (T1).
%
%   Example:
%     >> task = attnpath_task_markov ('P', 20, 'Ptest', 2);
%     >> net = attnpath_net (task.heads, 'Width', 5);
%     >> post = attnpath_sample (net, task.Xtrain, task.ytrain, 'Weights', true, 'Display', false);
%     ...
%     >> w = attnpath_weights (post, 1, 1);
%     >> size (w.V{2})
%     ans =
%        5   5   2
%
%
%   See also attnpath_sample.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: sample.tst   SOURCE: (T1)

ap_check_call ('weights', nargin == 3, 'weights = attnpath_weights (post, draw, chain)');
ap_check_fields ('weights', 'post', post, {'weights'}, 'attnpath_sample');
held = post.weights;
ap_refuse ('weights', 'missingField', isempty (held), ...
           'this sample was drawn without ''Weights'', true: it holds none');
if isnumeric (held)
  [count, draws, chains] = size (held);
elseif isstruct (held) && all (isfield (held, {'numbers', 'draws', 'chains'}))
  [count, draws, chains] = deal (held.numbers, held.draws, held.chains);
else
  ap_fail ('weights', 'badClass', ['post.weights are no draws: of what attnpath_train returns they are the weights ' ...
           'themselves; post must be a sample, from attnpath_sample']);
end
draw = ap_check_value ('weights', 'draw', draw, 'count', [1 draws]);
chain = ap_check_value ('weights', 'chain', chain, 'count', [1 chains]);
if isnumeric (held)
  values = held(:,draw,chain);
else
  values = from_file (held, (draw - 1) * chains + chain - 1);
end

ap_check_net ('weights', post.net);
if isfield (post, 'moments')
  [N0, C] = deal (post.moments.N0, ap_outputs (post.moments));
elseif ap_is_learned (post)
  [N0, C] = deal (size (post.X, 1), size (post.y, 2 + strcmp (post.net.readout, 'all')));
else
  [N0, C] = deal (size (post.paths.Xi, 1), size (post.y, 2 + strcmp (post.net.readout, 'all')));
end
wanted = sum (ap_weight_sizes (post.net, N0, C));
ap_refuse ('weights', 'badShape', wanted ~= count, ...
           'post.weights holds %d numbers a draw, but its network has %d weights', count, wanted);
weights = ap_split_weights (values, post.net, N0, C);
end

function values = from_file (where, record)
file = fopen (where.file, 'r', 'ieee-le');
ap_refuse ('weights', 'file', file < 0, 'the weights are in %s, which cannot be opened', where.file);
close_it = onCleanup (@() fclose (file));
failed = fseek (file, 8 * where.numbers * record, 'bof');
values = fread (file, where.numbers, 'double');
ap_refuse ('weights', 'file', failed || numel (values) ~= where.numbers, '%s ends before this draw', where.file);
end

%!error id=attnpath:weights:usage attnpath_weights (1)
%!test
%! net = attnpath_net (2, 'Width', [3 4]);
%! paths = struct ('Xi', randn (5, 6, 2));
%! post = attnpath_sample (net, paths, ones (6, 1), 'Weights', true, 'Draws', 800, 'Display', false);
%! w = attnpath_weights (post, 2, 1);
%! assert ({size(w.V0), size(w.V{1}), size(w.a)}, {[3 5], [4 3 2], [4 1]});
