function rows = ap_resume_net (net)
%AP_RESUME_NET  The values of a network that a checkpoint stores, to compare when a run resumes.
%
%   rows = AP_RESUME_NET (net)
%   Outputs:  rows, n x 2 cell, name and value, for ap_resume; without a row for skip connections if
%             there are none, and for head scales if all are 1, as in checkpoints of older releases
%   See also ap_resume, ap_resume_data.

% SPDX-License-Identifier: BSD-3-Clause

if ~any (net.skip), net = rmfield (net, 'skip'); end
if all ([net.headscale{:}] == 1), net = rmfield (net, 'headscale'); end
rows = [strcat('net.', fieldnames (net)), struct2cell(net)];
end
