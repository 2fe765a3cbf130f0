function bytes = file_bytes (name, bytes)
% bytes = file_bytes (name): what a file holds, a column of uint8. file_bytes (name, bytes): it holds these, or a text.

% SPDX-License-Identifier: BSD-3-Clause

if nargin > 1, mode = 'w'; else, mode = 'r'; end
file = fopen (name, mode);
if nargin > 1, fwrite (file, bytes); else, bytes = fread (file, Inf, '*uint8'); end
fclose (file);
end
