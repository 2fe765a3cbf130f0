function [Xi, of] = ap_inputs (fname, net, X, lengths, A, display, flops)
%AP_INPUTS  Path inputs from tokens, and from attention maps if given (T3); X and all else are checked.
%
%   Xi = AP_INPUTS (fname, net, X, lengths, A)
%   Xi = AP_INPUTS (fname, net, X, lengths, A, display, flops)
%   Inputs :  X, N0 x T x P tokens;  lengths, 1 x P or [];  A, 1 x L cell of attention maps or [];  display, true for
%             progress after two seconds (false);  flops, of one call of the gateway (1e10, about 0.3 s): between two
%             calls Ctrl-C ends the work
%   Outputs:  Xi, N0 x P x Pi, or N0 x n x Pi of all n tokens where the net reads them;  of, marks of their network, as
%             from ap_net_mark
%   Errors:   attnpath:<fname>: noHeads, tooLarge, and those of the functions called
%   Warnings: attnpath:<fname>:padding where examples end with tokens that are zero, or that no map attends to, and
%             their lengths are not given
%   See also attnpath_paths, ap_check_inputs.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 6, display = false; end
if nargin < 7, flops = 1e10; end
N0 = net.N0;
if N0 == 0, N0 = 'N0'; end
X = ap_check_array (fname, 'X', X, {N0, 'T', 'P'});
lengths = ap_check_lengths (fname, lengths, size (X, 1), size (X, 2), size (X, 3));
if ~(isnumeric (A) && isempty (A))
  A = ap_check_maps (fname, A, net, size (X), lengths);
elseif isempty (net.heads)
  ap_fail (fname, 'noHeads', ['this net has no heads, only their numbers: give attention maps A, ' ...
           'paths = attnpath_paths (net, X, A)']);
else
  A = [];
end

if isempty (lengths), warn_of_padding (fname, net, X, A); end
P = size (X, 3);
chunk = max (1, floor (flops / flops_per_example (net, size (X, 1), size (X, 2), isempty (A))));
if chunk >= P
  if nargout > 1
    [Xi, of] = ap_gateway (fname, @attnpath_paths_mex, net, X, lengths, A);
  else
    Xi = ap_gateway (fname, @attnpath_paths_mex, net, X, lengths, A);
  end
  return
end
paths = ap_path_count (net);
ends = ap_token_ends (net, size (X, 2), P, lengths);
try
  Xi = zeros (size (X, 1), ends(end), paths);
catch
  ap_fail (fname, 'tooLarge', ['%d features x %d examples x %.4g paths are %.3g GiB, more than can be had: fewer ' ...
           'layers, or some of the heads (''Heads'' of attnpath_paths)'], size (X, 1), ends(end), paths, ...
           8 * size (X, 1) * ends(end) * paths / 2^30);
end
told = ap_progress_line ();
for first = 1:chunk:P
  told = ap_progress_line (told, display, 'attnpath_%s: path inputs of %d of %d examples', fname, first - 1, P);
  part = first:min (P, first + chunk - 1);
  tokens = lengths;
  maps = A;
  if ~isempty (lengths), tokens = lengths(part); end
  if ~isempty (A), maps = cellfun (@(a) a(:,:,:,part), A, 'UniformOutput', false); end
  try
    Xi(:,ends(first)+1:ends(part(end)+1),:) = attnpath_paths_mex (net, X(:,:,part), tokens, maps);
  catch err
    ap_rethrow (fname, err, sprintf (' (example 1 being number %d of X)', first));
  end
end
if nargout > 1, of = ap_net_mark (fname, net, ~isempty (A)); end
end

function flops = flops_per_example (net, N0, T, scores)
% Upwards estimate: ap_paths.c, and where there are scores to compute ap_attention.c and ap_cme.c
paths = ap_path_count (net, 1:net.L);
flops = 2 * T ^ 2 * sum (paths) + 2 * N0 * T * paths(1);
if strcmp (net.readout, 'all'), flops = 2 * N0 * T ^ 2 * sum (paths(1) ./ [paths(2:end), 1]); end      % ap_tokens.c
for l = 1:net.L * scores
  inner = N0;
  if isstruct (net.heads{l}), inner = 2 * size (net.heads{l}.Q, 1); end
  flops = flops + 2 * T * net.H(l) * inner * (N0 + T);
  if getfield (ap_rules (net.attention), 'factors')
    flops = flops + net.H(l) * (T ^ 3 * (1 / 3 + net.causal) + 30 * T ^ 2);
  end
end
end

function warn_of_padding (fname, net, X, A)
% A last token of zeros is padding as a rule, and so is one that no query of any head attends to: a model's attention
% mask makes such maps, and its tokens there are not zero. The readouts 'last' and 'mean' read them
if ~any (strcmp (net.readout, {'last', 'mean', 'all'})), return; end
ends = reshape (any (X(:,end,:), 1), 1, []);
if ~any (X(:)), ends(:) = true; end
why = 'is all zero';
if all (ends) && ~isempty (A) && getfield (ap_rules (net.attention), 'sums_to_one')
  ends(:) = false;
  for l = 1:net.L
    ends = ends | reshape (any (any (A{l}(end,:,:,:), 2), 3), 1, []);
  end
  why = 'is one that no query of any head attends to';
end
if all (ends), return; end
warning (['attnpath:' fname ':padding'], ['attnpath_%s: the last token of %d of %d examples (first: number %d) ' ...
         '%s, and the readout ''%s'' reads it: if that is padding, give ''Lengths'''], fname, ...
         sum (~ends), numel (ends), find (~ends, 1), why, net.readout);
end
