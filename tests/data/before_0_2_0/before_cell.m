function out = before_cell (at, scale)
% BEFORE_CELL  A cell of the sweep whose folder is here; one of them fails.
if at.width == 100 && strcmp (at.rule, 'cme'), error ('this one cannot be done'); end
out = struct ('x', scale * at.width + at.seed, 'u', rand (), 'z', randn ());
end
