function values = ap_from_tokens (many, values)
%AP_FROM_TOKENS  The flat list of what is T x P, or T x P x C, for a network that reads all tokens.
%
%   values = AP_FROM_TOKENS (many, values)
%   Inputs :  many, from ap_tokens;  values, T x P x C
%   Outputs:  n x C, a row for each token that exists; values as they are, unless many is a struct
%   See also ap_tokens, ap_to_tokens.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (many), return; end
values = reshape (values, many.T * many.P, []);
values = values(many.place,:);
end
