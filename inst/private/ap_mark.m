function mark = ap_mark (value)
%AP_MARK  A fingerprint of any value: equal for equal values of one class, and hardly ever for others.
%
%   mark = AP_MARK (value)      a text
%   Of an object of a class that MAT files cannot hold only the name of the class counts.
%   Example:  ap_mark (struct ('T', 0.1, 'heads', {{1, 2}}))
%   See also ap_fingerprint, ap_sweep_folder.

% SPDX-License-Identifier: BSD-3-Clause

kind = class (value);
if issparse (value)
  [i, j, v] = find (value);
  kind = 'sparse';
  value = [[size(value), numel(v)]; i(:), j(:), v(:)];
end
text = sprintf ('%s%s:', kind, mat2str (size (value)));
if isfloat (value)
  text = [text, sprintf('%.17g,', ap_fingerprint (real (value)))];
  if ~isreal (value), text = [text, sprintf('i%.17g,', ap_fingerprint (imag (value)))]; end
elseif ischar (value)
  text = [text, value(:)'];
elseif isnumeric (value) || islogical (value)
  text = [text, sprintf('%.17g,', ap_fingerprint (double (value)))];
elseif iscell (value)
  text = [text, inside(value)];
elseif isstruct (value)
  names = sort (fieldnames (value));
  text = [text, sprintf('%s,', names{:}), inside(struct2cell (orderfields (value)))];
elseif isa (value, 'function_handle')
  text = [text, ap_bare_text(func2str (value))];
  facts = functions (value);
  if isfield (facts, 'workspace'), text = [text, inside(facts.workspace)]; end
end
mark = ap_sha256_text (text);
end

function text = inside (values)
marks = cellfun (@ap_mark, values(:)', 'UniformOutput', false);
text = [marks{:}];
end
