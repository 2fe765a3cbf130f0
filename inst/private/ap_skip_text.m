function text = ap_skip_text (skip)
%AP_SKIP_TEXT  Skip connections in words for a list, such as ', skip connections [1 0]'; '' where there is none.
%
%   text = AP_SKIP_TEXT (skip)
%   See also ap_skips, ap_net_text.

% SPDX-License-Identifier: BSD-3-Clause

text = '';
if any (skip), text = sprintf (', skip connections %s', mat2str (skip, 15)); end
end
