function varargout = ap_gateway (fname, gateway, varargin)
%AP_GATEWAY  Calls a gateway; its errors get the name of the function that the user called.
%
%   [...] = AP_GATEWAY (fname, gateway, ...)
%   Inputs :  fname, stem of the function that the user called;  gateway, handle;  its arguments, of which
%             data may have the model, from ap_left_data: where it is no minimum, that is the error
%   See also ap_rethrow.

% SPDX-License-Identifier: BSD-3-Clause

try
  [varargout{1:nargout}] = gateway (varargin{:});
catch err
  if ~isempty (strfind (err.identifier, ':notPositiveDefinite')) && nargin > 3 && isfield (varargin{2}, 'model')
    ap_check_minimum (fname, varargin{2}.model);   % why its Hessian is not
  end
  ap_rethrow (fname, err);
end
end
