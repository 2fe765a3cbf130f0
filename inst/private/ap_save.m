function ap_save (name, fname, values, writer)
%AP_SAVE  Write a struct's fields to a MAT file that is always whole: the old one or the new one.
%   AP_SAVE (name, fname, values)
%   AP_SAVE (name, fname, values, writer)
%   Inputs :  name, of the file;  fname, stem of the calling function;  values, struct of variables;  writer, a name
%             that no other process has, where several may write the file at once (see ap_process)
%   Errors:   attnpath:<fname>:file
%   The file is written under another name first, name.new or name.writer.new, and renamed: a process that is killed in
%   between leaves the old file. A kill leaves that other name behind, with .saving_in_progress after it where Octave 9
%   was at work on it, and so does an interrupt that is not held back (see ap_run): the next call writes it again.
%   The file has a seal, by which ap_load detects damage.
%   See also ap_load, ap_rename, ap_seal.

% SPDX-License-Identifier: BSD-3-Clause

name = ap_full_name (name);                        % save would take a - at its beginning for an option
temporary = [name '.new'];
if nargin > 3, temporary = [name '.' writer '.new']; end
try
  save (temporary, '-struct', 'values', '-v6');
  set_seal (temporary);
  if ~holds (temporary, values)                    % a full disk is not always reported
    error ('the file cannot be read back: is the disk full?');
  end
  [failed, why] = ap_rename (temporary, name);
catch err
  failed = true;
  why = err.message;
end
if failed
  cellfun (@ap_delete, {temporary, [temporary '.saving_in_progress']});    % its name while Octave 9 writes it
  ap_fail (fname, 'file', '%s cannot be written: %s', name, why);
end
end

function set_seal (name)
file = fopen (name, 'r+');
bytes = fread (file, [1 Inf], '*uint8');
fseek (file, 0, 'bof');
fwrite (file, ap_seal (bytes));
fclose (file);
end

function yes = holds (name, values)
try
  yes = isequaln (ap_load (name), values);
catch
  yes = false;
end
end
