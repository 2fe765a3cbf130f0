function W = ap_expansion_weights (net, data, U, lines, C)
%AP_EXPANSION_WEIGHTS  Weights of path inputs that give an expansion's mean prediction (T30), by exact derivatives.
%
%   W = AP_EXPANSION_WEIGHTS (net, data, U, lines, C)
%   Inputs :  data, from ap_prepare, without a basis;  U, order parameter of the solution;  lines, of the expansion;
%             C, number of outputs
%   Outputs:  N0 x C x Pi, the mean of f at x being sum_a x_a' W(:,c,a); [] where a factor of A is too inaccurate
%
%   With A (U) b = y and V = [Xi_1 b, Xi_2 b, ..], N0 x Pi, the weights at U are w (U) = s V U, s = sigma^2 / (N0 Pi),
%   and A b = T b + s Xi' (V U). On a line U (e) = F (1 + e d + e^2/2 d^2) F', with U' = F d F' and U'' = F d^2 F',
%     b' = -A^{-1} s Xi' (V U'),          b'' = -A^{-1} s Xi' (2 V' U' + V U''),      V', V'' = Xi b', Xi b''
%     w' = s (V' U + V U'),               w'' = s (V'' U + 2 V' U' + V U'')
%   (T30) needs w', along the shift, and the sum of w'' over the columns d of a square root of H^{-1}: V'' and b'' of
%   the sum. All directions are columns of the same products: 4 P N0 Pi + 2 P^2 flops for each, and one factor of A.
%   Coupled outputs: b has an example and an output, U a path and an output. Outputs that share U have one A.
%   See also attnpath_predict, attnpath_expand.

% SPDX-License-Identifier: BSD-3-Clause

W = [];
[N0, P, Pi] = size (data.Xi);
n = size (U, 1);
blocks = n / Pi;
A = attnpath_kernel_mex (ap_without_heads (net), data.Xi, data.Xi, U) + net.temperature * eye (P * blocks);
[R, bad] = chol ((A + A') / 2);
if bad || rcond (R) ^ 2 < 1e-13, return; end
solve = @(B) R \ (R' \ B);
X = reshape (permute (data.Xi, [1 3 2]), N0 * Pi, P);
s = net.variance(1) / (data.N0 * Pi);
turn = @(Y, first, second) permute (reshape (Y, N0, first, second, []), [1 3 2 4]);
V_of = @(b) reshape (turn (X * reshape (b, P, []), Pi, blocks), N0, n, []);
back = @(Y) s * reshape (X' * reshape (turn (Y, blocks, Pi), N0 * Pi, []), P * blocks, []);

place = zeros (n);                                 % of the entries of d in a column
place(triu (true (n))) = 1:n * (n + 1) / 2;
place = place + triu (place, 1)';
chunk = max (1, floor (2^23 / (n * max ([N0, n, P]))));
y = reshape (data.y, P * blocks, []);
W = zeros (N0, C, Pi);
for c = 1:size (y, 2)
  b = solve (y(:,c));
  V = V_of (b);
  [~, d] = along (lines.F, lines.shift, place);
  w = V * U + V * d - V_of (solve (back (V * d))) * U;
  [second, mixed] = deal (zeros (n), zeros (N0, n));
  for first = 1:chunk:size (lines.root, 2)
    [half, d] = along (lines.F, lines.root(:,first:min (first + chunk - 1, end)), place);
    V1 = V_of (-solve (back (V * d(:,:))));
    second = second + half * half';
    mixed = mixed + V1(:,:) * reshape (permute (d, [1 3 2]), [], n);
  end
  w = w + 2 * mixed + V * second - V_of (solve (back (2 * mixed + V * second))) * U;
  W(:,c + (0:blocks-1),:) = s * reshape (w, N0, blocks, Pi);
end
end

function [half, d] = along (F, columns, place)
% F d, of all columns side by side, and F d F', n x n x columns
n = size (F, 1);
half = F * reshape (columns(place(:),:), n, []);
d = reshape (F * reshape (permute (reshape (half, n, n, []), [2 1 3]), n, []), n, n, []);
end
