function mark = ap_net_mark (fname, net, brought, of)
%AP_NET_MARK  Checksums, 1 x 4, of the parts of a net in path inputs: numbers of heads, readout, rule, weights.
%
%   mark = AP_NET_MARK (fname, net, brought)
%   mark = AP_NET_MARK (fname, net, brought, of)
%   Inputs :  net, checked;  brought, true where attention maps were brought by the user;  of, marks that are to be
%             those of this network
%   Outputs:  integers, equal for networks that give the same path inputs. The last two are 0 where nothing is known of
%             heads: the network holds only their numbers, or attention was brought. Widths, variances, the temperature,
%             skip connections and scales of heads do not enter
%   Errors:   attnpath:<fname>:otherNet
%   See also ap_paths_struct, ap_check_inputs, ap_net_text.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4, of = []; end
if brought, net.heads = {}; end
mark = ap_gateway (fname, @attnpath_mark_mex, net, of);
end
