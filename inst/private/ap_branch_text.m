function text = ap_branch_text (net, digits)
%AP_BRANCH_TEXT  Skip connections and scales of heads in words for a list, '' where there are none and all are 1.
%
%   text = AP_BRANCH_TEXT (net)
%   text = AP_BRANCH_TEXT (net, digits)        of scales; default 15, which are enough to distinguish two
%   Example:  ap_branch_text (attnpath_net (2, 'Skip', 1, 'HeadScale', {[1 0.5]}))
%             % ', skip connections 1, scales of heads {[1 0.5]}'
%   See also ap_head_scales, ap_net_text.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, digits = 15; end
text = '';
skip = net.skip;
if any (skip), text = sprintf (', skip connections %s', mat2str (skip, 15)); end
scale = net.headscale;
if all ([scale{:}] == 1), return; end
rows = cellfun (@(s) mat2str (s, digits), scale, 'UniformOutput', false);
text = sprintf ('%s, scales of heads {%s}', text, strjoin (rows, ', '));
end
