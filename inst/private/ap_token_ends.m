function ends = ap_token_ends (net, T, P, lengths)
%AP_TOKEN_ENDS  Where each of P sequences ends among their path inputs.
%
%   ends = AP_TOKEN_ENDS (net, T, P, lengths)
%   Inputs :  lengths, 1 x P numbers of tokens, or []: all are T
%   Outputs:  1 x (P+1): sequence k has the path inputs ends(k)+1 to ends(k+1), one unless the net reads all tokens
%   See also ap_tokens, ap_inputs.

% SPDX-License-Identifier: BSD-3-Clause

ends = 0:P;
if ~strcmp (net.readout, 'all'), return; end
if isempty (lengths), ends = T * ends; else, ends = [0, cumsum(reshape (lengths, 1, []))]; end
end
