% kernel.tst: path-path kernels (T5) and the combined kernel (T6). Entries are sums of N0 Pi^2 ~ 200 products of order
% 1, so rounding stays below 200 * eps * 10 = 5e-13 in absolute terms.

%!function [net, paths, paths2, U] = random_case (H, seed)
%!  randn ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Variance", 0.5 + (1:L+2) / 3);
%!  paths.Xi = randn (6, 7, prod (H));
%!  paths2.Xi = randn (6, 4, prod (H));
%!  U = randn (prod (H));
%!  U = U * U';
%!endfunction

%!test % against the references, L = 1..4, square and rectangular
%! for H = {1, 3, [2 3], [2 1 2], [1 2 1 2]}
%!   [net, paths, paths2, U] = random_case (H{1}, 1);
%!   assert (attnpath_pathkernels (net, paths), ref_pathkernels (net, paths.Xi, paths.Xi), 1e-12);
%!   assert (attnpath_pathkernels (net, paths, paths2), ref_pathkernels (net, paths.Xi, paths2.Xi), 1e-12);
%!   assert (attnpath_kernel (net, paths, U), ref_kernel (net, paths.Xi, U, paths.Xi), 1e-11);
%!   assert (attnpath_kernel (net, paths, U, paths2), ref_kernel (net, paths.Xi, U, paths2.Xi), 1e-11);
%! endfor

%!test % a paths struct or its Xi, in single or double
%! [net, paths, paths2, U] = random_case ([2 2], 2);
%! paths.Xi = single (paths.Xi);
%! K = attnpath_kernel (net, paths, U, paths2);
%! assert (attnpath_kernel (net, double (paths.Xi), single (U), paths2.Xi), ...
%!         attnpath_kernel (net, paths, double (single (U)), paths2));
%! assert (class (K), "double");
