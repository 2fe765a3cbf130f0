function A = ap_check_maps (fname, A, net, X_size, lengths)
%AP_CHECK_MAPS  Attention maps from the user, checked; an error reports what is wrong.
%
%   A = AP_CHECK_MAPS (fname, A, net, [N0, T, P], lengths)
%   Inputs :  A, 1 x L cell of T x T x H_l x P, key x query x head x example;  N0, T, P: the size that X has
%   What each query takes from all real keys must sum to 1, and it must take nothing from keys that are padding. Both
%   hold within 0.01: maps rounded to half precision pass, swapped or unnormalised ones do not. Columns of padded
%   queries are free, and what is not finite there becomes 0. For a net with attention 'cme' any finite numbers do.
%   Errors:   attnpath:<fname>: badClass, badShape, badSum, and those of ap_check_array
%   See also attnpath_paths.

% SPDX-License-Identifier: BSD-3-Clause

if ~iscell (A) || numel (A) ~= net.L
  what = ap_either (iscell (A), 'badShape', 'badClass');
  ap_fail (fname, what, 'A must be a 1 x %d cell of attention maps, not %s', net.L, {A});
end
A = A(:)';
X_size(end+1:3) = 1;
[T, P] = deal (X_size(2), X_size(3));
tolerance = 0.01;
if isempty (lengths), lengths = T * ones (1, P); end
keys = reshape ((1:T)' <= lengths, [T, 1, 1, P]);
queries = reshape (keys, [1, T, 1, P]);
sums = getfield (ap_rules (net.attention), 'sums_to_one');
for l = 1:net.L
  A{l} = without_nan (A{l}, queries);
  check_shape (fname, A{l}, l, X_size, net.H(l));
  A{l} = ap_check_array (fname, sprintf ('A{%d}', l), A{l}, {T, T, net.H(l), P});
  if ~sums, continue; end
  [worst, at] = worst_sum (A{l}, 1, keys, queries);
  if worst > tolerance
    [~, t, h, mu] = ind2sub ([1, T, net.H(l), P], at);
    column = A{l}(:,t,h,mu);
    padded = sum (abs (column(~keys(:,1,1,mu))));
    if worst < 0.05
      hint = sprintf ('; if that is rounding, A{%d} ./ sum (A{%d}, 1) corrects it', l, l);
    else
      hint = ['; that is more than rounding: was dropout active when the maps were taken (model.eval ()), or is a ' ...
              'key missing, such as a sink, or are these scores, or maps times norms (norms= of export_attention.py)?'];
    end
    last = T-lengths(mu)+1:T;                      % as many as are real
    if padded > tolerance && all (all (abs (sum (A{l}(last,last,:,mu), 1) - 1) <= tolerance))
      ap_fail (fname, 'badSum', ['example %d has %d tokens, and in A{%d} its padding precedes them: move ' ...
               'what is real to the front, X(:,1:n,i) = X(:,end-n+1:end,i), and the maps'' keys and queries alike'], ...
               mu, lengths(mu), l);
    elseif padded > tolerance
      ap_fail (fname, 'badSum', ['by ''Lengths'' example %d has %d tokens, but in A{%d} query %d of head %d ' ...
               'takes %.2g of its attention from the keys behind them: give your model the attention mask that ' ...
               'belongs to these lengths, or correct ''Lengths'''], mu, lengths(mu), l, t, h, padded);
    elseif ~any (column)
      hint = [', it is all zero; if that token and those behind it are padding, give ''Lengths'', the number ' ...
              'of tokens of each example'];
    elseif worst_sum (A{l}, 2, queries, bsxfun (@and, keys, any (A{l}, 2))) <= min (tolerance, 0.99 * worst / T)
      % rows of zeros are padding; a column that is off makes some row off by a T-th of it
      hint = [': rows do, so keys and queries are swapped; use A = cellfun (@(a) permute (a, ' ...
              '[2 1 3 4]), A, ''UniformOutput'', false)'];
    elseif any (net.skip)
      hint = '; maps made with norms= of export_attention.py need not, if the net has ''Attention'', ''cme''';
    end
    ap_fail (fname, 'badSum', ['each column of A{%d} (one query, over all its keys) must sum to 1, within %g, but ' ...
             'the column of query %d, head %d, example %d is off by %.2g%s'], l, tolerance, t, h, mu, worst, hint);
  end
end
end

function check_shape (fname, a, l, X_size, H)
% Ways in which PyTorch's arrays differ: turned round, means over heads, or X turned round and not A
if ~isfloat (a), return; end
[T, P] = deal (X_size(2), X_size(3));
want = [T, T, H, P];
has = [size(a, 1), size(a, 2), size(a, 3), size(a, 4)];
wanted = sprintf ('A{%d} must be %d x %d x %d x %d (key, query, head, example)', l, want);
turned = X_size([3 2 1]);                          % what X would be, were it given as P x T x N0
other = [T, T, H, turned(3)];
ap_refuse (fname, 'badShape', T ~= P && isequal (has, want([4 3 2 1])), ...
           '%s, not %s: this is PyTorch''s order, which permute (A{%d}, [4 3 2 1]) reorders', wanted, {a}, l);
ap_refuse (fname, 'badShape', P ~= turned(3) && (isequal (has, other) || isequal (has, other([4 3 2 1]))), ['X is ' ...
           '%d x %d x %d, so that it has %d examples, and A{%d} has %d: X must be N0 x T x P (features, tokens, ' ...
           'examples). If yours has examples first, as in PyTorch, permute (X, [3 2 1]) reorders it'], X_size(1:3), ...
           P, l, turned(3));
ap_refuse (fname, 'badShape', H > 1 && (isequal (has, [T, T, P, 1]) || isequal (has, [P, T, T, 1])), ['%s, not %s: ' ...
           'these seem to be means over heads. Export the map of each head, in PyTorch average_attn_weights=False'], ...
           wanted, {a});
end

function [worst, at] = worst_sum (A, dim, summed, kept)
% largest distance from 1 of the sums over dimension dim; summed and kept mark what is no padding, and whatever
% lies on padding counts as distance
if all (summed(:))
  off = abs (sum (A, dim) - 1);
elseif dim == 1                                             % keys: several times faster than masks of all of A
  off = zeros (1, size (A, 2), size (A, 3), size (A, 4));
  for mu = 1:size (A, 4)
    real_one = summed(:,1,1,mu);
    off(1,:,:,mu) = abs (sum (A(real_one,:,:,mu), 1) - 1) + sum (abs (A(~real_one,:,:,mu)), 1);
  end
else
  off = abs (sum (bsxfun (@times, A, summed), dim) - 1) + sum (abs (bsxfun (@times, A, ~summed)), dim);
end
[worst, at] = max (reshape (bsxfun (@times, off, cast (kept, class (off))), [], 1));     % logical: 40 times as long
end

function a = without_nan (a, queries)
% A softmax over keys that are all masked is NaN in PyTorch, in columns of padded queries, which nothing reads
if ~isfloat (a) || all (queries(:)) || all (isfinite (a(:))) ...
    || size (a, 2) ~= size (queries, 2) || size (a, 4) ~= size (queries, 4)
  return
end
a(bsxfun (@and, ~isfinite (a), ~queries)) = 0;
end
