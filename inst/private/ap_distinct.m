function texts = ap_distinct (values, digits)
%AP_DISTINCT  Values of a field of a grid as texts: with more digits where two would look alike.
%
%   texts = AP_DISTINCT (values, digits)
%   Inputs :  values, numbers that differ, or a cell of texts, which is returned;  digits, 6 if left out
%   Example:  ap_distinct ([0.1; 0.1 + 1e-13])      % 0.1, 0.1000000000001

% SPDX-License-Identifier: BSD-3-Clause

texts = values;
if nargin < 2, digits = 6; end
if iscell (values), return; end
for digits = [digits, 9, 12, 15, 17]
  texts = arrayfun (@(x) sprintf ('%.*g', digits, x), values, 'UniformOutput', false);
  if numel (unique (texts)) == numel (values), return; end
end
end
