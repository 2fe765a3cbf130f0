function out = bench_millisecond (c)
% bench_millisecond: a cell of bench_sweep that is busy for a millisecond

% SPDX-License-Identifier: BSD-3-Clause

clock = tic ();
while toc (clock) < 1e-3, end
out = struct ('x', c.a);
end
