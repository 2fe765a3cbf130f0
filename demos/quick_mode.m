function yes = quick_mode ()
%QUICK_MODE  Is a demo to do less of the same, only to see whether it runs?
%
%   yes = quick_mode ()
%   Outputs:  true where the environment variable ATTNPATH_QUICK is 1

% SPDX-License-Identifier: BSD-3-Clause

yes = strcmp (getenv ('ATTNPATH_QUICK'), '1');
end
