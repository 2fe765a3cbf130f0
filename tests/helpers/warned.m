function [id, text, varargout] = warned (call)
% [id, text, ...] = warned (call): the last warning of attnpath that a function without arguments gives, '' if it gives
% none, and its outputs; nothing is shown.

% SPDX-License-Identifier: BSD-3-Clause

varargout = cell (1, nargout - 2);
for once_more = 0:1                                        % Octave 11 loads functions with a remark, after which a call
  lastwarn ('', '');                                       % says it again
  shown = evalc ('[varargout{:}] = call ();');
  [text, id] = lastwarn ();              % which in Octave 11 may be one that is disabled, or of Octave's own functions
  if ~strncmp (id, 'attnpath:', 9), [text, id] = deal (''); end
  if ~isempty (id) || isempty (strfind (shown, 'warning: attnpath_')), break, end
end
if isempty (strfind (shown, 'warning: ')), [text, id] = deal (''); end            % of one that is off
