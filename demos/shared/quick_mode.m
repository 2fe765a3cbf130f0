function plan = quick_mode (plan, less)
%QUICK_MODE  Settings of a demo; where the environment variable ATTNPATH_QUICK is 1, with less of the same.
%
%   plan = quick_mode (plan, less)
%   Inputs :  plan, struct of settings;  less, struct of those that differ where it is only tried whether a demo runs

% SPDX-License-Identifier: BSD-3-Clause

if ~strcmp (getenv ('ATTNPATH_QUICK'), '1'), return; end
for name = fieldnames (less)'
  plan.(name{1}) = less.(name{1});
end
end
