function table = ap_head_options ()
%AP_HEAD_OPTIONS  From scores to attention: the options that attnpath_net and attnpath_attend share.
%
%   table = AP_HEAD_OPTIONS ()      rows for ap_options. A new rule of attention is one more word here
%   See also ap_options, attnpath_net, attnpath_attend.

% SPDX-License-Identifier: BSD-3-Clause

table = {'Attention', 'softmax',     'word',     {'softmax', 'hardmax', 'cme'}
         'Bandwidth', 1,             'positive', []
         'Kernel',    'exponential', 'word',     {'exponential', 'gaussian', 'linear'}
         'Ridge',     1e-3,          'positive', []};
end
