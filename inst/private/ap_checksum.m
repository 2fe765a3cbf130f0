function text = ap_checksum (value)
%AP_CHECKSUM  Of every bit of a value as MAT files keep it: a file whose disk has changed it is told from a whole one.
%   text = AP_CHECKSUM (value)      64 hexadecimal digits
%   Inputs :  value, an array of numbers, texts or logicals, or cells and structs of such
%   A zero has no sign and one NaN is like another, since a MAT file may keep neither.
%   See also ap_run, ap_resume, ap_mark, which names values of whatever class.

% SPDX-License-Identifier: BSD-3-Clause

if iscell (value) || isstruct (value)
  text = sprintf ('%s %s;', class (value), mat2str (size (value)));
  if isstruct (value)
    names = fieldnames (value);
    text = [text, sprintf('%s,', names{:})];
    value = struct2cell (value);
  end
  parts = cellfun (@ap_checksum, value(:)', 'UniformOutput', false);
  text = ap_sha256_text ([text, parts{:}]);
  return
end
words = value(:)';
if ischar (words) || islogical (words), words = double (words); end
if isfloat (words)
  if ~isreal (words), words = [real(words), imag(words)]; end
  words = words + 0;
  words(isnan (words)) = NaN;
end
text = ap_sha256_text ([uint8(sprintf ('%s %s;', class (value), mat2str (size (value)))), typecast(words, 'uint8')]);
end
