function result = ref_sweep (fun, grid, seed)
%REF_SWEEP  A sweep by its definition: nested loops, the first field of the grid fastest.
%   result = REF_SWEEP (fun, grid, seed)
%   Inputs :  fun, cell -> struct;  grid, struct of rows of doubles or cells of texts;  seed, of the sweep
%   Outputs:  result, struct array of cell, status, error and the fields of fun's output
%   The stream of a cell: all generators are seeded by the first two of the last three words of 32 bits, of five, in
%   SHA-256 of 'Seed=seed;name=value;..', names in alphabetical order, numbers by %.17g, texts in quotes, with inner
%   quotes doubled; and by the number of the generator. (The 12 bytes before them name the cell's file.)
names = fieldnames (grid);
shape = structfun (@numel, grid)';
for k = prod (shape):-1:1
  rest = k - 1;
  cell = struct ();
  for d = 1:numel (names)
    value = grid.(names{d})(mod (rest, shape(d)) + 1);
    if iscell (value), value = value{1}; end
    cell.(names{d}) = value;
    rest = floor (rest / shape(d));
  end
  text = sprintf ('Seed=%d;', seed);
  for name = sort (names)'
    value = cell.(name{1});
    if ischar (value), value = ['''' strrep(value, '''', '''''') '''']; else, value = sprintf ('%.17g', value); end
    text = [text, name{1}, '=', value, ';'];
  end
  digest = hash ('sha256', text);
  words = [hex2dec(digest(25:32)); hex2dec(digest(33:40))];
  generators = {'rand', 'randn', 'rande', 'randg', 'randp'};
  for g = 1:5, feval (generators{g}, 'twister', [words; g]); end
  result(k) = struct ('cell', cell, 'status', 'done', 'error', '');
  out(k) = fun (cell);
end
for name = fieldnames (out)'
  [result.(name{1})] = out.(name{1});
end
result = reshape (result, [shape, ones(1, numel (shape) == 1)]);
end
