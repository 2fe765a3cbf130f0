function back = with_env (varargin)
% back = with_env (name, value, ...): these variables of the environment have these values until back is cleared, and
% then what they had.

% SPDX-License-Identifier: BSD-3-Clause

names = varargin(1:2:end);
were = cellfun (@getenv, names, 'UniformOutput', false);
cellfun (@setenv, names, varargin(2:2:end));
back = onCleanup (@() cellfun (@put, names, were));
end

function put (name, value)
if isempty (value), unsetenv (name); else, setenv (name, value); end
end
