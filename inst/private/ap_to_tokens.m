function values = ap_to_tokens (many, values, last)
%AP_TO_TOKENS  Values of a flat list of examples, as T x P for a network that reads all tokens.
%
%   values = AP_TO_TOKENS (many, values)
%   values = AP_TO_TOKENS (many, values, true)
%   Inputs :  many, from ap_tokens;  values, n x C or n x C x .., or with true C x C x n
%   Outputs:  values as they are, unless many is a struct; then T x P x C x .., or C x C x T x P, NaN where no token is
%   Example:  mu = ap_to_tokens (many, mu);
%   See also ap_tokens.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (many) || isempty (values), return; end
sizes = size (values);
if nargin > 2
  all_of = NaN ([prod(sizes(1:2)), many.T * many.P]);
  all_of(:,many.place) = reshape (values, prod (sizes(1:2)), []);
  values = reshape (all_of, [sizes(1:2), many.T, many.P]);
else
  all_of = NaN (many.T * many.P, prod (sizes(2:end)));
  all_of(many.place,:) = values(:,:);
  values = reshape (all_of, [many.T, many.P, sizes(2:end)]);
end
end
