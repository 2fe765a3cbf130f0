function demo_progress (form, varargin)
%DEMO_PROGRESS  A line that says what a demo is at, if the last one is some seconds old.
%
%   demo_progress (form, ...)
%   Inputs :  as for fprintf

% SPDX-License-Identifier: BSD-3-Clause

persistent last
if ~isempty (last) && toc (last) < 5, return; end
last = tic ();
fprintf (['... ' form '\n'], varargin{:});
if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); end
end
