function ap_plot_struct (model)
%AP_PLOT_STRUCT  Refuses what is not one struct.
%
%   AP_PLOT_STRUCT (model)
%   Errors:   attnpath:plot:badClass

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (model) || numel (model) ~= 1
  ap_fail ('plot', 'badClass', 'model must be one struct, from attnpath_solve, not %s', ap_describe (model));
end
end
