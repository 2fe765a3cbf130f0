function varargout = ap_seeded (seed, fun)
%AP_SEEDED  Run a function on seeded random numbers, and leave the user's generator as it was.
%
%   [...] = AP_SEEDED (seed, fun)
%   AP_SEEDED (seed)               start the generator, and leave it so: for code that runs in fun
%   Inputs :  seed, integers from 0 to 2^32 - 1: a seed, or [seed stream] for one of several
%             independent streams of the same seed;  fun, a function without arguments that may call
%             rand, randn, randi and randperm, and in Octave rande, randg and randp
%   Outputs:  whatever fun returns
%   The generator's state is put back also when fun fails or is interrupted. The same seed gives the
%   same numbers in one system, but Octave and MATLAB differ.
%   Example:  W = ap_seeded ([7 1], @() randn (3));

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 2, start (seed); return; end
if exist ('OCTAVE_VERSION', 'builtin')
  before = cellfun (@(draw) draw ('twister'), generators (), 'UniformOutput', false);
  restore = onCleanup (@() cellfun (@(draw, state) draw ('twister', state), generators (), before));
else
  before = rng;
  restore = onCleanup (@() rng (before));
end
start (seed);
[varargout{1:nargout}] = fun ();
end

function list = generators ()
list = {@rand, @randn, @rande, @randg, @randp};
end

function start (seed)
if exist ('OCTAVE_VERSION', 'builtin')
  list = generators ();                            % separate in Octave: they must not run on the same seed
  for k = 1:numel (list), list{k} ('twister', [seed(:); k]); end
else
  % rng takes one number only: streams differ by multiples of the golden ratio of 2^32
  rng (mod (seed(1) + 2654435769 * sum (seed(2:end)), 2^32), 'twister');
end
end
