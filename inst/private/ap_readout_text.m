function text = ap_readout_text (net)
%AP_READOUT_TEXT  The readout of a network in words: 'last', 'token 3'.
%
%   text = AP_READOUT_TEXT (net)

% SPDX-License-Identifier: BSD-3-Clause

text = net.readout;
if isnumeric (text), text = sprintf ('token %d', text); end
end
