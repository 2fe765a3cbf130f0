function x = read_idx (file)
%READ_IDX  An array of bytes from a file in the IDX format of MNIST.
%
%   x = read_idx (file)
%   Inputs :  file, its name, not compressed
%   Outputs:  uint8 array. Its first index is the last one of the file, which changes fastest: images are
%             columns x rows x number, labels number x 1
%   The format: two zeros, 8 for bytes, the number of sizes; each size in four bytes, the most significant first; then
%   the bytes.
%   Errors:   attnpath:demo:file if it is not such a file, or truncated

% SPDX-License-Identifier: BSD-3-Clause

id = -1;
if ischar (file), id = fopen (file, 'r', 'ieee-be'); else, file = 'what is no name of a file'; end
if id < 0, error ('attnpath:demo:file', '%s cannot be read', file); end
closed = onCleanup (@() fclose (id));
magic = fread (id, 4, 'uint8');
if numel (magic) ~= 4 || any (magic(1:3) ~= [0; 0; 8]) || magic(4) < 1
  if numel (magic) > 1 && isequal (magic(1:2), [31; 139])
    error ('attnpath:demo:file', '%s is compressed: unpack it first (gunzip)', file);
  end
  error ('attnpath:demo:file', '%s is not a file of bytes in the IDX format: it does not begin with 0, 0, 8', file);
end
sizes = fread (id, magic(4), 'uint32')';
if numel (sizes) ~= magic(4), error ('attnpath:demo:file', '%s ends within its header', file); end
begun = ftell (id);
fseek (id, 0, 'eof');
there = ftell (id) - begun;
if there ~= prod (sizes)
  error ('attnpath:demo:file', '%s is no whole IDX file: its header requires %s bytes, and it has %d', file, ...
         strjoin (arrayfun (@num2str, sizes, 'UniformOutput', false), ' x '), there);
end
fseek (id, begun, 'bof');
x = fread (id, there, '*uint8');
x = reshape (x, [sizes(end:-1:1), 1]);
end
