function images = ap_strokes (classes, drawings, seed)
%AP_STROKES  Characters that nobody writes, drawn as by many hands: stroke characters in the shapes of Omniglot.
%
%   images = AP_STROKES (classes, drawings, seed)
%   Outputs:  105 x 105 x drawings x classes logical, true is paper
%
%   A character is one to three strokes, a stroke one to three pieces: straight or bent, with or without a corner
%   between them. Strokes after the first begin on an earlier one, or beside it. A drawing varies lengths, bends,
%   corners and beginnings a little, then slant, proportions, size and place of the whole. The strengths are a matter
%   of taste: ink, pen width and spread of the drawings were brought near those of Omniglot, by eye.
%   Each class has random numbers of its own: more classes leave the first ones as they are.
%   Example:  images = ap_strokes (2, 20, 1);    % size 105 105 20 2
%   See also attnpath_omniglot, ap_seeded.

% SPDX-License-Identifier: BSD-3-Clause

side = 105;
images = true (side, side, drawings, classes);
for k = 1:classes
  images(:,:,:,k) = ap_seeded ([seed, k], @() draw (invent (), side, drawings));
end
end

function strokes = invent ()
% 1 x S cell; a stroke is a struct: begin on stroke `on` at the fraction `at` of its way, or `off` from there;
% 3 x pieces: lengths, turns along the piece, corners before it (radians)
count = pick ([0.15 0.4 0.45]);
for s = 1:count
  pieces = pick ([0.25 0.45 0.3]);
  length = 0.3 + 0.5 * rand (1, pieces);
  turn = (rand (1, pieces) < 0.6) .* sign (rand (1, pieces) - 0.5) .* (0.6 + 3.4 * rand (1, pieces));
  corner = (rand (1, pieces) < 0.5) .* sign (rand (1, pieces) - 0.5) .* (0.8 + 1.5 * rand (1, pieces));
  stroke.pieces = [length; turn; corner];
  stroke.heading = pick ([0.4 0.4 0.2]) * pi / 4 - pi / 4 + 0.5 * randn;     % to the right, down, or between
  stroke.on = ceil ((s - 1) * rand);
  stroke.at = rand;
  stroke.off = (rand < 0.4) * 0.4 * randn (2, 1);
  strokes{s} = stroke;
end
end

function k = pick (p)
k = find (rand < cumsum (p) / sum (p), 1);
end

function image = draw (strokes, side, drawings)
points = 60;                                       % of each piece, closer than the pen is wide
x = cell (1, numel (strokes));
y = x;
for s = 1:numel (strokes)
  stroke = strokes{s};
  here = stroke.off * ones (1, drawings) + 0.04 * randn (2, drawings);
  if s > 1
    row = ceil (stroke.at * size (x{stroke.on}, 1));
    here = here + [x{stroke.on}(row,:); y{stroke.on}(row,:)];
  end
  heading = stroke.heading + 0.1 * randn (1, drawings);
  for piece = stroke.pieces
    length = piece(1) * exp (0.12 * randn (1, drawings));
    turn = piece(2) * exp (0.12 * randn (1, drawings)) + 0.1 * randn (1, drawings);
    heading = heading + piece(3) + (piece(3) ~= 0) * 0.15 * randn (1, drawings);
    angle = bsxfun (@plus, heading, ((1:points)' - 0.5) / points * turn);
    px = bsxfun (@plus, here(1,:), bsxfun (@times, length / points, cumsum (cos (angle), 1)));
    py = bsxfun (@plus, here(2,:), bsxfun (@times, length / points, cumsum (sin (angle), 1)));
    x{s} = [x{s}; px];
    y{s} = [y{s}; py];
    here = [px(end,:); py(end,:)];
    heading = heading + turn;
  end
end
[row, column] = place (vertcat (y{:}), vertcat (x{:}), side);
image = ink (row, column, side);
end

function [y, x] = place (y, x, side)
% slant, proportions, size and place: of the drawings of one character, each its own
drawings = size (x, 2);
x = bsxfun (@minus, x, (max (x, [], 1) + min (x, [], 1)) / 2);
y = bsxfun (@minus, y, (max (y, [], 1) + min (y, [], 1)) / 2);
extent = max ([max(x, [], 1) - min(x, [], 1), max(y, [], 1) - min(y, [], 1)]);
size_of = (58 + 24 * rand) / extent * exp (0.12 * randn (1, drawings));
aspect = exp (0.1 * randn (1, drawings));
slant = 0.12 * randn (1, drawings);
turn = 0.08 * randn (1, drawings);
x = bsxfun (@times, size_of .* aspect, x);
y = bsxfun (@times, size_of ./ aspect, y);
x = x + bsxfun (@times, slant, y);
turned = bsxfun (@times, cos (turn), x) - bsxfun (@times, sin (turn), y);
y = bsxfun (@times, sin (turn), x) + bsxfun (@times, cos (turn), y);
x = bsxfun (@plus, turned, side / 2 + 6 * randn (1, drawings));
y = bsxfun (@plus, y, side / 2 + 6 * randn (1, drawings));
end

function image = ink (y, x, side)
% a round pen, about four pixels wide, moved along the points; what would leave the paper stays at its margin
pen = 2;
[dy, dx] = ndgrid (-pen:pen);
under = dy .^ 2 + dx .^ 2 <= pen ^ 2;
y = min (max (round (y), pen + 1), side - pen);
x = min (max (round (x), pen + 1), side - pen);
drawings = size (x, 2);
first = bsxfun (@plus, y + side * (x - 1), side ^ 2 * (0:drawings-1));
image = true (side, side, drawings);
image(bsxfun (@plus, first(:), dy(under)' + side * dx(under)')) = false;
end
