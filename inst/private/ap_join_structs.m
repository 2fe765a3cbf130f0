function all = ap_join_structs (varargin)
%AP_JOIN_STRUCTS  The fields of several structs in one, in their order.
%
%   all = AP_JOIN_STRUCTS (s1, s2, ...)
%   Inputs :  structs without a field in common
%   Example:  ap_join_structs (struct ('a', 1), struct ('b', {{2}}))

% SPDX-License-Identifier: BSD-3-Clause

all = struct ();
for k = 1:nargin
  names = fieldnames (varargin{k});
  for i = 1:numel (names), all.(names{i}) = varargin{k}.(names{i}); end
end
end
