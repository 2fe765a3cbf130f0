function l = ap_log_phi (z)
%AP_LOG_PHI  log Phi (z) of the normal distribution; erfcx keeps it finite far below zero.
%
%   l = AP_LOG_PHI (z)
%   See also attnpath_probability, ap_class_largest.

% SPDX-License-Identifier: BSD-3-Clause

l = zeros (size (z));
low = z < 0;
l(low) = log (erfcx (-z(low) / sqrt (2)) / 2) - z(low) .^ 2 / 2;
l(~low) = log1p (-erfc (z(~low) / sqrt (2)) / 2);
end
