function [A, sd] = attnpath_attention (net, X, varargin)
%ATTNPATH_ATTENTION  Attention maps of all heads on all examples.
%
%   A = ATTNPATH_ATTENTION (net, X)
%   A = ATTNPATH_ATTENTION (net, X, 'Lengths', lengths)
%   [A, sd] = ATTNPATH_ATTENTION (post, X)
%   [A, sd] = ATTNPATH_ATTENTION (post, X, 'Matched', true)
%
%   Inputs :
%     net       network with heads, from attnpath_net
%     post      instead of net: a sample of heads, from attnpath_sample with Method 'attention'
%     X         N0 x T x P tokens, one example per page, double or single
%   Options, by name or as one struct:
%     'Lengths'  []   1 x P numbers of tokens, where examples are zero-padded to a common T
%     'Matched'  false   of a sample: true for single heads. Heads of a layer with equal prior scales can
%                     change places from draw to draw. In each draw the head whose maps have the largest
%                     inner product with the mean, so far, of the maps of a head takes its place, the largest
%                     of all pairs first. Where heads differ little the result depends on this rule
%     'Display'  true of a sample: progress after two seconds
%
%   Outputs:
%     A         1 x L cell; A{l} is T x T x H_l x P, and A{l}(s,t,h,mu) is the weight of key token s for query
%               token t in example mu. Columns sum to 1. Columns of padded queries and rows of padded keys
%               are 0. Of a sample the mean over its draws; without 'Matched' that of the mean over the heads
%               of a layer, T x T x 1 x P
%     sd        like A: standard deviation over the draws
%
%   Equation: Omega in (T1) of theory.md. Omega is the softmax over s of the scores x_s' W x_t / gamma, or of
%   (K x_s)' (Q x_t) / (sqrt (G) gamma); section 11 gives it for 'cme'. attnpath_paths computes these maps
%   itself, one by one, and keeps none.
%
%   Example:
%     >> net = attnpath_net ({log(3) * [0 1; 0 0]});   % key (1,0) scores log 3 for query (0,1)
%     >> A = attnpath_attention (net, eye (2));
%     >> A{1}
%     ans =
%        0.5000   0.7500
%        0.5000   0.2500
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_net, attnpath_paths, attnpath_attend.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: attention.tst, test_ap_attention.c   REFERENCE: ref_attention.m   SOURCE: (T1)

ap_check_call ('attention', nargin >= 2, 'A = attnpath_attention (net, X, Name, Value)');
table = {'Lengths', [],    'any',     []
         'Matched', false, 'flag',    []
         'Display', true,  'display', []};
opt = ap_options ('attention', table, varargin);
if ap_is_learned (net)
  [A, sd] = over_draws (net, X, opt);
  return
end
ap_refuse ('attention', 'badValue', nargout > 1 || opt.Matched, ['the attention of a network has no spread and its ' ...
           'heads have places: sd and Matched are for samples of heads, attnpath_sample (.., ''Method'', ' ...
           '''attention'')']);
net = ap_check_net ('attention', net);
ap_refuse ('attention', 'noHeads', isempty (net.heads), ['this net has no heads, only their numbers: there is ' ...
           'nothing to compute attention from; give your own maps to attnpath_paths (net, X, A)']);
X = ap_check_array ('attention', 'X', X, {net.N0, 'T', 'P'});
A = attnpath_attention_mex (net, X, ap_check_lengths ('attention', opt.Lengths, size (X, 1), size (X, 2), size (X, 3)));
end

function [A, sd] = over_draws (post, X, opt)
count = ap_draw_of_heads ('attention', post, []);
X = ap_check_array ('attention', 'X', X, {size(post.X, 1), 'T', 'P'});
lengths = ap_check_lengths ('attention', opt.Lengths, size (X, 1), size (X, 2), size (X, 3));
[A, sd] = deal (cell (1, post.net.L));
told = ap_progress_line ();
for k = 1:count
  told = ap_progress_line (told, opt.Display, 'attnpath_attention: %d of %d draws', k - 1, count);
  maps = attnpath_attention_mex (ap_draw_of_heads ('attention', post, k), X, lengths);
  for l = 1:numel (maps)
    map = maps{l};
    if ~opt.Matched
      map = mean (map, 3);
    elseif k > 1 && all (post.net.headscale{l} == post.net.headscale{l}(1))
      map = map(:,:,match (A{l}, map),:);
    end
    if k == 1, [A{l}, sd{l}] = deal (zeros (size (map))); end
    step = map - A{l};                             % Welford
    A{l} = A{l} + step / k;
    sd{l} = sd{l} + step .* (map - A{l});
  end
end
sd = cellfun (@(square) sqrt (square / max (1, count - 1)), sd, 'UniformOutput', false);
end

function order = match (known, maps)
% order(h): which of the maps takes the place of head h
H = size (maps, 3);
flat = @(x) reshape (permute (x, [1 2 4 3]), [], H);
overlap = flat (known)' * flat (maps);
order = zeros (1, H);
for h = 1:H
  [~, at] = max (overlap(:));
  [i, j] = ind2sub ([H, H], at);
  order(i) = j;
  overlap(i,:) = -Inf;
  overlap(:,j) = -Inf;
end
end

%!test
%! A = attnpath_attention (attnpath_net ({log(3) * [0 1; 0 0]}), eye (2));
%! assert (A, {[0.5 0.75; 0.5 0.25]}, 1e-15);
