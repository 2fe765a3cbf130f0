function [paths, varargout] = attnpath_paths (net, X, varargin)
%ATTNPATH_PATHS  Path inputs: the tokens averaged along every attention path.
%
%   paths = ATTNPATH_PATHS (net, X)
%   paths = ATTNPATH_PATHS (net, X, A)
%   paths = ATTNPATH_PATHS (..., 'Lengths', lengths)
%   [paths, net] = ATTNPATH_PATHS (..., 'Heads', heads)
%   [paths, y, net, noise] = ATTNPATH_PATHS (net, source, ...)
%
%   A path takes one head in each layer. The network sees an example through its path inputs only. They are
%   computed once and then serve attnpath_kernel, attnpath_action, attnpath_solve and attnpath_predict.
%
%   Inputs :
%     net       network, from attnpath_net
%     X         N0 x T x P tokens, one example per page, double or single
%     A         1 x L cell of attention maps from a transformer of your own. A{l} is
%               T x T x H_l x P, key x query x head x example. Each column (one query) sums to 1, within 0.01;
%               A{l} ./ sum (A{l}, 1) corrects rounding. Maps of a net with cme heads need not sum to 1.
%               If yours are query x key: A{l} = permute (A{l}, [2 1 3 4])
%     source    instead of X and A: source (k) returns part k of a data set with tokens and maps larger than
%               memory; see attnpath_moments, and attnpath_source
%   Options, by name or as one struct:
%     'Lengths'  []   1 x P numbers of tokens, where examples are zero-padded to a common T. The parts of a
%                     source hold their own
%     'Heads'    []   k x 2 rows [layer head], at least one of each layer: compute the paths through these
%                     heads alone, in the time and memory of these paths; [] for all. X and A are those of the
%                     whole network
%     'Many'     false  true: go on where a tuning of so many paths takes over an hour even with 'Corrected',
%                     false; an error otherwise. What a solution and a tuning take is printed where a tuning
%                     takes over five minutes
%
%   Outputs: struct with
%     Xi        N0 x P x Pi path inputs. With the readout 'all' N0 x n x Pi, of all n tokens but padding,
%               sequence by sequence. Then there are also
%     example, token   1 x n numbers: of which sequence, and which token of it
%     tokens    T, tokens of X
%     heads     Pi x L: row p holds the head in each layer of path p, for the inputs Xi(:,:,p). The order is
%               lexicographic, the first layer's head slowest. 0 is the branch of a skip connection
%     brought   true if the path inputs are computed from your maps A
%     of        1 x 4 checksums of numbers of heads, readout, rule and weights of heads, the last two 0 with
%               maps A. Functions refuse path inputs with a net that differs in one of these
%     skip      for a net with skip connections: their gains, which are in Xi (T27)
%     headscale for a net with head scales other than 1: these scales, which are in Xi too (T34). Functions
%               rescale the path inputs for a net with other scales
%   net is the network of these paths. With 'Heads' attnpath_prune has removed all other heads from it.
%   With a source, y is P x 1, the labels of its parts, and noise 1 x P, their Noise; [] if they have none.
%   With the readout 'all' y is T x P, or T x P x C, and noise T x P, T the largest of the parts.
%   Without an output a summary is printed instead.
%   Without 'Lengths', examples that end with tokens of zeros, or with tokens that no map attends to, raise
%   the warning attnpath:paths:padding.
%
%   Equation: (T3), xi^pi_mu = x_mu Omega^{1,h_1} Omega^{2,h_2} ... Omega^{L,h_L} e; (T38) if 'all' are read.
%
%   Example:
%     >> net = attnpath_net ({zeros(2, 2, 2), zeros(2)});   % all attention uniform
%     >> paths = attnpath_paths (net, [1 2 3; 4 5 6]);
%     >> paths.heads
%     ans =
%        1   1
%        2   1
%     >> squeeze (paths.Xi)
%     ans =
%        2   2
%        5   5
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_net, attnpath_attention, attnpath_kernel, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: paths.tst, test_ap_paths.c   REFERENCE: ref_paths.m   SOURCE: (T3)

ap_check_call ('paths', nargin >= 2, 'paths = attnpath_paths (net, X, A, Name, Value)');
table = {'Lengths', [],    'any',  []
         'Heads',   [],    'any',  []
         'Many',    false, 'flag', []};
in_source = isa (X, 'function_handle');
A = [];
if ~in_source && ~isempty (varargin) && ~ischar (varargin{1}) && ~isstruct (varargin{1}) && ~isa (varargin{1}, 'string')
  A = varargin{1};
  varargin(1) = [];
end
opt = ap_options ('paths', table, varargin);
ap_refuse ('paths', 'badValue', in_source && ~isempty (opt.Lengths), 'Lengths of a source are fields of its parts');
net = ap_check_net ('paths', net);
[kept, net] = chosen (net, opt.Heads);
if in_source
  [paths, y, noise] = in_parts (net, @(k) with_heads (ap_source_part ('paths', X, k), k, kept), opt.Many);
  varargout = {y, net, noise};
  return
end
if ~isempty (kept) && iscell (A), A = some_maps (A, kept, 'A'); end
brought = ~(isnumeric (A) && isempty (A));
if isnumeric (X), ap_say_paths (net, size (X, 1), inputs_of (net, X, opt.Lengths), opt.Many, true); end
[Xi, of] = ap_inputs ('paths', net, X, opt.Lengths, A, true);
many = ap_tokens ('paths', 'X', net, X, size (Xi, 2), opt.Lengths);
paths = ap_paths_struct (net, Xi, brought, of, many);
varargout = {net};
if nargout == 0
  fprintf ('%d paths of %d %s, %d features\n', size (paths.Xi, 3), size (paths.Xi, 2), ...
           ap_either (isstruct (many), 'tokens', 'examples'), size (paths.Xi, 1));
  clear -regexp ^paths$
end
end

function n = inputs_of (net, X, lengths)
% Path inputs on each path: one of an example, or of each token
[N0, T, n] = size (X);
if ~strcmp (net.readout, 'all'), return; end
ends = ap_token_ends (net, T, n, ap_check_lengths ('paths', lengths, N0, T, n));
n = ends(end);
end

function [kept, net] = chosen (net, heads)
% kept: [] for all heads, or a 1 x L cell: for each head of a layer whether its paths are computed. net: of these alone
kept = [];
if isnumeric (heads) && isempty (heads), return; end
heads = ap_check_heads ('paths', 'Heads', heads, net.H);
list = ap_head_list (net.H);
among = ismember (list, heads, 'rows');
for l = 1:net.L
  kept{l} = among(list(:,1) == l)';
  ap_refuse ('paths', 'badValue', ~any (kept{l}), 'Heads names no head of layer %d, and a path needs one of each', l);
end
net = attnpath_prune (net, list(~among,:));
end

function A = some_maps (A, kept, name)
% The maps of these heads; wrong cells and sizes stay as they are, and ap_check_maps reports them
if numel (A) ~= numel (kept), return; end
for l = 1:numel (A)
  ap_refuse ('paths', 'badShape', size (A{l}, 3) ~= numel (kept{l}), ['%s{%d} holds the maps of %d heads, and ' ...
             'layer %d of the net has %d'], name, l, size (A{l}, 3), l, numel (kept{l}));
  A{l} = A{l}(:,:,kept{l},:);
end
end

function part = with_heads (part, k, kept)
% Part k of a source with these heads only
if isempty (kept) || ~isstruct (part) || numel (part) ~= 1, return; end
if isfield (part, 'A') && iscell (part.A)
  part.A = some_maps (part.A, kept, sprintf ('source (%d).A', k));
end
ap_refuse ('paths', 'badValue', isfield (part, 'X') && isstruct (part.X), ['source (%d).X holds path inputs: Heads ' ...
           'belong to tokens; attnpath_prune takes path inputs to fewer heads'], k);
end

function [paths, y, noise] = in_parts (net, source, many)
[Xi, y, noise, lists] = deal ({});
known = true;
told = ap_progress_line ();
N0 = net.N0;
part = ap_check_part ('paths', source, 1, net, N0);
while ~isempty (part)
  k = numel (Xi) + 1;
  has = [part.brought, ~isempty(part.y), ~isempty(part.noise)];
  if k > 1 && any (has ~= before), differs (part.name, has, before); end
  before = has;
  known = known && part.known;
  N0 = part.N0;
  lists{k} = part.many;
  n = part.P;
  if isstruct (part.many), n = numel (part.many.example); end
  ap_say_paths (net, N0, n + sum (cellfun ('size', Xi, 2)), many, false);
  Xi{k} = part.inputs (1:part.P);
  y{k,1} = part.y;
  noise{k} = part.noise;
  told = ap_progress_line (told, true, 'attnpath_paths: %d part%s, %d examples', k, repmat ('s', 1, k > 1), ...
                           sum (cellfun ('size', Xi, 2)));
  part = ap_check_part ('paths', source, k + 1, net, N0);
end
ap_refuse ('paths', 'badSource', isempty (Xi), 'there are no examples: source (1) must be a struct with X, not []');
of = [];
if known, of = ap_net_mark ('paths', net, before(1)); end
ap_say_paths (net, N0, sum (cellfun ('size', Xi, 2)), true, true);
if isstruct (lists{1})
  [many, y, noise] = joined ([lists{:}], y, noise);
else
  [many, y, noise] = deal ([], cat (1, y{:}), cat (2, noise{:}));
end
paths = ap_paths_struct (net, cat (2, Xi{:}), before(1), of, many);
end

function [many, y, noise] = joined (lists, y, noise)
% Of parts with tokens one after the other, as if all had the largest T
T = max ([lists.T]);
before = num2cell (cumsum ([0, lists(1:end-1).P]));
example = cellfun (@(given, more) given + more, {lists.example}, before, 'UniformOutput', false);
many = struct ('T', T, 'example', cat (1, example{:}), 'token', cat (1, lists.token));
y = cellfun (@(given) longer (given, T), y(:)', 'UniformOutput', false);
noise = cellfun (@(given) longer (given, T), noise, 'UniformOutput', false);
[y, noise] = deal (cat (2, y{:}), cat (2, noise{:}));
end

function given = longer (given, T)
% More rows: of no label, which is '' of words and NaN of numbers
[rows, P, C] = size (given);
if P == 0 || rows == T, return; end
if iscell (given), given(rows+1:T,:) = {''}; else, given(rows+1:T,:,:) = NaN; end
end

function differs (name, has, before)
what = {'maps A', 'labels y', 'Noise'};
k = find (has ~= before, 1);
verb = {'has no', 'has'};
ap_fail ('paths', 'badSource', '%s %s %s, unlike the parts before it', name, verb{1 + has(k)}, what{k});
end

%!test
%! paths = attnpath_paths (attnpath_net ({zeros(2, 2, 2), zeros(2)}), [1 2 3; 4 5 6]);
%! assert (paths.heads, [1 1; 2 1]);
%! assert (squeeze (paths.Xi), [2 2; 5 5], 1e-14);
%! assert (paths.brought, false);
%!test % the paths of chosen heads are those of the network without the others
%! A = reshape (repmat ([1 0 1; 0 1 0; 0 0 0], 1, 2), 3, 3, 2);
%! A(:,:,2) = 1 / 3;
%! X = [1 2 3; 4 5 6];
%! [paths, net] = attnpath_paths (attnpath_net ([2 2]), X, {A, A}, 'Heads', [2 1; 1 2; 2 2]);
%! assert ({net.H, paths.heads}, {[1 2], [1 1; 1 2]});
%! whole = attnpath_paths (attnpath_net ([2 2]), X, {A, A});
%! assert (paths.Xi, whole.Xi(:,:,3:4));

%!demo
%! % uniform attention: every path input is the mean of the tokens
%! net = attnpath_net ({zeros(2, 2, 2), zeros(2)});
%! paths = attnpath_paths (net, [1 2 3; 4 5 6]);
%! paths.heads
%! squeeze (paths.Xi)
