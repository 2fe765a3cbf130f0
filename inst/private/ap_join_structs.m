function all = ap_join_structs (varargin)
%AP_JOIN_STRUCTS  The fields of several structs in one, in their order.
%
%   all = AP_JOIN_STRUCTS (s1, s2, ...)
%   Inputs :  structs without a field in common
%   Example:  ap_join_structs (struct ('a', 1), struct ('b', {{2}}))

% SPDX-License-Identifier: BSD-3-Clause

names = {};
values = {};
for k = 1:nargin
  names = [names; fieldnames(varargin{k})];
  values = [values; struct2cell(varargin{k})];
end
all = cell2struct (values, names, 1);
end
