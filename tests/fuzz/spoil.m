function x = spoil (x, depth)
% SPOIL  Change one thing about x, by chance: an entry, its class, its shape, or of a struct or cell one of what it
% holds. depth, 0 to begin with. An error where a class cannot be changed so.
% See also anything.

if depth < 4 && isstruct (x) && numel (x) == 1 && numfields (x) > 0 && rand () < 0.9
  names = fieldnames (x);
  name = names{randi(numel (names))};
  if rand () < 0.05
    x = rmfield (x, name);
  else
    x.(name) = spoil (x.(name), depth + 1);
  end
  return
end
if depth < 4 && iscell (x) && ~isempty (x) && rand () < 0.8
  k = randi (numel (x));
  x{k} = spoil (x{k}, depth + 1);
  return
end
if ~isnumeric (x) || isempty (x) || rand () < 0.15
  x = anything (0);
  return
end
shape = size (x);
switch randi (14)
  case {1, 2, 3}                                         % one entry
    values = [0, -0, -1, 1, 2, 1.5, NaN, Inf, -Inf, 1e300, -1e300, 1e-300, 1e8, -1e8];
    x(randi (numel (x))) = values(randi (numel (values)));
  case 4
    x = x * 10 ^ (randn () * 4);
  case 5
    x = -x;
  case 6                                                 % one slice less or more along one direction
    d = randi (numel (shape));
    index = repmat ({':'}, 1, numel (shape));
    index{d} = 1:shape(d) - 1;
    x = x(index{:});
  case 7
    d = randi (numel (shape));
    index = repmat ({':'}, 1, numel (shape));
    index{d} = [1:shape(d), shape(d)];
    x = x(index{:});
  case 8
    x = permute (x, [2 1 3:numel(shape)]);
  case 9
    x = x(:);
  case 10
    x = reshape (x, [1 shape]);
  case 11
    x = zeros (shape);
  case 12
    casts = {@single, @int32, @(v) complex (v, 1), @(v) v > 0, @(v) sparse (v(:,:)), @num2cell};
    x = casts{randi(numel (casts))} (x);
  case 13
    x = x + randn (shape) / 10;
  case 14
    x = x(randperm (numel (x)));
    x = reshape (x, shape);
end
end
