function q = ref_one_unit (net, C, y)
% REF_ONE_UNIT  Exact posterior of U_1 for one layer of two heads and N_1 = 1, by quadrature (theory.md section 6).
%   q = ref_one_unit (net, C, y): means of U_11, U_12, U_22 and the probability that U_12 > 0.  C P x P x 2 x 2 from
%   ref_pathkernels.
%   U = u u' is singular, u = r (cos t, sin t) two-dimensional: given u_a every entry is N(0, sigma_1^2 u_a), so that
%   the direction t is uniform and r^2 = sigma_1^2 u_a chi^2_2, u_a = sigma_a^2/N_a chi^2 (T11). U has period pi in t.
P = numel (y);
Na = net.width(2);
ua = exp (linspace (-12, 4, 600));
weight = exp (Na / 2 * (log (ua) - ua / net.variance(3)));           % density of log u_a
logr2 = linspace (-8, 5, 90);
degrees = 1:2:179;
log_like = zeros (numel (logr2), numel (degrees));
for i = 1:numel (logr2)
  s = exp (logr2(i)) ./ (net.variance(2) * ua);                      % chi^2_2: density exp (-s/2) / 2, per log s times s
  log_prior(i,1) = log (sum (weight .* s .* exp (-s / 2)));
  for j = 1:numel (degrees)
    c = cos (degrees(j) * pi / 180) * exp (logr2(i) / 2);
    d = sin (degrees(j) * pi / 180) * exp (logr2(i) / 2);
    U = [c * c, c * d; c * d, d * d];
    A = net.temperature * eye (P);
    for p = 1:4
      [a, b] = ind2sub ([2 2], p);
      A = A + U(a,b) * C(:,:,a,b) / 2;
    end
    R = chol (A);
    z = R' \ y;
    log_like(i,j) = -sum (log (diag (R))) - z' * z / 2;
  end
end
w = exp (log_like + log_prior - max (max (log_like + log_prior)));
r2 = exp (logr2)';
c = cos (degrees * pi / 180);
d = sin (degrees * pi / 180);
q = [sum((w .* (r2 .* c .* c))(:)), sum((w .* (r2 .* c .* d))(:)), sum((w .* (r2 .* d .* d))(:)), ...
     sum((w .* (c .* d > 0))(:))] / sum (w(:));
end
