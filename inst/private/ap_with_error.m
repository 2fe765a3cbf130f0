function text = ap_with_error (m, se, between)
%AP_WITH_ERROR  A number and its standard error as a text: two digits of the error, and the number as far.
%
%   text = AP_WITH_ERROR (m, se, between)
%   Inputs :  between, the sign, ' +- ' if left out. An error that is 0 or not finite is left out
%   Example:  ap_with_error (1.2345, 0.067)         % 1.234 +- 0.067

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 3, between = ' +- '; end
text = sprintf ('%.5g', m);
if se > 0 && isfinite (se)
  digits = max (0, 1 - floor (log10 (se)));
  text = sprintf ('%.*f%s%.*f', digits, m, between, digits, se);
end
end
