function net = attnpath_net (heads, varargin)
%ATTNPATH_NET  Describe a network: its attention heads, widths, prior variances and temperature.
%
%   net = ATTNPATH_NET (heads)
%   net = ATTNPATH_NET (heads, Name, Value, ...)
%   net = ATTNPATH_NET (heads, settings)
%   net = ATTNPATH_NET (counts, ...)
%
%   The network is z^0 = V_0 x / sqrt (N0), then in each layer l = 1..L a sum over heads h of
%   V_l^h z^{l-1} Omega^{l,h} / sqrt (H_l N_l), then a linear readout of one token, or of their mean. A skip
%   connection adds s_l z^{l-1} to the sum: paths have one more branch in this layer, number 0.
%   The attention Omega is fixed; the posterior is over the weights V_0, V_l^h and a.
%
%   Inputs :
%     heads    1 x L cell, one entry per layer, which is either
%                bilinear matrices W, N0 x N0 x H_l: the score of key token s for query token t is x_s' W x_t
%                or a struct with Q and K, each G x N0 x H_l: the score is (K x_s)' (Q x_t) / sqrt (G)
%     counts   1 x L head counts, such as [12 12], instead of heads. You then give attention maps yourself:
%              attnpath_paths (net, X, A)
%   Options, by name or as one struct:
%     'Width'        100            N_1..N_L and N_a, positive, at most 1e15: one number for all, or 1 x (L+1)
%     'Variance'     1              prior variances sigma_0^2, sigma_1^2..sigma_L^2, sigma_a^2, from 1e-30 to
%                                   1e30: one number for all, or 1 x (L+2)
%     'Temperature'  0.01           variance of the label noise, up to 1e30; 0 needs a positive definite kernel
%     'Readout'      'last'         'last', 'first', 'mean' over query tokens, or a token number from 1; or
%                                   'all', every token by itself: labels are then T x P, see doc/tokens.md
%     'Attention'    'softmax'      rule that turns scores into attention:
%                                   'softmax' over key tokens
%                                   'hardmax', all weight on the largest score
%                                   'cme', kernel conditional mean [2], for heads with Q and K: the weights
%                                   (k (keys, keys) + lambda I)^{-1} k (keys, query), which need not sum to 1
%     'Bandwidth'    1              gamma, positive: the scores of softmax and cme are divided by it
%     'Kernel'       'exponential'  kernel of cme:
%                                   'exponential', exp (score)
%                                   'gaussian', exp (-distance^2 / (2 gamma sqrt (G)))
%                                   'linear', the score itself
%     'Ridge'        1e-3           lambda of cme, positive; a larger lambda gives a smoother regression
%     'Causal'       false          true: a query token attends to itself and earlier tokens only
%     'Skip'         0              residual streams: the gain s_l of a layer's skip connection, with which its
%                                   input is added to its output. One number for all layers or 1 x L, 0 for
%                                   none, true for 1. The widths before and after a skip must be equal
%     'HeadScale'    {}             cell {1 x H_1, ..., 1 x H_L}: a prior scale for each head, sigma_{l,h} /
%                                   sigma_l, from 0 to 1e15; {} for ones. A head of scale 0 adds nothing, but
%                                   still counts in the 1/sqrt (H_l) of its layer
%
%   Outputs: struct with
%     heads         as given, in double; {} when only counts were given
%     L, H          number of layers;  1 x L heads per layer
%     N0            features per token, 0 when only counts were given
%     width, variance, temperature, readout, attention, bandwidth, kernel, ridge, causal, skip, headscale
%   Without an output a summary is printed instead. Fields missing in a net of an older version have defaults.
%
%   Equation: (T1), (T2), (T26), (T34), (T38) and section 11 of theory.md, after [1] and [2].
%
%   Example:
%     >> heads = {cat(3, eye (3), zeros (3)), ones(3)};
%     >> net = attnpath_net (heads, 'Width', 50, 'Readout', 'mean');
%     >> net.H
%     ans =
%        2   1
%     >> net.width
%     ans =
%        50   50   50
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%     [2] Zhang, Liu, Cai, Wang, Wang, An Analysis of Attention via the Lens of Exchangeability and Latent
%         Variable Models, arXiv:2212.14852.
%
%   See also attnpath_paths, attnpath_solve, attnpath_prune, attnpath_attend, attnpath_task_markov.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: net.tst   SOURCE: theory.md section 1

ap_check_call ('net', nargin >= 1, 'net = attnpath_net (heads, Name, Value, ...)');
ap_check_built ('net');
table = [{'Width',       100,    'any',    []
          'Variance',    1,      'any',    []
          'Temperature', 0.01,   'number', [0 1e30]
          'Readout',     'last', 'any',    []}
         ap_head_options()
         {'Causal',      false,  'flag',   []
          'Skip',        0,      'any',    []
          'HeadScale',   {},     'any',    []}];
opt = ap_options ('net', table, varargin);
net = struct ('heads', {{}}, 'L', [], 'H', [], 'N0', 0);
if iscell (heads)
  [net.heads, net.H, net.N0] = read_heads (heads);
else
  net.H = ap_check_value ('net', 'heads (a cell, or head counts)', heads, 'counts', {'L', 1, 1e6});
end
net.L = numel (net.H);
net.width = per_layer ('Width', opt.Width, {net.L + 1, eps(0), 1e15});
net.variance = per_layer ('Variance', opt.Variance, {net.L + 2, 1e-30, 1e30});
net.temperature = opt.Temperature;
kind = {'count', [1 Inf]};
if ischar (opt.Readout), kind = {'word', {'last', 'first', 'mean', 'all'}}; end
net.readout = ap_check_value ('net', 'Readout', opt.Readout, kind{:});
bilinear = find (~cellfun (@isstruct, net.heads), 1);
ap_refuse ('net', 'badValue', ~isempty (bilinear) && getfield (ap_rules (opt.Attention), 'needs_pairs'), ...
           ['Attention %s needs heads with queries and keys, a struct with Q and K, but heads{%d} is a bilinear ' ...
            'matrix'], opt.Attention, bilinear);
for name = {'Attention', 'Bandwidth', 'Kernel', 'Ridge', 'Causal'}
  net.(lower (name{1})) = opt.(name{1});
end
net.skip = ap_check_skip ('net', 'Skip', opt.Skip, net.width);
if ~isequal (opt.HeadScale, {}), net.headscale = opt.HeadScale; end
net.headscale = ap_head_scales ('net', 'HeadScale', net, net.H);
if nargout == 0
  summarise (net);
  clear -regexp ^net$
end
end

function summarise (net)
attention = net.attention;
if isempty (net.heads), attention = 'to be brought'; end
fprintf ('%d layers, heads %s%s, %d paths, attention %s\n', net.L, mat2str (net.H), ...
         ap_branch_text (net, 4), ap_path_count (net), attention);
fprintf ('widths %s, prior variances %s, temperature %g, readout %s\n', mat2str (net.width, 4), ...
         mat2str (net.variance, 4), net.temperature, ap_readout_text (net));
end

function [heads, H, N0] = read_heads (heads)
ap_refuse ('net', 'empty', isempty (heads), 'heads has no layer');
ap_refuse ('net', 'badShape', ~isvector (heads), 'heads must be a 1 x L cell, not %s', {heads});
heads = heads(:).';
N0 = [];
for l = 1:numel (heads)
  name = sprintf ('heads{%d}', l);
  if isstruct (heads{l})
    heads{l} = read_queries_keys (name, heads{l}, N0);
    N0 = size (heads{l}.Q, 2);
    H(l) = size (heads{l}.Q, 3);
  else
    if isempty (N0), N0 = size (heads{l}, 1); end
    heads{l} = ap_check_array ('net', name, heads{l}, {max(N0, 1), max(N0, 1), 'H'});
    H(l) = size (heads{l}, 3);
  end
end
end

function pair = read_queries_keys (name, pair, N0)
ap_refuse ('net', 'missingField', numel (pair) ~= 1 || ~all (isfield (pair, {'Q', 'K'})), ...
           '%s must be one struct with fields Q and K', name);
if isempty (N0), N0 = 'N0'; end
Q = ap_check_array ('net', [name '.Q'], pair.Q, {'G', N0, 'H'});
K = ap_check_array ('net', [name '.K'], pair.K, {size(Q, 1), size(Q, 2), size(Q, 3)});
pair = struct ('Q', Q, 'K', K);
end

function value = per_layer (name, value, range)
if isfloat (value) && numel (value) == 1, value = repmat (value, 1, range{1}); end
value = ap_check_value ('net', name, value, 'row', range);
end

%!test
%! net = attnpath_net ({cat(3, eye (3), zeros (3)), ones(3)}, 'Width', 50);
%! assert ({net.H, net.N0, net.width}, {[2 1], 3, [50 50 50]});
