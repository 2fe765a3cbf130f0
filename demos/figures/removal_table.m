function removal_table (removed)
%REMOVAL_TABLE  Accuracy while heads are removed, in three orders: a row for each number of removed heads.
%
%   removal_table (removed)
%   Inputs :  removed, tasks x (removals + 1) x 3, percent, as from removals_of
%   See also removal_panel.

% SPDX-License-Identifier: BSD-3-Clause

print_rows ('  %7d   %s  %s  %s\n', (0:size (removed, 2) - 1)', percent_text (removed(:,:,1)), ...
            percent_text (removed(:,:,2)), percent_text (removed(:,:,3)));
end
