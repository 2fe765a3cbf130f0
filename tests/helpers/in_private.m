function varargout = in_private (call)
% [...] = in_private (call): what a function without arguments gives that calls private functions.

% SPDX-License-Identifier: BSD-3-Clause

back = to_private ();                                                   %#ok<NASGU> goes back at the end
[varargout{1:nargout}] = call ();
end
