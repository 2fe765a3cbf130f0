function share = ap_share_right (y, mu)
%AP_SHARE_RIGHT  Share of examples of which the largest mean is where the largest of its C > 1 labels is.
%
%   share = AP_SHARE_RIGHT (y, mu)
%   Inputs :  y, mu, P x C
%   Outputs:  NaN where the labels of an example have two largest: they are no classes
%   See also attnpath_loo, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

share = NaN;
[top, class] = max (y, [], 2);
[~, said] = max (mu, [], 2);
if all (sum (bsxfun (@eq, y, top), 2) == 1), share = mean (said == class); end
end
