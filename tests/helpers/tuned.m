function [sol, info] = tuned (varargin)
% [sol, info] = tuned (...): attnpath_tune, quietly: bounds and disputes have tests of their own.

% SPDX-License-Identifier: BSD-3-Clause

warning ('off', 'attnpath:tune:bound', 'local');
warning ('off', 'attnpath:tune:disagree', 'local');
[sol, info] = attnpath_tune (varargin{:}, 'Display', false);
end
