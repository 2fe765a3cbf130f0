function U = ap_check_draws (fname, name, U, n)
%AP_CHECK_DRAWS  Draws of an order parameter, n x n x draws without negative eigenvalues, or an error.
%
%   U = AP_CHECK_DRAWS (fname, name, U, n)
%   Outputs:  U as double, the rounding asymmetry of each draw averaged away
%   Errors:   attnpath:<fname>: those of ap_check_symmetric, with the number of the draw
%   See also ap_check_symmetric.

% SPDX-License-Identifier: BSD-3-Clause

U = ap_check_array (fname, name, U, {n, n, 'draws'});
given = U;
turned = permute (U, [2 1 3]);
slack = 1e-10 * max (max (abs (U), [], 1), [], 2);
wrong = any (any (bsxfun (@gt, abs (U - turned), slack), 1), 2);
U = U / 2 + turned / 2;
for k = 1:size (U, 3)
  if ~wrong(k), [~, wrong(k)] = chol (U(:,:,k) + slack(k) * eye (n)); end
  if wrong(k), ap_check_symmetric (fname, sprintf ('%s(:,:,%d)', name, k), given(:,:,k), n, 'semidefinite'); end
end
end
