function [values, sealed] = ap_load (name)
%AP_LOAD  The variables of a file that ap_save wrote, or an error with its fault.
%   [values, sealed] = AP_LOAD (name)
%   Outputs:  values, struct;  sealed, false for a file that bears no seal: of 0.2.0, or of another program
%   The seal is looked at first: of a damaged MAT file Octave's load may return anything, or crash.
%   Errors:   as load raises them; the caller adds the required contents
%   See also ap_save, ap_seal.

% SPDX-License-Identifier: BSD-3-Clause

file = fopen (name, 'r');
if file < 0, error ('it cannot be opened'); end
bytes = fread (file, [1 Inf], '*uint8');
fclose (file);
[seal, place] = ap_seal (bytes);
if isempty (seal), error ('it is damaged, or no MAT file: %d bytes', numel (bytes)); end
head = char (bytes(place));
sealed = ~strncmp (head, 'MATLAB 5.0 MAT-file, ', 21);         % as Octave and MATLAB begin
if sealed && ~strcmp (head, seal), error ('it is damaged: its bytes are not those that were written'); end
values = load (name, '-mat');
end
