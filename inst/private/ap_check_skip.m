function skip = ap_check_skip (fname, name, skip, width)
%AP_CHECK_SKIP  Gains of skip connections, one for each layer, checked; an error reports what is wrong.
%
%   skip = AP_CHECK_SKIP (fname, name, skip, width)
%   Inputs :  skip, one number for all layers, true for 1 and false for 0, or 1 x L;  width, 1 x (L+1), equal on both
%             sides of a skip connection
%   Outputs:  skip, 1 x L
%   Errors:   attnpath:<fname>: badValue, and those of ap_check_value
%   See also attnpath_net.

% SPDX-License-Identifier: BSD-3-Clause

L = numel (width) - 1;
if islogical (skip), skip = double (skip); end
if isfloat (skip) && numel (skip) == 1, skip = repmat (skip, 1, L); end
skip = ap_check_value (fname, name, skip, 'row', {L, 0, 1e30});
l = find (skip > 0 & width(1:L) ~= width(2:L+1), 1);
ap_refuse (fname, 'badValue', ~isempty (l), ['%s: layer %d has a skip connection from width %g to width %g, and ' ...
           'what is added must have one width'], name, l, width(l), width(l+1));
end
