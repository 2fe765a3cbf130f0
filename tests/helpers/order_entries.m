function x = order_entries (post)
% x = order_entries (post): every entry of a sample's U once, a row each: entries x draws x chains.

% SPDX-License-Identifier: BSD-3-Clause

[n, m] = size (post.logpost);
U = reshape (post.U, [], n, m);
x = U(tril (true (size (post.U, 1))),:,:);
end
