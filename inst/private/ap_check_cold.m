function ap_check_cold (fname, net, data, U)
%AP_CHECK_COLD  Temperature 0 needs a positive definite kernel: is it?
%
%   AP_CHECK_COLD (fname, net, data, U)
%   Inputs :  data, as from ap_prepare;  U, of several outputs not looked at: a definite U leaves K definite just where
%             the identity does
%   A kernel that is singular but for rounding counts as singular: the theory has no T -> 0 limit there.
%   Errors:   attnpath:<fname>:notPositiveDefinite
%   See also attnpath_kernel, ap_prepare.

% SPDX-License-Identifier: BSD-3-Clause

if net.temperature == 0
  if size (U, 1) ~= size (data.Xi, 3), U = eye (size (data.Xi, 3)); end
  K = attnpath_kernel_mex (ap_without_heads (net), data.Xi, data.Xi, U);
  lambda = [eig((K + K') / 2); zeros(data.P > size (K, 1), 1)];
  ap_refuse (fname, 'notPositiveDefinite', min (lambda) <= size (K, 1) * eps * max (lambda), ['temperature 0 needs ' ...
             'a positive definite kernel, but the smallest eigenvalue of K is %.3g (the largest %.3g): give the ' ...
             'net a temperature above 0'], min (lambda), max (lambda));
end
end
