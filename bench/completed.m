function data = completed (data, Xi, y)
% completed: a training set from attnpath_prepare_mex, or one that no gateway has made ready, with the fields that
% functions add: Xi and y where they are as they were given, and what belongs to the call (ap_prepare.m of inst/private)

% SPDX-License-Identifier: BSD-3-Clause

if isempty (data.Xi), data.Xi = Xi; end
if isempty (data.y), data.y = y; end
[data.shared, data.of, data.lognoise, data.gradrel] = deal (false, [], 0, 1e-4);
end
