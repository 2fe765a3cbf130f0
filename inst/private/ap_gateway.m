function varargout = ap_gateway (fname, gateway, varargin)
%AP_GATEWAY  Calls a gateway; its errors get the name of the function that the user called.
%
%   [...] = AP_GATEWAY (fname, gateway, ...)
%   Inputs :  fname, stem of the function that the user called;  gateway, handle;  its arguments
%   See also ap_rethrow.

% SPDX-License-Identifier: BSD-3-Clause

try
  [varargout{1:nargout}] = gateway (varargin{:});
catch err
  ap_rethrow (fname, err);
end
end
