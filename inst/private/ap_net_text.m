function text = ap_net_text (net, N0, brought)
%AP_NET_TEXT  The network's part in path inputs, in one line: equal for networks with the same path inputs.
%
%   text = AP_NET_TEXT (net, N0, brought)
%   Inputs :  N0, features of a token;  brought, true where attention maps were brought by the user: heads and their
%             rule do not count then
%   Widths, variances and the temperature do not enter.
%   Example:  ap_net_text (attnpath_net (2), 7, true)    % heads 2 of 7 features, readout last; attention brought
%   See also ap_check_moments, ap_fingerprint.

% SPDX-License-Identifier: BSD-3-Clause

text = sprintf ('heads %s of %d features%s, readout %s; ', mat2str (net.H), N0, ap_branch_text (net), ...
                ap_readout_text (net));
if brought
  text = [text 'attention brought'];
elseif isempty (net.heads)
  text = [text 'any attention'];
else
  text = [text attention_text(net)];
end
end

function text = attention_text (net)
text = [net.attention ' attention'];
rule = ap_rules (net.attention);
if net.causal, text = [text ', causal']; end
if ~strcmp (net.attention, 'hardmax')
  text = sprintf ('%s, bandwidth %.15g', text, net.bandwidth);
end
if rule.factors
  text = sprintf ('%s, kernel %s, ridge %.15g', text, net.kernel, net.ridge);
end
mark = 0;
for l = 1:net.L
  heads = net.heads{l};
  if isstruct (heads), heads = [heads.Q(:); heads.K(:)]; end
  marks = ap_fingerprint (heads);
  mark = mod (31 * mark + marks(4) + 7 * marks(5), 2^40);
end
text = sprintf ('%s, weights %x', text, mark);
end
