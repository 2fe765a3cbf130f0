function ap_seed (seed)
%AP_SEED  Start the random number generators from a seed, and leave them so: for code that ap_seeded runs.
%   AP_SEED (seed)
%   Inputs :  seed, as for ap_seeded

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin')
  % these are separate generators in Octave: they must not run on the same seed
  rand ('twister', [seed(:); 1]);
  randn ('twister', [seed(:); 2]);
  rande ('twister', [seed(:); 3]);
  randg ('twister', [seed(:); 4]);
  randp ('twister', [seed(:); 5]);
else
  % one number is all that rng takes: streams are set apart by the golden ratio of 2^32
  rng (mod (seed(1) + 2654435769 * sum (seed(2:end)), 2^32), 'twister');
end
end
