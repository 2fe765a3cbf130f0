function trained = oneshot_pack (from, to)
%ONESHOT_PACK  Write a network of oneshot_train in half the space, for the demos.
%
%   trained = oneshot_pack (from, to)
%   Inputs :  from, file from oneshot_train;  to, the file to be written
%   Outputs:  struct as in the file: that of oneshot_train, with the entries of each head as int16, in units of unit{l},
%             1 x 1 x H_l, 2^-15 of the largest of them
%   See also oneshot_network, oneshot_train.

% SPDX-License-Identifier: BSD-3-Clause

trained = load (from);
for l = 1:numel (trained.heads)
  trained.unit{l} = max (max (abs (trained.heads{l}), [], 1), [], 2) / single (intmax ('int16'));
  trained.heads{l} = int16 (round (trained.heads{l} ./ trained.unit{l}));
end
save (to, '-struct', 'trained', '-v6');
end
