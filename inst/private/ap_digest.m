function mark = ap_digest (value)
%AP_DIGEST  SHA-256 of a value as MAT files keep it: the same for equal values of one class, and another for others.
%
%   mark = AP_DIGEST (value)      64 hexadecimal digits
%   A zero has no sign and one NaN is like another, since a MAT file may keep neither. Where MAT files cannot hold an
%   object only the name of its class counts.
%   Example:  ap_digest (struct ('T', 0.1, 'heads', {{1, 2}}))
%   See also ap_fingerprint, ap_resume, attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause

kind = class (value);
if issparse (value)
  [i, j, v] = find (value);
  kind = 'sparse';
  value = [[size(value), numel(v)]; i(:), j(:), v(:)];
end
text = sprintf ('%s%s:', kind, mat2str (size (value)));
if ischar (value) || islogical (value), value = double (value); end
if isnumeric (value)
  text = [text, bits(value)];
elseif iscell (value)
  text = [text, inside(value)];
elseif isstruct (value)
  names = sort (fieldnames (value));
  text = [text, sprintf('%s,', names{:}), inside(struct2cell (orderfields (value)))];
elseif isa (value, 'function_handle')
  text = [text, ap_without_blanks(func2str (value))];
  facts = functions (value);
  if isfield (facts, 'workspace'), text = [text, inside(facts.workspace)]; end
end
mark = ap_sha256 (text);
end

function text = bits (words)
words = words(:)';
if isfloat (words)
  if ~isreal (words), words = [real(words), imag(words)]; end
  words = words + 0;
  words(isnan (words)) = NaN;
end
text = char (typecast (words, 'uint8'));
end

function text = inside (values)
marks = cellfun (@ap_digest, values(:)', 'UniformOutput', false);
text = ['', marks{:}];                            % no marks at all are a text too
end
