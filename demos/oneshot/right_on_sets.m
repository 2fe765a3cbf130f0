function percent = right_on_sets (model, sets, varargin)
%RIGHT_ON_SETS  Percentage of right answers on each of several test sets.
%
%   percent = right_on_sets (model, sets, Name, Value, ...)
%   Inputs :  model, and options, for attnpath_predict;  sets, struct array of paths and y, as from oneshot_data
%   Outputs:  1 x sets

% SPDX-License-Identifier: BSD-3-Clause

percent = arrayfun (@(set) percent_right (attnpath_predict (model, set.paths, varargin{:}), set.y), sets);
end
