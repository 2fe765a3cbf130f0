function x = anything (depth)
% ANYTHING  A value of any class and a small shape, by chance; depth, 0 to begin with: cells hold cells at most twice.
% See also spoil.

shapes = {[0 0], [1 1], [1 0], [0 3], [1 2], [2 1], [3 3], [2 3], [4 4], [3 4 5], [3 5 4], [2 2 2 2], [1 1 1 3], ...
          [5 1], [1 5], [0 1 2], [3 4 0]};
shape = shapes{randi(numel (shapes))};
switch randi (22)
  case {1, 2, 3, 4}
    x = randn (shape);
  case 5
    values = [0, -0, 1, -1, 2, 3, 0.5, NaN, Inf, -Inf, realmax, realmin, 1e-320, 2^31, 2^32, 2^53, 2^63, 2^64, -2^31];
    x = values(randi (numel (values), [shape 1]));
    x = reshape (x, shape);
  case 6
    x = single (randn (shape));
  case 7
    types = {'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'};
    x = feval (types{randi(8)}, 100 * randn (shape));
  case 8
    x = rand (shape) > 0.5;
  case 9
    x = char (96 + randi (26, shape));
  case 10
    words = {'softmax', 'hardmax', 'cme', 'linear', 'last', 'mean', 'first', '', char(zeros (1, 3)), repmat('x', 1, 3000), ...
             ['a'; 'b']};
    x = words{randi(numel (words))};
  case 11
    x = complex (randn (shape), randn (shape));
  case 12
    x = sparse (randn (shape(1), shape(2)));
  case 13
    x = 1:randi (6);
  case 14
    x = eye (randi (4));
  case 15
    x = eye (3)(:, [2 3 1]);
  case 16
    x = @sin;
  case 17
    x = struct ();
  case 18
    x = repmat (struct ('H', 1, 'Q', 2, 'K', 3), randi (3) - 1, randi (2));
  case 19
    x = containers.Map ();
  case 20
    x = randi (4);
  case {21, 22}
    x = cell (shape(1), shape(2));
    for k = 1:numel (x)
      if depth < 2, x{k} = anything (depth + 1); end
    end
end
end
