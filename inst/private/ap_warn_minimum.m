function ap_warn_minimum (fname, model)
%AP_WARN_MINIMUM  A warning where ap_check_minimum refuses: for results that exist at any order parameters.
%
%   AP_WARN_MINIMUM (fname, model)
%   Inputs :  model, solution or a struct like it; a sample, and a struct of net and U that a user made, are not checked
%   Warnings: attnpath:<fname>: notConverged, saddle
%   Errors:   attnpath:<fname>: badClass
%   See also ap_check_minimum.

% SPDX-License-Identifier: BSD-3-Clause

if isfield (model, 'logpost'), return; end
try
  ap_check_minimum (fname, model);
catch err
  if isempty (regexp (err.identifier, ':(notConverged|saddle)$', 'once')), rethrow (err); end
  warning (err.identifier, '%s', err.message);
end
end
