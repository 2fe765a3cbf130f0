function bench_large ()
% bench_large: time and memory of one large problem, from tokens to solution, through the public functions
%
% L = 2, H = 8 (64 paths), P = 1000, N0 = 768, 128 tokens: random tokens, random query/key heads of 64
% dimensions, N = 10, T = 0.5. Prints a table. Peak memory is that of this whole Octave process (VmHWM).

% SPDX-License-Identifier: BSD-3-Clause

[P, N0, T, H, G] = deal (1000, 768, 128, 8, 64);
rand ('twister', 1);
randn ('twister', 1);
heads = cell (1, 2);
for l = 1:2
  heads{l} = struct ('Q', randn (G, N0, H) / sqrt (N0), 'K', 4 * randn (G, N0, H) / sqrt (N0));
end
net = attnpath_net (heads, 'Width', 10, 'Temperature', 0.5, 'Readout', 'mean');
X = randn (N0, T, P);
y = sign (randn (P, 1));
tokens_peak = peak_memory ();

start = tic;
paths = attnpath_paths (net, X);
paths_time = toc (start);
paths_peak = peak_memory ();
start = tic;
sol = attnpath_solve (net, paths, y);
solve_time = toc (start);

fprintf ('| step | time (s) | peak memory of the process (GiB) |\n|---|--:|--:|\n');
fprintf ('| tokens in memory | | %.2f |\n', tokens_peak);
fprintf ('| attnpath_paths | %.1f | %.2f |\n', paths_time, paths_peak);
fprintf ('| attnpath_solve | %.1f | %.2f |\n', solve_time, peak_memory ());
fprintf ('| together | %.1f | %.2f (at most 8) |\n', paths_time + solve_time, peak_memory ());
fprintf ('\n%d steps, %d evaluations, gradnorm %.2g, smallest eigenvalue of the Hessian %.3g.\n', ...
         sol.iterations, sol.evaluations, sol.gradnorm, sol.hessian_min);
end
