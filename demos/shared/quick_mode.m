function plan = quick_mode (plan, less)
%QUICK_MODE  Settings of a demo, reduced if the environment variable ATTNPATH_QUICK is 1.
%
%   plan = quick_mode (plan, less)
%   Inputs :  plan, struct of settings;  less, struct of those that differ in a quick run, which only tests the demo

% SPDX-License-Identifier: BSD-3-Clause

if ~strcmp (getenv ('ATTNPATH_QUICK'), '1'), return; end
for name = fieldnames (less)'
  plan.(name{1}) = less.(name{1});
end
end
