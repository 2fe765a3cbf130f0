function keeps_generators (call)
% keeps_generators (call): fails unless the user's own random numbers run on as if call () had not happened.

% SPDX-License-Identifier: BSD-3-Clause

rand ('twister', 8);
randn ('twister', 9);
before = {rand('twister'), randn('twister')};
call ();
assert ({rand('twister'), randn('twister')}, before);
end
