function text = ap_duration (seconds)
%AP_DURATION  A duration in words: '0.3 s', '48 s', '12 min', '3.2 h', '20 days'; 'over 1000 days'.
%
%   text = AP_DURATION (seconds)

% SPDX-License-Identifier: BSD-3-Clause

if seconds < 0.95
  text = sprintf ('%.1g s', seconds);
elseif seconds < 100
  text = sprintf ('%.0f s', seconds);
elseif seconds < 6000
  text = sprintf ('%.0f min', seconds / 60);
elseif seconds < 360000
  text = sprintf ('%.1f h', seconds / 3600);
elseif seconds < 86400000
  text = sprintf ('%.3g days', seconds / 86400);
else
  text = 'over 1000 days';
end
end
