function ap_write (fname, file, text)
%AP_WRITE  Writes a text into a file.
%
%   AP_WRITE (fname, file, text)
%   Inputs :  fname, stem of the calling function;  file, its name, which is overwritten;  text, with the ends of its
%             lines
%   Errors:   attnpath:<fname>:file where it cannot be opened, or not be written to the end
%   See also ap_save.

% SPDX-License-Identifier: BSD-3-Clause

[out, why] = fopen (file, 'w');
ap_refuse (fname, 'file', out < 0, '%s cannot be written: %s', file, why);
fprintf (out, '%s', text);
ap_refuse (fname, 'file', fclose (out) ~= 0, '%s cannot be written: is the disk full?', file);
end
