function U = ap_check_symmetric (fname, name, U, n, definite)
%AP_CHECK_SYMMETRIC  A symmetric n x n matrix of a given definiteness, checked; an error reports what is wrong.
%
%   U = AP_CHECK_SYMMETRIC (fname, name, U, n, definite)
%   Inputs :  definite, 'definite', 'semidefinite' or 'any'
%   Outputs:  U as double, its rounding asymmetry averaged away
%   Errors:   attnpath:<fname>: notSymmetric, notPositiveDefinite, and those of ap_check_array
%   Asymmetry and negative eigenvalues up to 1e-10 of the largest entry are taken for rounding.
%   Example:  U = ap_check_symmetric ('kernel', 'U', U, ap_path_count (net), 'semidefinite');
%   See also ap_check_array, ap_check_order.

% SPDX-License-Identifier: BSD-3-Clause

U = ap_check_array (fname, name, U, {n, n});
slack = 1e-10 * max (abs (U(:)));
skew = abs (U - U');
if any (skew(:) > slack)
  [~, at] = max (skew(:));
  [i, j] = ind2sub ([n n], at);
  ap_fail (fname, 'notSymmetric', '%s must be symmetric, but %s(%d,%d) is %.10g and %s(%d,%d) is %.10g', ...
           name, name, i, j, U(i,j), name, j, i, U(j,i));
end
U = U / 2 + U' / 2;
switch definite
  case 'definite',     [~, failed] = chol (U);
  case 'semidefinite', [~, failed] = chol (U + slack * eye (n));  failed = failed && any (U(:));
  case 'any',          failed = false;
end
if failed
  ap_fail (fname, 'notPositiveDefinite', '%s must be positive %s, but its smallest eigenvalue is %.4g', ...
           name, definite, min (eig (U)));
end
end
