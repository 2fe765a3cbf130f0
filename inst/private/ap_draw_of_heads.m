function net = ap_draw_of_heads (fname, post, k)
%AP_DRAW_OF_HEADS  A sample of heads, checked: is it as it was drawn? The network with the heads of one of its draws.
%
%   net = AP_DRAW_OF_HEADS (fname, post, k)
%   Inputs :  post, from attnpath_sample with Method 'attention';  k, number among the draws whose heads are kept, those
%             of all chains one after the other; with [] net is the number of them
%   Errors:   attnpath:<fname>: missingField, badClass, badValue, badShape, tooFew, and those of ap_check_net
%   See also ap_split_heads, ap_is_learned.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (k)
  ap_check_fields (fname, 'post', post, {'net', 'X', 'Lengths', 'y', 'U', 'logpost', 'kept'}, 'attnpath_sample');
  ap_check_net (fname, post.net);
  [draws, chains] = size (post.logpost);
  ap_refuse (fname, 'badClass', ~iscell (post.heads) || numel (post.heads) ~= post.net.L, ...
             'post.heads must be a cell of %d layers, not %s: was it changed?', post.net.L, {post.heads});
  have = arrayfun (@(d) size (post.U, d), 1:4);
  ap_refuse (fname, 'badShape', ~isfloat (post.U) || any (have ~= [have([1 1]), draws, chains]), ...
             'post.U must be Pi x Pi x %d draws x %d chains, not %s: was it changed?', draws, chains, {post.U});
  for l = 1:post.net.L
    [given, like] = deal (post.heads{l}, post.net.heads{l});
    alike = isstruct (given) == isstruct (like) ...
            && (isfloat (given) || (isstruct (given) && numel (given) == 1 && all (isfield (given, {'Q', 'K'}))));
    ap_refuse (fname, 'badClass', ~alike, 'post.heads{%d} must be as net.heads{%d}, not %s: was it changed?', l, l, ...
               {given});
    if isstruct (like)
      ap_refuse (fname, 'badShape', ~isequal (size (given.Q), size (given.K)), ...
                 'Q and K of post.heads{%d} must have one shape, not %s and %s: were they changed?', l, ...
                 mat2str (size (given.Q)), mat2str (size (given.K)));
      [given, like] = deal (given.Q, like.Q);
    end
    want = [size(like, 1), size(like, 2), size(like, 3), numel(post.kept), chains];
    have = arrayfun (@(d) size (given, d), 1:5);
    ap_refuse (fname, 'badShape', any (have ~= want), 'post.heads{%d} must be %s, not %s: was it changed?', l, ...
               mat2str (want), mat2str (have));
  end
  ap_refuse (fname, 'badValue', ~isnumeric (post.kept) || ~all (ismember (post.kept(:), 1:draws)), ...
             'post.kept must be numbers of draws from 1 to %d, not %s: was it changed?', draws, {post.kept});
  net = numel (post.kept) * chains;
  ap_refuse (fname, 'tooFew', net == 0, 'post holds the heads of no draw: sample longer, or keep more, ''KeepHeads''');
  return
end
net = post.net;
for l = 1:net.L
  if isstruct (net.heads{l})
    net.heads{l} = struct ('Q', double (post.heads{l}.Q(:,:,:,k)), 'K', double (post.heads{l}.K(:,:,:,k)));
  else
    net.heads{l} = double (post.heads{l}(:,:,:,k));
  end
end
end
