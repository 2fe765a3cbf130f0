function rule = ap_check_head (fname, opt)
%AP_CHECK_HEAD  From scores to attention: the options that attnpath_net and attnpath_attend share.
%   rule = AP_CHECK_HEAD (fname, opt)
%   Inputs :  fname, stem of the calling function;  opt, struct with Attention, Bandwidth, Kernel, Ridge
%   Outputs:  rule, struct with the fields attention, bandwidth, kernel, ridge, as the gateways read them
%   Errors:   attnpath:<fname>: unknownChoice, and those of ap_check_positive
%   See also attnpath_net, attnpath_attend.

% SPDX-License-Identifier: BSD-3-Clause

rule.attention = ap_check_choice (fname, 'Attention', opt.Attention, {'softmax', 'hardmax', 'cme'});
rule.bandwidth = ap_check_positive (fname, 'Bandwidth', opt.Bandwidth);
rule.kernel = ap_check_choice (fname, 'Kernel', opt.Kernel, {'exponential', 'gaussian', 'linear'});
rule.ridge = ap_check_positive (fname, 'Ridge', opt.Ridge);
end
