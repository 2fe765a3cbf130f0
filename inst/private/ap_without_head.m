function growth = ap_without_head (f, through, past, y, H)
%AP_WITHOUT_HEAD  Growth of squared errors where a head's paths are silent and the others of its layer are rescaled.
%
%   growth = AP_WITHOUT_HEAD (f, through, past, y, H)
%   Inputs :  f, outputs;  through, what the paths through the head add to them;  past, what those by the layer's skip
%             connection add, which is not rescaled;  y, labels;  all P x C;  H, heads of the layer. Without its only
%             head past is left
%   Outputs:  P x C
%   Example:  growth = ap_without_head (f, f / 2, zeros (size (f)), y, 2);
%   See also attnpath_scores, ap_trained_worth.

% SPDX-License-Identifier: BSD-3-Clause

less = past;
if H > 1, less = less + (f - past - through) * sqrt (H / (H - 1)); end
growth = (less - y) .^ 2 - (f - y) .^ 2;
end
