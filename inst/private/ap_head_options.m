function table = ap_head_options ()
%AP_HEAD_OPTIONS  From scores to attention: the options that attnpath_net and attnpath_attend share.
%
%   table = AP_HEAD_OPTIONS ()      rows for ap_options
%   See also ap_options, ap_rules, attnpath_net, attnpath_attend.

% SPDX-License-Identifier: BSD-3-Clause

table = {'Attention', 'softmax',     'word',     ap_rules()
         'Bandwidth', 1,             'positive', []
         'Kernel',    'exponential', 'word',     {'exponential', 'gaussian', 'linear'}
         'Ridge',     1e-3,          'positive', []};
end
