function post = sampled (varargin)
% post = sampled (...): attnpath_sample, quietly, and not minding how few the draws are.

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'attnpath:sample:notConverged', 'local');
post = attnpath_sample (varargin{:}, 'Display', false);
end
