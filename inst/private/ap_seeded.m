function varargout = ap_seeded (seed, fun)
%AP_SEEDED  Run a function on seeded random numbers, and leave the user's generator as it was.
%
%   [...] = AP_SEEDED (seed, fun)
%   Inputs :  seed, integers from 0 to 2^32 - 1: a seed, or [seed stream] for one of several
%             independent streams of the same seed;  fun, a function without arguments that may call
%             rand, randn, randi and randperm, and in Octave rande, randg and randp
%   Outputs:  whatever fun returns
%   The generator's state is put back also when fun fails or is interrupted. The same seed gives the
%   same numbers in one system, but Octave and MATLAB differ.
%   Example:  W = ap_seeded ([7 1], @() randn (3));
%   See also ap_seed.

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  before = {rand('twister'), randn('twister'), rande('twister'), randg('twister'), randp('twister')};
  restore = onCleanup (@() put_back (before));
else
  before = rng;
  restore = onCleanup (@() rng (before));
end
ap_seed (seed);
[varargout{1:nargout}] = fun ();
end

function put_back (state)
rand ('twister', state{1});
randn ('twister', state{2});
rande ('twister', state{3});
randg ('twister', state{4});
randp ('twister', state{5});
end
