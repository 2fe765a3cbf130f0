function score = attnpath_scores (model)
%ATTNPATH_SCORES  How much each head matters: its share of the order parameter.
%
%   score = ATTNPATH_SCORES (model)
%
%   Inputs :
%     model     solution from attnpath_solve, or any struct with net and U. Of several U, Pi x Pi x draws, the
%               mean is taken
%
%   Outputs:
%     score     rows [layer head score], one per head. Scores increase, the largest is 1, and equal ones stay
%               in the order of layers and heads. attnpath_prune (net, score(1:k,1:2)) removes the k least
%               heads
%
%   Equation: theory.md section 8. The score of a head is the sum of |U_pq| over all entries whose path p or
%   path q goes through the head, divided by the largest such sum.
%
%   Example:
%     net = attnpath_net ({zeros(2, 2, 2), zeros(2)});
%     attnpath_scores (struct ('net', net, 'U', [3 1; 1 1]))
%                                              % 1 2 0.5
%                                              % 1 1 0.83333
%                                              % 2 1 1
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_solve, attnpath_prune.
%
%   TESTING: scores.tst   REFERENCE: ref_scores.m   SOURCE: theory.md section 8

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 1
  ap_fail ('scores', 'usage', 'the call is score = attnpath_scores (model)');
elseif ~isstruct (model) || numel (model) ~= 1
  ap_fail ('scores', 'badClass', 'model must be one struct with net and U, not %s', ap_describe (model));
elseif ~isfield (model, 'net') || ~isfield (model, 'U')
  ap_fail ('scores', 'missingField', 'model must have fields net and U, from attnpath_solve');
end
net = model.net;
ap_check_net ('scores', net);
U = model.U;
if isfloat (U) && ~issparse (U), U = mean (U(:,:,:), 3); end
U = abs (ap_check_symmetric ('scores', 'model.U', U, prod (net.H), 'any'));
list = ap_pathlist (net.H);
score = zeros (0, 3);
for l = 1:net.L
  for h = 1:net.H(l)
    uses = list(:,l) == h;
    score(end+1,:) = [l, h, sum(U(bsxfun (@or, uses, uses')))];
  end
end
if ~all (isfinite (score(:,3)))
  ap_fail ('scores', 'notFinite', 'sums of |U| overflow: its largest entry is %.4g', max (U(:)));
end
score = sortrows (score, 3);
if score(end,3) > 0
  score(:,3) = score(:,3) / score(end,3);
end
end

%!test
%! score = attnpath_scores (struct ('net', attnpath_net ([2 1]), 'U', [3 1; 1 1]));
%! assert (score, [1 2 3/6; 1 1 5/6; 2 1 1], eps);
