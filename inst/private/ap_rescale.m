function factor = ap_rescale (fname, name, theirs, net)
%AP_RESCALE  Factors on path inputs that were computed with other prior scales of the heads.
%
%   factor = AP_RESCALE (fname, name, theirs, net)
%   Inputs :  theirs, the scales that they hold, as from ap_head_scales, checked;  net, the network they are wanted for
%   Outputs:  factor, Pi x 1, or [] where the scales are the same
%   Errors:   attnpath:<fname>:otherNet where a scale of theirs is 0, which nothing brings back
%   See also ap_check_inputs, ap_check_moments, ap_path_scale.

% SPDX-License-Identifier: BSD-3-Clause

factor = [];
wanted = net.headscale;
if isequal (theirs, wanted), return; end
for l = 1:net.L
  lost = find (theirs{l} == 0 & wanted{l} > 0, 1);
  ap_refuse (fname, 'otherNet', ~isempty (lost), ['%s was made with scale 0 of head %d of layer %d, and the net ' ...
             'has %g there: make it anew'], name, lost, l, wanted{l}(lost));
  wanted{l} = wanted{l} ./ max (theirs{l}, realmin);         % 0 of 0 is 0
end
factor = ap_path_scale (wanted, ap_path_list (net.H, net.skip));
end
