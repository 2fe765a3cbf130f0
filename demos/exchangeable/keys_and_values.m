function [k, v] = keys_and_values (X, d)
%KEYS_AND_VALUES  Split tokens of attnpath_task_exchangeable into a key of d numbers and the value below it.
%
%   [k, v] = keys_and_values (X, d)

% SPDX-License-Identifier: BSD-3-Clause

k = X(1:d,:);
v = X(d+1,:);
end
