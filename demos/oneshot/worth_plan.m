function plan = worth_plan ()
%WORTH_PLAN  Settings of oneshot_worth: those of the one-shot demo and of bench_worth, whose cells are the same.
%
%   plan = worth_plan ()

% SPDX-License-Identifier: BSD-3-Clause

plan = quick_mode (struct ('P', 600, 'draws', 8, 'searched', 4, 'width', 10, 'temperatures', [0.1 0.25 0.5 1], ...
                           'together', 4000, 'parts', 5), ...      % of 20000 sequences losses are known to 0.3 points
                   struct ('P', 60, 'draws', 2, 'searched', 2, 'temperatures', [0.1 1], 'together', 200, 'parts', 2));
end
