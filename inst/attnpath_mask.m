function mask = attnpath_mask (net, heads, file)
%ATTNPATH_MASK  Zeros and ones that switch heads off, for a transformer of your own.
%
%   mask = ATTNPATH_MASK (net, heads)
%   mask = ATTNPATH_MASK (net, heads, file)
%
%   Inputs :
%     net       network, from attnpath_net, with the layers and heads of your model
%     heads     k x 2, rows [layer head] to remove, both from 1, such as score(1:k,1:2) of attnpath_scores.
%               Each layer must keep one head, and no row may occur twice. Or rows score(1:k,:) of
%               attnpath_scores with 'Groups': a part of a group is refused, which
%               score(1:k,1:2) does not show
%     file      text file to write, for mask_heads of export_attention.py
%
%   Outputs:
%     mask      L x max (H): a row for each layer, 1 for a head that stays and 0 for a removed one. Ones pad
%               the rows of layers with fewer heads; the first line of the file holds the numbers of heads
%
%   Errors:   attnpath:mask: usage, badValue, file, those of attnpath_net, and those of arrays everywhere
%
%   Example:
%     >> attnpath_mask (attnpath_net ([4 3]), [1 2; 1 3; 2 1])
%     ans =
%        1   0   0   1
%        0   1   1   1
%
%
%   See also attnpath_scores, attnpath_prune, attnpath_source.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: mask.tst

ap_check_call ('mask', nargin >= 2, 'mask = attnpath_mask (net, heads, file)');
net = ap_check_net ('mask', net);
heads = ap_check_heads ('mask', 'heads', heads, net.H, 'once');
mask = ones (net.L, max (net.H));
mask(sub2ind (size (mask), heads(:,1), heads(:,2))) = 0;
for l = 1:net.L
  ap_refuse ('mask', 'badValue', ~any (mask(l,1:net.H(l))), 'layer %d has %d heads and must keep one of them', l, ...
             net.H(l));
end
if nargin > 2
  file = ap_check_value ('mask', 'file', file, 'file');
  ap_refuse ('mask', 'empty', isempty (file), 'file must be the name of a file, not %s', {file});
  text = sprintf ('# heads%s\n', sprintf (' %d', net.H));
  for l = 1:net.L, text = [text, strtrim(sprintf ('%d ', mask(l,:))), char(10)]; end
  ap_write ('mask', file, text);
end
end

%!assert (attnpath_mask (attnpath_net ([2 3]), [2 1; 1 2]), [1 0 1; 0 1 1])
%!error id=attnpath:mask:badValue attnpath_mask (attnpath_net ([1 2]), [1 1])
