function A = attnpath_attention (net, X, varargin)
%ATTNPATH_ATTENTION  Attention maps of all heads on all examples.
%
%   A = ATTNPATH_ATTENTION (net, X)
%   A = ATTNPATH_ATTENTION (net, X, 'Lengths', lengths)
%
%   Inputs :
%     net       network with heads, from attnpath_net
%     X         N0 x T x P tokens, one example per page, double or single
%   Options, by name or as one struct:
%     'Lengths'  []   1 x P numbers of tokens, where examples are zero-padded to a common T
%
%   Outputs:
%     A         1 x L cell; A{l} is T x T x H_l x P, and A{l}(s,t,h,mu) is the weight of key token s for query
%               token t in example mu. Columns sum to 1. Columns of padded queries and rows of padded keys
%               are 0
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
table = {'Lengths', [], 'any', []};
opt = ap_options ('attention', table, varargin);
net = ap_check_net ('attention', net);
ap_refuse ('attention', 'noHeads', isempty (net.heads), ['this net has no heads, only their numbers: there is ' ...
           'nothing to compute attention from; give your own maps to attnpath_paths (net, X, A)']);
X = ap_check_array ('attention', 'X', X, {net.N0, 'T', 'P'});
A = attnpath_attention_mex (net, X, ap_check_lengths ('attention', opt.Lengths, size (X, 1), size (X, 2), size (X, 3)));
end

%!test
%! A = attnpath_attention (attnpath_net ({log(3) * [0 1; 0 0]}), eye (2));
%! assert (A, {[0.5 0.75; 0.5 0.25]}, 1e-15);
