function ap_task_told (task)
%AP_TASK_TOLD  A line about a task, for functions attnpath_task_ that are called without an output.
%
%   AP_TASK_TOLD (task)

% SPDX-License-Identifier: BSD-3-Clause

[N0, T, P] = size (task.Xtrain);
fprintf ('%d training and %d test sequences, of %d tokens with %d features\n', P, size (task.Xtest, 3), T, N0);
end
