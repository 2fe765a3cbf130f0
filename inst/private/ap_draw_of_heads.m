function net = ap_draw_of_heads (fname, post, k)
%AP_DRAW_OF_HEADS  The network with the heads of one draw of a sample of heads.
%
%   net = AP_DRAW_OF_HEADS (fname, post, k)
%   Inputs :  post, from attnpath_sample with Method 'attention';  k, number among the draws whose heads are kept, those
%             of all chains one after the other; with [] net is the number of them
%   Errors:   attnpath:<fname>: missingField, badShape, tooFew, and those of ap_check_net
%   See also ap_split_heads, ap_is_learned.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (k)
  ap_check_fields (fname, 'post', post, {'net', 'X', 'y', 'U', 'logpost', 'kept'}, 'attnpath_sample');
  ap_check_net (fname, post.net);
  chains = size (post.logpost, 2);
  for l = 1:post.net.L
    [given, like] = deal (post.heads{l}, post.net.heads{l});
    if isstruct (like), [given, like] = deal (given.Q, like.Q); end
    want = [size(like, 1), size(like, 2), size(like, 3), numel(post.kept), chains];
    have = arrayfun (@(d) size (given, d), 1:5);
    ap_refuse (fname, 'badShape', any (have ~= want), 'post.heads{%d} must be %s, not %s: was it changed?', l, ...
               mat2str (want), mat2str (have));
  end
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
