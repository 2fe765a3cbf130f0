function [out, Omega] = attnpath_attend (q, K, V, varargin)
%ATTNPATH_ATTEND  One attention head applied to queries: an average of the values, or a regression on the keys.
%
%   out = ATTNPATH_ATTEND (q, K, V)
%   out = ATTNPATH_ATTEND (q, K, V, Name, Value, ...)
%   [out, Omega] = ATTNPATH_ATTEND (...)
%
%   Softmax attention with keys and queries of unit norm is a Nadaraya-Watson smoother; 'cme' is kernel ridge
%   regression of the values on the keys. Both estimate E[value | key = query].
%
%   Inputs :
%     q         d x m queries, double or single
%     K         d x n keys, double or single
%     V         dv x n values, one for each key, double or single
%   Options, by name or as one struct:
%     'Attention'   'softmax'       how a query weighs the keys:
%                                   'softmax', softmax of K' q / gamma over the keys
%                                   'hardmax', all weight on the key of the largest score, the first of equals
%                                   'cme', the kernel conditional mean embedding
%     'Bandwidth'   1               gamma, positive; scores are divided by gamma, not by sqrt (d)
%     'Kernel'      'exponential'   kernel k of 'cme':
%                                   'exponential', k (k, q) = exp (k' q / gamma)
%                                   'gaussian', exp (-|k - q|^2 / (2 gamma))
%                                   'linear', k' q / gamma
%     'Ridge'       1e-3            lambda of 'cme', positive, added to the diagonal of the kernel matrix; a
%                                   larger lambda gives a smoother regression
%     'Unit'        false           true: keys and queries must have norm 1, within 1e-8
%
%   Outputs:
%     out       dv x m, V Omega
%     Omega     n x m weights: Omega(s,t) is the weight of key s for query t. Columns sum to 1 with 'softmax'
%               and 'hardmax', not with 'cme'
%
%   For one key, n = 1, softmax gives V for every query and cme gives V k (K, q) / (k (K, K) + lambda).
%   The cost of 'cme' is n^3 / 3. With dv < m, a call with one output is cheaper.
%
%   Equation: section 11 of theory.md, after [1]: V (G + lambda I)^{-1} k (K, q), G the kernel matrix of the
%   keys. attnpath_net (heads, 'Attention', 'cme') returns a network with such heads.
%
%   Example:
%     >> x = linspace (-2, 2, 41);               % keys, and noisy values of sin (x)
%     >> v = sin (x) + 0.1 * cos (31 * x);
%     >> f = attnpath_attend (1, x, v, 'Attention', 'cme', 'Kernel', 'gaussian', 'Ridge', 0.1);
%     >> abs (f - sin (1)) < 0.05
%     ans = 1
%
%
%   References:
%     [1] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent
%         Variable Models, arXiv:2212.14852.
%
%   See also attnpath_net, attnpath_attention.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: attend.tst, test_ap_cme.c   REFERENCE: ref_cme.m   SOURCE: theory.md section 11

ap_check_call ('attend', nargin >= 3, 'out = attnpath_attend (q, K, V, Name, Value, ...)');
ap_check_built ('attend');
table = [ap_head_options()
         {'Unit', false, 'flag', []}];
opt = ap_options ('attend', table, varargin);
rule = struct ('attention', opt.Attention, 'bandwidth', opt.Bandwidth, 'kernel', opt.Kernel, 'ridge', opt.Ridge);
K = ap_check_array ('attend', 'K', K, {'d', 'n'});
q = ap_check_array ('attend', 'q', q, {size(K, 1), 'm'});
V = ap_check_array ('attend', 'V', V, {'dv', size(K, 2)});
if opt.Unit
  check_unit ('K', K);
  check_unit ('q', q);
end
n = size (K, 2);
m = size (q, 2);
factors = getfield (ap_rules (opt.Attention), 'factors');
small_enough (n, m, factors, nargout > 1);
if nargout > 1
  [out, Omega] = attnpath_attend_mex (q, K, V, rule);
elseif factors                                     % each part of the queries would factor the kernel matrix again
  out = attnpath_attend_mex (q, K, V, rule);
else                                               % parts of about a second, so that Ctrl-C interrupts the loop
  out = zeros (size (V, 1), m);
  together = max (1, min (512, floor (1e8 / n)));
  for first = 1:together:m
    some = first:min (m, first + together - 1);
    out(:,some) = attnpath_attend_mex (q(:,some), K, V, rule);
  end
end
end

function small_enough (n, m, factors, maps)
% Memory: the n x n kernel matrix of rules that factor it, and the n x m weights. Without the output Omega, weights
% are computed 512 columns at a time
entries = n * (n * factors + max (m * maps, min (m, 512) * (factors || maps)));
ap_refuse ('attend', 'tooLarge', entries > 2^30, ...
           '%.10g keys and %.10g queries would take %.3g GiB, above the limit of 8', n, m, entries / 2^27);
end

function check_unit (name, x)
norms = sqrt (sum (x .^ 2, 1));
bad = find (~(abs (norms - 1) <= 1e-8), 1);
ap_refuse ('attend', 'badValue', ~isempty (bad), ...
           'columns of %s must have norm 1, within 1e-8, but column %d has %.10g', name, bad, norms(bad));
end

%!error id=attnpath:attend:usage attnpath_attend (1, 2)
%!test
%! assert (attnpath_attend ([1 0], [0 0], [1 3]), [2 2], eps);
%! assert (attnpath_attend (2, 1, 5, 'Attention', 'cme', 'Kernel', 'linear', 'Ridge', 4), 2, 4 * eps);
