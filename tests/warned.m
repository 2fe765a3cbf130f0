function [id, text, varargout] = warned (call)
% [id, text, ...] = warned (call): the last warning of attnpath that a function without arguments gives, '' if it gives
% none, and its outputs; nothing is shown.

% SPDX-License-Identifier: BSD-3-Clause

lastwarn ('', '');
varargout = cell (1, nargout - 2);
evalc ('[varargout{:}] = call ();');
[text, id] = own_warning ();
end
