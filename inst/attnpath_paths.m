function [paths, y] = attnpath_paths (net, X, varargin)
%ATTNPATH_PATHS  Path inputs: the tokens averaged along every attention path.
%
%   paths = ATTNPATH_PATHS (net, X)
%   paths = ATTNPATH_PATHS (net, X, A)
%   paths = ATTNPATH_PATHS (..., 'Lengths', lengths)
%   [paths, y] = ATTNPATH_PATHS (net, source)
%
%   A path takes one head in each layer. The network sees an example through its path inputs only. They are
%   computed once and then serve attnpath_kernel, attnpath_action, attnpath_solve and attnpath_predict.
%
%   Inputs :
%     net       network, from attnpath_net
%     X         N0 x T x P tokens, one example per page, double or single
%     A         1 x L cell of attention maps that you bring, from a transformer of your own. A{l} is
%               T x T x H_l x P, key x query x head x example. Each column (one query) sums to 1, within 0.01;
%               A{l} ./ sum (A{l}, 1) mends rounded ones. Maps of a net with cme heads need not sum to 1.
%               If yours are query x key: A{l} = permute (A{l}, [2 1 3 4])
%     source    instead of X and A: source (k) returns part k of a data set whose tokens and maps are never in
%               memory together; see attnpath_moments, and attnpath_source
%   Options, by name or as one struct:
%     'Lengths'  []   1 x P numbers of tokens, where examples are zero-padded to a common T
%
%   Outputs: struct with
%     Xi        N0 x P x Pi path inputs
%     heads     Pi x L: row p holds the head in each layer of path p, whose inputs are Xi(:,:,p). The order is
%               lexicographic, the first layer's head slowest
%     brought   true if the path inputs are made from maps A that you brought
%   With a source, y is P x 1, the labels of its parts, [] where they have none.
%
%   Equation: (T3), xi^pi_mu = x_mu Omega^{1,h_1} Omega^{2,h_2} ... Omega^{L,h_L} e.
%
%   Example:
%     net = attnpath_net ({zeros(2, 2, 2), zeros(2)});   % all attention uniform
%     paths = attnpath_paths (net, [1 2 3; 4 5 6]);
%     paths.heads                              % 1 1
%                                              % 2 1
%     squeeze (paths.Xi)                       % 2 2
%                                              % 5 5
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_net, attnpath_attention, attnpath_kernel, attnpath_solve.
%
%   TESTING: paths.tst, test_ap_paths.c   REFERENCE: ref_paths.m   SOURCE: (T3)

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2
  ap_fail ('paths', 'usage', 'the call is paths = attnpath_paths (net, X, A, Name, Value)');
end
if isa (X, 'function_handle')
  ap_options ('paths', cell (0, 4), varargin);     % a source has no options
  ap_check_net ('paths', net);
  [paths, y] = in_parts (net, X);
  return
end
y = [];
A = [];
if ~isempty (varargin) && ~ischar (varargin{1}) && ~isstruct (varargin{1}) && ~isa (varargin{1}, 'string')
  A = varargin{1};
  varargin(1) = [];
end
table = {'Lengths', [], 'any', []};
opt = ap_options ('paths', table, varargin);
ap_check_net ('paths', net);
paths.Xi = ap_inputs ('paths', net, X, opt.Lengths, A);
paths.heads = ap_pathlist (net.H);
paths.brought = ~(isnumeric (A) && isempty (A));
end

function [paths, y] = in_parts (net, source)
Xi = {};
y = {};
begun = tic ();
told = 0;
k = 1;
N0 = net.N0;
part = ap_check_part ('paths', source, k, net, N0);
while ~isempty (part)
  if k > 1 && part.brought ~= brought
    ap_fail ('paths', 'badSource', 'of the parts before part %d all or none had maps A, and this one differs', k);
  elseif k > 1 && isempty (part.y) ~= isempty (y{1})
    ap_fail ('paths', 'badSource', 'of the parts before part %d all or none had labels y, and this one differs', k);
  end
  brought = part.brought;
  N0 = part.N0;
  Xi{k} = part.inputs (1:part.P);
  y{k,1} = part.y;
  if toc (begun) > max (2, 2 * told) || toc (begun) > told + 8
    told = toc (begun);
    fprintf ('attnpath_paths: %d parts, %d examples, after %.0f s\n', k, sum (cellfun ('size', Xi, 2)), told);
    ap_flush ();
  end
  k = k + 1;
  part = ap_check_part ('paths', source, k, net, N0);
end
if isempty (Xi)
  ap_fail ('paths', 'badSource', 'there are no examples: source (1) must be a struct with X, not []');
end
paths = struct ('Xi', cat (2, Xi{:}), 'heads', ap_pathlist (net.H), 'brought', brought);
y = cat (1, y{:});
end

%!test
%! paths = attnpath_paths (attnpath_net ({zeros(2, 2, 2), zeros(2)}), [1 2 3; 4 5 6]);
%! assert (paths.heads, [1 1; 2 1]);
%! assert (squeeze (paths.Xi), [2 2; 5 5], 1e-14);
%! assert (paths.brought, false);
